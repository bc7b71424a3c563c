"""The set-up script: when it acts, when it does not, and what it says when it cannot."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

A_USER = "id() { echo 1000; }; sudo() { return 1; }; "
DECIDES = 'make_environment() { echo "makes $1"; }; '


def bash(code: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """What bash says to the code, with the set-up script of that checkout sourced before."""
    return subprocess.run(
        ["bash", "-c", f"set -euo pipefail; . '{root}/scripts/environment.sh'; {code}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with an environment that was made well, as far as the script can tell."""
    for part in ("scripts", "requirements"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    made = bash(
        'mkdir -p "$venv/bin" "$venv/lib/python3.11/site-packages"; '
        'printf "#!/bin/sh\\necho 3.11\\n" >"$venv/bin/python"; chmod +x "$venv/bin/python"; '
        'echo "run $(fingerprint)" >"$venv/stamp"',
        tmp_path,
    )
    assert made.returncode == 0, made.stderr
    return tmp_path


def decision(checkout: Path, part: str = "run", before: str = "") -> str:
    done = bash(f"{before} bring_test_packages() {{ :; }}; {DECIDES} set_up {part}", checkout)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_is_set_up_is_left_alone(checkout: Path) -> None:
    assert decision(checkout) == ""


def test_what_is_set_up_for_tests_is_set_up_to_run(checkout: Path) -> None:
    assert decision(checkout, "test") == "makes test"
    stamp = checkout / ".venv" / "stamp"
    stamp.write_text(stamp.read_text("utf-8").replace("run", "test"), "utf-8")
    assert decision(checkout) == ""
    assert decision(checkout, "test") == ""


def test_an_interrupted_set_up_is_made_again(checkout: Path) -> None:
    (checkout / ".venv" / "stamp").unlink()
    assert decision(checkout) == "makes run"


def test_a_change_of_the_lock_is_brought_in_with_the_parts_that_were_there(checkout: Path) -> None:
    stamp = checkout / ".venv" / "stamp"
    stamp.write_text(stamp.read_text("utf-8").replace("run", "test"), "utf-8")
    with (checkout / "requirements" / "run-3.11.lock").open("a") as lock:
        lock.write("# changed\n")
    assert decision(checkout) == "makes test"


def test_an_environment_whose_python_is_gone_is_made_again(checkout: Path) -> None:
    (checkout / ".venv" / "bin" / "python").unlink()
    assert decision(checkout) == "makes run"


def test_an_environment_whose_python_is_another_now_is_made_again(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\necho 3.13\n", "utf-8")
    assert decision(checkout) == "makes run"


def test_a_checkout_that_was_moved_is_set_up_again(checkout: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(checkout, tmp_path / "moved", symlinks=True)
    assert decision(moved) == "makes run"


def test_a_missing_package_is_named_with_what_to_type() -> None:
    done = bash(A_USER + "install_packages ./test chromium git")
    assert done.returncode == 1
    assert "the system packages chromium git" in done.stderr
    assert "Type: sudo apt-get install -y --no-install-recommends chromium git" in done.stderr


def test_a_system_without_apt_is_told_the_names() -> None:
    done = bash("PATH=; install_packages ./test chromium")
    assert done.returncode == 1
    assert "./test needs chromium, as Debian calls them" in done.stderr


def test_apts_own_words_are_shown_when_it_fails() -> None:
    failing = 'env() { echo "E: No space left on the disk" >&2; return 100; }; id() { echo 0; }; '
    done = bash(failing + "install_packages ./test chromium")
    assert done.returncode == 1
    assert "No space left on the disk" in done.stderr
    assert "type: apt-get install" in done.stderr


@pytest.mark.parametrize(
    ("there", "has", "brings"),
    [
        ("chromium-headless-shell", "", ""),
        ("chromium", "chromium-headless-shell", ""),
        ("", "chromium-headless-shell chromium", "chromium-headless-shell"),
        ("", "chromium", "chromium"),
    ],
)
def test_a_browser_without_windows_is_brought_where_there_is_none(there: str, has: str, brings: str) -> None:
    asked = 'command() { [[ " $there " == *" $2 "* ]]; }; '
    installs = 'install_packages() { [[ " $has " == *" $2 "* ]] && echo "$2" || fail "There is no $2."; }; '
    done = bash(f"there='{there}'; has='{has}'; {asked}{installs}bring_browser")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == brings.split()


def test_a_browser_that_cannot_be_had_is_named() -> None:
    done = bash('command() { return 1; }; install_packages() { fail "There is no $2."; }; bring_browser')
    assert done.returncode == 1
    assert "There is no chromium." in done.stderr


def test_a_python_that_is_too_old_is_named() -> None:
    old = 'python3() { if [ "$1" = --version ]; then echo Python 3.9.2; else return 1; fi; }; '
    done = bash(old + "install_packages() { :; }; find_python() { return 1; }; bring_python")
    assert done.returncode == 1
    assert "Python 3.11, 3.12 or 3.13" in done.stderr
    assert "this system has Python 3.9.2" in done.stderr


def test_two_set_ups_wait_for_one_another(checkout: Path) -> None:
    (checkout / ".venv" / "stamp").unlink()
    slow = (
        'make_environment() { echo "begins" >>"$root/log"; sleep 0.3; '
        'echo "ends" >>"$root/log"; echo "run $(fingerprint)" >"$venv/stamp"; }; set_up run'
    )
    done = bash(f"( {slow} ) & ( {slow} ) & wait", checkout)
    assert done.returncode == 0, done.stderr
    assert (checkout / "log").read_text("utf-8").split() == ["begins", "ends"]
