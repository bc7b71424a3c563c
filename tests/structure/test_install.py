"""./install and ./install --remove: what they write and take away, again and again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The environment takes a minute and the internet; tests/structure/test_environment.py has its set-up.
START = "import sys; from companion.command import main; sys.exit(main())"
COMMAND = f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -c '{START}' \"$@\"\n"
PREPARED = f"""
prepare() {{
    mkdir -p "$home/.venv/bin"
    cat >"$home/.venv/bin/stationmaster" <<'COMMAND'
{COMMAND}COMMAND
    chmod +x "$home/.venv/bin/stationmaster"
}}
"""
RUNNING = """
runs_systemd() { true; }
systemctl() {
    echo "systemctl $*" >>"$DESTDIR/called"
    [ "$1" != show ] || echo "Phones open http://192.168.1.5/"
    [ "$1" != restart ] || ! [ -e "$DESTDIR/fails" ]
}
systemd-sysusers() { echo "systemd-sysusers $*" >>"$DESTDIR/called"; }
udevadm() { echo "udevadm $*" >>"$DESTDIR/called"; }
chown() { echo "chown $*" >>"$DESTDIR/called"; }
runuser() { echo "runuser $1 $2" >>"$DESTDIR/called"; shift 3; "$@"; }
"""

OURS = {
    "etc/stationmaster.toml",
    "etc/systemd/system/stationmaster.service",
    "etc/sysusers.d/stationmaster.conf",
    "etc/udev/rules.d/70-stationmaster.rules",
    "usr/local/bin/stationmaster",
}


def install(top: Path, *words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """What ./install does below that folder, with its environment taken as made."""
    return subprocess.run(
        ["bash", "-c", f". '{ROOT}/install'; {PREPARED} {before} main \"$@\"", "install", *words],
        env={**os.environ, "DESTDIR": str(top)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def files(top: Path) -> dict[str, bytes]:
    """Each file below the folder with its content, /opt/stationmaster left out."""
    return {
        str(name): b"" if path.is_symlink() else path.read_bytes()
        for path in sorted(top.rglob("*"))
        if (path.is_symlink() or path.is_file()) and (name := path.relative_to(top)).parts[0] != "opt"
    }


def test_installing_writes_its_own_files_alone_and_again_the_same(tmp_path: Path) -> None:
    done = install(tmp_path)
    assert done.returncode == 0, done.stderr
    first = files(tmp_path)
    assert set(first) == OURS
    assert {path.name for path in (tmp_path / "opt").iterdir()} == {"stationmaster"}
    again = install(tmp_path)
    assert again.returncode == 0, again.stderr
    assert files(tmp_path) == first


def test_the_configuration_that_is_written_is_in_order_and_emulates_nothing(tmp_path: Path) -> None:
    from companion.config import load
    from companion.daemon import settings

    assert install(tmp_path).returncode == 0
    found = settings(load(tmp_path / "etc" / "stationmaster.toml"))
    assert (found.table, found.pins, found.controller.line) == ("none", "none", "none")
    assert found.state == Path("/var/lib/stationmaster")
    assert found.port in (80, 8080)
    assert (tmp_path / "etc" / "stationmaster.toml").stat().st_mode & 0o777 == 0o644


def test_an_upgrade_keeps_what_is_the_owners(tmp_path: Path) -> None:
    mine = {
        "etc/stationmaster.toml": b"[run]\nport = 8123\n",
        "etc/default/stationmaster": b'OPTIONS="--table none"\n',
        "var/lib/stationmaster/journal.sqlite": b"games",
    }
    for name, content in mine.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(content)
    old = tmp_path / "opt" / "stationmaster" / "companion" / "gone.py"
    old.parent.mkdir(parents=True)
    old.touch()
    for words in ((), (), ("--remove",), ("--remove",)):
        done = install(tmp_path, *words)
        assert done.returncode == 0, done.stderr
        assert not old.exists()
        assert {name: content for name, content in files(tmp_path).items() if name in mine} == mine
    assert set(files(tmp_path)) == set(mine)
    assert all(
        f"kept, since it is yours: {tmp_path}/{name}" in done.stderr for name in ("etc/stationmaster.toml",)
    )


def test_removing_takes_away_what_was_installed_and_says_what_it_keeps(tmp_path: Path) -> None:
    assert install(tmp_path).returncode == 0
    done = install(tmp_path, "--remove")
    assert done.returncode == 0, done.stderr
    assert set(files(tmp_path)) == {"etc/stationmaster.toml"}
    assert not (tmp_path / "opt" / "stationmaster").exists()
    assert "kept, since it is yours" in done.stderr
    again = install(tmp_path, "--remove")
    assert again.returncode == 0
    assert "nothing of Stationmaster is installed" in again.stderr


def test_a_command_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "usr" / "local" / "bin" / "stationmaster"
    other.parent.mkdir(parents=True)
    other.write_text("theirs")
    done = install(tmp_path)
    assert done.returncode == 0
    assert "left alone" in done.stderr
    assert install(tmp_path, "--remove").returncode == 0
    assert other.read_text() == "theirs"


def test_a_configuration_that_is_no_good_is_told_and_left(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "stationmaster.toml").write_text("[run]\nprot = 3\n")
    (tmp_path / "etc" / "default").mkdir()
    (tmp_path / "etc" / "default" / "stationmaster").write_text('OPTIONS="--buttons gpiozero"\n')
    done = install(tmp_path)
    assert done.returncode == 0
    assert "line 2: There is no key prot in [run]. Do you mean port?" in done.stderr
    assert "mend OPTIONS in" in done.stderr


def test_the_service_is_started_and_stopped_where_systemd_runs(tmp_path: Path) -> None:
    done = install(tmp_path, before=RUNNING)
    assert done.returncode == 0, done.stderr
    assert "set-up: Phones open http://192.168.1.5/" in done.stderr
    assert (tmp_path / "called").read_text().splitlines() == [
        "systemd-sysusers stationmaster.conf",
        f"chown stationmaster: {tmp_path}/var/lib/stationmaster",
        "runuser -u stationmaster",
        "udevadm control --reload",
        "udevadm trigger --subsystem-match=tty",
        "systemctl daemon-reload",
        "systemctl enable --quiet stationmaster.service",
        "systemctl restart stationmaster.service",
        "systemctl show --property StatusText --value stationmaster.service",
    ]
    (tmp_path / "called").unlink()
    assert install(tmp_path, "--remove", before=RUNNING).returncode == 0
    assert (tmp_path / "called").read_text().splitlines() == [
        "systemctl disable --quiet --now stationmaster.service",
        "systemctl daemon-reload",
        "udevadm control --reload",
    ]


def test_the_service_may_change_its_configuration_and_etc_leads_to_it(tmp_path: Path) -> None:
    etc = tmp_path / "etc" / "stationmaster.toml"
    own = tmp_path / "var" / "lib" / "stationmaster" / "stationmaster.toml"
    etc.parent.mkdir()
    etc.write_text("# mine\n[run]\nport = 8123\n")
    for _ in range(2):
        assert install(tmp_path, before=RUNNING).returncode == 0
        assert etc.is_symlink()
        assert etc.resolve() == own
        assert own.read_text() == "# mine\n[run]\nport = 8123\n"
        assert own.stat().st_mode & 0o777 == 0o644
    # An editor that puts a new file in the place of the link: what stands there counts.
    etc.unlink()
    etc.write_text("[run]\nport = 8124\n")
    assert install(tmp_path, before=RUNNING).returncode == 0
    assert etc.resolve() == own
    assert own.read_text() == "[run]\nport = 8124\n"
    assert sorted(
        path.name for path in (*etc.parent.iterdir(), *own.parent.iterdir()) if ".toml" in path.name
    ) == [
        "stationmaster.toml",
        "stationmaster.toml",
    ]
    done = install(tmp_path, "--remove", before=RUNNING)
    assert f"kept, since it is yours: {etc}" in done.stderr
    assert etc.read_text() == "[run]\nport = 8124\n"


def test_a_link_of_the_owners_is_left_as_it_is(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[run]\nport = 8123\n")
    etc = tmp_path / "etc" / "stationmaster.toml"
    etc.parent.mkdir()
    etc.symlink_to(mine)
    assert install(tmp_path, before=RUNNING).returncode == 0
    assert etc.readlink() == mine


def test_a_service_that_does_not_start_is_told(tmp_path: Path) -> None:
    (tmp_path / "fails").touch()
    done = install(tmp_path, before=RUNNING)
    assert done.returncode == 1
    assert "does not start" in done.stderr
    assert "doctor" in done.stderr


@pytest.mark.parametrize(
    ("words", "destdir", "said"),
    [
        (("--purge",), True, "knows no --purge"),
        ((), False, "sudo ./install"),
        (("--remove",), False, "sudo ./install --remove"),
    ],
)
def test_what_it_cannot_do_is_said(tmp_path: Path, words: tuple[str, ...], destdir: bool, said: str) -> None:
    done = install(tmp_path, *words, before="is_root() { false; }; " + ("" if destdir else "top=;"))
    assert done.returncode == 1
    assert said in done.stderr
    assert files(tmp_path) == {}
