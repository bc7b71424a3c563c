"""A camera in its own process: whatever it does there, waiting here is bounded and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.vision import scripted_cameras as scripted
from vision import camera_process
from vision.camera_process import FRESH, CameraProcess
from vision.camera_wire import GRACE, Camera
from vision.source import RATE, Frame, SourceFault

ROOT = Path(__file__).parents[2]

SOON = 5.0
"""Seconds that a busy machine may take for what is done at once."""


@pytest.fixture
def camera() -> Iterator[Callable[..., CameraProcess]]:
    """Makes cameras, not yet opened, and sees that none of their processes is left."""
    made: list[CameraProcess] = []

    def make(kind: Callable[[str, str], Camera], name: str = "test") -> CameraProcess:
        made.append(CameraProcess(name, kind))
        return made[-1]

    yield make
    for one in made:
        one.close()


Make = Callable[..., CameraProcess]


def read_all(source: CameraProcess) -> None:
    """Read what has been answered already, and on."""
    for _ in range(2):
        source.read(1.0)


def pid(source: CameraProcess) -> int:
    assert source._process is not None
    return source._process.pid


def alive(number: int) -> bool:
    """Whether that process is there, and more than an entry that nobody has fetched."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(number: int, within: float = SOON) -> bool:
    end = time.monotonic() + within
    while alive(number) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(number)


def taken(source: CameraProcess) -> Frame:
    """The next frame, on a machine that may be busy."""
    frame = next((frame for _ in range(20) if (frame := source.read(0.5)) is not None), None)
    assert frame is not None
    return frame


def read_on(source: CameraProcess) -> None:
    for _ in range(100):
        source.read(0.1)


def failed(source: CameraProcess) -> SourceFault:
    with pytest.raises(SourceFault) as fault:
        read_on(source)
    assert fault.value.words
    assert fault.value.cure
    return fault.value


def test_each_frame_was_taken_after_it_was_asked_for(camera: Make) -> None:
    source = camera(scripted.Good)
    source.open()
    before = 0.0
    for _ in range(6):
        asked = time.monotonic()
        frame = taken(source)
        assert asked <= frame.time <= time.monotonic()
        assert scripted.written(frame.image) == frame.time
        assert frame.whole
        assert frame.time - before >= 1 / RATE
        before = frame.time


def test_a_frame_stays_as_it_is_when_the_next_one_comes(camera: Make) -> None:
    source = camera(scripted.Good)
    source.open()
    first = taken(source)
    second = taken(source)
    assert scripted.written(first.image) == first.time < second.time == scripted.written(second.image)


def test_the_whole_picture_is_of_the_same_moment_as_the_small_one(camera: Make) -> None:
    source = camera(scripted.OnDemand)
    source.open()
    for asks in (True, False, True):
        frame = taken(source)
        told = [frame.whole]
        assert frame.small.shape == (90, 160)
        assert scripted.written(frame.small) == frame.time
        if asks:
            time.sleep(0.1)
            assert frame.image.shape == (900, 1600, 3)
            assert scripted.written(frame.image) == frame.time
            assert frame.image is frame.image
        told.append(frame.whole)
        assert told == [False, asks]


def test_a_whole_picture_is_gone_once_the_next_frame_was_asked_for(camera: Make) -> None:
    source = camera(scripted.OnDemand)
    source.open()
    first = taken(source)
    second = taken(source)
    with pytest.raises(SourceFault, match="whole picture is gone"):
        _ = first.image
    assert scripted.written(second.image) == second.time
    source.read(0.0)
    with pytest.raises(SourceFault, match="whole picture is gone"):
        _ = taken_later(source, second)
    source.close()
    with pytest.raises(SourceFault, match="whole picture is gone"):
        _ = first.image


def taken_later(source: CameraProcess, seen: Frame) -> object:
    """The whole picture of a frame after which another was asked for already."""
    frame = taken(source)
    assert frame.time > seen.time
    source.read(0.0)
    return frame.image


def test_a_whole_picture_that_never_comes_is_a_fault(camera: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_process, "FETCH", 0.3)
    source = camera(scripted.NeverWhole)
    source.open()
    number = pid(source)
    frame = taken(source)
    with pytest.raises(SourceFault, match="did not hand over"):
        _ = frame.image
    assert gone(number)


def test_silence_in_the_middle_is_waited_for_no_longer_than_was_said(camera: Make) -> None:
    source = camera(scripted.HangsInShoot)
    source.open()
    taken(source), taken(source)
    start = time.monotonic()
    assert source.read(0.3) is None
    assert source.read(0.3) is None
    assert 0.6 <= time.monotonic() - start < SOON
    number = pid(source)
    start = time.monotonic()
    source.close()
    assert time.monotonic() - start < SOON
    assert not alive(number)
    source.open()
    assert taken(source).time > start


def test_a_camera_that_hangs_while_it_opens_is_given_up(
    camera: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_process, "OPEN", 1.0)
    source = camera(scripted.HangsInOpen)
    with pytest.raises(SourceFault, match="does not open") as fault:
        source.open()
    assert not fault.value.permanent
    assert source._process is None


def test_opening_can_be_given_up_from_another_thread(camera: Make) -> None:
    source = camera(scripted.HangsInOpen)
    source.give_up()  # nothing is being opened yet
    threading.Timer(1.0, source.give_up).start()
    start = time.monotonic()
    with pytest.raises(SourceFault, match="Killed"):
        source.open()
    assert time.monotonic() - start < SOON


@pytest.mark.parametrize("kind", [scripted.Good, scripted.HangsInShoot])
def test_a_camera_that_is_given_up_is_let_go_before_anybody_closes_it(
    camera: Make, kind: type[scripted.Good]
) -> None:
    source = camera(kind)
    source.open()
    number = pid(source)
    source.read(0.1)
    source.give_up()
    assert gone(number, GRACE + SOON)
    with pytest.raises(SourceFault, match="ended"):
        read_all(source)
    source.close()
    source.open()
    assert pid(source) != number


def test_a_camera_that_hangs_while_it_closes_is_killed(
    camera: Make, caplog: pytest.LogCaptureFixture
) -> None:
    source = camera(scripted.HangsInClose)
    source.open()
    number = pid(source)
    start = time.monotonic()
    source.close()
    assert time.monotonic() - start < GRACE + SOON
    assert not alive(number)
    source.close()


def test_a_process_that_cannot_be_killed_is_told_of_and_not_doubled(
    camera: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the system itself holds is not to be had here: a stopped process that no signal of ours ends."""
    source = camera(scripted.Good)
    source.open()
    number = pid(source)
    os.kill(number, signal.SIGSTOP)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(subprocess.Popen, "kill", lambda process: None)
            source.close()
        with pytest.raises(SourceFault, match="hangs so deep") as fault:
            source.open()
        assert not fault.value.permanent
        assert source._process is None
    finally:
        os.kill(number, signal.SIGKILL)
    assert gone(number)
    source.open()
    assert taken(source)


def test_a_killed_process_is_a_fault_at_once(camera: Make) -> None:
    source = camera(scripted.Good)
    source.open()
    taken(source)
    os.kill(pid(source), signal.SIGKILL)
    fault = failed(source)
    assert "Killed" in fault.words
    assert not fault.permanent
    source.open()
    assert taken(source)


@pytest.mark.parametrize(
    ("kind", "words", "permanent"),
    [
        (scripted.Unplugged, "The cable is pulled.", False),
        (scripted.Bursts, "ZeroDivisionError", False),
        (scripted.Killed, "signal", False),
        (scripted.Leaves, "status 7", False),
        (scripted.TooLarge, "8000 × 6000", True),
    ],
)
def test_what_goes_wrong_over_there_is_said_here(
    camera: Make, kind: type[scripted.Good], words: str, permanent: bool
) -> None:
    source = camera(kind)
    source.open()
    fault = failed(source)
    assert words in fault.words
    assert len(fault.words) < 1000
    assert fault.permanent == permanent


def test_what_forbids_opening_is_said_here(camera: Make) -> None:
    source = camera(scripted.Forbidden)
    with pytest.raises(SourceFault) as fault:
        source.open()
    assert (fault.value.words, fault.value.cure) == ("This user may not.", "Ask somebody who may.")
    assert fault.value.permanent
    assert source._process is None


@pytest.mark.parametrize(
    "name",
    [
        "noise",
        "nothing known",
        "no shape",
        "too long",
        "one too many",
        "grey",
        "below nothing",
        "small but large",
        "of tomorrow",
    ],
)
def test_garbled_answers_are_a_fault_and_no_picture(camera: Make, name: str) -> None:
    source = camera(scripted.Garbles, name)
    source.open()
    assert "makes no sense" in failed(source).words


def test_a_slow_camera_is_waited_for(camera: Make) -> None:
    source = camera(scripted.Slow)
    source.open()
    asked = time.monotonic()
    assert source.read(0.2) is None
    frame = taken(source)
    assert frame.time >= asked
    assert scripted.written(frame.image) == frame.time


def test_a_frame_that_lay_about_answers_no_newer_question(camera: Make) -> None:
    source = camera(scripted.Slow)
    source.open()
    assert source.read(0.1) is None
    time.sleep(1.5 + FRESH)  # the answer to that is here by now, and old
    asked = time.monotonic()
    frame = taken(source)
    assert frame.time >= asked - FRESH


def test_after_it_was_opened_again_nothing_old_is_given(camera: Make) -> None:
    source = camera(scripted.Slow)
    source.open()
    assert source.read(0.1) is None
    source.close()
    source.open()
    opened = time.monotonic()
    assert taken(source).time >= opened


def test_what_was_found_last_is_told_when_it_is_opened_again(camera: Make) -> None:
    source = camera(scripted.TellsWhatItKnew)
    source.open()
    assert source.name == "test: first"
    source.close()
    assert source.name == "test"
    source.open()
    assert source.name == "test: first+"


def test_opening_twice_leaves_one_process(camera: Make) -> None:
    source = camera(scripted.Good)
    source.open()
    first = pid(source)
    source.open()
    assert not alive(first)
    assert taken(source)


def test_a_source_that_is_not_open_says_so(camera: Make) -> None:
    source = camera(scripted.Good)
    with pytest.raises(SourceFault, match="not open"):
        source.read(0.1)
    source.close()


def test_it_finds_its_code_wherever_we_were_started(
    camera: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vision").mkdir()
    (tmp_path / "vision" / "camera_child.py").write_text("raise SystemExit(9)")
    (tmp_path / "numpy.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    source = camera(scripted.Good)
    source.open()
    assert taken(source)


def test_a_process_that_cannot_be_started_is_a_fault_that_may_pass(
    camera: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(SourceFault, match="cannot be started") as fault:
        camera(scripted.Good).open()
    assert not fault.value.permanent


PARENT = """
import sys, time
from tests.vision import scripted_cameras
from vision.camera_process import CameraProcess
camera = CameraProcess("test", getattr(scripted_cameras, sys.argv[1]))
camera.open()
print(camera._process.pid, flush=True)
while True:
    camera.read(0.1)
"""


@pytest.mark.parametrize("kind", ["Good", "HangsInShoot", "HoldsTheInterpreter"])
def test_a_process_whose_other_was_killed_ends_and_leaves_nothing(tmp_path: Path, kind: str) -> None:
    before = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, kind],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        number = int(parent.stdout.readline())
        try:
            time.sleep(0.5)
            assert alive(number)
            assert os.listdir(tmp_path) == []
        finally:
            parent.kill()
    assert gone(number, GRACE + 2 * SOON)
    assert os.listdir(tmp_path) == []
    if before:
        assert {name for name in os.listdir("/dev/shm") if name not in before and "frames" in name} == set()


def test_signals_that_reach_every_process_do_not_end_it(camera: Make) -> None:
    """Ctrl-C reaches all of a terminal's processes, and a service that is stopped all of its own."""
    source = camera(scripted.Good)
    source.open()
    os.kill(pid(source), signal.SIGINT)
    os.kill(pid(source), signal.SIGTERM)
    assert taken(source)
    assert taken(source)
