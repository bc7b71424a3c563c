"""The configuration of a table that runs: what a page shows of it, and what becomes of what was typed."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.config import Config, Run, load
from companion.config.text import printed
from companion.doctor.findings import Finding
from companion.messages import Finish
from companion.upkeep import Form, configuring
from companion.upkeep.housekeeping import BY_HAND, Housekeeping, plugged_in
from tests.table.desk import Desk
from tests.web.machines import Machine

MINE = """\
# Over the sofa.
[run]
table = "none"  # for now
port = 8081

[pins]
# red
confirm = 17
"""

Open = Callable[..., Housekeeping]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "stationmaster.toml"
    file.write_text(f"{MINE}\n[pins.seats.1]\nbutton = 5\n\n# end\n")
    return file


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "state")
    yield desk
    desk.close()


@pytest.fixture
def kept(file: Path, desk: Desk) -> Open:
    """The housekeeping of a table that runs with the file as it is now, and these options."""
    return lambda *options: Machine(file, *options)(desk.table, 8081)


def values(form: Form) -> dict[str, str]:
    return {name: field.value for name, field in form.fields.items() if field.value}


def faults(form: Form) -> dict[str, str]:
    return {name: field.fault for name, field in form.fields.items() if field.fault}


def only_finding(kept: Housekeeping) -> Finding:
    (found,) = kept._checks(())[0].look()
    return found


# -- what is shown ---------------------------------------------------------------------------------


def test_what_is_set_is_shown_and_what_is_not_has_its_default(kept: Open, file: Path) -> None:
    form = kept().form()
    assert values(form) == {
        "run.game": "pawns_of_perdition",
        "run.pack": "house",
        "run.table": "none",
        "run.learn": "no",
        "run.port": "8081",
        "pins.confirm": "17",
        "pins.seats.1.button": "5",
        "controller.line": "none",
    }
    assert form.file == str(file)
    assert (form.closed, form.faults, form.restart, form.port, faults(form)) == ("", (), False, 0, {})
    assert ("hellrail", "HellRail") in form.fields["run.game"].choices


def test_what_the_command_line_says_is_told_beside_the_key(kept: Open) -> None:
    form = kept("--port", "0", "--controller", "emulated").form()
    assert form.fields["run.port"].value == "8081"
    options = {name: field.option for name, field in form.fields.items() if field.option}
    assert options == {"run.port": "0", "controller.line": "emulated"}


def test_what_is_plugged_in_can_be_chosen_and_what_is_set_stays_a_choice(
    kept: Open, file: Path, tmp_path: Path
) -> None:
    for name in ("v4l/by-id/usb-Cam-video-index0", "v4l/by-id/usb-Cam-video-index1", "serial/by-id/usb-Pico"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = plugged_in(tmp_path)
    assert found.cameras == (str(tmp_path / "v4l/by-id/usb-Cam-video-index0"),)
    assert found.lines == (str(tmp_path / "serial/by-id/usb-Pico"),)
    file.write_text('[run]\ncamera = "/dev/video7"\n[controller]\nline = "/dev/ttyACM3"\n')
    form = kept().form()
    assert ("/dev/video7", "/dev/video7") in form.fields["run.camera"].choices
    assert ("/dev/ttyACM3", "/dev/ttyACM3") in form.fields["controller.line"].choices


# -- what is changed -------------------------------------------------------------------------------


def test_a_change_is_written_and_all_else_stays_as_it_was(kept: Open, file: Path) -> None:
    file.chmod(0o644)
    before = file.read_text()
    keeping = kept()
    form = keeping.form()
    typed = values(form) | {
        "run.port": "8085",
        "pins.confirm": " 4 ",
        "pins.seats.1.button": "",
        "run.table": "none",
    }
    form = keeping.change(typed, form.was)
    assert form.saved
    assert (form.restart, form.port) == (True, 8085)
    wanted = before.replace("port = 8081", "port = 8085").replace("confirm = 17", "confirm = 4")
    assert file.read_text() == wanted.replace("button = 5\n", "")
    assert file.stat().st_mode & 0o777 == 0o644
    assert not only_finding(keeping).ok
    assert "has been changed since" in only_finding(keeping).words


def test_what_is_saved_as_it_was_changes_not_a_byte(kept: Open, file: Path) -> None:
    before = file.read_bytes()
    keeping = kept()
    form = keeping.form()
    assert keeping.change(values(form), form.was).saved
    assert file.read_bytes() == before
    assert not keeping.form().restart
    assert only_finding(keeping).ok


def test_every_fault_stands_beside_its_field_nothing_typed_is_lost_and_nothing_is_written(
    kept: Open, file: Path
) -> None:
    before = file.read_bytes()
    keeping = kept()
    typed = {
        "run.game": "chess",
        "run.port": "eighty",
        "run.camera": "/media/none.mp4",
        "run.table": "camera",
        "pins.confirm": "99",
        "pins.undo": "5",
        "pins.seats.3.lamp": "1.5",
        "controller.line": "there",
    }
    form = keeping.change(typed, keeping.form().was)
    assert not form.saved
    assert file.read_bytes() == before
    assert values(form).items() >= typed.items()
    told = faults(form)
    # Of two that have one pin it is told beside the second.
    assert set(told) == {*typed, "pins.seats.1.button"} - {"run.table", "pins.undo"}
    assert "Write" in told["run.port"]
    assert "the header has no such pin" in told["pins.confirm"]
    assert "There is no camera" in told["run.camera"]


def test_what_would_not_start_is_not_written(kept: Open, file: Path) -> None:
    before = file.read_bytes()
    keeping = kept()
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        taken = str(other.getsockname()[1])
        typed = {"run.port": taken, "run.pack": "nothing"}
        told = faults(keeping.change(typed, keeping.form().was))
    assert set(told) == set(typed)
    assert "taken by another program" in told["run.port"]
    assert "has no pack 'nothing'" in told["run.pack"]
    assert file.read_bytes() == before


def test_another_game_is_for_the_next_one_as_long_as_one_is_on_the_table(
    kept: Open, desk: Desk, file: Path
) -> None:
    desk.start("red", "blue", "green")
    keeping = kept()
    form = keeping.change({"run.game": "hellrail"}, keeping.form().was)
    assert (form.saved, form.first, form.restart) == (True, "Pawns of Perdition", False)
    found = only_finding(keeping)
    assert found.ok
    assert "Pawns of Perdition is on the table and goes on" in found.words
    # What else was changed counts at the next start, whatever is on the table.
    form = keeping.change({"run.port": "8085"}, form.was)
    assert (form.first, form.restart, form.port) == ("Pawns of Perdition", True, 8085)
    assert desk.ask("red", Finish()).status == "done"
    form = keeping.change({"run.port": "8081"}, form.was)
    assert (form.first, form.restart, form.port) == ("", True, 0)
    assert not only_finding(keeping).ok


def test_an_owners_pack_that_is_not_begun_is_in_order_and_is_not_begun_by_a_look(
    kept: Open, file: Path, tmp_path: Path
) -> None:
    state = tmp_path / "games"
    file.write_text(f'[run]\ntable = "none"\nstate = "{state}"\n')
    keeping = kept()
    assert keeping.change({"run.game": "hellrail", "run.pack": "owner"}, keeping.form().was).saved
    assert not state.exists()
    pack = state / "packs" / "hellrail" / "owner.toml"
    pack.parent.mkdir(parents=True)
    pack.write_text("[")
    assert "owner.toml is not in order" in faults(keeping.form())["run.pack"]


def test_who_saves_what_somebody_else_has_changed_meanwhile_sees_that_first(kept: Open, file: Path) -> None:
    keeping = kept()
    was = keeping.form().was
    theirs = file.read_text().replace("confirm = 17", "confirm = 18")
    file.write_text(theirs)
    form = keeping.change({"run.port": "8085"}, was)
    assert form.faults == (configuring.MEANWHILE,)
    assert form.fields["run.port"].value == "8085"
    assert form.fields["pins.confirm"].value == "18"
    assert file.read_text() == theirs
    assert keeping.change({"run.port": "8085"}, form.was).saved
    assert file.read_text() == theirs.replace("8081", "8085")


def test_a_file_behind_a_link_is_changed_and_the_link_stays(desk: Desk, tmp_path: Path) -> None:
    own = tmp_path / "state" / "stationmaster.toml"
    own.write_text(MINE)
    link = tmp_path / "etc.toml"
    link.symlink_to(own)
    keeping = Machine(link)(desk.table, 8081)
    assert keeping.change({"run.port": "8085"}, keeping.form().was).saved
    assert link.is_symlink()
    assert "port = 8085" in own.read_text()


def test_a_disk_that_does_not_take_it_is_told_and_the_file_is_as_before(
    kept: Open, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()
    keeping = kept()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    form = keeping.change({"run.port": "8085"}, keeping.form().was)
    assert "No space left on device" in form.faults[0]
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[run]\nprot = 80\n[pins]\nundo = 3\n", "Line 2: There is no key prot in [run]. Do you mean port?"),
        ("[run]\nstate = 5\n", "Line 2: state in [run] is 5."),
    ],
)
def test_what_is_wrong_elsewhere_in_the_file_is_told_with_its_line_and_keeps_all_from_being_written(
    kept: Open, file: Path, text: str, told: str
) -> None:
    keeping = kept()
    file.write_text(text)
    form = keeping.form()
    assert form.closed == ""
    assert form.faults[0].startswith(told)
    assert not keeping.change({"pins.confirm": "4"}, form.was).saved
    assert file.read_text() == text
    assert not only_finding(keeping).ok


def test_a_value_that_is_wrong_in_the_file_can_be_put_right_on_the_page(kept: Open, file: Path) -> None:
    keeping = kept()
    file.write_text('[run]\nport = "x"  # hm\ntable = "none"\n')
    form = keeping.form()
    assert form.fields["run.port"].value == "x"
    assert "Write a whole number" in form.fields["run.port"].fault
    assert keeping.change({"run.port": "8085"}, form.was).saved
    assert file.read_text() == '[run]\nport = 8085  # hm\ntable = "none"\n'


def test_where_nothing_can_be_changed_it_is_said_why(
    kept: Open, desk: Desk, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping = kept()
    file.write_text("[run\n")
    form = keeping.form()
    assert form.closed == configuring.NO_TOML
    assert form.faults[0].startswith("Line 1: '[run' is no TOML")
    assert not keeping.change({"run.port": "8085"}, form.was).saved
    assert file.read_text() == "[run\n"
    file.write_bytes(b"[run]\nport = 1 # \xff\n")
    assert "UTF-8" in keeping.form().faults[0]
    file.unlink()
    assert "no such file" in keeping.form().faults[0]

    none = Machine(Path("/dev/null"), "--table", "none", "--port", "7777")(desk.table, 7777)
    form = none.form()
    assert (form.closed, form.file, form.restart) == (configuring.NO_FILE, "", False)
    assert form.fields["run.port"].option == "7777"
    assert not none.change({"run.port": "8085"}, form.was).saved

    file.write_text(MINE)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    form = keeping.form()
    assert form.closed == configuring.NOT_OURS
    assert form.fields["run.port"].value == "8081"
    assert not keeping.change({"run.port": "8085"}, form.was).saved
    assert file.read_text() == MINE


def test_the_printed_file_takes_every_field(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "printed.toml"
    file.write_text(printed(Config(run=Run(table="none"))))
    keeping = Machine(file)(desk.table, 8080)
    form = keeping.form()
    numbers = [name for name, field in form.fields.items() if field.number and name != "run.port"]
    typed = {name: str(pin) for pin, name in enumerate(numbers, 2)}
    typed |= {"run.camera": "auto", "run.pins": "mock", "controller.line": "auto", "run.port": "0"}
    assert keeping.change(typed, form.was).saved
    config = load(file)
    assert config.pins is not None
    assert config.pins.seats[8].lamp == len(numbers) + 1
    assert config.run.camera == "auto"
    assert values(keeping.form()).items() >= typed.items()
    assert "# port = 8080\nport = 0\n" in file.read_text()


# -- starting again --------------------------------------------------------------------------------


def test_it_starts_again_where_the_unit_says_so_and_the_file_is_in_order(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.upkeep.housekeeping.GRACE", 0.0)
    by_hand = Machine(file)
    assert by_hand(desk.table, 8081).restart() == BY_HAND
    monkeypatch.setenv("RESTARTED_AFTER", "75")
    machine = Machine(file)
    keeping = machine(desk.table, 8081)
    assert keeping.restarts
    good = file.read_text()
    file.write_text("[run]\nport = -1\n")
    assert "port in [run] is -1" in keeping.restart()
    assert not keeping.health().restarting
    file.write_text(good)
    assert keeping.restart() == ""
    assert keeping.health().restarting
    assert machine.stop.wait() == 75
    assert by_hand.stop.told == []
