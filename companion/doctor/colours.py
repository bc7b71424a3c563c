"""What `stationmaster doctor` looks at of pieces without markers: whether their colours can be told apart.

They are looked at where a game begins, on its printed sheet, in the light that there is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.daemon import Settings
from companion.doctor.findings import Finding, ill, well

if TYPE_CHECKING:
    from companion.games.layout import Piece
    from vision.coloured_tokens import ColouredTokens
    from vision.source import Image


def colours(settings: Settings, picture: Image) -> list[Finding]:
    """What `picture` (BGR, uint8) tells of them; nothing where none stand there, or the sheet is not seen."""
    from companion import games, packs
    from companion.sheet_print import sheet_print
    from vision.coloured_tokens import advice_of
    from vision.source import Frame
    from vision.table import LOOKS, TableReader

    game = games.load(settings.game)
    state = game.setup(game.seats, packs.load(game, "house"), {})
    map, layout = game.table_map(state), game.layout(state)

    def looked(pieces: Sequence[Piece]) -> ColouredTokens | None:
        reader = TableReader(map, pieces, print=lambda: drawn)
        if reader.coloured is not None:
            for second in range(LOOKS + 2):  # the same picture again and again: a table that lies still
                reader.see(Frame(float(second), picture))
        return reader.coloured

    drawn = sheet_print(game, state)
    coloured = looked(layout.pieces)
    if coloured is not None and coloured.trouble is not None:
        # Who does not play tonight has no piece there.
        there = coloured.trouble.there
        coloured = looked([piece for piece in layout.pieces if (piece.kind, piece.name) in there])
    if coloured is None:
        return []
    found = []
    tokens = {(token.kind, token.name): token for token in map.tokens}
    look = coloured.trouble
    if look is not None and (advice := advice_of(look, tokens)) is not None:
        found.append(ill("pieces", advice.words, advice.cure))
    if coloured.colours:
        names = ", ".join(f"{name} {kind}" for kind, name in sorted(coloured.colours))
        found.append(well("pieces", f"Told by their colours in this light: {names}."))
    return found
