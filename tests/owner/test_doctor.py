"""The doctor: each fault brought about is told with what to do, and nothing that works is called a fault."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec.structs import replace

from companion.command import FAULT, main
from companion.corners import Corners
from companion.doctor import Check, as_json, checks, devices, examined, machine, told
from companion.doctor.findings import Finding, ill, well
from companion.stopping import LONGEST
from firmware_bridge.controller_wiring import ControllerPins
from tests.owner import doctor_cases as cases
from tests.owner.doctor_cases import CASES, avahi, on_disk, room, table
from tests.vision.coloured_table import BLUE, GREEN, RED
from tests.vision.test_tapped import CORNERS, SIZE, moved, printed
from vision.source import Frame
from vision.tapped import tapped

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", CASES)
def test_a_fault_is_told_with_what_to_do(name: str, tmp_path: Path) -> None:
    found = CASES[name](tmp_path)
    faults = [finding for finding in found if not finding.ok]
    assert faults
    for finding in faults:
        assert finding.words.endswith((".", ")"))
        # Of two pins that are the same one, the words say what to do as well.
        assert finding.cure or "Give one of them" in finding.words
        assert "tried again by itself" not in finding.cure


def test_no_two_faults_are_told_alike(tmp_path: Path) -> None:
    said: dict[str, str] = {}
    for name, case in CASES.items():
        (tmp_path / name).mkdir()
        for finding in case(tmp_path / name):
            if not finding.ok:
                assert said.setdefault(finding.words, name) == name


def only(found: list[Finding]) -> Finding:
    (finding,) = found
    return finding


# -- what works -----------------------------------------------------------------------------------


def test_a_camera_that_gives_pictures_is_well(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((90, 160, 3), 120, np.uint8))
    found = only(devices.camera(table(table="camera", camera=str(tmp_path)), ""))
    assert found.ok
    assert "160 x 90" in found.words


def test_pieces_that_can_be_told_by_their_colours_are_named(tmp_path: Path) -> None:
    camera, pieces = cases.pieces_of(tmp_path, {"red": RED, "blue": BLUE, "green": GREEN})
    assert camera.ok
    assert pieces.ok
    assert pieces.words == "Told by their colours in this light: blue pawn, green pawn, red pawn."


def test_a_camera_that_finds_its_light_within_some_pictures_is_well() -> None:
    class Finding:
        """A camera that has just been opened: each picture is a little brighter than the one before."""

        name = "finding"
        level = 30

        def open(self) -> None:
            """It opens."""

        def read(self, timeout: float) -> Frame:
            self.level += 10
            return Frame(0.0, np.full((90, 160, 3), self.level, np.uint8))

        def close(self) -> None:
            """There is nothing to let go of."""

    found = only(devices.camera(table(table="camera"), "", open_source=lambda name: Finding()))
    assert found.ok


def test_corners_that_were_set_by_hand_are_held_against_the_picture(tmp_path: Path) -> None:
    pictures, state = tmp_path / "pictures", tmp_path / "state"
    pictures.mkdir()
    state.mkdir()
    corners = Corners(state, lambda fault: None)
    corners.keep(tapped("tray", printed(), SIZE, (0.0, 0.0), CORNERS))
    settings = table(table="camera", camera=str(pictures), state=str(state))

    def look() -> Finding:
        picture, found = devices.camera(settings, "")
        assert picture.ok
        return found

    cv2.imwrite(str(pictures / "table.png"), printed())
    assert look().ok
    cv2.imwrite(str(pictures / "table.png"), moved(printed(), 14, 9))
    found = look()
    assert not found.ok
    assert "has moved since the corners were set" in found.words
    assert "Set the corners again" in found.cure
    cv2.imwrite(str(pictures / "table.png"), cv2.resize(printed(), (640, 360)))
    assert "another size" in look().words
    (state / "corners.json").write_bytes(b"{")
    assert "cannot be read" in look().words


def test_a_camera_that_is_not_in_use_is_left_alone() -> None:
    def never(name: str) -> None:
        raise AssertionError(name)

    found = only(devices.camera(table(table="none"), "", lambda: ("/dev/video0",), never))
    assert found.ok
    assert "/dev/video0" in found.words


def test_pins_are_taken_as_inputs_and_let_go() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    for _ in range(2):
        assert [finding.ok for finding in devices.pins(cases.ON_PINS, "", lambda: factory)] == [True]
    pins = list(factory.pins.values())
    assert len(pins) == 4
    # A lamp was never lit: its pin has been nothing but an input.
    assert {pin.function for pin in pins} == {"input"}
    assert not any(pin.state for pin in pins if pin.info.name == "GPIO24")
    factory.close()


def test_parts_that_are_not_in_use_or_emulated_are_no_fault() -> None:
    for settings in (table(), table(pins="mock")):
        assert only(devices.pins(settings, "")).ok
    for line in ("none", "emulated"):
        assert only(devices.controller(replace(table(), controller=ControllerPins(line=line)), "")).ok


def test_a_controller_that_answers_is_well() -> None:
    assert only(cases.answering(cases.Board())).ok


def test_the_emulated_board_is_seen_as_a_real_one_is() -> None:
    pytest.importorskip("serial")
    from firmware_bridge.controller_wiring import wired
    from firmware_bridge.emulated_controller import EmulatedController

    settings = replace(table(), controller=wired(ControllerPins(line=cases.LINE)))
    assert only(devices.controller(settings, "", EmulatedController)).ok

    def silent(*given: object) -> EmulatedController:
        board = EmulatedController(*given)  # type: ignore[arg-type]
        board.misbehave("silent")
        return board

    found = only(devices.controller(settings, "", silent))
    assert not found.ok
    assert "does not answer" in found.words


def test_a_disk_that_is_well_is_measured_for_real(tmp_path: Path) -> None:
    found = machine.disk(tmp_path / "not" / "yet" / "made", room(), clock=lambda: 0.0)
    assert [finding.ok for finding in found] == [True, True]
    assert list(tmp_path.iterdir()) == []


def test_each_written_file_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(handle)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    machine.disk(tmp_path, room())
    assert len(synced) >= 5


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "may not write" in machine.disk(tmp_path, room())[-1].words
    tmp_path.chmod(0o700)


def test_a_slow_disk_begins_at_the_limit(tmp_path: Path) -> None:
    assert on_disk(seconds=machine.SLOW)(tmp_path)[-1].ok
    assert not on_disk(seconds=machine.SLOW + 0.01)(tmp_path)[-1].ok


def test_a_free_port_is_free_afterwards() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert machine.port_finding("127.0.0.1", port).ok
    with socket.socket() as again:
        again.bind(("127.0.0.1", port))
    assert machine.port_finding("127.0.0.1", 0).ok


def test_a_name_that_is_found_is_told(tmp_path: Path) -> None:
    with avahi(tmp_path, "+ 2 0 table.local 192.168.1.5\n") as (path, heard):
        found = machine.name_finding("table.fritz.box", 80, path)
    assert found.ok
    assert "http://table.local/ as well (192.168.1.5)" in found.words
    assert heard == [b"RESOLVE-HOSTNAME-IPV4 table.local\n"]


def test_avahi_that_says_nothing_is_no_name(tmp_path: Path) -> None:
    with avahi(tmp_path, "") as (path, _):
        assert not machine.name_finding("table", 80, path).ok


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        ("0x0", ["as they should"]),
        ("0x1", ["voltage now"]),
        ("0x50000", ["voltage since"]),
        ("0x2", ["so hot that"]),
        ("0x5", ["voltage now"]),
        ("0x20000", ["been so hot"]),
        ("0x80001", ["voltage now", "been so hot"]),
    ],
)
def test_what_the_pi_tells_of_its_power(bits: str, words: list[str], tmp_path: Path) -> None:
    found = cases.throttled(f"throttled={bits}")(tmp_path)
    assert len(found) == len(words)
    assert all(said in finding.words for said, finding in zip(words, found, strict=True))


@pytest.mark.parametrize(("alarm", "ok"), [("0\n", True), ("1\n", False)])
def test_voltage_is_told_by_the_kernel_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alarm: str, ok: bool
) -> None:
    monkeypatch.setenv("PATH", "")
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        monitor = tmp_path / f"hwmon{number}"
        monitor.mkdir()
        (monitor / "name").write_text(f"{name}\n")
        (monitor / "in0_lcrit_alarm").write_text(alarm)
    assert only(machine.power(monitors=tmp_path)).ok is ok
    assert only(machine.power(monitors=tmp_path / "none")).ok


def test_who_may_not_ask_the_firmware_is_told_of_the_voltage_by_the_kernel(tmp_path: Path) -> None:
    command = tmp_path / "vcgencmd"
    command.write_text("#!/bin/sh\necho VCHI initialization failed\nexit 255\n")
    command.chmod(0o755)
    monitor = tmp_path / "hwmon0"
    monitor.mkdir()
    (monitor / "name").write_text("rpi_volt\n")
    for alarm, ok in (("0\n", True), ("1\n", False)):
        (monitor / "in0_lcrit_alarm").write_text(alarm)
        assert only(machine.power(str(command), tmp_path)).ok is ok


def test_a_vcgencmd_that_hangs_is_given_up(tmp_path: Path) -> None:
    command = tmp_path / "vcgencmd"
    command.write_text("#!/bin/sh\nexec sleep 60\n")
    command.chmod(0o755)
    before = time.monotonic()
    assert not only(machine.power(str(command), patience=0.2)).ok
    assert time.monotonic() - before < 20


def test_packages_as_the_lock_has_them_are_well(tmp_path: Path) -> None:
    for name in ("run-3.11.lock", "pi-run-3.11.lock"):
        (tmp_path / name).write_text(
            "flask==3.1.3 \\\n    --hash=sha256:00\nsegno==1.6.6 ; python_version > '3'\n"
        )
    have = {"flask": "3.1.3", "segno": "1.6.6"}
    found = only(machine.python((), tmp_path, (3, 11), have.__getitem__))
    assert found.ok
    assert "2 packages" in found.words
    assert only(machine.python((), tmp_path / "none", (3, 11))).ok


def test_what_is_needed_hangs_on_the_settings() -> None:
    assert "cv2" not in machine.modules(table(table="none"))
    assert "cv2" in machine.modules(table(table="camera"))
    assert "picamera2" in machine.modules(table(table="camera", camera="picamera2"))
    assert {"gpiozero", "lgpio"} <= set(machine.modules(table(pins="gpiozero")))
    assert "serial" in machine.modules(replace(table(), controller=ControllerPins(line="auto")))


def test_a_package_that_takes_python_with_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fatal.py").write_text("import os; os.write(2, b'numpy is another'); os._exit(3)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = only(machine.loaded(["fatal"]))
    assert not found.ok
    assert "numpy is another" in found.words
    assert only(machine.loaded(["json"])).ok


# -- a Stationmaster that runs --------------------------------------------------------------------


def process(proc: Path, number: int, *words: str) -> None:
    (proc / str(number)).mkdir()
    (proc / str(number) / "cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in words))


def test_a_stationmaster_that_runs_is_found(tmp_path: Path) -> None:
    process(tmp_path, 7, "python3", "/opt/stationmaster/.venv/bin/stationmaster", "doctor")
    process(tmp_path, 8, "grep", "stationmaster", "-r")
    process(tmp_path, os.getpid(), "stationmaster", "run")
    (tmp_path / "9").mkdir()
    (tmp_path / "self").mkdir()
    assert devices.running(tmp_path) == ""
    process(
        tmp_path,
        12,
        "/opt/stationmaster/.venv/bin/python",
        "/opt/stationmaster/.venv/bin/stationmaster",
        "run",
        "--config",
    )
    assert devices.running(tmp_path) == "process 12"


def test_what_it_may_hold_is_left_to_it() -> None:
    def never(*given: object) -> None:
        raise AssertionError(given)

    settings = replace(cases.ON_PINS, table="camera", controller=ControllerPins(line="auto"))
    for found in (
        devices.camera(settings, "process 12", open_source=never),
        devices.pins(settings, "process 12", never),
        devices.controller(settings, "process 12", never),
    ):
        assert only(found).ok
        assert "Left to the Stationmaster that runs (process 12)" in only(found).words


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A Stationmaster of one's own; its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    state = tmp_path_factory.mktemp("state")
    words = ["run", "--config", "/dev/null", "--table", "none", "--host", "127.0.0.1", "--port", str(port)]
    code = "import sys; from companion.command import main; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", code, *words, "--state", str(state)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    while "Ctrl-C stops" not in running.stdout.readline():
        assert running.poll() is None
    yield port
    running.terminate()
    running.communicate(timeout=10 * LONGEST)


def test_a_port_that_its_own_pages_answer_on_is_well(daemon: int) -> None:
    found = machine.port_finding("127.0.0.1", daemon)
    assert found.ok
    assert "Stationmaster's pages answer" in found.words


# -- all of it ------------------------------------------------------------------------------------


def test_checks_run_at_once_and_are_told_in_order() -> None:
    met = threading.Barrier(3, timeout=20)

    def look(part: str) -> list[Finding]:
        met.wait()
        return [well(part, "Well.")]

    parts = ["a", "b", "c"]
    found = list(examined([Check(part, lambda part=part: look(part), 30) for part in parts]))  # type: ignore[misc]
    assert [finding.part for finding in found] == parts


def test_a_check_that_fails_or_hangs_takes_no_other_with_it() -> None:
    release = threading.Event()

    def fails() -> list[Finding]:
        raise ZeroDivisionError("nought")

    def lacks() -> list[Finding]:
        raise ModuleNotFoundError("No module named 'serial'")

    def hangs() -> list[Finding]:
        release.wait(60)
        return []

    before = time.monotonic()
    found = list(
        examined(
            [
                Check("a", fails, 5),
                Check("b", hangs, 0.1),
                Check("c", lacks, 5),
                Check("d", lambda: [well("d", "Well.")], 5),
            ]
        )
    )
    release.set()
    assert time.monotonic() - before < 30
    assert [finding.ok for finding in found] == [False, False, False, True]
    assert "ZeroDivisionError: nought" in found[0].words
    assert "given up" in found[1].words
    assert "No module named 'serial'" in found[2].words


def test_what_is_told_in_lines_is_told_in_json() -> None:
    findings = [well("disk", "Well."), ill("camera", "It is dark " * 20, "Put on a light.")]
    assert msgspec.json.decode(as_json(findings), type=list[Finding]) == findings
    assert told(findings[0]) == "ok     disk          Well."
    lines = told(findings[1]).splitlines()
    assert lines[0].startswith("FAULT  camera        It is dark")
    assert lines[-1].strip() == "-> Put on a light."
    assert all(len(line) <= 110 for line in lines)


def test_every_part_has_a_check_with_a_bound() -> None:
    found = checks(table())
    assert [check.part for check in found] == [
        "camera",
        "pins",
        "controller",
        "disk",
        "network",
        "power",
        "Python",
    ]
    assert all(0 < check.seconds <= 60 for check in found)


def test_it_works_on_a_machine_without_any_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "x.toml"
    bad.write_text("[run]\nprot = 80\n")
    status = main(["doctor", "--config", str(bad), "--json"])
    assert status == FAULT
    found = msgspec.json.decode(capsys.readouterr().out, type=list[Finding])
    assert [finding for finding in found if finding.part == "configuration"] == [
        ill("configuration", f"{bad}, line 2: There is no key prot in [run].", "Do you mean port?")
    ]
    assert {finding.part for finding in found} == {
        "configuration",
        *(check.part for check in checks(table())),
    }
