"""Rail Raiders Infinite: a train robbery with poker dice, for 2 to 4 players."""

from __future__ import annotations

from companion.games.game import Game, Owned
from companion.games.rail_raiders_infinite.actions import RaidAction
from companion.games.rail_raiders_infinite.candidates import candidates, meant
from companion.games.rail_raiders_infinite.drawings.dice_faces import SIDES, dice_faces
from companion.games.rail_raiders_infinite.drawings.kit import kit
from companion.games.rail_raiders_infinite.drawings.pictures import (
    about,
    counters,
    drawing,
    marks,
    sheet,
    sketches,
)
from companion.games.rail_raiders_infinite.entering import (
    Entry,
    begin,
    enter,
    known,
    present,
    put,
    to_enter,
    unlisted,
)
from companion.games.rail_raiders_infinite.faults import faults
from companion.games.rail_raiders_infinite.machine import awaiting, legal, play
from companion.games.rail_raiders_infinite.options import OPTIONS
from companion.games.rail_raiders_infinite.packs.pack import load_pack, to_toml
from companion.games.rail_raiders_infinite.rules import (
    PLAYERS,
    closed,
    free,
    hide,
    hide_action,
    implied,
    over,
    scores,
    setup,
    view,
    ways,
)
from companion.games.rail_raiders_infinite.rulings import decided
from companion.games.rail_raiders_infinite.state import SEATS, State
from companion.games.rail_raiders_infinite.table import layout, table_map
from companion.games.rail_raiders_infinite.words.countdown import countdown
from companion.games.rail_raiders_infinite.words.prompts import prompt
from companion.games.rail_raiders_infinite.words.refusals import refusal
from companion.games.rail_raiders_infinite.words.sections import section
from companion.games.rail_raiders_infinite.words.stops import stops
from companion.games.rail_raiders_infinite.words.story import story

GAME: Game[State, RaidAction] = Game(
    name="rail_raiders_infinite",
    title="Rail Raiders Infinite",
    seats=SEATS,
    players=PLAYERS,
    options=OPTIONS,
    state_type=State,
    action_type=RaidAction,
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
    countdown=countdown,
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
    stops=stops,
    about=about,
    section=section,
    prompt=prompt,
    story=story,
    decided=decided,
    owned=Owned(Entry, begin, present, put, to_toml, known, enter, to_enter, unlisted, pattern="printed"),
    faces=dice_faces(SIDES[1]),
)
