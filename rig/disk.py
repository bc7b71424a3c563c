"""A disk with a cache that forgets: what was not flushed is gone when the power is.

It serves one client, QEMU, by the protocol of network block devices (NBD). Writes stay in memory until
the client flushes; a real disk or card may do the same. `cut` drops them, or keeps some and not others,
as happens when a card is written in the middle of losing its power.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
from pathlib import Path
from random import Random

BLOCK = 4096
"""Bytes that are kept or lost together."""

_HELLO, _OPTION, _REPLY = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
_ASKS, _ANSWERS = 0x25609513, 0x67446698
_FIXED, _ZEROES = 1, 2  # flags of the greeting
_EXPORT, _ABORT, _GO = 1, 2, 7  # options
_ACK, _INFO, _UNSUPPORTED = 1, 3, 0x80000001
_READ, _WRITE, _END, _FLUSH = 0, 1, 2, 3
_AT_ONCE = 0x1  # FUA, of a write
_ABLE = 0x1 | 0x4 | 0x8  # has flags, flushes, writes at once


class ForgetfulDisk:
    """A file as a disk, at a socket. As a context it is served inside."""

    def __init__(self, file: Path) -> None:
        self.socket = file.with_name(file.name + ".socket")
        self._file = os.open(file, os.O_RDWR)
        self._size = os.fstat(self._file).st_size
        assert self._size % BLOCK == 0
        self._cache: dict[int, bytes] = {}
        self._takes = threading.Event()
        self._takes.set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket))
        self._listener.listen(1)
        self._thread = threading.Thread(target=self._serve, name="disk", daemon=True)

    def __enter__(self) -> ForgetfulDisk:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        self.socket.unlink()
        os.close(self._file)

    def hang(self) -> None:
        """Take nothing more until `go_on`, as a card may that is busy with itself."""
        self._takes.clear()

    def go_on(self) -> None:
        """Take again what is written."""
        self._takes.set()

    def cut(self, chance: Random | None = None) -> int:
        """Lose what was not flushed, with `chance` half of it, here and there; how many blocks that is.

        The machine has to be off.
        """
        self.go_on()
        self._thread.join(60)
        assert not self._thread.is_alive()
        kept = [block for block in sorted(self._cache) if chance is not None and chance.random() < 0.5]
        lost = len(self._cache) - len(kept)
        for block in kept:
            os.pwrite(self._file, self._cache[block], block * BLOCK)
        self._cache.clear()
        return lost

    # -- the protocol -----------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return  # nobody came before the end
        with client:
            try:
                if self._agree(client):
                    while self._answer(client):
                        pass
            except ConnectionError:
                return  # the power of the client was cut

    def _agree(self, client: socket.socket) -> bool:
        """The greetings, up to where the client reads and writes; False when it does not want to."""
        client.sendall(_HELLO + _OPTION + struct.pack(">H", _FIXED | _ZEROES))
        _all(client, 4)
        while True:
            magic, option, length = struct.unpack(">8sII", _all(client, 16))
            assert magic == _OPTION
            _all(client, length)
            if option == _EXPORT:
                client.sendall(struct.pack(">QH", self._size, _ABLE))
                return True
            if option == _GO:
                info = struct.pack(">HQH", 0, self._size, _ABLE)
                client.sendall(struct.pack(">QIII", _REPLY, option, _INFO, len(info)) + info)
                client.sendall(struct.pack(">QIII", _REPLY, option, _ACK, 0))
                return True
            if option == _ABORT:
                client.sendall(struct.pack(">QIII", _REPLY, option, _ACK, 0))
                return False
            client.sendall(struct.pack(">QIII", _REPLY, option, _UNSUPPORTED, 0))

    def _answer(self, client: socket.socket) -> bool:
        """Do one thing that the client asks for; False when it is the last."""
        magic, flags, kind, handle, at, length = struct.unpack(">IHH8sQI", _all(client, 28))
        assert magic == _ASKS
        if kind == _END:
            return False
        found = self._read(at, length) if kind == _READ else b""
        if kind == _WRITE:
            data = _all(client, length)
            self._takes.wait()
            self._write(at, data)
            if flags & _AT_ONCE:
                self._flush(range(at // BLOCK, (at + length - 1) // BLOCK + 1))
        elif kind == _FLUSH:
            self._takes.wait()
            self._flush(tuple(self._cache))
        else:
            assert kind == _READ, kind
        client.sendall(struct.pack(">II8s", _ANSWERS, 0, handle) + found)
        return True

    def _block(self, block: int) -> bytes:
        return self._cache.get(block) or os.pread(self._file, BLOCK, block * BLOCK)

    def _read(self, at: int, length: int) -> bytes:
        first, last = at // BLOCK, (at + length - 1) // BLOCK
        whole = b"".join(self._block(block) for block in range(first, last + 1))
        return whole[at - first * BLOCK :][:length]

    def _write(self, at: int, data: bytes) -> None:
        first, last = at // BLOCK, (at + len(data) - 1) // BLOCK
        whole = bytearray().join(self._block(block) for block in range(first, last + 1))
        start = at - first * BLOCK
        whole[start : start + len(data)] = data
        for block in range(first, last + 1):
            self._cache[block] = bytes(whole[(block - first) * BLOCK :][:BLOCK])

    def _flush(self, blocks: range | tuple[int, ...]) -> None:
        for block in blocks:
            os.pwrite(self._file, self._cache.pop(block), block * BLOCK)


def _all(client: socket.socket, length: int) -> bytes:
    """So many bytes; ConnectionError when fewer come."""
    found = bytearray()
    while len(found) < length:
        more = client.recv(length - len(found))
        if not more:
            raise ConnectionResetError("the client has gone")
        found += more
    return bytes(found)
