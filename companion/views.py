"""From what the table knows to what one phone may know.

The table loop publishes a `Snapshot`; a View is made from it in whatever thread asks. The game's
state passes through `game.view` first, and everything else is made from the result, so nothing
that a seat may not know can reach its phone by another way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from companion.games.game import AwaitedDice, AwaitedShuffle, Choice, Game, Prompt, Shuffled
from companion.games.layout import UNKNOWN
from companion.messages import LogLine, MoveView, Notice, Proposal, Question, SeatView, View

SHOWN = 40
"""How many lines of the log a phone gets; the whole log is a page of its own."""


@dataclass(frozen=True)
class Snapshot:
    """What was true after one entry of the queue; never changed afterwards."""

    game: Game[Any, Any]
    number: int = 0
    revision: int = 0
    table: str = "none"
    emulated: tuple[str, ...] = ()
    people: dict[str, str] = field(default_factory=dict)
    host: str = ""
    seats: dict[str, str] = field(default_factory=dict)
    playing: tuple[str, ...] = ()
    live: frozenset[str] = frozenset()
    state: Any = None
    log: tuple[LogLine, ...] = ()
    moves: tuple[MoveView, ...] = ()
    todo: tuple[str, ...] = ()
    question: Question | None = None
    proposal: Proposal | None = None
    waiting: frozenset[str] = frozenset()
    notices: tuple[Notice, ...] = ()
    picture: str = ""
    fresh: tuple[str, ...] = ()


def view(snap: Snapshot, person: str, seat: str = "") -> View:
    """What this person's page for this seat shows; a seat that is not theirs shows the bystander's view."""
    game = snap.game
    mine = tuple(s for s in (snap.playing or snap.seats) if snap.seats.get(s) == person and person)
    seat = seat if seat in mine else ""
    host = bool(person) and person == snap.host
    state = None if snap.state is None else game.view(snap.state, seat)
    phase = "seats" if state is None else "over" if game.over(state) else "playing"
    common = View(
        number=snap.number,
        phase=phase,
        game=game.name,
        title=game.title,
        players=game.players,
        seat=seat,
        person=person,
        name=snap.people.get(person, ""),
        host=host,
        seats=_seats(snap),
        mine=mine,
        table=snap.table,
        emulated=snap.emulated,
        notices=snap.notices,
        log=snap.log,
    )
    if state is None:
        return common
    layout = game.layout(state)
    fields = {name: getattr(common, name) for name in common.__struct_fields__}
    fields |= {
        "state": state,
        "layout": layout,
        "map": game.table_map(state),
        "awaiting": game.awaiting(state),
        "prompt": _prompt(game, state, seat),
        "others": _others(game, state, mine) if host else (),
        "others_cards": _others_cards(game, state, snap.playing, mine) if host else (),
        "standings": game.scores(state),
        "todo": snap.todo,
        "question": snap.question if mine or host or not person else None,
        "proposal": _proposal(snap, person, host),
        "moves": _moves(snap.moves, seat) if mine or host else (),
        "picture": snap.picture,
        "dice": layout.dice,
        "fresh": snap.fresh,
    }
    return View(**fields)


def stand_in(snap: Snapshot, person: str, seat: str) -> View:
    """What the host's page for somebody else's seat shows, so as to act for who is away.

    Nothing in it is known to that seat alone. For all who may not do that it is their view without a seat.
    """
    own = view(snap, person)
    if not own.host or own.phase != "playing" or seat in own.mine or seat not in snap.playing:
        return own
    prompt = snap.game.prompt(own.state, seat)
    if own.prompt is not None:
        prompt = replace(prompt, words=own.prompt.words, yours=False)
    choices = tuple(choice for choice in prompt.choices if not _private(snap.game, choice))
    return replace(own, seat=seat, prompt=replace(prompt, choices=choices, own=None))


def _seats(snap: Snapshot) -> tuple[SeatView, ...]:
    """The seats of the running game clockwise, or all that the game has."""
    order = snap.playing or (*snap.seats, *(seat for seat in snap.game.seats if seat not in snap.seats))
    return tuple(
        SeatView(
            seat,
            snap.people.get(who, ""),
            who,
            who in snap.live,
            bool(who) and who == snap.host,
        )
        for seat in order
        for who in [snap.seats.get(seat, "")]
    )


def _prompt(game: Game[Any, Any], state: Any, seat: str) -> Prompt:
    """The game's prompt; a shuffle that is awaited is anybody's to confirm once it is done."""
    prompt = game.prompt(state, seat)
    chance = game.awaiting(state).chance
    if isinstance(chance, AwaitedShuffle) and seat:
        done = Choice(Shuffled((UNKNOWN,) * len(chance.cards)), "Done: shuffled", chance.why, main=True)
        return replace(prompt, choices=(done, *prompt.choices), yours=True)
    return prompt


def _others(game: Game[Any, Any], state: Any, mine: tuple[str, ...]) -> tuple[Choice, ...]:
    """What holds the game up at seats that are not the host's: so that a flat battery stops nobody."""
    blank = game.hide(state)
    awaiting = game.awaiting(blank)
    seats = [seat for seat in awaiting.seats if seat not in mine]
    if isinstance(awaiting.chance, AwaitedDice) and awaiting.chance.seat in seats:
        seats.remove(awaiting.chance.seat)
    return tuple(
        choice for seat in seats for choice in game.prompt(blank, seat).choices if not _private(game, choice)
    )


def _private(game: Game[Any, Any], choice: Choice) -> bool:
    """Whether a choice tells of a hand, which its own player alone may do."""
    return game.keeping is not None and game.keeping.private(choice.action)


def _moves(moves: tuple[MoveView, ...], seat: str) -> tuple[MoveView, ...]:
    """The moves as that seat's page may list them."""
    return tuple(move for move in moves if not move.own or move.seat == seat)


def _others_cards(
    game: Game[Any, Any], state: Any, seats: tuple[str, ...], mine: tuple[str, ...]
) -> tuple[str, ...]:
    """The seats that are not the host's and may play cards that have to be named first."""
    blank = game.hide(state)
    return tuple(seat for seat in seats if seat not in mine and game.prompt(blank, seat).cards)


def _proposal(snap: Snapshot, person: str, host: bool) -> Proposal | None:
    proposal = snap.proposal
    if proposal is None:
        return None
    absent = bool(snap.waiting - snap.live)
    yours = person in snap.waiting or (host and absent)
    return Proposal(proposal.words, proposal.by, proposal.waiting_for, yours)
