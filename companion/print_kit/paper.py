"""The kinds of paper, and what of them is kept free (mm)."""

from __future__ import annotations

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the kinds of paper, upright."""

EDGE = 5.0
"""What printers leave white on each side."""

SIDES, ENDS = 10.0, 7.5
"""What is kept free beside and above all that is cut, for cut marks and the page's name."""

GREY = "#8a8a8a"
"""Ink of what helps and is no part of the game."""
