"""The command line: `stationmaster COMMAND`. Each command imports only what it needs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.paths import state_folder

if TYPE_CHECKING:
    from vision.poker_faces import PokerFaces

OK, FAULT, USAGE, BAD_CONFIG = 0, 1, 2, 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 well, 1 a fault found, 2 usage, 78 bad configuration."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.command(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away, as `head` does; that is no fault of ours.
        sys.stderr.close()
        return OK
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stationmaster",
        description="A companion for board games played with real pieces on a real table.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="the daemon with the phone pages; prints the address and a QR code")
    run.set_defaults(command=_run)
    run.add_argument("--game", choices=games.NAMES, default=games.NAMES[0], help="default: %(default)s")
    run.add_argument(
        "--pack",
        default="house",
        help="a pack's name, owner for your own cards, or a .toml file (default: %(default)s)",
    )
    run.add_argument(
        "--table", choices=("emulated", "camera", "none"), help="default: emulated, or camera if one is named"
    )
    run.add_argument(
        "--camera", metavar="CAMERA", help="auto, /dev/videoN, a video FILE or a FOLDER of photographs"
    )
    run.add_argument(
        "--buttons", choices=("gpiozero", "mock", "none"), default="none", help="default: %(default)s"
    )
    run.add_argument(
        "--display",
        metavar="DISPLAY",
        default="none",
        help="a number display: none, emulated, or its serial line, such as /dev/ttyUSB0",
    )
    run.add_argument("--state", type=Path, default=None, metavar="DIR", help="where the game is kept")
    run.add_argument("--host", default="0.0.0.0", help="the address to listen on (default: %(default)s, all)")
    run.add_argument("--port", type=int, default=8080, help="default: %(default)s; 0 takes a free one")
    run.add_argument("--seed", type=int, default=None, help="the emulated table's dice and shuffles")

    # No sign begins an option here: all that follows is for the reader of photographs to judge.
    see = commands.add_parser(
        "see", help="reads photographs; one JSON line a photo", add_help=False, prefix_chars="\0"
    )
    see.set_defaults(command=_see)
    see.add_argument("rest", nargs="*")

    enrol = commands.add_parser(
        "enrol", help="checks pictures of one's own cards or dice", add_help=False, prefix_chars="\0"
    )
    enrol.set_defaults(command=_enrol)
    enrol.add_argument("rest", nargs="*")

    simulate = commands.add_parser("simulate", help="plays whole games with bots; prints a JSON summary")
    simulate.set_defaults(command=_simulate)
    simulate.add_argument("game", choices=games.NAMES)
    simulate.add_argument("--games", type=int, default=100, metavar="N")
    simulate.add_argument("--seats", type=int, default=4, metavar="K")
    simulate.add_argument("--seed", type=int, default=0, metavar="S")
    simulate.add_argument("--jobs", type=int, default=1, metavar="J")
    simulate.add_argument("--check", action="store_true", help="assert every law at every step")

    referee = commands.add_parser("referee", help="replays a record and rules on each action")
    referee.set_defaults(command=_referee)
    referee.add_argument(
        "record", type=argparse.FileType("rb"), metavar="RECORD", help="a file, or - for standard input"
    )

    kit = commands.add_parser("print", help="writes a game's print kit: cards, pieces, the sheet, as a PDF")
    kit.set_defaults(command=_print)
    kit.add_argument("game", choices=games.NAMES)
    kit.add_argument("--paper", choices=("a4", "letter"), default="a4", help="default: %(default)s")
    kit.add_argument("--out", type=Path, default=None, metavar="FILE", help="default: GAME-PAPER.pdf")
    kit.add_argument(
        "--pack",
        default="house",
        help="a pack's name, owner for your own cards, or a .toml file (default: %(default)s)",
    )
    kit.add_argument("--state", type=Path, default=None, metavar="DIR", help="where your own cards are kept")

    export = commands.add_parser("export", help="the game in the state folder as a record")
    export.set_defaults(command=_export)
    export.add_argument("--state", type=Path, default=None, metavar="DIR")
    return parser


def _run(options: argparse.Namespace) -> int:
    from companion.daemon import BadConfiguration, Settings, run

    if options.camera == "":
        return _fault("--camera names no camera. Name one, or leave it out for the emulated table.", USAGE)
    table = options.table or ("camera" if options.camera else "emulated")
    if options.camera and table != "camera":
        return _fault(f"--camera needs --table camera, not --table {table}.", USAGE)
    if not 0 <= options.port <= 65535:
        return _fault(f"--port is a number from 0 to 65535, not {options.port}.", USAGE)
    if options.seed is not None and options.seed < 0:
        return _fault(f"--seed is a whole number from 0, not {options.seed}.", USAGE)
    if options.display not in ("none", "emulated") and not options.display.startswith("/"):
        return _fault(
            f"--display is none, emulated, or a serial line such as /dev/ttyUSB0, not '{options.display}'.",
            USAGE,
        )
    settings = Settings(
        game=options.game,
        pack=options.pack,
        table=table,
        camera=options.camera or "auto",
        buttons=options.buttons,
        display=options.display,
        state=options.state or state_folder(),
        host=options.host,
        port=options.port,
        seed=options.seed,
    )
    try:
        return run(settings)
    except BadConfiguration as fault:
        return _fault(str(fault), BAD_CONFIG)


def _see(options: argparse.Namespace) -> int:
    if options.rest[:1] == ["table"]:
        from companion.see_table import main as see_table

        return see_table(options.rest[1:])
    from vision.see import main as see

    return see(options.rest, kit=_poker_kit)


def _poker_kit() -> PokerFaces:
    """The faces that are printed for poker dice."""
    from companion.kit_dice import kit_dice

    faces = kit_dice(games.load("rail_raiders_infinite"))
    assert faces is not None
    return faces


def _enrol(options: argparse.Namespace) -> int:
    from vision.enrol import main as enrol

    known = {name: games.load(name).photographed for name in games.NAMES}
    return enrol(options.rest, {name: cards for name, cards in known.items() if cards})


def _simulate(options: argparse.Namespace) -> int:
    import msgspec

    from companion.simulate import simulate

    fewest, most = games.load(options.game).players
    if not fewest <= options.seats <= most:
        return _fault(f"{options.game} is for {fewest} to {most} seats, not {options.seats}.", USAGE)
    if options.games < 1 or options.jobs < 1:
        return _fault("--games and --jobs are whole numbers from 1.", USAGE)
    summary = simulate(
        options.game, options.games, options.seats, options.seed, options.jobs, check=options.check
    )
    print(msgspec.json.format(msgspec.json.encode(summary)).decode())
    return OK


def _referee(options: argparse.Namespace) -> int:
    from companion.record import BadRecord, replay

    try:
        for verdict in replay(options.record):
            if verdict.illegal is not None:
                return _fault(f"Line {verdict.line}: {verdict.illegal}")
            for words in verdict.story:
                print(f"{verdict.line}: {words}")
    except BadRecord as fault:
        return _fault(str(fault))
    return OK


def _print(options: argparse.Namespace) -> int:
    from companion.packs import PackError
    from companion.print_kit.pages import pages
    from companion.print_kit.pdf import pdf
    from companion.print_kit.what import Nothing, batches

    game = games.load(options.game)
    file = options.out or Path(f"{options.game}-{options.paper}.pdf")
    try:
        kit, left_out = batches(game, options.pack, options.state or state_folder())
        found = pages(game.title, kit, options.paper)
        file.write_bytes(pdf(game.title, [page.drawing for page in found]))
    except (PackError, Nothing) as fault:
        return _fault(str(fault), BAD_CONFIG)
    except OSError as fault:
        return _fault(f"{file} cannot be written: {fault.strerror}.")
    if left_out:
        _fault(left_out)
    print(f"{file}: {len(found)} pages. Print them at actual size (100 %).")
    return OK


def _export(options: argparse.Namespace) -> int:
    from companion.journal import JournalError, read
    from companion.record import of_session, write
    from companion.session import Session

    try:
        session = Session.replay(read(options.state or state_folder()))
    except JournalError as fault:
        return _fault(str(fault))
    if session.course is None:
        return _fault("No game is running or finished in that state folder.")
    for line in write(*of_session(session)):
        print(line)
    return OK


def _fault(words: str, status: int = FAULT) -> int:
    print(f"stationmaster: {words}", file=sys.stderr)
    return status
