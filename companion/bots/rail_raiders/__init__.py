"""The sensible bot of Rail Raiders Infinite."""

from __future__ import annotations

from companion.bots.rail_raiders.bot import RailRaidersBot

__all__ = ["RailRaidersBot"]
