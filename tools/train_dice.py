"""Trains the two networks of the dice reader, from a seed: on drawn dice, and on photographs that allow it.

    python -m tools.train_dice finder --steps 5000
    python -m tools.train_dice reader --steps 2500
    python -m tools.train_dice finder --steps 1500 --start dice_training/finder.pt --photos PHOTOS
    python -m tools.train_dice reader --steps 1500 --start dice_training/reader.pt --photos PHOTOS

Needs torch and onnx besides the project's own requirements; writes vision/weights/*.onnx.
The reader is trained on what the finder proposes, so the finder comes first.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pathlib
import pickle
import time
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tools.dice_nets import NUMBERS, FinderNet, ReaderNet, as_input, export, finder_loss, reader_loss
from tools.dice_photographs import Photograph, crop, grounds, photographs
from tools.dice_scenes import Scene, Sprite, ground, make_scene, make_sprite
from vision import dice_faces, dice_finder
from vision.dice import WEIGHTS
from vision.dice_finder import LARGEST, SMALLEST, STRIDE, UNIT

CROP = 128  # pixels along a picture that the finder is trained on
SPRITES = 12000  # dice that scenes are made of
SIZES = (11.0, 44.0)  # of dice in such a picture
PHOTOGRAPHED = 0.4  # of the pictures, where there are photographs
MISSES = 8  # proposals of one picture, at most, that are no faces
ROOM = 256  # pixels along a picture that the reader's windows are cut from
WINDOW, WINDOW_WIDE = 80, 2.7  # pixels along a window, and how much wider than its face it is

Things = tuple[list[Sprite], list[Any], list[Photograph]]


def props(folder: pathlib.Path, count: int, seed: int = 1) -> tuple[list[Sprite], list[Any]]:
    """The sprites and grounds that scenes are put together from; kept in `folder` for the next run."""
    kept = folder / f"props-{count}-{seed}.pickle"
    if not kept.exists():
        with multiprocessing.Pool(2) as pool:
            sprites = pool.map(make_sprite, range(seed * 10**6, seed * 10**6 + count), 60)
        made = [ground(np.random.default_rng([seed, 3, i]), 320) for i in range(count // 6)]
        kept.write_bytes(pickle.dumps((sprites, made)))
    loaded: tuple[list[Sprite], list[Any]] = pickle.loads(kept.read_bytes())
    return loaded


def picture(things: Things, rng: np.random.Generator, side: int, sizes: tuple[float, float]) -> Scene:
    """One picture to learn from: a drawn one, or where there are photographs a part of one of them."""
    sprites, made, taken = things
    if not taken or rng.random() > PHOTOGRAPHED:
        return make_scene(sprites, made, rng, side, sizes)
    with_dice = [each for each in taken if each.faces]
    others = [each for each in taken if not each.faces]
    choice = others if others and rng.random() < 0.15 else with_dice
    return crop(choice[int(rng.integers(len(choice)))], rng, side, sizes)


class Scenes(torch.utils.data.IterableDataset[Any]):
    """Endless batches of small pictures with their targets, the same for the same seed."""

    def __init__(self, things: Things, seed: int, batch: int) -> None:
        self.things, self.seed, self.batch = things, seed, batch

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, 4, worker.id if worker else 0])
        while True:
            scenes = [picture(self.things, rng, CROP, SIZES) for _ in range(self.batch)]
            targets = zip(*(finder_target(scene) for scene in scenes), strict=True)
            pictures = np.stack([scene.image for scene in scenes])
            yield torch.from_numpy(pictures), *(torch.from_numpy(np.stack(part)) for part in targets)


def finder_target(scene: Scene) -> tuple[Any, Any, Any, Any]:
    """Heat, its weight, shift and shape, and label of each cell: what the finder should answer."""
    cells = CROP // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    weight = np.ones((cells, cells), np.float32)
    shape = np.zeros((NUMBERS, cells, cells), np.float32)
    label = np.full((cells, cells), -1, np.int64)
    rows, columns = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for face in scene.faces:
        centre = (face.corners.mean(axis=0) + 0.5) / STRIDE - 0.5
        numbers = dice_finder.encode(face.corners)
        side = 2 * UNIT * float(np.exp(numbers[0]))
        if face.label == 0 or side < 8 or side > 58:
            continue
        if face.seen < 0.8 or not SMALLEST <= side <= LARGEST:
            if face.seen > 0.25:
                cv2.fillConvexPoly(weight, np.round(face.corners / STRIDE - 0.5).astype(np.int32), 0.0)
            continue
        far = (columns - centre[0]) ** 2 + (rows - centre[1]) ** 2
        spread = max(0.6, 0.11 * side / STRIDE)
        bump = np.exp(-far / (2 * spread**2))
        middle = np.unravel_index(far.argmin(), far.shape)
        bump[middle] = 1.0
        core = (bump > 0.45) & (bump > heat)
        heat = np.maximum(heat, bump)
        shape[0][core] = (centre[0] - columns)[core]
        shape[1][core] = (centre[1] - rows)[core]
        shape[2:, core] = numbers[:, None]
        label[core] = face.label - 1
    return heat, weight, shape, label


_SHARED: dict[str, Any] = {}  # what the processes that cut windows share by being forked


def make_windows(seed: int, part: int, scenes: int) -> tuple[Any, Any]:
    """Windows (N x WINDOW x WINDOW x 3) and labels (N) as the finder cuts them out of `scenes` pictures."""
    cv2.setNumThreads(1)
    finder = dice_finder.Finder(_SHARED["weights"])
    rng = np.random.default_rng([seed, 5, part])
    windows, labels = [], []
    for _ in range(scenes):
        scene = picture(_SHARED["things"], rng, ROOM, (13.0, 110.0))
        for corners, label in reader_examples(scene, finder, rng):
            windows.append(dice_faces.rectify(scene.image, corners, WINDOW_WIDE, WINDOW))
            labels.append(label)
    return np.stack(windows), np.array(labels)


def reader_examples(
    scene: Scene, finder: dice_finder.Finder, rng: np.random.Generator
) -> Iterator[tuple[Any, int]]:
    """Each face that is seen, and what the finder proposes where there is none."""
    misses = 0
    for candidate in finder.find(scene.image):
        common = [dice_finder.overlap(candidate.corners, face.corners)[1] for face in scene.faces]
        hidden = [
            cv2.pointPolygonTest(face.corners, candidate.corners.mean(axis=0).tolist(), False) >= 0
            for face in scene.faces
            if face.seen < 0.8
        ]
        if misses < MISSES and not any(hidden) and max(common, default=0.0) < 0.35:
            misses += 1
            yield candidate.corners, 0
    for face in scene.faces:
        if face.seen >= 0.8 and cv2.contourArea(face.corners) > 12**2:
            yield clockwise(face.corners), face.label


def clockwise(corners: Any) -> Any:
    """The corners in the order in which a picture's own corners are told, also of a face turned over."""
    a, b, c = corners[:3]
    (across, down), (right, below) = b - a, c - b
    return corners if across * below > down * right else np.ascontiguousarray(corners[[0, 3, 2, 1]])


class Patches(torch.utils.data.IterableDataset[Any]):
    """Batches of patches out of windows, framed as badly as by a finder, turned and lit anew each time."""

    def __init__(self, windows: Any, labels: Any, seed: int, batch: int) -> None:
        print(f"{len(labels)} windows, of each label {np.bincount(labels).tolist()}", flush=True)
        self.windows, self.labels = torch.from_numpy(windows), torch.from_numpy(labels)
        self.seed, self.batch = seed, batch

    def __iter__(self) -> Iterator[Any]:
        chance = torch.Generator().manual_seed(self.seed)
        while True:
            for which in torch.randperm(len(self.labels), generator=chance).split(self.batch):
                label = self.labels[which]
                patches, lies = self.framed(self.windows[which], label == 0, chance)
                gain = torch.empty(len(which), 1, 1, 3).uniform_(0.75, 1.25, generator=chance)
                lift = torch.empty(len(which), 1, 1, 1).uniform_(-25, 25, generator=chance)
                strength = torch.rand(len(which), 1, 1, 1, generator=chance) * 6
                grain = torch.randn(patches.shape, generator=chance) * strength
                yield (patches * gain + lift + grain).clamp(0, 255), label, lies

    def framed(self, windows: Tensor, plain: Tensor, chance: torch.Generator) -> tuple[Tensor, Tensor]:
        """Patches whose frames are off, and how the face lies in each as `dice_faces.put_right` takes it.

        A frame has its centre at s and its axes J, where the face has 0 and 1. Seen from the frame the face
        has its centre at -s/J and its axes 1/J, each in the frame's own turn G, which leaves a face as it is.
        What is no face (`plain`) is hardly moved.
        """
        count = len(windows)
        coarse = (torch.rand(count, 1, 1, generator=chance) < 0.3).float()
        calm = 1 - 0.8 * plain.float()[:, None, None]

        def normal(*shape: int) -> Tensor:
            return torch.randn(count, *shape, generator=chance)

        size = torch.exp(normal(1, 1) * (0.08 + 0.14 * coarse) * calm)
        angle = normal() * (0.08 + 0.12 * coarse[:, 0, 0]) * calm[:, 0, 0]
        turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], 1).view(-1, 2, 2)
        axes = size * turn @ (torch.eye(2) + normal(2, 2) * (0.04 + 0.04 * coarse) * calm)
        shift = normal(2, 1) * (0.06 + 0.1 * coarse) * calm
        turns = torch.tensor([[1.0, 0], [0, 1]]), torch.tensor([[0.0, -1], [1, 0]])
        group = torch.stack(
            [
                a @ b @ c
                for a in (torch.eye(2), torch.diag(torch.tensor([-1.0, 1])))
                for b in (torch.eye(2), -torch.eye(2))
                for c in turns
            ]
        )
        which = group[torch.randint(8, (count,), generator=chance)]
        back = torch.linalg.inv(axes)
        lies_at = -(which.mT @ back @ shift)[:, :, 0]
        lies = torch.cat([lies_at, (which.mT @ back @ which - torch.eye(2)).flatten(1)], 1)
        wide = dice_faces.WIDE / WINDOW_WIDE
        matrix = torch.cat([axes @ which * wide, shift / WINDOW_WIDE], 2)
        grid = F.affine_grid(matrix, [count, 3, dice_faces.PATCH, dice_faces.PATCH], align_corners=False)
        source = windows.permute(0, 3, 1, 2).float()
        patches = F.grid_sample(source, grid, padding_mode="border", align_corners=False)
        return patches.permute(0, 2, 3, 1), lies


def windows(things: Things, options: argparse.Namespace) -> tuple[Any, Any]:
    """The heap of windows that the reader learns from, kept for the next run with the same words."""
    kept = options.cache / f"windows-{options.scenes}-{options.seed}-{len(things[2])}-{options.tag}.npz"
    if not kept.exists():
        _SHARED.update(things=things, weights=options.weights)
        with multiprocessing.Pool(options.workers) as pool:
            shares = [(options.seed, part, options.scenes // 20) for part in range(20)]
            parts = pool.starmap(make_windows, shares, 1)
        cut, labels = (np.concatenate(part) for part in zip(*parts, strict=True))
        np.savez(kept, windows=cut, labels=labels)
    heap = np.load(kept)
    return heap["windows"], heap["labels"]


def train(
    net: nn.Module,
    batches: torch.utils.data.IterableDataset[Any],
    loss_of: Callable[[Tensor, list[Tensor]], Tensor],
    options: argparse.Namespace,
) -> None:
    """Train `net` on `batches` and save it every 500 steps."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    net.to(memory_format=torch.channels_last)
    if options.start:
        net.load_state_dict(torch.load(options.start))
    loader = iter(torch.utils.data.DataLoader(batches, batch_size=None, num_workers=options.workers))
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, options.steps, pct_start=0.1)
    net.train()
    running, began = 0.0, time.monotonic()
    for step in range(1, options.steps + 1):
        batch = next(loader)
        loss = loss_of(net(as_input(batch[0])), batch[1:])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        running += loss.item()
        if step % 100 == 0:
            print(f"{step} steps, {time.monotonic() - began:.0f} s, loss {running / 100:.4f}", flush=True)
            running = 0.0
        if step % 500 == 0 or step == options.steps:
            save(net, options)


def save(net: nn.Module, options: argparse.Namespace) -> None:
    """Keep the weights to go on from, and write the network for the reader to load."""
    torch.save(net.state_dict(), options.cache / f"{options.net}{options.tag}.pt")
    finder = options.net == "finder"
    axes = {"picture": {0: "n"}, "answer": {0: "n"}}
    if finder:
        axes = {"picture": {2: "h", 3: "w"}, "answer": {2: "i", 3: "j"}}
    name = dice_finder.WEIGHTS if finder else dice_faces.WEIGHTS
    side = CROP if finder else dice_faces.PATCH
    export(net, side, axes, options.weights / name, " ".join(options.made))


def main() -> None:
    """Train one network and write it."""
    cv2.setNumThreads(1)  # a thread pool would not live through the fork of the workers
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--scenes", type=int, default=4000, help="pictures that the reader learns from")
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--start", type=pathlib.Path, help="go on from these torch weights")
    parser.add_argument("--photos", type=pathlib.Path, help="photographs of dice with their truth.csv")
    parser.add_argument("--without", default="", help="sources of those that are left out: one,another")
    parser.add_argument(
        "--grounds", type=pathlib.Path, nargs="*", default=[], help="photographs without dice"
    )
    parser.add_argument("--tag", default="", help="a word that keeps this training apart from others")
    parser.add_argument("--weights", type=pathlib.Path, default=WEIGHTS, help="the folder of the networks")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("dice_training"))
    options = parser.parse_args()
    options.made = ["tools/train_dice.py", options.net, f"--steps {options.steps}", f"--seed {options.seed}"]
    if options.start:
        options.made.append(f"--start {options.start.name}")
    options.cache.mkdir(exist_ok=True)
    taken: list[Photograph] = []
    if options.photos:
        taken = photographs(options.photos, options.weights, options.without.split(",")) + grounds(
            options.grounds
        )
        options.made.append(f"--photos ({len(taken)} that allow it)")
    things = *props(options.cache, SPRITES), taken
    if options.net == "finder":
        train(FinderNet(), Scenes(things, options.seed, options.batch or 32), finder_loss, options)
    else:
        cut, labels = windows(things, options)
        train(ReaderNet(), Patches(cut, labels, options.seed, options.batch or 192), reader_loss, options)


if __name__ == "__main__":
    main()
