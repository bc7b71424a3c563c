"""Corners that were set by hand: put in order, kept whole over restarts, and damage said aloud."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.corners import Corners, load
from companion.tapping import Shot, Tapping
from companion.upkeep.camera import Laid, Taps
from firmware_bridge.device import Fault
from tests.emulated.rig import small_map
from tests.vision.test_tapped import CORNERS, SIZE, moved, printed
from vision.pose import Pose, from_corners
from vision.source import Image
from vision.tapped import tapped

MAP = small_map()
WIDE = (1440, 810)


def shot(image: Image, *marked: int) -> Shot:
    """That picture as phones get it; in it these corner markers of the sheet on CORNERS were seen."""
    done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 75])
    assert done
    pose = Pose(from_corners(CORNERS, MAP.width, MAP.height), np.zeros(3))
    square = np.array([(-18, -18), (18, -18), (18, 18), (-18, 18)])
    seen = {MAP.corners[n].id: pose.picture(square + MAP.corners[n].at) for n in marked}
    return Shot(jpeg.tobytes(), SIZE, WIDE, seen)


def taps(order: tuple[int, ...] = (0, 1, 2, 3), turns: int = 0, picture: str = "one") -> Taps:
    points = tuple((float(x), float(y)) for x, y in CORNERS[list(order)])
    return Taps(picture, "sheet", points, turns)


class Told:
    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def __call__(self, fault: Fault) -> None:
        self.faults.append(fault)


@pytest.fixture
def told() -> Told:
    return Told()


def tapping(folder: Path, told: Told, image: Shot) -> tuple[Corners, Tapping]:
    corners = Corners(folder, told)
    return corners, Tapping(corners, {"one": image}.get, lambda: MAP)


def first(laid: Laid) -> int:
    """Which of CORNERS is taken for the sheet's upper left one."""
    assert laid.done
    return int(np.linalg.norm(CORNERS - laid.corners[0], axis=1).argmin())


def test_what_is_kept_is_there_after_a_restart_and_fits_the_cameras_own_pictures(
    tmp_path: Path, told: Told
) -> None:
    corners, page = tapping(tmp_path, told, shot(printed()))
    assert page.bounds == ""
    laid = page.keep(taps((2, 0, 3, 1)))
    assert laid.done
    assert laid.turns
    again = Corners(tmp_path, told)
    assert again.tapped == corners.tapped
    assert again.tapped is not None
    assert again.tapped.of_sheet(MAP.width, MAP.height)
    assert page.bounds == "sheet"
    whole = np.asarray(cv2.resize(printed(), WIDE, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert again.tapped.stands(whole) == "fits"
    away = np.asarray(cv2.resize(moved(printed(), 9, 6), WIDE, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert again.tapped.stands(away) == "moved"
    assert oct((tmp_path / "corners.json").stat().st_mode)[-3:] == "600"
    assert page.clear().done
    assert Corners(tmp_path, told).tapped is None
    assert not any(fault.words for fault in told.faults)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"bounds":"cup"}', b"\xff\x00"])
def test_a_damaged_file_is_set_aside_and_told_with_the_cure(
    tmp_path: Path, told: Told, damage: bytes
) -> None:
    (tmp_path / "corners.json").write_bytes(damage)
    corners = Corners(tmp_path, told)
    assert corners.tapped is None
    (fault,) = told.faults
    assert "damaged" in fault.words
    assert "Set the corners again" in fault.cure
    assert (tmp_path / "corners.damaged.json").read_bytes() == damage
    corners.keep(tapped("sheet", printed(), SIZE, (MAP.width, MAP.height), CORNERS))
    assert told.faults[-1].words == ""
    assert load(tmp_path) == corners.tapped


def test_a_full_disk_is_told_and_the_earlier_corners_stay(
    tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    corners, page = tapping(tmp_path, told, shot(printed()))
    assert page.keep(taps()).done
    before = corners.tapped

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    laid = page.keep(taps(turns=2))
    assert not laid.done
    assert "Make room on the disk, then save again." in laid.words
    assert corners.tapped is before
    assert load(tmp_path) == before


def test_a_person_turns_the_sheet_that_lies_the_other_way(tmp_path: Path, told: Told) -> None:
    _, page = tapping(tmp_path, told, shot(printed()))
    assert [first(page.lay(taps(turns=turns))) for turns in range(5)] == [0, 1, 2, 3, 0]
    tray = np.mean(page.lay(taps()).tray, axis=0)
    assert tray[0] > CORNERS[:, 0].mean()
    turned = np.mean(page.lay(taps(turns=2)).tray, axis=0)
    assert turned[0] < CORNERS[:, 0].mean()


@pytest.mark.parametrize("turns", range(4))
def test_a_printed_corner_says_by_itself_how_the_sheet_lies(tmp_path: Path, told: Told, turns: int) -> None:
    _, page = tapping(tmp_path, told, shot(printed(), 2))
    laid = page.lay(taps(turns=turns))
    assert first(laid) == 0
    assert not laid.turns


def test_a_printed_corner_that_does_not_fit_is_told(tmp_path: Path, told: Told) -> None:
    corners, page = tapping(tmp_path, told, shot(printed(), 0, 2))
    inner = CORNERS + (CORNERS.mean(axis=0) - CORNERS) * 0.4
    wrong = Taps("one", "sheet", tuple((float(x), float(y)) for x, y in inner))
    for laid in (page.lay(wrong), page.keep(wrong)):
        assert not laid.done
        assert "Drag them to where the sheet ends." in laid.words
    assert corners.tapped is None


def test_a_picture_that_is_gone_is_told_and_a_new_one_offered(tmp_path: Path, told: Told) -> None:
    corners, page = tapping(tmp_path, told, shot(printed()))
    laid = page.keep(taps(picture="two"))
    assert not laid.done
    assert "New picture" in laid.words
    assert corners.tapped is None
