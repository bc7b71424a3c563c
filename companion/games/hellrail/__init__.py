"""HellRail, Second Perdition: trains that carry souls around the Circles of Hell, for 2 to 4 players."""

from __future__ import annotations

from companion.games.game import Game, Owned
from companion.games.hellrail.actions import HellRailAction
from companion.games.hellrail.candidates import candidates, meant
from companion.games.hellrail.drawings.cards import drawing, sheet
from companion.games.hellrail.drawings.kit import kit, to_enter
from companion.games.hellrail.drawings.pictures import about, counters, marks, sketches
from companion.games.hellrail.entering import Entry, begin, enter, known, present, put, unlisted
from companion.games.hellrail.faults import faults
from companion.games.hellrail.options import OPTIONS
from companion.games.hellrail.pack import load_pack, to_toml
from companion.games.hellrail.refusals import refusal
from companion.games.hellrail.rules import (
    PLAYERS,
    awaiting,
    closed,
    free,
    hide,
    hide_action,
    implied,
    legal,
    over,
    play,
    scores,
    setup,
    view,
    ways,
)
from companion.games.hellrail.rulings import decided
from companion.games.hellrail.sections import section
from companion.games.hellrail.state import SEATS, State
from companion.games.hellrail.story import story
from companion.games.hellrail.table import layout, table_map
from companion.games.hellrail.words import countdown, prompt

GAME: Game[State, HellRailAction] = Game(
    name="hellrail",
    title="HellRail",
    seats=SEATS,
    players=PLAYERS,
    options=OPTIONS,
    state_type=State,
    action_type=HellRailAction,
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
    stops=lambda state: (),
    about=about,
    section=section,
    prompt=prompt,
    story=story,
    decided=decided,
    owned=Owned(Entry, begin, present, put, to_toml, known, enter, to_enter, unlisted),
)
