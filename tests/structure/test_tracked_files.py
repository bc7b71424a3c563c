"""What is in the repository: nothing of a machine it was made on, and no file too long to read."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put together here, so that this file does not hold what it looks for.
FORBIDDEN = {
    "a path of somebody's machine": re.compile(
        r"(?<![\w./-])/(?:" + "|".join(["work", "farm", "root", r"home/(?!pi\b|you\b)\w+", "Users"]) + r")/"
    ),
    "a path in a temporary folder": re.compile("/tm" + r"p/[\w.-]"),
    "the host of a package registry": re.compile(
        "|".join(
            ["py" + r"pi\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs", "deb" + r"\.debian\.org"]
        ),
        re.IGNORECASE,
    ),
    "a merge that was not finished": re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE),
}
LONGEST = 700


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [file for name in listed.split("\0") if name and (file := ROOT / name).is_file()]


def text_of(file: Path) -> str | None:
    """The file's text; None for a picture or another file that is no text."""
    data = file.read_bytes()
    return None if b"\0" in data else data.decode("utf-8")


def finds(text: str) -> set[str]:
    return {what for what, pattern in FORBIDDEN.items() if pattern.search(text)}


def is_ours(file: Path) -> bool:
    return "vendor" not in file.parts


def test_no_tracked_file_tells_of_a_machine() -> None:
    found = {str(file.relative_to(ROOT)): finds(text) for file in tracked() if (text := text_of(file))}
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize(
    "text",
    [
        "cd /wor" + "k/main",
        'open("/ro' + 'ot/x")',
        "/tm" + "p/chroot",
        "https://py" + "pi.org/simple",
        "<" * 7 + " HEAD",
    ],
)
def test_what_is_forbidden_is_found(text: str) -> None:
    assert finds(text) != set()


def test_no_file_is_too_long_to_read() -> None:
    readable = {".py", ".js", ".css", ".html"}
    texts = {file: text_of(file) for file in tracked() if file.suffix in readable and is_ours(file)}
    long = {
        str(file.relative_to(ROOT)): n
        for file, text in texts.items()
        if text and (n := text.count("\n")) > LONGEST
    }
    assert long == {}


def test_the_scripts_can_be_started() -> None:
    for name in ("run", "test", "install", "bench", ".ci/run", "scripts/lock"):
        assert (ROOT / name).stat().st_mode & 0o111 == 0o111, name
