"""The machine: started by a true boot or from a snapshot of a booted one, used, and cut off.

It has two processors in software, since hardware to virtualise with is seldom there, and a network in
which nobody is but this process: what it serves at port 80 is reached at `port`, and it reaches nothing.
Its disk is a throw-away copy.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from rig.talk import LONG, Agent, Refused, tell_monitor, tell_qemu

READY = "ready"
"""The name of the snapshot in an image."""

BOOT = 600.0
"""Seconds that a boot may take: a busy machine boots in some 60."""

# Newer models have instructions that are slow to emulate: with "max" a picture takes six times as long.
PROCESSOR = ("-machine", "pc", "-accel", "tcg,thread=multi", "-cpu", "Nehalem", "-smp", "2", "-m", "1G")
"""What a snapshot is bound to."""

_NAP, _LONGEST_NAP = 0.02, 0.3
_CHUNK = 1 << 20


class Failed(AssertionError):
    """A command in the machine came to another end than it should have; its words."""


def folder() -> Path:
    """Where rig/build leaves the machine unless it is told another folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("STATIONMASTER_RIG") or Path(cache) / "stationmaster" / "rig")


class Machine:
    """One machine, made of what rig/build left in `built`; with `image` it begins as that was saved.

    With `boot` it is started as by its switch, from what is on that image's disk. As a context it is
    running inside, and its power is cut at the end.
    """

    def __init__(self, built: Path, image: Path | None = None, *, boot: bool = False) -> None:
        self._built = built
        self._boot = boot
        self._folder = Path(tempfile.mkdtemp(prefix="stationmaster-rig-"))
        self._disk = self._folder / "disk.qcow2"
        if image is None:
            _qemu_img("create", "-f", "qcow2", "-F", "raw", "-b", str(built / "root.img"), str(self._disk))
            self._boot = True
        else:
            shutil.copy(image, self._disk)
        self._agent = Agent(self._folder / "agent")
        self._qemu: subprocess.Popen[bytes] | None = None
        self.port = 0

    def __enter__(self) -> Machine:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    # -- its power --------------------------------------------------------------------------------

    def start(self) -> None:
        """Switch it on; it answers when this returns."""
        self._qemu = subprocess.Popen(self._command(), stdin=subprocess.DEVNULL)
        end = time.monotonic() + BOOT
        while not self._agent.greet(1.0):
            if self._qemu.poll() is not None or time.monotonic() > end:
                said = self._console()
                self.cut()
                raise Failed(f"the machine does not start; it said: {said}")
            time.sleep(0.05)
        self._agent.ask("guest-set-time", time=time.time_ns())
        self.port = _forwarded(tell_monitor(self._monitor, "info usernet"))

    def cut(self) -> None:
        """Cut its power: nothing is written any more. What it has left on its own disk is thrown away."""
        self._agent.close()
        if self._qemu is not None:
            self._qemu.kill()
            self._qemu.wait()
        self._qemu = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def save(self, image: Path) -> None:
        """Keep it as it is now, disk and memory, as an image to begin with; it is off afterwards."""
        assert self._qemu is not None
        self.run("sync")
        if words := tell_monitor(self._monitor, f"savevm {READY}").strip():
            raise Refused(words)
        self._agent.close()
        tell_qemu(self._monitor, "quit")
        self._qemu.wait(60)
        self._qemu = None
        draft = image.with_name(image.name + ".new")
        shutil.move(self._disk, draft)
        draft.replace(image)
        self.cut()

    @property
    def _monitor(self) -> Path:
        return self._folder / "monitor"

    def _command(self) -> list[str]:
        start = [] if self._boot else ["-loadvm", READY]
        return [
            *("qemu-system-x86_64", *PROCESSOR),
            *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
            *("-kernel", str(self._built / "vmlinuz"), "-initrd", str(self._built / "initrd")),
            *("-append", "console=ttyS0 quiet rw mitigations=off net.ifnames=0 no_timer_check panic=1"),
            *("-serial", f"file:{self._folder / 'console'}", "-device", "virtio-rng-pci"),
            *("-drive", f"file={self._disk},format=qcow2,if=virtio,cache=writeback"),
            *("-netdev", "user,id=phones,restrict=on,hostfwd=tcp:127.0.0.1:0-:80"),
            *("-device", "virtio-net-pci,netdev=phones,romfile="),
            *("-chardev", f"socket,id=agent,path={self._folder / 'agent'},server=on,wait=off"),
            *("-device", "virtio-serial-pci"),
            *("-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"),
            *("-qmp", f"unix:{self._monitor},server=on,wait=off"),
            *start,
        ]

    def _console(self) -> str:
        console = self._folder / "console"
        return console.read_text(errors="replace")[-3000:] if console.exists() else ""

    # -- what is plugged into it ------------------------------------------------------------------

    def plug_disk(self, socket: Path) -> None:
        """Plug in the disk that is served at this socket; it becomes /dev/vdb."""
        server = {"type": "unix", "path": str(socket)}
        self.tell_qemu("blockdev-add", **{"node-name": "disk", "driver": "nbd", "server": server})
        self.tell_qemu("device_add", driver="virtio-blk-pci", drive="disk", **{"write-cache": "on"})
        self.run("until [ -b /dev/vdb ]; do sleep 0.05; done")

    def tell_qemu(self, command: str, **arguments: Any) -> Any:
        """Have QEMU do something with the machine."""
        return tell_qemu(self._monitor, command, **arguments)

    # -- what is done in it -----------------------------------------------------------------------

    def run(self, command: str, patience: float = 300) -> str:
        """What a command of bash prints; Failed when its status is not 0 or it takes longer than that."""
        status, said = self.try_to(command, patience)
        if status:
            raise Failed(f"{command!r} ended with {status}: {said}")
        return said

    def try_to(self, command: str, patience: float = 300) -> tuple[int, str]:
        """The status of a command of bash, and what it prints; Failed when it takes longer than that."""
        started = self._agent.ask(
            "guest-exec",
            LONG,
            path="/bin/bash",
            arg=["-c", f"exec 2>&1 </dev/null\n{command}"],
            env=["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"],
            **{"capture-output": True},
        )
        end, nap = time.monotonic() + patience, _NAP
        while not (found := self._agent.ask("guest-exec-status", pid=started["pid"]))["exited"]:
            if time.monotonic() > end:
                raise Failed(f"{command!r} is not at its end after {patience:.0f} seconds")
            time.sleep(nap)
            nap = min(nap * 1.5, _LONGEST_NAP)
        said = base64.b64decode(found.get("out-data", "")).decode(errors="replace")
        return found.get("exitcode", 128 + found.get("signal", 0)), said

    def put(self, path: str, content: bytes) -> None:
        """Write a file in the machine."""
        handle = self._agent.ask("guest-file-open", path=path, mode="w")
        for at in range(0, len(content), _CHUNK):
            part = base64.b64encode(content[at : at + _CHUNK]).decode()
            self._agent.ask("guest-file-write", LONG, handle=handle, **{"buf-b64": part})
        self._agent.ask("guest-file-close", handle=handle)

    def get(self, path: str) -> bytes:
        """Read a file of the machine."""
        handle = self._agent.ask("guest-file-open", path=path, mode="r")
        content = bytearray()
        while True:
            read = self._agent.ask("guest-file-read", handle=handle, count=_CHUNK)
            content += base64.b64decode(read["buf-b64"])
            if read["eof"]:
                break
        self._agent.ask("guest-file-close", handle=handle)
        return bytes(content)


def _forwarded(usernet: str) -> int:
    """The port of this machine at which that one's port 80 is reached."""
    (line,) = (line for line in usernet.splitlines() if "HOST_FORWARD" in line)
    return int(line.split()[3])


def _qemu_img(*words: str) -> None:
    subprocess.run(["qemu-img", *words], check=True, stdout=subprocess.DEVNULL)
