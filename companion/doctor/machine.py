"""What `stationmaster doctor` looks at of the machine: disk, network, power, Python and its packages."""

from __future__ import annotations

import errno
import http.client
import importlib.metadata
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from companion import disk as files
from companion.daemon import Settings
from companion.doctor.findings import Finding, ill, well

LEAST = 200
"""Megabytes that should be free where games are kept."""

SLOW = 0.5
"""Seconds that an act may take to be on the disk: players wait for that."""

_WRITES = 5
ROOT = Path(__file__).parents[2]


# -- disk -----------------------------------------------------------------------------------------


def disk(
    folder: Path,
    statvfs: Callable[[Path], os.statvfs_result] = os.statvfs,
    write: Callable[[Path, bytes], None] = files.write,
    clock: Callable[[], float] = time.monotonic,
) -> list[Finding]:
    """Room, the right to write, and how long an act takes to be on the disk for good."""
    try:
        place = next(at for at in (folder, *folder.parents) if at.exists())
        room = statvfs(place)
    except OSError as fault:
        return [_unwritable(folder, fault)]
    found = [_room(place, room)]
    times = []
    try:
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=place) as inside:
            for number in range(_WRITES):
                before = clock()
                write(Path(inside) / str(number), b"." * 4096)
                times.append(clock() - before)
    except OSError as fault:
        return [*found, _unwritable(place, fault)]
    worst = max(times)
    words = f"What is written in {place} is on the disk for good within {worst * 1000:.0f} ms."
    if worst > SLOW:
        cure = "The memory card is slow or worn out. Take a new one, of class A1 or better, or a USB disk."
        return [*found, ill("disk", words, cure)]
    return [*found, well("disk", words)]


def _room(place: Path, room: os.statvfs_result) -> Finding:
    free = room.f_bavail * room.f_frsize // 1_000_000
    if free < LEAST:
        return ill("disk", f"Only {free} MB are free where games are kept ({place}).", _MAKE_ROOM)
    if room.f_files and not room.f_favail:
        return ill("disk", f"No more files can be made where games are kept ({place}).", _MAKE_ROOM)
    return well("disk", f"{free} MB are free where games are kept ({place}).")


_MAKE_ROOM = "Make room: sudo apt-get clean; sudo journalctl --vacuum-size=100M; remove what you do not need."


def _unwritable(place: Path, fault: OSError) -> Finding:
    if fault.errno == errno.EROFS:
        return ill(
            "disk",
            f"The disk of {place} can only be read.",
            "A damaged memory card ends so. Start the machine again; if it comes back, take a new card.",
        )
    if fault.errno in (errno.EACCES, errno.EPERM):
        return ill(
            "disk",
            f"This user may not write in {place}.",
            "If the service keeps its games there, look as its user: sudo -u stationmaster stationmaster "
            "doctor. Or name another folder with state in [run].",
        )
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return ill("disk", f"The disk of {place} is full.", _MAKE_ROOM)
    return ill(
        "disk",
        f"Nothing can be written in {place} ({fault.strerror}).",
        "Look at what the system says of the disk: sudo dmesg | tail -n 20. A memory card may be worn out.",
    )


# -- network --------------------------------------------------------------------------------------


def network(host: str, port: int, avahi: Path = Path("/run/avahi-daemon/socket")) -> list[Finding]:
    """The port, the address that phones open, and the name that they may open instead."""
    from web_ui.address import lan_address

    return [
        port_finding(host, port),
        address_finding(lan_address(), port),
        name_finding(socket.gethostname(), port, avahi),
    ]


def port_finding(host: str, port: int) -> Finding:
    """Whether the pages can be served there, or are."""
    from web_ui.serve import PortTaken, listen

    if port == 0:
        return well("network", "A free port is taken at each start.")
    try:
        listen(host, port).close()
    except PortTaken:
        return _taken(host, port)
    except PermissionError:
        # Below 1024 only who has a right to it may listen, as the service has.
        with socket.socket() as probe:
            probe.settimeout(2)
            if probe.connect_ex((_own(host), port)) == 0:
                return _taken(host, port)
        return well("network", f"Port {port} is free; the service may take it, this user may not.")
    except OSError as fault:
        return ill(
            "network",
            f"This machine cannot listen on {host} ({fault.strerror or fault}).",
            'Write host = "0.0.0.0" in [run], for all its addresses.',
        )
    return well("network", f"Port {port} is free.")


def _taken(host: str, port: int) -> Finding:
    connection = http.client.HTTPConnection(_own(host), port, timeout=5)
    try:
        connection.request("GET", "/")
        page = connection.getresponse().read(100_000)
    except (OSError, http.client.HTTPException) as fault:
        page = f"({fault})".encode()
    finally:
        connection.close()
    if b"Stationmaster" in page:
        return well("network", f"Stationmaster's pages answer on port {port}.")
    return ill(
        "network",
        f"Port {port} is taken by another program.",
        f"End that program (sudo ss -ltnp 'sport = :{port}' names it), or name another port in [run].",
    )


def _own(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def address_finding(address: str, port: int) -> Finding:
    """Whether phones can reach this machine at its own address."""
    from web_ui.address import at

    if address.startswith("127."):
        return ill(
            "network",
            "This machine is in no network, so no phone can reach it.",
            "Connect it by cable, or to a wireless network: sudo nmtui.",
        )
    return well("network", f"Phones open {at(address, port)}")


def name_finding(host: str, port: int, avahi: Path) -> Finding:
    """Whether other machines find this one by its name: asked of avahi, which tells them."""
    from web_ui.address import at

    name = f"{host.split('.')[0]}.local"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.settimeout(5)
            asking.connect(str(avahi))
            asking.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}\n".encode())
            answer = _line(asking)
    except OSError:
        return ill(
            "network",
            f"Phones cannot find this machine as {name}: avahi, which would tell them, does not run.",
            "Type: sudo apt-get install -y avahi-daemon. Until then phones open the number.",
        )
    if answer.startswith("+"):
        return well("network", f"Phones open {at(name, port)} as well ({answer.split()[-1]}).")
    return ill(
        "network",
        f"This machine is not found as {name} (avahi: {answer.lstrip('- ')}).",
        "Another machine may have that name: give this one another with sudo hostnamectl hostname NAME, "
        "then start it again. Until then phones open the number.",
    )


def _line(asking: socket.socket) -> str:
    """What comes until the line ends, or what sends it does."""
    found = b""
    while b"\n" not in found and (more := asking.recv(1000)):
        found += more
    return found.decode(errors="replace").strip()


# -- power ----------------------------------------------------------------------------------------

_UNDERVOLTAGE, _HOT = 1 << 0, 1 << 1 | 1 << 2 | 1 << 3
_SINCE = 16  # bits further up: that it has been so since the start


def power(
    vcgencmd: str | None = None, monitors: Path = Path("/sys/class/hwmon"), patience: float = 5.0
) -> list[Finding]:
    """What a Raspberry Pi says of its power supply and its heat; nothing on any other machine."""
    command = vcgencmd or shutil.which("vcgencmd")
    if command is not None:
        try:
            done = subprocess.run(
                [command, "get_throttled"], capture_output=True, text=True, timeout=patience, check=False
            )
            said = (done.stdout + done.stderr).strip()
        except (OSError, subprocess.TimeoutExpired) as fault:
            said = str(fault)
        if told := re.search(r"throttled=0x([0-9a-fA-F]+)", said):
            return _throttled(int(told[1], 16)) or [well("power", "Voltage and heat are as they should be.")]
    # The service may not ask the firmware, and is told this much by the kernel.
    for monitor in sorted(monitors.glob("hwmon*")):
        if (monitor / "name").read_text().strip() == "rpi_volt":
            low = (monitor / "in0_lcrit_alarm").read_text().strip() == "1"
            return _throttled(_UNDERVOLTAGE << _SINCE if low else 0) or [
                well("power", "The voltage is as it should be.")
            ]
    if command is not None:
        return [
            ill(
                "power",
                f"The Pi does not tell of its power ({said or 'no answer'}).",
                "This user may not ask. Type: sudo usermod -aG video $USER, then log in again.",
            )
        ]
    return [well("power", "This machine does not tell of its power.")]


def _throttled(bits: int) -> list[Finding]:
    """What is wrong by these bits of the firmware; nothing if all is well."""
    supply = (
        "Use the power supply that belongs to this Pi, with its own short cable, and a hub with a supply "
        "of its own for what is plugged in."
    )
    cooling = "Give it air: a cooler on its processor, no closed box, no sun."
    found = []
    if bits & _UNDERVOLTAGE:
        found.append(ill("power", "The Pi gets too little voltage now: it may stop at any moment.", supply))
    elif bits & _UNDERVOLTAGE << _SINCE:
        found.append(ill("power", "The Pi has had too little voltage since it was started.", supply))
    if bits & _HOT and not bits & _UNDERVOLTAGE:
        found.append(ill("power", "The Pi is so hot that it works slowly now.", cooling))
    elif bits & _HOT << _SINCE and not bits & _UNDERVOLTAGE << _SINCE:
        found.append(
            ill("power", "The Pi has been so hot since it was started that it worked slowly.", cooling)
        )
    return found


# -- Python ---------------------------------------------------------------------------------------

_TRIES = """
import importlib, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as fault:
        found[name] = f"{type(fault).__name__}: {fault}"
print(json.dumps(found))
"""


def modules(settings: Settings) -> tuple[str, ...]:
    """What a table with these settings loads of others' libraries."""
    found = ["flask", "uvicorn", "msgspec", "segno"]
    if settings.table != "none":
        found.append("cv2")
    if settings.table == "camera" and settings.camera == "picamera2":
        found.append("picamera2")
    if settings.pins != "none":
        found.append("gpiozero")
    if settings.pins == "gpiozero":
        found.append("lgpio")
    if settings.controller.line != "none":
        found.append("serial")
    return tuple(found)


def python(
    modules: Sequence[str],
    locks: Path = ROOT / "requirements",
    version: tuple[int, int] = sys.version_info[:2],
    installed: Callable[[str], str] = importlib.metadata.version,
) -> list[Finding]:
    """Whether this Python will do, its packages are those of the lock, and what is needed can be loaded."""
    named = f"{version[0]}.{version[1]}"
    if not (3, 11) <= version < (3, 14):
        return [
            ill(
                "Python",
                f"This is Python {named}; Stationmaster needs 3.11, 3.12 or 3.13.",
                "Install one of them, then start ./run (or sudo ./install) again.",
            )
        ]
    return [_packages(named, locks, installed), *loaded(modules)]


def _packages(version: str, locks: Path, installed: Callable[[str], str]) -> Finding:
    lock = next((file for file in (_lock(locks, version),) if file.exists()), None)
    if lock is None:
        return well("Python", f"This is Python {version}; no lock is here to compare its packages with.")
    wanted = _wanted(lock.read_text("utf-8"))
    other = {}
    for name, pinned in wanted.items():
        try:
            found = installed(name)
        except importlib.metadata.PackageNotFoundError:
            found = "none"
        if found != pinned:
            other[name] = f"{name} {found} in the place of {pinned}"
    if not other:
        return well("Python", f"This is Python {version}, with the {len(wanted)} packages that its lock has.")
    listed = ", ".join(list(other.values())[:4]) + (" and others" if len(other) > 4 else "")
    return ill(
        "Python",
        f"{len(other)} packages are not those of the lock: {listed}.",
        "Start ./run again, or sudo ./install for the service: it brings them. If that changes nothing, "
        "remove .venv before.",
    )


def _lock(locks: Path, version: str, model: Path = Path("/proc/device-tree/model")) -> Path:
    on_a_pi = model.exists() and b"Raspberry Pi" in model.read_bytes()
    return locks / f"{'pi-' if on_a_pi else ''}run-{version}.lock"


def _wanted(lock: str) -> Mapping[str, str]:
    return dict(re.findall(r"(?m)^([\w.-]+)==([^\s;]+)", lock))


def loaded(modules: Sequence[str], patience: float = 50.0) -> list[Finding]:
    """What of it can be loaded, in a process of its own: some leave things behind, or take it with them."""
    if not modules:
        return []
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-c", _TRIES, *modules],
                cwd=folder,
                env={name: given for name, given in os.environ.items() if name != "LG_WD"},
                capture_output=True,
                text=True,
                timeout=patience,
                check=False,
            )
    except subprocess.TimeoutExpired:
        words = f"What this table needs was not loaded in {patience:.0f} seconds: {', '.join(modules)}."
        return [ill("Python", words, "The machine has too much else to do, or the memory card is worn out.")]
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
        return [ill("Python", f"The packages end this Python when they are loaded ({said}).", AGAIN)]
    faults: dict[str, str] = json.loads(done.stdout.strip().splitlines()[-1])
    if not faults:
        return [well("Python", f"What this table needs can be loaded: {', '.join(modules)}.")]
    return [ill("Python", f"{name} cannot be loaded ({said}).", _cure(name)) for name, said in faults.items()]


AGAIN = "Start ./run again, or sudo ./install for the service, after removing .venv."


def _cure(name: str) -> str:
    if name == "picamera2":
        return "Type: sudo apt-get install -y --no-install-recommends python3-picamera2"
    if name == "lgpio":
        return "On a Raspberry Pi, type: sudo apt-get install -y python3-lgpio. Elsewhere there are no pins."
    return AGAIN
