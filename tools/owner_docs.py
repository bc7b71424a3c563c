"""Writes what the docs for owners have from the program itself: python -m tools.owner_docs

Tests hold that it is up to date.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.config.example import EXAMPLE
from companion.config.text import reference
from companion.config.wiring import wiring
from companion.doctor import told
from tests.faults.cases import DEVICES
from tests.faults.vocabulary import Case, Senseless
from tests.owner.doctor_cases import CASES
from web_ui.svg import svg

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- made by tools/owner_docs.py -->", "<!-- until here -->"


def filled(file: Path, words: str) -> str:
    """The file, with these words in its part that is made."""
    before, _, rest = file.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{words.strip()}\n\n{END}{after}"


def _reference(file: Path) -> str:
    return filled(file, reference())


def _wiring(file: Path) -> str:
    drawing = wiring(EXAMPLE)
    assert drawing is not None
    return svg(drawing, "What hangs on which pin") + "\n"


def _doctor(file: Path) -> str:
    rows = []
    for name, case in CASES.items():
        with TemporaryDirectory() as folder:
            found = case(Path(folder))
        faults = "\n".join(told(finding) for finding in found if not finding.ok)
        rows.append(f"{name[:1].upper()}{name[1:]}:\n\n```\n{faults}\n```\n")
    return filled(file, "\n".join(rows))


def _faults(file: Path) -> str:
    head = _row("fault", "there it is", "the phones say", "do", "works again") + "\n" + _row(*["---"] * 5)
    parts = []
    for device, cases in DEVICES.items():
        rows = "\n".join(_fault(fault, case) for fault, case in cases.items())
        parts.append(f"### {device}\n\n{head}\n{rows}\n")
    return filled(file, "\n".join(parts))


def _fault(fault: str, case: Case | Senseless) -> str:
    if isinstance(case, Senseless):
        return _row(fault, f"— {case.why}", "", "", "")
    return _row(
        fault, case.means, case.says or ("" if case.tried else "nothing: it works"), case.cure, case.after
    )


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


FILES: dict[Path, Callable[[Path], str]] = {
    DOCS / "configuration.md": _reference,
    DOCS / "doctor.md": _doctor,
    DOCS / "faults.md": _faults,
    DOCS / "images" / "wiring.svg": _wiring,
}
"""Each file with what makes it."""


if __name__ == "__main__":
    for path, make in FILES.items():
        path.write_text(make(path), "utf-8")
