"""What goes in and out of the table loop: requests, answers, views.

Requests come from phones and are checked here for shape only; what they mean is decided by the
table loop. A `View` is the only thing that leaves for a phone.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from companion.games.game import Awaiting, Choice, Prompt, Standing
from companion.games.layout import Face, Layout, TableMap


class Ask(Struct, frozen=True, tag_field="ask", forbid_unknown_fields=True):
    """What a person asks of the table."""


class Join(Ask, frozen=True, tag="join"):
    """Be known to the table by this name; the first to join is the host."""

    name: str


class Sit(Ask, frozen=True, tag="sit"):
    """Claim a free seat. One person may hold several."""

    seat: str


class Leave(Ask, frozen=True, tag="leave"):
    """Give a seat up: one's own, or anybody's for the host."""

    seat: str


class Host(Ask, frozen=True, tag="host"):
    """Become the host: at once when the host's phone is away, else only the host can say `to`."""

    to: str = ""


class Start(Ask, frozen=True, tag="start"):
    """Begin a game with the seats that are taken, clockwise in this order, and these options."""

    seats: tuple[str, ...]
    options: dict[str, str] = {}


class Finish(Ask, frozen=True, tag="finish"):
    """Put the running or finished game away and go back to the seats; the people stay."""


class Do(Ask, frozen=True, tag="do"):
    """Play this action of the game, named in words: `{"do": "move", "seat": "red"}`."""

    action: Raw


class DoAll(Ask, frozen=True, tag="do_all"):
    """Play these actions one after the other: all of them, or none if one is refused."""

    actions: tuple[Raw, ...]


class Draw(Ask, frozen=True, tag="draw"):
    """Have the table draw the lots that are awaited, for players who have none at hand."""


class Takeback(Ask, frozen=True, tag="takeback"):
    """Go back to before move number `move` (0 is the game's first)."""

    move: int


class Correct(Ask, frozen=True, tag="correct"):
    """Put this action in the place of move number `move`; what followed is played again."""

    move: int
    action: Raw


class Agree(Ask, frozen=True, tag="agree"):
    """Say yes or no to the takeback or correction that waits for agreement."""

    yes: bool


class Decide(Ask, frozen=True, tag="decide"):
    """Answer the companion's question with one of its choices, named by its key, or enter a roll."""

    question: str
    choice: str
    action: Raw = Raw(b"null")


class Dismiss(Ask, frozen=True, tag="dismiss"):
    """Take a notice away for everybody."""

    notice: str


class Retry(Ask, frozen=True, tag="retry"):
    """Try a device again now, by the name of its notice: somebody has mended what was wrong."""

    device: str


class Enter(Ask, frozen=True, tag="enter"):
    """Enter one of the owner's cards as it is printed; `was` is what was entered of it until then."""

    entry: Raw
    was: Raw


Asks = (
    Join
    | Sit
    | Leave
    | Host
    | Start
    | Finish
    | Do
    | DoAll
    | Draw
    | Takeback
    | Correct
    | Agree
    | Decide
    | Dismiss
    | Retry
    | Enter
)


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """One request: its own id (unique for ever), the state number it was made on, what it asks.

    `person` is who sent it, as the web knows from the signed cookie; never part of a body.
    """

    id: str
    on: int
    ask: Asks
    person: str = ""


class Answer(Struct, frozen=True):
    """What became of a request. A repeated request gets its first answer.

    status: "done", "refused" (words say why and what would do), or "stale" (the table has moved
    on; look at the present view and decide again).
    """

    status: str
    number: int
    words: str = ""


class SeatView(Struct, frozen=True):
    """A seat at the table: who sits there, and whether that person's phone is live."""

    seat: str
    name: str = ""
    person: str = ""
    here: bool = False
    host: bool = False


class LogLine(Struct, frozen=True):
    """One line of the game's log. `move` is the move it tells of, `how` it came in.

    `section` is where the rulebook has the rule for it. What is `quiet` is news for nobody: it is told once.
    """

    number: int
    words: str
    how: str = ""
    move: int = -1
    picture: str = ""
    section: str = ""
    quiet: bool = False


class QuestionChoice(Struct, frozen=True):
    """One answer to a question."""

    key: str
    words: str


class Question(Struct, frozen=True):
    """What the companion is not sure of, with the picture that it is unsure about ("" = none).

    `dice` above 0 asks for that many upper faces to be entered, besides the choices.
    """

    id: str
    words: str
    choices: tuple[QuestionChoice, ...] = ()
    picture: str = ""
    dice: int = 0


class Proposal(Struct, frozen=True):
    """A takeback or correction that waits for people to agree."""

    words: str
    by: str
    waiting_for: tuple[str, ...]
    yours: bool = False


class Notice(Struct, frozen=True):
    """A fault or a hint: what is wrong, and what to do about it; `retry` when it can be tried again.

    `machine`: it is about a device or the machine, and the page of what works has more of it.
    """

    id: str
    words: str
    cure: str = ""
    retry: bool = False
    machine: bool = False


class MoveView(Struct, frozen=True):
    """A move that can be corrected or taken back: what it was, and whether one tap is enough.

    With `own` it only tells of the own hand of who made it, for whom alone it is here.

    `dice` were thrown, with these `faces` on each. `instead` is the same done by the next player, where a
    camera could not tell whose act it was.
    """

    move: int
    words: str
    seat: str
    dice: int = 0
    faces: tuple[Face, ...] = ()
    free: bool = False
    instead: Choice | None = None
    own: bool = False


class View(Struct, frozen=True):
    """All that one seat's phone (seat "" = the table page or a person without a seat) may know.

    phase: "seats" before a game, "playing", "over". `state` is the game's own state with all
    that this seat may not know blanked; `todo` is what to put where so that the table is as the
    companion believes it to be. `fresh` are the places in which something has changed last. The host
    may do `others` for other seats, and play cards for the seats in `others_cards` once they are named.
    """

    number: int
    phase: str
    game: str
    title: str
    players: tuple[int, int]
    seat: str
    person: str
    name: str
    host: bool
    seats: tuple[SeatView, ...]
    mine: tuple[str, ...]
    table: str
    emulated: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    log: tuple[LogLine, ...] = ()
    state: Any = None
    layout: Layout | None = None
    map: TableMap | None = None
    awaiting: Awaiting | None = None
    prompt: Prompt | None = None
    others: tuple[Choice, ...] = ()
    others_cards: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()
    todo: tuple[str, ...] = ()
    question: Question | None = None
    proposal: Proposal | None = None
    moves: tuple[MoveView, ...] = ()
    picture: str = ""
    dice: tuple[Any, ...] = ()
    fresh: tuple[str, ...] = ()
