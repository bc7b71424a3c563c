"""The forms in which an owner counts and enters the cards of Rail Raiders Infinite, read and filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from werkzeug.datastructures import MultiDict

from companion.games.drawing import Drawing
from companion.games.rail_raiders_infinite.dice.hands import FACES
from companion.games.rail_raiders_infinite.drawings.cards import deck_card, raider_card
from companion.games.rail_raiders_infinite.drawings.cars import car_sketch
from companion.games.rail_raiders_infinite.entering import (
    ENTRIES,
    Counts,
    EnterCounts,
    Entry,
    entry_faults,
    kind_of,
)
from companion.games.rail_raiders_infinite.packs.pack import COUNTED, PARTS, Pack, edition
from companion.games.rail_raiders_infinite.packs.pack_faults import MIDDLE_CARS, RAIDERS, SIZE, WHATS
from companion.games.rail_raiders_infinite.packs.vocabulary import STEPS, TAKES, Effect
from companion.games.rail_raiders_infinite.state import DECKS, KINDS, CarCard, Card
from web_ui import raider_words as words
from web_ui.own_forms import MOST_STEPS, Fields, Forms, number, steps_in, text

TITLE, WORDS = 40, 500
"""Signs that a title and a card's words may have."""

_DRAFT = re.compile("new-[0-9a-f]{8}")

_MANY = ("faces", "breaks")


def fields_of(entry: Entry) -> Fields:
    """The fields of a form that says what the card says; of counts, what is counted."""
    if isinstance(entry, EnterCounts):
        copies = entry.card.copies
        return MultiDict({f"copies.{name}": str(count) for name, count in copies.items()})
    card = entry.card
    given: Fields = MultiDict({"title": card.title, "words": card.words})
    if isinstance(card, CarCard):
        given |= {"loot": str(card.loot), "long_arm": str(card.long_arm)}
    else:
        given |= {"copies": str(card.copies or ""), "kind": card.kind, "use": card.use, "lasts": card.lasts}
        given |= {"grit": "on"} if card.grit else {}
    does = (*card.steps, *(card.effects if isinstance(card, Card) else ()))
    if not card.title and kind_of(entry) in ("high_noon", "long_arm", "loot"):
        does = (Effect("table"),)  # what is usual where nothing is entered yet
    for at, effect in enumerate(does):
        _put(given, at, effect)
    return given


def _put(given: Fields, at: int, effect: Effect) -> None:
    given[f"do.{at}"] = effect.do
    for field in sorted(TAKES[effect.do]):
        value = getattr(effect, field)
        if field in _MANY:
            given.setlist(f"{field}.{at}", list(value))
        elif field == "spend":
            given |= {f"spend.{at}": "on"} if value else {}
        else:
            given[f"{field}.{at}"] = str(value)


def read(kind: str, name: str, given: Fields) -> Entry:
    """The card as the fields say it, with all its faults; one that is new is named by its title."""
    if kind == "counts":
        return EnterCounts(Counts(name, _copies(name, given)))
    title, told = text(given, "title"), text(given, "words")
    if _DRAFT.fullmatch(name) and (named := re.sub("[^a-z0-9]+", "_", title.lower()).strip("_")):
        name = named
    does = tuple(_effect(given, at, told) for at in range(steps_in(given)))
    steps = tuple(effect for effect in does if effect.do in STEPS)
    if kind == "cars":
        end = name if name in ("caboose", "locomotive") else ""
        icons = (number(given.get("loot", "")), number(given.get("long_arm", "")))
        return ENTRIES[kind](CarCard(name, title, *icons, end, told, steps))  # type: ignore[no-any-return]
    card = Card(
        name,
        title,
        number(given.get("copies", "")) if kind in DECKS else 0,
        told,
        given.get("kind", "") if kind == "loot" else "",
        given.get("use", "") if kind == "loot" else "",
        given.get("lasts", "") if kind in DECKS else "",
        kind == "long_arm" and "grit" in given,
        steps,
        tuple(effect for effect in does if effect.do not in STEPS),
    )
    return ENTRIES[kind](card)  # type: ignore[no-any-return]


def _copies(part: str, given: Fields) -> dict[str, int]:
    """The counts that were typed, -1 for what is no number; of Raiders, which are in the box."""
    if part == "raiders":
        boxed = given.getlist("box")
        return {name: int(name in boxed) for name in given.getlist("known")}
    typed = {field[7:]: value.strip() for field, value in given.items() if field.startswith("copies.")}
    return {name: int(value) if value.isdecimal() else -1 for name, value in typed.items() if value}


def _effect(given: Fields, at: int, told: str) -> Effect:
    """One word of what the card does. A table's step without words has those of the card."""
    do = given[f"do.{at}"]
    takes = TAKES.get(do, frozenset())

    def one(field: str, plain: str = "") -> str:
        return given.get(f"{field}.{at}", plain) if field in takes else plain

    def many(field: str) -> tuple[str, ...]:
        found = given.getlist(f"{field}.{at}") if field in takes else []
        return tuple(face for face in FACES if face in found)

    return Effect(
        do,
        number(one("count")) if "count" in takes else 1,
        one("when"),
        one("needs"),
        one("who", "self"),
        one("what"),
        many("faces"),
        many("breaks"),
        number(one("least")),
        "spend" in takes and f"spend.{at}" in given,
        (text(given, f"words.{at}") or told) if "words" in takes else "",
    )


def added(given: Fields, do: str) -> Fields:
    """The fields with one more word of what the card does, at the end."""
    more = given.copy()
    count = steps_in(given)
    if do in TAKES and count < MOST_STEPS:
        what, when = WHATS.get(do, ("",))[0], "fight" if "when" in TAKES[do] else ""
        _put(more, count, Effect(do, what=what, when=when))
    return more


def faults(pack: Pack, entry: Entry) -> list[str]:
    """What is wrong with the card, and with the length of its texts."""
    found = entry_faults(entry)
    if not isinstance(entry, EnterCounts):
        long = (("title", entry.card.title, TITLE), ("text", entry.card.words, WORDS))
        found += [
            f"The {what} is longer than {most} signs." for what, typed, most in long if len(typed) > most
        ]
    return found


def has(pack: Pack, kind: str, name: str) -> bool:
    """Whether there is a card of that name in the box. One that was said to be absent may be entered anew."""
    return any(card.name == name for card in getattr(edition(pack), kind))


def drawing(entry: Entry) -> Drawing | None:
    """The card as it is entered so far; None while that is no card that can be drawn."""
    if isinstance(entry, EnterCounts) or entry_faults(entry):
        return None
    if isinstance(entry.card, CarCard):
        return car_sketch(entry.card)
    kind = kind_of(entry)
    return raider_card(entry.card) if kind == "raiders" else deck_card(entry.card, kind)


def title(entry: Entry) -> str:
    """What the card is called."""
    if isinstance(entry, EnterCounts):
        return f"Your {words.DECK_WORDS[entry.card.name]}{' cards' if entry.card.name in DECKS else ''}"
    return entry.card.title or words.ONE_WORDS[kind_of(entry)]


def following(pack: Pack, kind: str, name: str) -> tuple[str, str] | None:
    """What comes next: after counting the next deck, after a card one more of its kind."""
    if kind != "counts":
        return f"/cards/{kind}/new", f"{words.ONE_WORDS[kind][0].lower()}{words.ONE_WORDS[kind][1:]}"
    more = COUNTED[COUNTED.index(name) + 1 :]
    return (f"/cards/counts/{more[0]}", f"count {words.DECK_WORDS[more[0]]}") if more else None


def listed(pack: Pack) -> Mapping[str, object]:
    """The lists of the pack: what each is called, how much of it is known, and its cards."""
    return {"lists": [_listed(pack, part) for part in PARTS]}


def _listed(pack: Pack, part: str) -> dict[str, object]:
    cards = getattr(edition(pack), part)
    if part in DECKS:
        known = sum(card.copies for card in cards)
    else:
        known = sum(not getattr(card, "end", "") for card in cards)
    whole = {"raiders": RAIDERS, "cars": MIDDLE_CARS}.get(part, SIZE)
    return {
        "part": part,
        "title": words.DECK_WORDS[part],
        "counted": part in COUNTED,
        "known": known,
        "whole": whole,
        "complete": known == whole and not any(part in DECKS and not card.copies for card in cards),
        "cards": cards,
    }


def beside(pack: Pack, kind: str, name: str) -> Mapping[str, object]:
    """What a form shows besides its fields: of a deck that is counted, its cards."""
    if kind != "counts":
        return {}
    boxed = [card.name for card in getattr(edition(pack), name)]
    intro = "Which of them are in your box?" if name == "raiders" else "How many of each are in your box?"
    return {"counting": getattr(pack, name), "boxed": boxed, "size": SIZE, "intro": intro}


CHOICES: Mapping[str, object] = {
    "groups": words.GROUPS,
    "words": words.WORDS,
    "takes": TAKES,
    "counts": words.COUNTS,
    "icons": tuple(map(str, range(10))),
    "copies": {"": "not counted"} | {str(count): str(count) for count in range(1, 21)},
    "moments": words.MOMENT_WORDS,
    "needs": words.NEED_WORDS,
    "who": words.WHO_WORDS,
    "whose": {"bring_lawbot": ("self", "left"), "destroy_more": ("self", "all")},
    "whats": WHATS,
    "what_words": words.WHAT_WORDS | {kind: f"a {kind.title()}" for kind in KINDS},
    "faces": FACES,
    "ranks": words.RANK_WORDS,
    "kinds": words.KIND_WORDS,
    "uses": words.USE_WORDS,
    "lasts": words.LASTS_WORDS,
    "title_length": TITLE,
    "words_length": WORDS,
}
"""What the forms let people choose from."""

FORMS = Forms(
    form="own_card_raiders.html",
    listing="own_cards_raiders.html",
    choose=CHOICES,
    listed=listed,
    title=title,
    fields_of=fields_of,
    read=read,
    faults=faults,
    has=has,
    added=added,
    drawing=drawing,
    following=following,
    beside=beside,
    draws=lambda kind: kind != "counts",
)
