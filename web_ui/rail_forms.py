"""The forms in which an owner enters HellRail's cards, read and filled in."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from companion.games.drawing import Drawing
from companion.games.hellrail.drawings.sketches import card_in_hand, circle, laid_rail
from companion.games.hellrail.entering import EnterCircle, EnterRail, Entry, entry_faults
from companion.games.hellrail.pack import CircleEntry, Pack, RailEntry, card_of, circle_of, missing
from companion.games.hellrail.pack_faults import (
    CIRCLES,
    CURVE,
    GIVERS,
    LARGEST,
    STEP_FIELDS,
    STEP_THINGS,
    WHO,
    rail_faults,
)
from companion.games.hellrail.state import STEPS, RailCard, Step
from companion.games.hellrail.track import SIDES, Track, opposite
from web_ui.own_forms import MOST_STEPS, Fields, Forms, number, steps_in, text
from web_ui.svg import svg

NUMBERS = tuple(map(str, range(1, LARGEST + 1)))
TITLE, WORDS = 40, 500
"""Signs that a title and an Effect may have."""

SIDE_WORDS = {"N": "top", "E": "right", "S": "bottom", "W": "left"}
STRAIGHT = 4


class Pair(Struct, frozen=True):
    """Two sides that rail may join: their letters, what they are called, how many ties there can be."""

    sides: str
    words: str
    drawing: Drawing
    ties: tuple[str, ...]
    usual: str


def _pair(sides: str) -> Pair:
    straight = sides[1] == opposite(sides[0])
    usual = STRAIGHT if straight else CURVE
    fewest = 1 if straight else CURVE
    return Pair(
        sides,
        f"{SIDE_WORDS[sides[0]]} to {SIDE_WORDS[sides[1]]}",
        laid_rail(RailCard("", 0, "", "", 0, Track((f"{sides}{usual}",)))),
        NUMBERS[fewest - 1 :],
        str(usual),
    )


PAIRS = tuple(_pair(sides) for sides in ("NS", "EW", "NE", "NW", "ES", "SW"))

STEP_WORDS = {
    "gain": "takes a chip or a ticket",
    "derail": "derails",
    "draw": "draws cards",
    "discard": "discards cards",
    "turn_rail": "turns an empty Rail Card",
    "scrap_rail": "takes an empty Rail Card off the table",
    "put_counter": "puts a counter on a Rail Card",
    "take_counter": "takes a counter off a Rail Card",
    "move_engine": "moves an engine",
    "table": "the table does it",
}
WHO_WORDS = {
    "self": "who is here",
    "opponent": "one opponent",
    "opponents": "all opponents",
    "anyone": "any one player",
}


# -- Rail Cards ---------------------------------------------------------------------------------------


def rail_fields(card: RailEntry) -> Fields:
    """The fields of a form that says what the card says."""
    given: Fields = MultiDict()
    for name in ("value", "pickup", "setout", "brimstone"):
        given[name] = str(getattr(card, name) or "")
    for segment in card.track:
        given.add("track", segment[:2])
        given[f"ties.{segment[:2]}"] = segment[2:]
    for side, count in card.shared.items():
        given[f"shared.{side}"] = str(count)
    return given


def rail_entry(name: str, given: Fields) -> EnterRail:
    """The card as the fields say it; what they leave out or garble is not entered."""
    track = [
        pair + given.get(f"ties.{pair}", "")
        for pair in sorted(set(given.getlist("track")), key=lambda pair: [SIDES.find(side) for side in pair])
    ]
    shared = {side: number(given.get(f"shared.{side}", "")) for side in SIDES}
    return EnterRail(
        RailEntry(
            name,
            number(given.get("value", "")),
            given.get("pickup", ""),
            given.get("setout", ""),
            number(given.get("brimstone", "")),
            tuple(track),
            {side: count for side, count in shared.items() if count},
        )
    )


# -- Circles ------------------------------------------------------------------------------------------


def circle_fields(card: CircleEntry) -> Fields:
    """The fields of a form that says what the Circle says, or for one not entered what is usual."""
    given: Fields = MultiDict({"title": card.title, "words": card.words})
    given.setlist("sides", list(card.sides))
    steps = card.steps or _usual(card.name)
    for at, step in enumerate(steps):
        _put_step(given, at, step)
    return given


def _usual(circle: str) -> tuple[Step, ...]:
    """What the rulebook says of the Circle, and that the table does the rest."""
    giver = (Step("gain", what=GIVERS[circle]),) if circle in GIVERS else ()
    return (*giver, Step("table"))


def _put_step(given: Fields, at: int, step: Step) -> None:
    given[f"do.{at}"] = step.do
    for field in STEP_FIELDS[step.do]:
        given[f"{field}.{at}"] = str(getattr(step, field))
    if step.optional:
        given[f"optional.{at}"] = "on"


def circle_entry(name: str, given: Fields) -> EnterCircle:
    """The Circle as the fields say it. A table's step without words has those of the Circle."""
    words = text(given, "words")
    steps = tuple(_step(given, at, words) for at in range(steps_in(given)))
    sides = "".join(side for side in SIDES if side in given.getlist("sides"))
    return EnterCircle(CircleEntry(name, text(given, "title"), sides, words, steps if words else ()))


def _step(given: Fields, at: int, words: str) -> Step:
    do = given[f"do.{at}"]
    means = STEP_FIELDS.get(do, set())
    return Step(
        do,
        given.get(f"who.{at}", "") if "who" in means else "self",
        number(given.get(f"count.{at}", "")) if "count" in means else 1,
        given.get(f"what.{at}", "") if "what" in means else "",
        given.get(f"to.{at}", "") if "to" in means else "",
        f"optional.{at}" in given,
        (text(given, f"words.{at}") or words) if "words" in means else "",
    )


def added(given: Fields, do: str) -> Fields:
    """The fields with one step more, at the end."""
    more = given.copy()
    count = steps_in(given)
    if do in STEPS and count < MOST_STEPS:
        _put_step(more, count, Step(do, what=next(iter(STEP_THINGS.get(do, ())), "")))
    return more


# -- both ---------------------------------------------------------------------------------------------


def fields_of(entry: Entry) -> Fields:
    """The fields of a form that says what the card says."""
    return rail_fields(entry.card) if isinstance(entry, EnterRail) else circle_fields(entry.card)


def read(kind: str, name: str, given: Fields) -> Entry:
    """The card as the fields say it, with all its faults."""
    return rail_entry(name, given) if kind == "rail" else circle_entry(name, given)


def drawing(entry: Entry) -> Drawing | None:
    """The card as it is entered so far; None while that is no card that can be drawn."""
    if isinstance(entry, EnterCircle):
        return circle(circle_of(entry.card))
    if next(rail_faults(entry.card, "$"), None) is not None:
        return None
    return card_in_hand(card_of(entry.card))


def faults(pack: Pack, entry: Entry) -> list[str]:
    """What is wrong with the card, and with the length of its texts."""
    found = entry_faults(entry)
    if isinstance(entry, EnterCircle):
        long = (("title", entry.card.title, TITLE), ("Effect", entry.card.words, WORDS))
        found += [f"The {what} is longer than {most} signs." for what, text, most in long if len(text) > most]
    return found


CHOICES: Mapping[str, object] = {
    "numbers": NUMBERS,
    "circles": CIRCLES,
    "pairs": tuple((pair, Markup(svg(pair.drawing))) for pair in PAIRS),
    "side_words": SIDE_WORDS,
    "steps": STEP_WORDS,
    "step_fields": STEP_FIELDS,
    "step_things": STEP_THINGS,
    "who": {who: WHO_WORDS[who] for who in WHO},
    "title_length": TITLE,
    "words_length": WORDS,
}
"""What the forms let people choose from."""


def title(entry: Entry) -> str:
    """What the card is called."""
    return _title("rail" if isinstance(entry, EnterRail) else "circle", entry.card.name)


def _title(kind: str, name: str) -> str:
    if kind == "rail":
        return f"Rail Card {name}"
    return "The Gate" if name == "G" else f"Circle {name}"


def following(pack: Pack, kind: str, name: str) -> tuple[str, str] | None:
    """The next card to be entered: its address, and what it is called."""
    gap = next((gap for gap in missing(pack) if gap.name != name), None)
    if gap is None:
        return None
    return f"/cards/{gap.kind}/{gap.name}", gap.name if gap.kind == "rail" else _title(gap.kind, gap.name)


def has(pack: Pack, kind: str, name: str) -> bool:
    """Whether the pack has a card of that name."""
    return any(card.name == name for card in (pack.rails if kind == "rail" else pack.circles))


def listed(pack: Pack) -> Mapping[str, object]:
    """The cards that are not entered yet, and those that are, with their drawings."""
    gaps = [(gap.kind, gap.name) for gap in missing(pack)]
    cards: list[Entry] = [*map(EnterRail, pack.rails), *map(EnterCircle, pack.circles)]
    entered = []
    for entry in cards:
        kind = "rail" if isinstance(entry, EnterRail) else "circle"
        if (kind, entry.card.name) not in gaps:
            picture = drawing(entry)
            entered.append((kind, entry.card.name, Markup(svg(picture)) if picture else ""))
    return {"gaps": gaps, "entered": entered}


FORMS = Forms(
    form="own_card_hellrail.html",
    listing="own_cards_hellrail.html",
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
    beside=lambda pack, kind, name: {},
    draws=lambda kind: True,
    held="rail",
)
