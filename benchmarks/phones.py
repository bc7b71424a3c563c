"""How soon all phones hear of a change, beside the bare floor: a loop of our own that only writes to sockets.

    python -m benchmarks.phones [--events N] [--rounds R]

Both servers run alone in a process and send the same bytes, once in turn, to the same client. Times are from
the moment at which the table publishes to the moment at which a phone has read the event.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import select
import socket
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from statistics import median
from typing import Any

from web_ui.feed import Feed, chunk
from web_ui.person import People
from web_ui.serve import http_server, listen

SIZE = 2000  # bytes of a page's live part
PAUSE = 0.05  # seconds between two events
PHONES = (4, 200)
TARGET = 2.0  # times the floor
PUBLISH = 0.15  # ms that a publish may cost the table loop


def page(stamp: int) -> str:
    return f"<div>stamp:{stamp};".ljust(SIZE - 6, ".") + "</div>"


def framed(stamp: int) -> bytes:
    return chunk(f'event: page\ndata: "{page(stamp)}"\n\n'.encode())


# -- servers, each in a process of its own -------------------------------------------------------------


def floor(listener: socket.socket, events: int, control: Connection) -> None:
    """Accept, answer, then write each event to every socket."""
    listener.setblocking(True)
    phones = []
    for _ in range(control.recv()):
        phone, _ = listener.accept()
        phone.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        phone.recv(4096)
        phone.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        phone.setblocking(False)
        phones.append(phone)
    control.recv()
    busy = time.process_time()
    for _ in range(events):
        time.sleep(PAUSE)
        data = framed(time.monotonic_ns())
        for phone in phones:
            phone.send(data)
    control.send(([], time.process_time() - busy))
    control.recv()


def ours(listener: socket.socket, events: int, control: Connection) -> None:
    """The feed as the table uses it: published to from another thread."""
    import threading

    now = 0
    feed = Feed(People(b"benchmark"), lambda page_name, person: page(now), lambda person, here: None)
    server = http_server(feed)

    def table() -> None:
        nonlocal now
        control.recv()
        control.recv()
        costs = []
        busy = time.process_time()
        for _ in range(events):
            time.sleep(PAUSE)
            now = time.monotonic_ns()
            feed.publish()
            costs.append((time.monotonic_ns() - now) / 1e6)
        control.send((costs, time.process_time() - busy))
        control.recv()
        server.should_exit = True
        loop.call_soon_threadsafe(feed.close)

    loop = asyncio.new_event_loop()
    feed.start(loop)
    threading.Thread(target=table, daemon=True).start()
    loop.run_until_complete(server.serve(sockets=[listener]))


Serve = Callable[[socket.socket, int, Connection], None]


def pinned(serve: Serve, core: int, listener: socket.socket, events: int, control: Connection) -> None:
    os.sched_setaffinity(0, {core})
    serve(listener, events, control)


# -- the phones ----------------------------------------------------------------------------------------


def measure(serve: Serve, phones: int, events: int) -> tuple[list[float], list[float], float]:
    """(ms from publish to each phone, ms of each publish, the server's CPU ms per event)."""
    cores = sorted(os.sched_getaffinity(0))
    listener = listen("127.0.0.1", 0)
    here, there = multiprocessing.get_context("fork").Pipe()
    server = multiprocessing.get_context("fork").Process(
        target=pinned, args=(serve, cores[0], listener, events, there), daemon=True
    )
    server.start()
    os.sched_setaffinity(0, {cores[-1]})
    try:
        here.send(phones)
        late = listen_to(listener.getsockname()[1], phones, events, lambda: here.send("go"))
        costs, cpu = here.recv()
        here.send("enough")
        server.join(10)
    finally:
        os.sched_setaffinity(0, set(cores))
        listener.close()
        server.kill()
        server.join()
    return late, costs, cpu * 1000 / events


def listen_to(port: int, phones: int, events: int, go: Callable[[], None]) -> list[float]:
    """Open the phones, say go, and read until each has heard the last event."""
    poll = select.epoll()
    lines: dict[int, tuple[socket.socket, bytearray]] = {}
    for _ in range(phones):
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(b"GET /events?page=table HTTP/1.1\r\nHost: here\r\n\r\n")
        lines[line.fileno()] = (line, bytearray())
        poll.register(line.fileno(), select.EPOLLIN)
    time.sleep(1.0)  # everybody is answered and has the first page
    for line, _ in lines.values():
        line.setblocking(False)
    while poll.poll(0.2):
        for line, _ in lines.values():
            drain(line)
    go()
    late: list[float] = []
    until = time.monotonic() + events * PAUSE * 4 + 10
    while len(late) < phones * events and time.monotonic() < until:
        for number, _ in poll.poll(1.0):
            line, buffer = lines[number]
            buffer += line.recv(65536)
            read = time.monotonic_ns()
            while (end := buffer.find(b"</div>")) >= 0:
                start = buffer.index(b"stamp:") + 6
                late.append((read - int(buffer[start : buffer.index(b";", start)])) / 1e6)
                del buffer[: end + 6]
    for line, _ in lines.values():
        line.close()
    if len(late) < phones * events:
        raise SystemExit(f"Only {len(late)} of {phones * events} events arrived.")
    return late


def drain(line: socket.socket) -> None:
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return


def part(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--events", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    print(f"{SIZE} bytes to all, {chosen.events} events, median of {chosen.rounds} rounds in turn\n")
    print("phones  server       p50 ms   p99 ms   CPU ms an event")
    well = True
    for phones in PHONES:
        found: dict[str, list[Any]] = {"floor": [], "Stationmaster": []}
        costs: list[float] = []
        for _ in range(chosen.rounds):
            for name, serve in (("floor", floor), ("Stationmaster", ours)):
                late, cost, cpu = measure(serve, phones, chosen.events)
                found[name].append((part(late, 0.5), part(late, 0.99), cpu))
                costs += cost
        best = {name: [median(column) for column in zip(*rows, strict=True)] for name, rows in found.items()}
        for name, (p50, p99, cpu) in best.items():
            print(f"{phones:6}  {name:13}{p50:6.2f}   {p99:6.2f}   {cpu:6.2f}")
        ratios = [ours / bare for ours, bare in zip(best["Stationmaster"], best["floor"], strict=True)]
        publish = part(costs, 0.5), part(costs, 0.99)
        print(f"{phones:6}  ratio        {ratios[0]:6.2f}   {ratios[1]:6.2f}   {ratios[2]:6.2f}")
        print(f"{phones:6}  a publish costs the table {publish[0]:.3f} ms (p50), {publish[1]:.3f} ms (p99)\n")
        if phones == max(PHONES):
            well = max(ratios[:2]) <= TARGET and publish[0] <= PUBLISH
    print(
        f"Target at {max(PHONES)} phones: at most {TARGET:g} times the floor, a publish at most {PUBLISH} ms."
    )
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
