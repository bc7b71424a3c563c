"""Pictures from folders, videos and cameras: in order, in time, and with faults in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.source import AnyCamera, Camera, Frame, Photographs, SourceFault, Video, open_source


class Time:
    """Seconds that only sleepers move."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def photograph(path: Path, grey: int) -> None:
    assert cv2.imwrite(str(path), np.full((20, 30, 3), grey, np.uint8))


def shown(frame: Frame | None) -> int:
    assert frame is not None
    return round(float(frame.image.mean()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, grey in (("b.png", 90), ("a.png", 30), ("c.png", 200)):
        photograph(tmp_path / name, grey)
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_photographs_lie_still_in_the_order_of_their_names_and_go_round(folder: Path) -> None:
    time = Time()
    photographs = Photographs(folder, hold=1.0, rate=4.0, clock=time, sleep=time.sleep)
    photographs.open()
    frames = [photographs.read(1.0) for _ in range(16)]
    greys = [shown(frame) for frame in frames]
    assert greys == [30] * 4 + [90] * 4 + [200] * 4 + [30] * 4
    times = [frame.time for frame in frames if frame]
    assert times == pytest.approx([50 + 0.25 * n for n in range(16)])


def test_a_photograph_that_cannot_be_read_is_named_and_left_out(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "aa.jpg").write_bytes(b"no JPEG at all")
    time = Time()
    photographs = Photographs(folder, hold=0.3, rate=10.0, clock=time, sleep=time.sleep)
    photographs.open()
    greys = [shown(photographs.read(1.0)) for _ in range(12)]
    assert list(dict.fromkeys(greys)) == [30, 90, 200]
    assert photographs.skipped == ("aa.jpg",)
    assert "aa.jpg" in caplog.text


def test_one_photograph_lies_there_for_ever(folder: Path) -> None:
    time = Time()
    photographs = Photographs(folder / "b.png", hold=0.5, rate=10.0, clock=time, sleep=time.sleep)
    photographs.open()
    frames = [photographs.read(1.0) for _ in range(30)]
    assert {shown(frame) for frame in frames} == {90}
    assert {id(frame.image) for frame in frames if frame} == {id(frames[0].image)}  # type: ignore[union-attr]


def test_a_folder_without_photographs_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(b"broken")
    with pytest.raises(SourceFault, match="no photograph") as fault:
        Photographs(tmp_path).open()
    assert fault.value.permanent
    assert fault.value.cure


def test_reading_waits_no_longer_than_it_is_told(folder: Path) -> None:
    time = Time()
    photographs = Photographs(folder, rate=2.0, clock=time, sleep=time.sleep)
    photographs.open()
    assert photographs.read(0.1) is not None
    assert photographs.read(0.1) is None
    assert time.now == pytest.approx(50.1)
    assert photographs.read(0.5) is not None


def test_a_source_that_is_not_open_says_so(folder: Path) -> None:
    photographs = Photographs(folder)
    with pytest.raises(SourceFault, match="not open"):
        photographs.read(0.1)
    photographs.open()
    photographs.close()
    photographs.close()
    with pytest.raises(SourceFault, match="not open"):
        photographs.read(0.1)


def test_one_photograph_is_a_source_too(folder: Path) -> None:
    single = open_source(str(folder / "b.png"))
    assert isinstance(single, Photographs)
    single.open()
    assert shown(single.read(1.0)) == 90


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (32, 32))
    for grey in (20, 60, 100, 140, 180):
        writer.write(np.full((32, 32, 3), grey, np.uint8))
    writer.release()
    return path


def test_a_video_runs_at_its_own_speed_and_its_last_frame_lies_on(video: Path) -> None:
    time = Time()
    film = Video(video, clock=time, sleep=time.sleep)
    film.open()
    frames = [film.read(1.0) for _ in range(8)]
    assert [round(shown(frame) / 20) for frame in frames] == [1, 3, 5, 7, 9, 9, 9, 9]
    assert frames[4] is not None
    assert frames[4].time == pytest.approx(50.8)


def test_a_video_drops_the_frames_that_come_too_late(video: Path) -> None:
    time = Time()
    film = Video(video, clock=time, sleep=time.sleep)
    film.open()
    assert round(shown(film.read(1.0)) / 20) == 1
    time.now += 0.45
    assert round(shown(film.read(1.0)) / 20) == 5


def test_a_file_that_is_no_video_says_so(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(SourceFault, match="cannot be read as a video") as fault:
        open_source(str(path)).open()
    assert fault.value.permanent


@pytest.mark.parametrize(
    ("name", "words", "cure"),
    [("/no/such/folder", "There is no camera", "'auto'"), ("picamera2", "picamera2", "USB camera")],
)
def test_a_name_that_can_never_be_a_source_is_refused(name: str, words: str, cure: str) -> None:
    with pytest.raises(SourceFault) as fault:
        open_source(name)
    assert words in fault.value.words
    assert cure in fault.value.cure
    assert fault.value.permanent


def test_a_camera_that_is_not_there_may_be_plugged_in_later() -> None:
    camera = open_source("/dev/video987")
    assert isinstance(camera, Camera)
    with pytest.raises(SourceFault, match="There is no camera at /dev/video987") as fault:
        camera.open()
    assert not fault.value.permanent


class Some:
    """A camera that works, or does not."""

    def __init__(self, name: str) -> None:
        self.name = name

    def open(self) -> None:
        if self.name.endswith("0"):
            raise SourceFault("Camera 0 gives no picture.", "Pull its plug.", permanent=False)

    def read(self, timeout: float) -> Frame | None:
        return Frame(1.0, np.zeros((2, 2, 3), np.uint8))

    def close(self) -> None:
        pass


def test_auto_takes_the_first_camera_that_works(tmp_path: Path) -> None:
    for name in ("video10", "video0", "video2", "video-card"):
        (tmp_path / name).touch()
    camera = AnyCamera(tmp_path, Some)
    camera.open()
    assert camera.name == f"auto: {tmp_path / 'video2'}"
    assert camera.read(0.1) is not None
    camera.close()
    with pytest.raises(SourceFault, match="not open"):
        camera.read(0.1)


def test_auto_says_what_is_wrong_when_no_camera_works(tmp_path: Path) -> None:
    with pytest.raises(SourceFault, match="No camera is connected"):
        AnyCamera(tmp_path, Some).open()
    (tmp_path / "video0").touch()
    with pytest.raises(SourceFault, match="No camera works: Camera 0 gives no picture") as fault:
        AnyCamera(tmp_path, Some).open()
    assert fault.value.cure == "Pull its plug."


class Capture:
    """Stands for a V4L2 device: gives so many frames, then none any more."""

    def __init__(self, frames: int) -> None:
        self.left = frames
        self.released = False

    def __call__(self, name: str, kind: int) -> Capture:
        return self

    def set(self, key: int, value: float) -> bool:
        return True

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Any]:
        self.left -= 1
        return (True, np.full((4, 4, 3), self.left, np.uint8)) if self.left >= 0 else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_camera_gives_its_newest_frame_and_tells_when_it_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "video3"
    device.touch()
    capture = Capture(frames=40)
    monkeypatch.setattr(cv2, "VideoCapture", capture)
    camera = Camera(str(device))
    camera.open()
    with pytest.raises(SourceFault, match="has stopped giving pictures") as fault:
        _read_on(camera)
    assert not fault.value.permanent
    camera.close()
    assert capture.released


def test_a_camera_without_any_picture_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "video3"
    device.touch()
    capture = Capture(frames=0)
    monkeypatch.setattr(cv2, "VideoCapture", capture)
    with pytest.raises(SourceFault, match="gives no picture"):
        Camera(str(device)).open()
    assert capture.released


def _read_on(source: Camera) -> None:
    for _ in range(60):
        source.read(5.0)
