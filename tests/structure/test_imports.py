"""Imports run one way: who may know whom, read off every file."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The innermost room that a module is in decides. A name allows the module and all within it.
MAY_IMPORT = {
    "companion.games": ("companion.games",),
    "companion": ("companion", "vision", "firmware_bridge", "web_ui"),
    "vision": ("vision", "companion.games.layout", "companion.open_files"),
    "firmware_bridge": ("firmware_bridge", "companion.games.layout", "companion.open_files"),
    "web_ui": (
        "web_ui",
        *("companion.games", "companion.messages", "companion.table", "companion.disk", "companion.fonts"),
        "companion.upkeep",
    ),
}
OURS = {"companion", "vision", "firmware_bridge", "web_ui", "tests", "tools", "benchmarks"}


def modules() -> list[Path]:
    return sorted(file for room in MAY_IMPORT if "." not in room for file in (ROOT / room).rglob("*.py"))


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def within(name: str, place: str) -> bool:
    return name == place or name.startswith(place + ".")


def room_of(module: str) -> str:
    return max((room for room in MAY_IMPORT if within(module, room)), key=len)


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def imported(source: str, package: str) -> Iterator[str]:
    """Each module that the source imports, wherever in it that stands, `from x import y` taken apart."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            up = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, [up, node.module or ""]))
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if is_module(full) else base


def trespasses(source: str, module: str, *, is_package: bool = False) -> list[str]:
    room = room_of(module)
    package = module if is_package else module.rpartition(".")[0]
    return sorted(
        f"{module} imports {name}"
        for name in set(imported(source, package))
        if name.split(".")[0] in OURS and not any(within(name, place) for place in MAY_IMPORT[room])
    )


@pytest.mark.parametrize("file", modules(), ids=lambda file: str(file.relative_to(ROOT)))
def test_a_module_imports_only_what_its_room_may(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    assert trespasses(source, module_name(file), is_package=file.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("companion.games.game", "from companion import messages"),
        ("companion.games.game", "import companion.table"),
        ("companion.games.pawns_of_perdition.rules", "def f():\n    from ... import journal"),
        ("vision.see", "import companion.games.game"),
        ("vision.see", "from companion.games import game"),
        ("firmware_bridge.buttons", "from companion.messages import View"),
        ("web_ui.app", "from companion.journal import Journal"),
        ("web_ui.app", "if TYPE_CHECKING:\n    from vision import see"),
        ("companion.table", "from tests.conftest import settings"),
    ],
)
def test_a_trespass_is_found(module: str, source: str) -> None:
    assert trespasses(source, module) != []


def loaded_by(module: str) -> set[str]:
    """The top-level names of all that a fresh Python has loaded after importing the module."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module", ["companion", "companion.games", "companion.command", "firmware_bridge.buttons"]
)
def test_what_everybody_imports_is_light(module: str) -> None:
    heavy = {"cv2", "flask", "gpiozero", "numpy", "uvicorn"}
    assert loaded_by(module) & heavy == set()


def test_vision_and_the_bridge_bring_of_the_companion_only_the_layout_and_who_has_a_device() -> None:
    for module in ("vision", "firmware_bridge.buttons", "firmware_bridge.supervisor"):
        ours = {name for name in loaded_by(module) if within(name, "companion")}
        assert ours <= {"companion", "companion.games", "companion.games.layout", "companion.open_files"}
