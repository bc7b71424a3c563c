"""The two networks of the dice reader as torch trains them, and what each is to answer."""

from __future__ import annotations

import pathlib
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision import dice_faces

NUMBERS = 7  # of the finder's place and shape: shift (2), shape (5)


def convolve(inside: int, outside: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    """A convolution as both networks use it."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class FinderNet(nn.Module):
    """Picture -> for each cell of four pixels: heat, shift (2), shape (5), label (7).

    Three scales: edges and pips at a quarter of the picture, faces at an eighth, dice with their sides and
    shadows at a sixteenth, where a wide layer costs little.
    """

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(convolve(3, 12, 2), convolve(12, 24, 2), convolve(24, 24))
        self.far = nn.Sequential(convolve(24, 40, 2), convolve(40, 40), convolve(40, 40))
        self.wide = nn.Sequential(convolve(40, 72, 2), convolve(72, 72), convolve(72, 72))
        self.widen = nn.Sequential(convolve(112, 48, side=1), convolve(48, 40))
        self.join = convolve(64, 32, side=1)
        last = nn.Conv2d(32, 1 + NUMBERS + 7, 1)
        last.bias.data[0] = -4.0  # nearly every cell is cold
        self.head = nn.Sequential(convolve(32, 32), last)

    def forward(self, picture: Tensor) -> Tensor:
        near = self.near(picture)
        far = self.far(near)
        wide = F.interpolate(self.wide(far), scale_factor=2, mode="nearest")
        far = F.interpolate(self.widen(torch.cat([far, wide], 1)), scale_factor=2, mode="nearest")
        answer: Tensor = self.head(self.join(torch.cat([near, far], 1)))
        return answer


class ReaderNet(nn.Module):
    """Face patch -> label (8): none, 1..6, another mark; then how the face lies in its frame (6)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            convolve(3, 16, 2, 5),
            convolve(16, 32),
            convolve(32, 48, 2),
            convolve(48, 64),
            convolve(64, 80, 2),
            convolve(80, 80),
        )
        cells = dice_faces.PATCH // 8
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(80 * cells * cells, dice_faces.LABELS + 6)
        )

    def forward(self, patch: Tensor) -> Tensor:
        answer: Tensor = self.head(self.body(patch))
        return answer


def as_input(pictures: Tensor) -> Tensor:
    """BGR values 0..255 (N x H x W x 3) as the networks take them."""
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
        numbers = answer[:, 1 : 1 + NUMBERS].permute(0, 2, 3, 1)[inside]
        total = total + F.smooth_l1_loss(numbers, shape.permute(0, 2, 3, 1)[inside])
        labels = answer[:, 1 + NUMBERS :].permute(0, 2, 3, 1)[inside]
        total = total + 0.3 * F.cross_entropy(labels, label[inside])
    result: Tensor = total
    return result


def reader_loss(answer: Tensor, batch: list[Tensor]) -> Tensor:
    """The label, and where there is a face how it lies."""
    label, lies = batch
    total = F.cross_entropy(answer[:, : dice_faces.LABELS], label)
    face = label > 0
    if face.any():
        total = total + 3 * F.smooth_l1_loss(answer[face, dice_faces.LABELS :], lies[face], beta=0.1)
    result: Tensor = total
    return result


def export(net: nn.Module, side: int, axes: dict[str, dict[int, str]], path: pathlib.Path, made: str) -> None:
    """Write `net` for cv2.dnn, with the words how it was made."""
    net.eval()
    path.parent.mkdir(exist_ok=True)
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, side, side),),
        str(path),
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    model: Any = onnx.load(str(path))
    onnx.helper.set_model_props(model, {"made by": made})
    onnx.save(model, str(path))
    net.train()
