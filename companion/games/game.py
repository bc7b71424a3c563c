"""What every game says of itself: the shape that the table, the bots and the tests rely on.

A game is a package `companion.games.<name>` whose `GAME` bundles its pure functions. Nothing
here or there reads a clock, a file or chance: dice and shuffles enter as actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, convert

from companion.games.drawing import Drawing
from companion.games.kit import Batch
from companion.games.layout import Face, Layout, Piece, TableMap


class Action(Struct, frozen=True, gc=False, tag_field="do", forbid_unknown_fields=True):
    """One thing that a seat or chance does. Subclasses are tagged with their name in snake case.

    Here and below `gc=False`: of plain values no ring can be made, so Python need not look for one.
    """


class Rolled(Action, frozen=True, tag="rolled"):
    """Chance: the dice that were awaited show these upper faces."""

    values: tuple[Face, ...]


class Shuffled(Action, frozen=True, tag="shuffled"):
    """Chance: the awaited pile was shuffled into this order, top first; UNKNOWN where not shown."""

    cards: tuple[str, ...]


class AwaitedDice(Struct, frozen=True, tag="dice"):
    """A throw: who throws, how many dice, what for, in a few words, and what faces a die has."""

    seat: str
    count: int
    why: str
    faces: tuple[Face, ...] = (1, 2, 3, 4, 5, 6)


def are_lots(faces: tuple[Face, ...], seats: tuple[str, ...]) -> bool:
    """Whether these are no dice's faces, but lots that name seats."""
    return bool(faces) and set(faces) <= set(seats)


class AwaitedShuffle(Struct, frozen=True, tag="shuffle"):
    """A shuffle: the cards to be put in a new order, and what for, in a few words."""

    cards: tuple[str, ...]
    why: str


class Awaiting(Struct, frozen=True):
    """Which seats may act now, and what chance has to say.

    `seats` are those who hold the game up or may go on; who may only throw in a card is not
    among them, though `legal` lists the card.
    """

    seats: tuple[str, ...] = ()
    chance: AwaitedDice | AwaitedShuffle | None = None


class Ruling(Struct, frozen=True, gc=False):
    """Why an action may not be done now: rule id, rulebook section, one sentence, what would do."""

    rule: str
    section: str
    sentence: str
    instead: tuple[Action, ...] = ()


class Choice(Struct, frozen=True, gc=False):
    """A legal action in words. `main` is the act under the thumb; `detail` says what it does.

    `place` is the place on the table that it is about, for pictures in which it can be tapped.
    `warning` is what a person should be asked once more. `group` names what it is one of many ways
    to do, where people decide on that first. `dice` are those that it takes of the prompt's dice, for
    choices that differ by nothing else; None for all others. `held` are the places in the seat's own hand
    of the cards that it takes from there, and `gap` is how many cards of that hand are to the left of the
    place in which it puts one; None where it tells no place. `card` is what it says a card of that hand is.
    """

    action: Action
    words: str
    detail: str = ""
    main: bool = False
    place: str = ""
    warning: str = ""
    group: str = ""
    dice: tuple[Face, ...] | None = None
    held: tuple[int, ...] | None = None
    gap: int | None = None
    card: str = ""


class OwnHand(Struct, frozen=True):
    """A hand that its owner keeps on the own phone, for that phone alone.

    `cards` are in their order, from the left, UNKNOWN where it is not entered. `loose` are besides: their
    places are not told yet, the next one to be told first. `notes` are those of the prompt's reminders that
    tell of this hand. `deal` tells it from those that are dealt later.
    """

    cards: tuple[str, ...]
    loose: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    deal: int = 0


class Player(Struct, frozen=True):
    """A seat as everybody sees it in a game of hands: how many cards it holds, and what else there is to say.

    `does` is what it has done, a word or two, and `owns` what lies before it. `out` says that it has no turn
    any more.
    """

    seat: str
    cards: int
    does: str = ""
    owns: str = ""
    out: bool = False


class Lying(Struct, frozen=True):
    """The cards that lie open in the middle of a game of hands, what they count for, and what beats them."""

    cards: tuple[str, ...]
    words: str
    beaten: str = ""


class Rival(Struct, frozen=True):
    """One side of a roll against others, as everybody sees it.

    `seat` is whose it is, "" where it is nobody's, and `name` what it is called then; `by` is the seat
    that rolls for it. `dice` lie there, and `again` of them are rolled again. `hand` is what they come
    to, `chance` how likely the side is to win, from 0 to 1, and `odds` that in words; "" and None where
    that cannot be told. `note` is what else is to be said of it, `waits` whether it is awaited.
    """

    seat: str
    name: str
    by: str
    dice: tuple[Face, ...] = ()
    again: tuple[Face, ...] = ()
    hand: str = ""
    chance: float | None = None
    odds: str = ""
    note: str = ""
    waits: bool = False


class Prompt(Struct, frozen=True):
    """What the table waits for, as one seat is told. `reminders` are what tables forget just here.

    `cards` are those that the seat may play in so many ways that one is named first; what it may do
    with each is in the prompt for that card, and not among `choices`. `status` is what everybody keeps
    an eye on all the time, such as how much of the game is left.
    `dice` are those among which choices take some. `rivals` roll against each other, in their order.
    `in_force` is what holds for now, a sentence each.
    In a game of hands `lying` is what lies in the middle, None in all others, and `around` are the players,
    clockwise. `own` is the seat's own hand where it is kept on the phone, None where it is not.
    """

    words: str
    choices: tuple[Choice, ...] = ()
    reminders: tuple[str, ...] = ()
    yours: bool = False
    cards: tuple[str, ...] = ()
    status: str = ""
    dice: tuple[Face, ...] = ()
    rivals: tuple[Rival, ...] = ()
    in_force: tuple[str, ...] = ()
    lying: Lying | None = None
    around: tuple[Player, ...] = ()
    own: OwnHand | None = None


class About(Struct, frozen=True):
    """What a card or piece is. `facts` are what is printed on it, as (what, value), the one by which
    people look for it first; `short` is all that a train of such cards needs to say of it.

    `figure` names its drawing among the game's `sketches`, "" where it has none.
    """

    title: str
    words: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    short: str = ""
    figure: str = ""


class Mark(Struct, frozen=True):
    """A sign or two written at a place in pictures."""

    place: str
    words: str


class Stop(Struct, frozen=True):
    """One of the places that lie in a row, as screens show it: its sign in the row, and what it is called.

    `closed` says that what it is lies face down. `seats` have a piece there, `signs` are the other things
    that stand or lie there, as (kind, how many), and `lies` is what there is to read of it.
    """

    place: str
    label: str
    words: str
    closed: bool = False
    seats: tuple[str, ...] = ()
    signs: tuple[tuple[str, int], ...] = ()
    lies: tuple[About, ...] = ()


class Option(Struct, frozen=True):
    """A choice that the rulebook leaves open: ruling id, name, values (default first), its words.

    `readings` are what each value makes the rule, a sentence each; none where there is one value
    alone, since `words` say it then.
    """

    rule: str
    name: str
    values: tuple[str, ...]
    words: str
    readings: tuple[str, ...] = ()

    def reading(self, value: str) -> str:
        """What the rule is with this value, in a sentence."""
        return self.readings[self.values.index(value)] if self.readings else self.words


_O = TypeVar("_O", bound=Struct)


def chosen_of(known: Iterable[Option], chosen: Mapping[str, str], type: type[_O]) -> _O:
    """The values chosen, as a game keeps those that switch something; ValueError naming what is known."""
    by_name = {option.name: option for option in known}
    for name, value in chosen.items():
        if name not in by_name:
            raise ValueError(f"There is no option '{name}'. Known options: {', '.join(by_name)}.")
        if value not in by_name[name].values:
            values = ", ".join(by_name[name].values)
            raise ValueError(f"Option '{name}' cannot be '{value}'. Known values: {values}.")
    return convert({name: value for name, value in chosen.items() if name in type.__struct_fields__}, type)


class Standing(Struct, frozen=True):
    """One seat's standing, best first in a list of them; `facts` are short texts for the score page.

    `row` are the cards that lie open before the seat, in their order.
    """

    seat: str
    place: int
    facts: tuple[str, ...]
    row: tuple[str, ...] = ()


class Countdown(Struct, frozen=True):
    """How much of the game is left, for all to see: so many of `what`, and whether the end has come near."""

    left: int
    what: str
    last: bool = False


S = TypeVar("S")
A = TypeVar("A", bound=Action)
S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", bound=Action, covariant=True)


class Legal(Protocol[S_contra, A_co]):
    """All that a seat may do now, each once and always in the same order.

    With a card, only what it may do with that one from its hand.
    """

    def __call__(self, state: S_contra, seat: str, card: str = "") -> tuple[A_co, ...]:
        """The legal actions."""


class Prompts(Protocol[S_contra]):
    """What the table waits for, as the seat is told; with a card, what the seat may do with that one."""

    def __call__(self, state: S_contra, seat: str, card: str = "") -> Prompt:
        """The prompt."""


@dataclass(frozen=True)
class Owned(Generic[S]):
    """How owners enter cards of their own, for a game in which a pack may have cards not entered yet.

    An entry is one card as it is printed; `entry_type` reads it. `begin(pack)` is an owner's pack with
    nothing entered, laid out like that pack. `present(pack, kind, name)` is a card as the pack has it, or a
    blank one of that name where there may be more cards. `put(pack, entry)` is the pack with a card
    entered, `text(pack)` what `load_pack` reads. `known(state, entry)` says whether the running game has
    that card entered, and `enter(state, entry)` enters it: no state is another one but for the card. All of
    them raise ValueError for what cannot be.
    `to_enter(pack)` names the cards that are not entered yet, as part of a sentence; "" when all are.
    `unlisted(state)` is the kind of card that somebody names now and that may be none of those entered,
    "" where it can only be one of them. `pattern` is the pack that `begin` is given.
    """

    entry_type: Any
    begin: Callable[[Any], Any]
    present: Callable[[Any, str, str], Any]
    put: Callable[[Any, Any], Any]
    text: Callable[[Any], str]
    known: Callable[[S, Any], bool]
    enter: Callable[[S, Any], S]
    to_enter: Callable[[Any], str]
    unlisted: Callable[[S], str]
    pattern: str = "house"


@dataclass(frozen=True)
class Keeping(Generic[S, A]):
    """How players keep the own hand on the own phone, for a game in which they may.

    `private(action)` says whether an action only tells of the seat's own hand: it changes nothing for
    anybody else. `said(action)` is the action with what of it nobody saw but its own player, who may say it;
    what the player cannot have seen either is blank. `forget(state, seat)` is what wipes what is kept of that
    seat's hand, None where nothing is.
    """

    private: Callable[[A], bool]
    said: Callable[[A], A]
    forget: Callable[[S, str], A | None]


@dataclass(frozen=True)
class Game(Generic[S, A]):
    """One game's functions and facts, as the rest of the house calls them.

    `setup(seats, pack, options)` seats in clockwise order; raises ValueError naming what is wrong.
    `faults(state)` says what makes a state impossible, each with the path to it; nothing for a good one.
    `legal(state, seat, card)` without repeats; `refusal(state, action)` None when legal.
    `candidates(state, seat, pieces)` are the legal actions of which one may have brought these pieces
    to where they were seen; a game with few actions lists them all.
    `meant(state, piece)` is what putting that piece where it was seen would be, legal or not, so that
    its refusal tells what is wrong with it; None where the game cannot say.
    `play(state, action)` for legal actions only. `hide` and `hide_action` blank what the companion
    could not have seen; `view(state, seat)` blanks what that seat ("" = a bystander) may not know;
    `closed(state, seat)` names the hands and piles that this is, for the law that watches over it.
    `ways(state, action)` is what a blanked action may truly be in a state that knows all, each as
    likely as the others: a card held twice is there twice. It is the action itself if nothing is blank.
    `implied(state)` is the action that people skip saying when they simply go on, if there is one.
    `free(state, action)` is True when taking it back spoils nobody's knowledge or decision.
    `sheet(state)` is what is printed on the table, `drawing(state, kind, name)` a piece of the layout
    from above and unturned, `kit(pack)` all that is printed to play the game; ValueError when nothing is.
    `sketches(state)` are plain drawings for small screens by "kind:name", of pieces and of cards in a
    hand; none for a game whose places and seats say all. `counters(state)` are pieces that no camera
    sees, `marks(state)` what is written at places; `about(state, pack, kind, name)` tells of a card or
    piece, `section(state, action)` where the rulebook has the rule for a legal action.
    `stops(state)` are the places of a game whose places lie in one row, which screens show as that row;
    none for all others.
    `countdown(state)` is how much of the game is left, by what everybody may know, None while nothing
    tells; None for a game in which nothing ever does.
    `owned` is how owners enter their own cards; None for a game whose rulebook has them all.
    `keeping` is how players keep their hands on their phones; None for a game in which nobody does.
    `faces` are the faces of the game's own dice by name, drawn upright on a square, in the order in
    which a die has them: opposite ones are first and last, and so on inward. None for dice with pips.
    `photographed` are the cards of which an owner photographs one each, by what a Layout calls them; none
    for a game whose owners enter their cards, or that has none.
    """

    name: str
    title: str
    seats: tuple[str, ...]
    players: tuple[int, int]
    options: tuple[Option, ...]
    state_type: type[S]
    action_type: Any
    load_pack: Callable[[str], Any]
    setup: Callable[[tuple[str, ...], Any, Mapping[str, str]], S]
    faults: Callable[[S], tuple[str, ...]]
    awaiting: Callable[[S], Awaiting]
    legal: Legal[S, A]
    candidates: Callable[[S, str, tuple[Piece, ...]], Iterable[A]]
    meant: Callable[[S, Piece], A | None]
    refusal: Callable[[S, A], Ruling | None]
    play: Callable[[S, A], S]
    over: Callable[[S], bool]
    scores: Callable[[S], tuple[Standing, ...]]
    countdown: Callable[[S], Countdown | None] | None
    hide: Callable[[S], S]
    hide_action: Callable[[A], A]
    view: Callable[[S, str], S]
    closed: Callable[[S, str], Mapping[str, tuple[str, ...]]]
    ways: Callable[[S, A], tuple[A, ...]]
    implied: Callable[[S], A | None]
    free: Callable[[S, A], bool]
    layout: Callable[[S], Layout]
    table_map: Callable[[S], TableMap]
    sheet: Callable[[S], Drawing]
    drawing: Callable[[S, str, str], Drawing]
    kit: Callable[[Any], tuple[Batch, ...]]
    sketches: Callable[[S], Mapping[str, Drawing]]
    counters: Callable[[S], tuple[Piece, ...]]
    marks: Callable[[S], tuple[Mark, ...]]
    stops: Callable[[S], tuple[Stop, ...]]
    about: Callable[[S, Any, str, str], About]
    section: Callable[[S, A], str]
    prompt: Prompts[S]
    story: Callable[[S, A], tuple[str, ...]]
    decided: Callable[[S, A], tuple[str, ...]]
    owned: Owned[S] | None
    keeping: Keeping[S, A] | None = None
    faces: Mapping[str, Drawing] = field(default_factory=dict)
    photographed: tuple[str, ...] = ()
