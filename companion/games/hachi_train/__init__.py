"""Hachi Train: a climbing game with hands that are never reordered, for 3 to 5 players."""

from __future__ import annotations

from companion.games.game import Game
from companion.games.hachi_train.actions import HachiAction
from companion.games.hachi_train.candidates import candidates, meant
from companion.games.hachi_train.cards import KINDS
from companion.games.hachi_train.drawings.kit import kit
from companion.games.hachi_train.drawings.pictures import (
    about,
    counters,
    drawing,
    marks,
    sheet,
    sketches,
    stops,
)
from companion.games.hachi_train.faults import faults
from companion.games.hachi_train.keeping import KEEPING
from companion.games.hachi_train.options import OPTIONS
from companion.games.hachi_train.pack import load_pack
from companion.games.hachi_train.refusals import refusal
from companion.games.hachi_train.rules import (
    PLAYERS,
    awaiting,
    closed,
    countdown,
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
from companion.games.hachi_train.rulings import decided
from companion.games.hachi_train.sections import section
from companion.games.hachi_train.state import SEATS, State
from companion.games.hachi_train.story import story
from companion.games.hachi_train.table import layout, table_map
from companion.games.hachi_train.words import prompt

GAME: Game[State, HachiAction] = Game(
    name="hachi_train",
    title="Hachi Train",
    seats=SEATS,
    players=PLAYERS,
    options=OPTIONS,
    state_type=State,
    action_type=HachiAction,
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
    owned=None,
    keeping=KEEPING,
    photographed=KINDS,
)
