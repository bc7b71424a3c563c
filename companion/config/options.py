"""The configuration on the command line: a file, and options in the place of its keys.

The options are made from the type of `[run]`, so that a key can never be missing among them.
"""

from __future__ import annotations

import argparse
import typing
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.config import USUAL_FILE, Config, Run, load
from companion.config.check import bare, wrongs
from companion.config.text import default
from companion.games.toml_text import value
from firmware_bridge.controller_wiring import ControllerPins


class BadOptions(ValueError):
    """Options of a command line that cannot be: what is wrong with each, a line each."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say what to run."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help=f"what to use (default: {USUAL_FILE} if it is there)"
    )
    for field in msgspec.structs.fields(Run):
        kind, said = bare(field.type)
        usual = default(field)
        words = (said.description or "").replace("%", "%%")
        more: dict[str, Any] = {"help": words if usual is None else f"{words} Default: {usual}."}
        if typing.get_origin(kind) is Literal:
            more["choices"] = typing.get_args(kind)
        elif kind is int:
            more["type"] = int
        parser.add_argument(f"--{field.encode_name}", default=argparse.SUPPRESS, **more)
    parser.add_argument(
        "--controller",
        metavar="LINE",
        default=argparse.SUPPRESS,
        help="A Pico at a USB cable: none, auto, emulated, or its line. Default: none.",
    )


def file_of(options: argparse.Namespace) -> Path | None:
    """The file that these options name, or the usual one if it is there; None where there is none."""
    named: Path | None = options.config
    return named or (USUAL_FILE if USUAL_FILE.exists() else None)


def config_of(options: argparse.Namespace) -> Config:
    """What the file says, and what the options say in its place.

    BadConfig when the file is no good, BadOptions when they are not.
    """
    _run_options(options)
    return over(load(file_of(options)), options)


def over(config: Config, options: argparse.Namespace) -> Config:
    """The configuration with what the options say in its place; BadOptions when they are no good."""
    config = replace(config, run=replace(config.run, **_run_options(options)))
    if hasattr(options, "controller"):
        line = {"line": options.controller}
        _check(line, ControllerPins, "controller")
        config = replace(config, controller=replace(config.controller or ControllerPins(), **line))
    return config


def given(options: argparse.Namespace) -> dict[str, str]:
    """What good options say in the place of keys, by the keys' names: "run.port"."""
    said = {f"run.{name}": str(value) for name, value in _run_options(options).items()}
    return said | ({"controller.line": options.controller} if hasattr(options, "controller") else {})


def _run_options(options: argparse.Namespace) -> dict[str, Any]:
    given = {name: getattr(options, name) for name in Run.__struct_fields__ if hasattr(options, name)}
    if given.get("state"):
        given["state"] = str(Path(given["state"]).absolute())
    _check(given, Run)
    if given.get("camera") and given.get("table", "camera") != "camera":
        raise BadOptions(f"--camera needs --table camera, not --table {given['table']}.")
    if "camera" in given:
        given["table"] = "camera"
    return given


def _check(given: dict[str, Any], kind: type[msgspec.Struct], option: str = "") -> None:
    found = wrongs(given, kind)
    if found:
        names = {one: option or one.where[-1] for one in found}
        raise BadOptions(
            "\n".join(
                f"--{name} cannot be {value(given[one.where[-1]])}. {one.cure}" for one, name in names.items()
            )
        )
