"""What the emulated camera draws: markers where they lie, dice of every face, light, noise, an arm."""

from __future__ import annotations

import numpy as np
import pytest

from companion.emulated.camera import EmulatedCamera
from companion.emulated.clock import VirtualClock
from companion.emulated.poses import DIE_SIDE, Arm, DiePose, Moment, PiecePose
from companion.emulated.scene import Scene
from companion.emulated.viewpoint import over
from companion.emulated.world import World
from tests.emulated.rig import small_box, small_map
from vision.markers import find_markers
from vision.source import SourceFault

PAWNS = (
    PiecePose("pawn", "red", (143.0, 128.0), 5.0),
    PiecePose("pawn", "blue", (300.0, 250.0), -40.0),
    PiecePose("pawn", "green", (560.0, 400.0), 170.0),
)


@pytest.mark.parametrize("seed", range(8))
def test_every_marker_is_read_where_it_lies(seed: int) -> None:
    scene = Scene(small_map(), small_box(), seed)
    found = dict(find_markers(scene.draw(Moment(PAWNS))))
    assert sorted(found) == [0, 1, 2, 3, 10, 11, 12]
    for marker in small_map().corners:
        at = scene.viewpoint.project([marker.at])[0]
        assert found[marker.id].mean(axis=0) == pytest.approx(at, abs=1.5)
    for token, pawn in zip(small_map().tokens, PAWNS, strict=True):
        at = scene.viewpoint.project([pawn.at], token.height)[0]
        assert found[token.id].mean(axis=0) == pytest.approx(at, abs=1.5)


def test_a_picture_may_have_any_size() -> None:
    for size in ((1280, 720), (1920, 1080), (1640, 1232)):
        scene = Scene(small_map(), small_box(), 1, size)
        image = scene.draw(Moment(PAWNS))
        assert image.shape == (size[1], size[0], 3)
        assert len(find_markers(image)) == 7


def test_noise_is_fresh_in_each_frame_and_small() -> None:
    scene = Scene(small_map(), small_box(), 2)
    one, other = (scene.draw(Moment(PAWNS)).astype(int) for _ in range(2))
    assert 1.0 < np.abs(one - other).mean() < 5.0
    assert (Scene(small_map(), small_box(), 2).draw(Moment(PAWNS)) == one).all()
    assert np.abs(Scene(small_map(), small_box(), 3).draw(Moment(PAWNS)).astype(int) - one).mean() > 5.0


def test_every_face_of_every_die_in_the_box_looks_different() -> None:
    scene = Scene(small_map(), small_box(), 4)
    for look in range(3):
        faces = []
        for value in range(1, 7):
            die = DiePose(value, (775.0, 270.0), 30.0, look)
            image = scene.draw(Moment((), (die,)))
            x, y = scene.viewpoint.project([die.at], DIE_SIDE)[0].astype(int)
            faces.append(image[y - 8 : y + 8, x - 8 : x + 8].astype(int))
        for one in range(6):
            for other in range(one):
                assert np.abs(faces[one] - faces[other]).mean() > 6.0


def test_an_arm_hides_what_is_under_it_and_nothing_else() -> None:
    scene = Scene(small_map(), small_box(), 5)
    at = PAWNS[1].at
    arm = Arm((at[0], at[1] - 60.0), (at[0] + 40.0, 900.0))
    ids = {id for id, _ in find_markers(scene.draw(Moment(PAWNS, (), (arm,))))}
    assert 11 not in ids
    assert {0, 1, 10} <= ids


def test_the_whole_sheet_is_in_the_picture() -> None:
    corners = [(0.0, 0.0), (960.0, 0.0), (960.0, 540.0), (0.0, 540.0)]
    for tilt in (0.0, 10.0, 20.0):
        for way in (30.0, 90.0, 150.0):
            view = over(960, 540, (1280, 720), tilt=tilt, way=way, turn=3.0)
            seen = view.project(corners)
            assert (seen >= 0).all()
            assert (seen <= (1280, 720)).all()
            assert view.scale((480, 270)) > 1.0


def test_the_camera_misbehaves_when_told() -> None:
    clock = VirtualClock()
    world = World(1, clock)
    camera = EmulatedCamera(world, rate=10.0)
    with pytest.raises(SourceFault, match="not open"):
        camera.read(0.1)
    camera.open()
    bare = camera.read(1.0)
    assert bare is not None
    assert find_markers(bare.image) == []
    assert clock.now() == bare.time
    next_one = camera.read(1.0)
    assert next_one is not None
    assert next_one.time == pytest.approx(bare.time + 0.1)
    assert camera.read(0.01) is None
    camera.blocked.set()
    before = clock.now()
    assert camera.read(0.5) is None
    assert clock.now() == pytest.approx(before + 0.5)
    camera.blocked.clear()
    camera.unplugged.set()
    with pytest.raises(SourceFault, match="unplugged") as fault:
        camera.read(0.5)
    assert not fault.value.permanent
    camera.close()
    with pytest.raises(SourceFault, match="unplugged"):
        camera.open()
    camera.unplugged.clear()
    camera.open()
    assert camera.read(1.0) is not None


def test_a_lamp_and_a_knock_change_the_picture() -> None:
    scene = Scene(small_map(), small_box(), 6)
    plain = scene.draw(Moment(PAWNS))
    dark = scene.draw(Moment(PAWNS), light=0.3)
    assert dark.mean() == pytest.approx(plain.mean() * 0.3, rel=0.05)
    knocked = dict(find_markers(scene.draw(Moment(PAWNS), shift=(7.0, -3.0))))
    for id, corners in find_markers(plain):
        assert knocked[id].mean(axis=0) == pytest.approx(
            corners.mean(axis=0) + np.array((7.0, -3.0)), abs=1.0
        )
