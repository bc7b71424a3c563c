"""Pictures from folders and videos: in order, in time, with faults in words; and what a name means."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera_process import CameraProcess
from vision.recorded import Photographs, Video
from vision.source import STRIDE, Frame, Image, SourceFault, open_source


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


def test_a_video_that_is_read_too_slowly_is_shown_as_fast_as_it_can_be(video: Path) -> None:
    time = Time()
    film = Video(video, clock=time, sleep=time.sleep)
    film.open()
    capture = film._capture

    class Slow:
        """Takes its time, and has no end."""

        def grab(self) -> bool:
            time.now += 0.3
            return True

        def retrieve(self) -> tuple[bool, Image]:
            return True, np.full((32, 32, 3), 100, np.uint8)

    film._capture = Slow()
    reads = []
    for _ in range(20):
        before = time.now
        assert film.read(0.5) is not None
        reads.append(time.now - before)
    # It falls no further behind with each.
    assert max(reads) <= 0.5 + 0.3 + 0.2 + 1e-6
    capture.release()


def test_a_file_that_is_no_video_says_so(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(SourceFault, match="cannot be read as a video") as fault:
        open_source(str(path)).open()
    assert fault.value.permanent


def test_a_name_that_can_never_be_a_source_is_refused() -> None:
    with pytest.raises(SourceFault, match="There is no camera") as fault:
        open_source("/no/such/folder")
    assert "'auto'" in fault.value.cure
    assert "'picamera2'" in fault.value.cure
    assert fault.value.permanent


@pytest.mark.parametrize(
    "name", ["auto", "picamera2", "/dev/video0", "/dev/v4l/by-id/usb-Some_Camera-video-index0"]
)
def test_every_camera_is_held_by_a_process_of_its_own(name: str) -> None:
    camera = open_source(name)
    assert isinstance(camera, CameraProcess)
    assert camera.name == name


def test_a_camera_that_is_not_there_may_be_plugged_in_later() -> None:
    """Through the real process and the real code for V4L2."""
    camera = open_source("/dev/video987")
    with pytest.raises(SourceFault, match="There is no camera at /dev/video987") as fault:
        camera.open()
    assert not fault.value.permanent


def test_a_frame_that_has_its_picture_is_small_without_another() -> None:
    image = np.arange(48 * 64 * 3, dtype=np.uint8).reshape(48, 64, 3)
    frame = Frame(1.0, image)
    assert frame.whole
    assert frame.image is image
    assert np.array_equal(frame.small, image[::STRIDE, ::STRIDE])


def test_a_frame_asks_once_for_its_picture_and_only_when_it_is_needed() -> None:
    asked: list[int] = []

    def whole() -> Image:
        asked.append(1)
        return np.full((48, 64, 3), 7, np.uint8)

    frame = Frame(1.0, whole, np.zeros((6, 8), np.uint8))
    assert frame.small.shape == (6, 8)
    told = [frame.whole]
    assert asked == []
    assert frame.image is frame.image
    told.append(frame.whole)
    assert asked == [1]
    assert told == [False, True]
