"""A table's machine for tests of its pages: the real housekeeping, over a configuration in a folder."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path
from typing import cast

from companion.config.options import add_options, config_of, file_of, given, over
from companion.daemon import Settings, Source, settings
from companion.stopping import Stopping
from companion.table import Table
from companion.upkeep.housekeeping import Housekeeping


class Stop:
    """The end of this process; here it is only written down that somebody wished for it."""

    def __init__(self) -> None:
        self.told: list[int] = []
        self._heard = threading.Event()

    def tell(self, status: int) -> None:
        self.told.append(status)
        self._heard.set()

    def wait(self) -> int:
        """The status that was told; waits for it."""
        assert self._heard.wait(20)
        return self.told[-1]


def sourced(file: Path, *options: str) -> tuple[Settings, Source]:
    """The settings of `run --config FILE` with these options, and where they come from."""
    parser = argparse.ArgumentParser()
    add_options(parser)
    found = parser.parse_args(["--config", str(file), *options])
    source = Source(file_of(found), given(found), lambda config: settings(over(config, found)))
    return settings(config_of(found)), source


class Machine:
    """Makes the housekeeping of a table with this configuration; `keeping` is the last one made."""

    def __init__(self, file: Path, *options: str) -> None:
        self.file, self.options, self.stop = file, options, Stop()
        self.keeping: Housekeeping

    def __call__(self, table: Table, port: int) -> Housekeeping:
        running, source = sourced(self.file, *self.options)
        self.keeping = Housekeeping(table, running, source, port, cast(Stopping, self.stop))
        return self.keeping
