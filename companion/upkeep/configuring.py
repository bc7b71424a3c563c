"""The configuration of the table that runs, as a page shows and changes it."""

from __future__ import annotations

import logging
import os
import stat
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion import disk
from companion.config import BadConfig, Config, ConfigFault, load, parse
from companion.config import form as forms
from companion.config.amend import amended
from companion.config.check import converted, without, wrongs
from companion.daemon import Settings, Source
from companion.doctor import configured
from companion.doctor.findings import Finding, ill, well
from companion.upkeep import Form

_log = logging.getLogger(__name__)

NO_FILE = (
    "Stationmaster was started without a configuration file, so nothing can be kept. Install it with "
    "sudo ./install; or type: stationmaster config > my.toml, and start it with --config my.toml."
)
NOT_OURS = (
    "Stationmaster may not write this file. Type: sudo ./install, which hands it over to the service; or "
    "change it in a text editor."
)
NO_TOML = "The file cannot be read, so it has to be mended in a text editor first."
MEANWHILE = (
    "The file has been changed since this page was shown. Nothing was saved, so that no change is lost. "
    "Look below at what you typed, then save once more."
)


UNUSUAL = "The file is written in a way that this page cannot change ({}). Change it in a text editor."
CHANGED = "has been changed since Stationmaster was started, and is used as it was then."
AGAIN = (
    "Start it again: on the page Set-up of the host's phone, or with sudo systemctl restart stationmaster."
)
FIRST = "{} is in order. {} is on the table and goes on; the game that is set is for the one after it."
DISK = "What the disk has to say stands under “What works”. Nothing was changed."


class _Text(Struct, frozen=True):
    """The file as it is: what is wrong with it, and why it cannot be changed here, "" if it can."""

    text: str
    values: Mapping[str, Any]
    faults: Sequence[ConfigFault]
    closed: str

    @property
    def digest(self) -> str:
        return sha256(self.text.encode()).hexdigest()


class Configuring:
    """Shows and changes the file. `trial` is what would keep a table with such settings from starting.

    `running` are the settings that the table runs with, `found` what is plugged in now, `on_table` the title
    of the game that is on the table, "" for none.
    """

    def __init__(
        self,
        source: Source,
        running: Settings,
        trial: Callable[[Settings], Sequence[ConfigFault]],
        found: Callable[[], forms.Found],
        on_table: Callable[[], str],
    ) -> None:
        self._file = source.file if source.file is not None and source.file.is_file() else None
        self._source = source
        self._running = running
        self._trial = trial
        self._found = found
        self._on_table = on_table
        self._changing = threading.Lock()

    def form(self) -> Form:
        """The configuration as the file has it."""
        return self._form(self._read(), {}, self.faults())

    def change(self, typed: Mapping[str, str], was: str) -> Form:
        """Write what was typed into the file; with any fault nothing is written, and the form tells it."""
        with self._changing:
            return self._change(typed, was)

    def _change(self, typed: Mapping[str, str], was: str) -> Form:
        found = self._read()
        if found.closed:
            return self._form(found, typed, found.faults)
        fields = forms.fields(found.values, self._source.options, self._found())
        try:
            text = amended(found.text, forms.changes(fields, typed))
        except ValueError as fault:
            _log.info("The configuration was not changed.", exc_info=True)
            return self._form(found, typed, (ConfigFault(0, UNUSUAL.format(fault), ""),))
        faults = self._judged(text)
        if found.digest != was:
            faults = (ConfigFault(0, MEANWHILE, ""), *faults)
        faults = faults or self._written(text)
        return self._form(found, typed, faults) if faults else replace(self.form(), saved=True)

    def faults(self) -> Sequence[ConfigFault]:
        """All that keeps the file, as it is now, from being used at the next start."""
        found = self._read()
        return found.faults if found.faults or self._file is None else self._judged(found.text)

    def findings(self) -> list[Finding]:
        """What there is to say of the file."""
        faults = self.faults()
        following, first = self._next()
        if not faults and following != self._running:
            return [ill("configuration", f"{self._file} {CHANGED}", AGAIN)]
        if not faults and first:
            return [well("configuration", FIRST.format(self._file, first))]
        return configured(str(self._file or ""), faults)

    def _next(self) -> tuple[Settings, str]:
        """The settings of the next start, and the game that goes on before theirs is played, "" for none.

        They are those of this one where the file cannot be used.
        """
        running = self._running
        try:
            following = running if self._file is None else self._source.settings(load(self._file))
        except BadConfig:
            return running, ""
        first = self._on_table()
        if not first or following.game == running.game or following.state != running.state:
            return following, ""
        return replace(following, game=running.game, pack=running.pack), first

    def _read(self) -> _Text:
        if self._file is None:
            return _Text("", {}, (), NO_FILE)
        faults: Sequence[ConfigFault] = ()
        try:
            load(self._file)
        except BadConfig as bad:
            faults = bad.faults
        try:
            text = self._file.read_text("utf-8").removeprefix("\ufeff")
            values = tomllib.loads(text)
        except (OSError, ValueError, RecursionError):  # what is wrong stands among the faults
            return _Text("", {}, faults, NO_TOML)
        ours = os.access(self._file.resolve().parent, os.W_OK)
        return _Text(text, values, faults, "" if ours else NOT_OURS)

    def _judged(self, text: str) -> Sequence[ConfigFault]:
        """What is wrong with a file that has this text, and what would keep it from starting."""
        faults: Sequence[ConfigFault] = ()
        try:
            config = parse(text, "")
        except BadConfig as bad:
            faults = bad.faults
            # What is right is tried all the same, so that all is told at once.
            right = without(tomllib.loads(text), [fault.where for fault in faults])
            if wrongs(right, Config):
                return faults
            config = converted(right, Config)
        settings = self._source.settings(config)
        return (*faults, *(() if settings == self._running else self._trial(settings)))

    def _written(self, text: str) -> Sequence[ConfigFault]:
        """Write the file; what is wrong if that cannot be."""
        assert self._file is not None
        # The file may be named by a link from another folder: the link stays.
        file = self._file.resolve()
        try:
            disk.write(file, text.encode(), stat.S_IMODE(file.stat().st_mode))
        except OSError as fault:
            _log.warning("The configuration %s could not be written: %s", file, fault)
            return (ConfigFault(0, f"The file cannot be written ({fault.strerror}).", DISK),)
        _log.warning("The configuration %s was changed on a page.", file)
        return ()

    def _form(self, found: _Text, typed: Mapping[str, str], faults: Sequence[ConfigFault]) -> Form:
        fields = forms.fields(found.values, self._source.options, self._found())
        fields, others = forms.told(fields, typed, faults)
        following, first = self._next()
        moves = (following.host, following.port) != (self._running.host, self._running.port)
        return Form(
            str(self._file or ""),
            fields,
            others,
            found.closed,
            found.digest,
            restart=following != self._running,
            port=following.port if moves else 0,
            first=first,
        )
