"""The machine as it is at the beginning of each test: booted, and with Stationmaster installed."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

from rig.machine import PROCESSOR, Machine

CHECKOUT = Path(__file__).parents[1]

HERE = "/srv/stationmaster"
"""Where the checkout lies in the machine."""


def bare(built: Path) -> Path:
    """The machine of rig/build as it is once it has booted, kept beside it."""
    image, stamp = built / "bare.qcow2", built / "bare.stamp"
    made_with = " ".join(PROCESSOR)
    if not (image.exists() and stamp.exists() and stamp.read_text() == made_with):
        machine = Machine(built)
        machine.start()
        try:
            # With "degraded" for an answer its status is not 0, and what failed is worth a look.
            machine.run("systemctl is-system-running --wait || { systemctl --failed; false; }")
            machine.save(image)
            stamp.write_text(made_with)
        finally:
            machine.cut()
    return image


def put_checkout(machine: Machine) -> None:
    """Put the files of this checkout into the machine, as a clone would have them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True).stdout
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as tar:
        for name in listed.decode().split("\0"):
            if name and (CHECKOUT / name).exists():
                tar.add(CHECKOUT / name, name)
    machine.put("/run/checkout.tar.gz", packed.getvalue())
    machine.run(f"mkdir {HERE} && tar -C {HERE} --no-same-owner -xzf /run/checkout.tar.gz")
