"""The address that phones type or scan: this machine's own number, never a name that some cannot find."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct

_SIOCGIFADDR = 0x8915


def at(name: str, port: int) -> str:
    """The address of the first page on a machine of that name or number, as short as browsers take it."""
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"


def join_address(port: int) -> str:
    """The address of the first page, as it is now: the machine may change networks while it runs."""
    return at(lan_address(), port)


def moved(host: str, port: int) -> str:
    """The address of the pages on another port, for somebody who reached us as `host` (a Host header)."""
    name = host if host.endswith("]") else host.rsplit(":", 1)[0]
    return at(name, port)


def address_for(host: str, port: int) -> str:
    """The address to show to somebody who reached us as `host` (a Host header).

    What worked for them works for the next phone, unless it only works on this machine itself.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    if name in ("", "localhost") or _loopback(name.strip("[]")):
        return join_address(port)
    return f"http://{host}/"


def lan_address() -> str:
    """This machine's IPv4 address towards other machines; loopback when it is in no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Names a route and sends nothing; the address is one that is kept for documents.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            # No way out, as on the machine's own hotspot: take the first network that it is in.
            found = [
                a for _, name in socket.if_nameindex() if (a := _address_of(probe, name)) and not _loopback(a)
            ]
            return found[0] if found else "127.0.0.1"


def _address_of(probe: socket.socket, interface: str) -> str:
    try:
        answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, struct.pack("256s", interface.encode()[:15]))
    except OSError:  # it has no IPv4 address
        return ""
    return socket.inet_ntoa(answer[20:24])


def _loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
