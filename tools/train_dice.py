"""Trains the two networks of the dice reader on made-up pictures, from a seed.

    python -m tools.train_dice finder --steps 6000
    python -m tools.train_dice reader --steps 6000

Needs torch and onnx besides the project's own requirements; writes vision/weights/*.onnx.
The reader is trained on what the finder proposes, so the finder comes first.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import pathlib
import pickle
import time
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tools.dice_scenes import Scene, Sprite, ground, make_scene, make_sprite
from vision import dice_faces, dice_finder
from vision.dice_finder import LARGEST, SMALLEST, STRIDE, UNIT

ROOT = pathlib.Path(__file__).resolve().parent.parent

CROP = 128  # pixels along a picture that the finder is trained on
SPRITES = 4000  # dice that scenes are made of
MISSES = 8  # proposals of one picture, at most, that are no faces
FRAMINGS = 3  # of each face, besides those that the finder proposes
ROOM = 256  # and one that the reader's patches are cut from


def convolve(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    """A 3x3 convolution as both networks use it."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class FinderNet(nn.Module):
    """Picture -> for each cell: heat, shift (2), shape (5), label (7)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(convolve(3, 12, 2), convolve(12, 24, 2), convolve(24, 24))
        self.far = nn.Sequential(
            convolve(24, 40, 2), convolve(40, 40), convolve(40, 40), convolve(40, 40), convolve(40, 40)
        )
        self.join = nn.Sequential(nn.Conv2d(64, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True))
        last = nn.Conv2d(32, 15, 1)
        last.bias.data[0] = -4.0  # nearly every cell is cold
        self.head = nn.Sequential(convolve(32, 32), last)

    def forward(self, picture: Tensor) -> Tensor:
        near = self.near(picture)
        far = F.interpolate(self.far(near), scale_factor=2, mode="nearest")
        answer: Tensor = self.head(self.join(torch.cat([near, far], 1)))
        return answer


class ReaderNet(nn.Module):
    """Face patch -> label (8): none, 1..6, another mark."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            convolve(3, 16),
            convolve(16, 24, 2),
            convolve(24, 32),
            convolve(32, 48, 2),
            convolve(48, 48),
            convolve(48, 64, 2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * 25, 8))

    def forward(self, patch: Tensor) -> Tensor:
        answer: Tensor = self.head(self.body(patch))
        return answer


def props(folder: pathlib.Path, count: int, seed: int) -> tuple[list[Sprite], list[Any]]:
    """The sprites and grounds that scenes are put together from; kept in `folder` for the next run."""
    kept = folder / f"props-{count}-{seed}.pickle"
    if not kept.exists():
        with multiprocessing.Pool(2) as pool:
            sprites = pool.map(make_sprite, range(seed * 10**6, seed * 10**6 + count), 60)
        grounds = [ground(np.random.default_rng([seed, 3, i]), 320) for i in range(count // 6)]
        kept.write_bytes(pickle.dumps((sprites, grounds)))
    loaded: tuple[list[Sprite], list[Any]] = pickle.loads(kept.read_bytes())
    return loaded


class Scenes(torch.utils.data.IterableDataset[Any]):
    """Endless batches, different in each worker, the same for the same seed."""

    def __init__(self, folder: pathlib.Path, seed: int, batch: int) -> None:
        self.props = props(folder, SPRITES, seed)
        self.seed, self.batch = seed, batch

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, 4, worker.id if worker else 0])
        yield from self.batches(rng)

    def batches(self, rng: np.random.Generator) -> Iterator[Any]:
        raise NotImplementedError


def finder_target(scene: Scene) -> tuple[Any, Any, Any, Any]:
    """Heat, its weight, shift and shape, and label of each cell: what the finder should answer."""
    cells = CROP // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    weight = np.ones((cells, cells), np.float32)
    shape = np.zeros((7, cells, cells), np.float32)
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


class FinderScenes(Scenes):
    """Small pictures with their targets."""

    def batches(self, rng: np.random.Generator) -> Iterator[Any]:
        while True:
            pictures, targets = [], []
            for _ in range(self.batch):
                scene = make_scene(*self.props, rng, CROP, (12.0, 42.0))
                pictures.append(scene.image)
                targets.append(finder_target(scene))
            parts = [torch.from_numpy(np.stack(part)) for part in zip(*targets, strict=True)]
            yield torch.from_numpy(np.stack(pictures)), *parts


class ReaderPatches(torch.utils.data.IterableDataset[Any]):
    """Batches of patches from a heap that is made once, turned and lit anew each time."""

    def __init__(self, folder: pathlib.Path, seed: int, batch: int, scenes: int) -> None:
        kept = folder / f"patches-{scenes}-{seed}.npz"
        if not kept.exists():
            props(folder, SPRITES, seed)  # made here: the pool's own processes may start none
            shares = [(folder, seed, part, scenes // 20) for part in range(20)]
            with multiprocessing.Pool(2) as pool:
                parts = pool.starmap(make_patches, shares, 1)
            patches, labels = (np.concatenate(part) for part in zip(*parts, strict=True))
            np.savez(kept, patches=patches, labels=labels)
        heap = np.load(kept)
        self.patches, self.labels = torch.from_numpy(heap["patches"]), torch.from_numpy(heap["labels"])
        print(f"{len(self.labels)} patches, of each label {np.bincount(heap['labels']).tolist()}", flush=True)
        self.seed, self.batch = seed, batch

    def __iter__(self) -> Iterator[Any]:
        dice = torch.Generator().manual_seed(self.seed)
        while True:
            for which in torch.randperm(len(self.labels), generator=dice).split(self.batch):
                patches = self.patches[which].float()
                patches = torch.rot90(patches, int(torch.randint(4, (1,), generator=dice)), (1, 2))
                if torch.rand(1, generator=dice) < 0.5:
                    patches = patches.flip(1)
                gain = torch.empty(len(which), 1, 1, 3).uniform_(0.75, 1.25, generator=dice)
                lift = torch.empty(len(which), 1, 1, 1).uniform_(-25, 25, generator=dice)
                grain = torch.randn(patches.shape, generator=dice) * torch.rand(len(which), 1, 1, 1) * 6
                yield (patches * gain + lift + grain).clamp(0, 255), self.labels[which]


@functools.cache
def _reader_props(folder: pathlib.Path, seed: int) -> tuple[list[Sprite], list[Any]]:
    return props(folder, SPRITES, seed)


def make_patches(folder: pathlib.Path, seed: int, part: int, scenes: int) -> tuple[Any, Any]:
    """Patches (N x PATCH x PATCH x 3) and labels (N) as the finder cuts them out of `scenes` pictures."""
    cv2.setNumThreads(1)
    things = _reader_props(folder, seed)
    finder = dice_finder.Finder()
    rng = np.random.default_rng([seed, 5, part])
    patches, labels = [], []
    for _ in range(scenes):
        scene = make_scene(*things, rng, ROOM, (13.0, 110.0))
        for corners, label in reader_examples(scene, finder, rng):
            patches.append(dice_faces.rectify(scene.image, corners))
            labels.append(label)
    return np.stack(patches), np.array(labels)


def reader_examples(
    scene: Scene, finder: dice_finder.Finder, rng: np.random.Generator
) -> Iterator[tuple[Any, int]]:
    """What the finder proposes, and each face about as well framed as the finder frames it."""
    misses = 0
    for candidate in finder.find(scene.image):
        label: int | None = 0
        for face in scene.faces:
            alike = dice_finder.overlap(candidate.corners, face.corners)[1]
            if alike > 0.5:
                label = face.label if face.seen > 0.75 else None
            elif alike > 0.4 and label == 0:
                label = None  # neither a fair reading nor a plain miss
        misses += label == 0
        if label or (label == 0 and misses <= MISSES):
            yield candidate.corners, label
    for face in scene.faces:
        if face.seen < 0.8:
            continue
        centre = face.corners.mean(axis=0)
        side = np.sqrt(cv2.contourArea(face.corners))
        for _ in range(FRAMINGS):
            bend = np.eye(2) * np.exp(rng.normal(0, 0.07)) + rng.normal(0, 0.04, (2, 2))
            moved = (face.corners - centre) @ bend + centre + rng.normal(0, 0.05, 2) * side
            yield moved.astype(np.float32), face.label


def as_input(pictures: Tensor) -> Tensor:
    """BGR bytes as the networks take them."""
    return (pictures.permute(0, 3, 1, 2).float() / 255 - 0.5).contiguous(memory_format=torch.channels_last)


def finder_loss(answer: Tensor, batch: list[Tensor]) -> Tensor:
    """Focal loss of the heat; shape and label count where a face is."""
    heat, weight, shape, label = batch
    hot = torch.sigmoid(answer[:, 0]).clamp(1e-5, 1 - 1e-5)
    core = heat >= 0.999
    gain = -((1 - hot) ** 2) * hot.log() * core
    loss = -((1 - heat) ** 4) * hot**2 * (1 - hot).log() * ~core * weight
    count = core.sum().clamp(min=1)
    total = (gain.sum() + loss.sum()) / count
    inside = label >= 0
    if inside.any():
        total = total + F.smooth_l1_loss(
            answer[:, 1:8].permute(0, 2, 3, 1)[inside], shape.permute(0, 2, 3, 1)[inside]
        )
        total = total + 0.3 * F.cross_entropy(answer[:, 8:].permute(0, 2, 3, 1)[inside], label[inside])
    result: Tensor = total
    return result


def train(
    net: nn.Module,
    scenes: torch.utils.data.IterableDataset[Any],
    loss_of: Any,
    options: argparse.Namespace,
    start: pathlib.Path | None,
) -> None:
    """Train `net` on `scenes` and save it every 500 steps."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    net.to(memory_format=torch.channels_last)
    if start:
        net.load_state_dict(torch.load(start))
    loader = iter(torch.utils.data.DataLoader(scenes, batch_size=None, num_workers=options.workers))
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
            save(net, scenes, options)


def save(net: nn.Module, scenes: torch.utils.data.IterableDataset[Any], options: argparse.Namespace) -> None:
    """Keep the weights to go on from, and write the network for the reader to load."""
    torch.save(net.state_dict(), options.cache / f"{options.net}.pt")
    side = CROP if options.net == "finder" else dice_faces.PATCH
    module = dice_finder if options.net == "finder" else dice_faces
    module.WEIGHTS.parent.mkdir(exist_ok=True)
    axes = {"picture": {2: "h", 3: "w"}, "answer": {2: "i", 3: "j"}}
    if options.net == "reader":
        axes = {"picture": {0: "n"}, "answer": {0: "n"}}
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, side, side),),
        str(module.WEIGHTS),
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    model = onnx.load(str(module.WEIGHTS))
    onnx.helper.set_model_props(model, {"made by": "tools/train_dice.py " + " ".join(options.made)})
    onnx.save(model, str(module.WEIGHTS))
    net.train()


def main() -> None:
    """Train one network and write it."""
    cv2.setNumThreads(1)  # a thread pool would not live through the fork of the workers
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=["finder", "reader"])
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--scenes", type=int, default=8000, help="pictures that the reader learns from")
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--start", type=pathlib.Path, help="go on from these torch weights")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("dice_training"))
    options = parser.parse_args()
    options.made = [options.net, f"--steps {options.steps}", f"--seed {options.seed}"]
    if options.start:
        options.made.append(f"--start {options.start.name}")
    options.cache.mkdir(exist_ok=True)
    if options.net == "finder":
        train(
            FinderNet(),
            FinderScenes(options.cache, options.seed, options.batch or 32),
            finder_loss,
            options,
            options.start,
        )
    else:
        patches = ReaderPatches(options.cache, options.seed, options.batch or 128, options.scenes)
        train(
            ReaderNet(),
            patches,
            lambda answer, batch: F.cross_entropy(answer, batch[0]),
            options,
            options.start,
        )


if __name__ == "__main__":
    main()
