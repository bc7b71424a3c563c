"""Pawns of Perdition: a race out of the seven layers of Hell, for 3 to 5 players."""

from __future__ import annotations

from companion.games.game import Game
from companion.games.pawns_of_perdition.actions import PawnsAction
from companion.games.pawns_of_perdition.drawing import drawing, sheet
from companion.games.pawns_of_perdition.faults import faults
from companion.games.pawns_of_perdition.kit import kit
from companion.games.pawns_of_perdition.options import OPTIONS
from companion.games.pawns_of_perdition.pack import load_pack
from companion.games.pawns_of_perdition.pictures import about, counters, marks, sketches
from companion.games.pawns_of_perdition.refusals import refusal
from companion.games.pawns_of_perdition.rules import (
    PLAYERS,
    awaiting,
    candidates,
    closed,
    free,
    hide,
    hide_action,
    implied,
    legal,
    meant,
    over,
    play,
    scores,
    setup,
    view,
    ways,
)
from companion.games.pawns_of_perdition.rulings import decided
from companion.games.pawns_of_perdition.sections import section
from companion.games.pawns_of_perdition.state import SEATS, State
from companion.games.pawns_of_perdition.story import story
from companion.games.pawns_of_perdition.table import layout, table_map
from companion.games.pawns_of_perdition.words import prompt

GAME: Game[State, PawnsAction] = Game(
    name="pawns_of_perdition",
    title="Pawns of Perdition",
    seats=SEATS,
    players=PLAYERS,
    options=OPTIONS,
    state_type=State,
    action_type=PawnsAction,
    load_pack=load_pack,
    setup=setup,
    faults=faults,
    awaiting=awaiting,
    legal=legal,
    candidates=candidates,
    meant=meant,
    refusal=refusal,
    play=play,
    over=over,
    scores=scores,
    countdown=None,
    hide=hide,
    hide_action=hide_action,
    view=view,
    closed=closed,
    ways=ways,
    implied=implied,
    free=free,
    layout=layout,
    table_map=table_map,
    sheet=sheet,
    drawing=drawing,
    kit=kit,
    sketches=sketches,
    counters=counters,
    marks=marks,
    stops=lambda state: (),
    about=about,
    section=section,
    prompt=prompt,
    story=story,
    decided=decided,
    owned=None,
)
