"""The command line: `stationmaster COMMAND`. Each command imports only what it needs."""

from __future__ import annotations

import argparse
import itertools
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.config import BadConfig, Config, ConfigFault, load
from companion.config.options import BadOptions, add_options, config_of, file_of, given, over
from companion.journald import priority
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
    add_options(run)

    config = commands.add_parser(
        "config", help="prints a whole configuration file with every key explained, or checks one"
    )
    config.set_defaults(command=_config)
    add_options(config)
    config.add_argument("--check", type=Path, metavar="FILE", help="says what is wrong with that file")
    config.add_argument("--wiring", type=Path, metavar="FILE", help="draws what hangs on the pins, as an SVG")

    doctor = commands.add_parser("doctor", help="says what works, and what to do about what does not")
    doctor.set_defaults(command=_doctor)
    add_options(doctor)
    doctor.add_argument("--json", action="store_true", help="the same for programs")

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
    from companion.daemon import BadConfiguration, NotNow, Source, run, settings

    try:
        found = settings(config_of(options))
        source = Source(file_of(options), given(options), lambda config: settings(over(config, options)))
        run(found, source)
    except BadOptions as fault:
        return _fault(str(fault), USAGE)
    except NotNow as fault:
        return _fault(str(fault))
    except (BadConfig, BadConfiguration) as fault:
        return _fault(str(fault), BAD_CONFIG)


def _config(options: argparse.Namespace) -> int:
    try:
        if options.check is not None:
            load(options.check)
            print(f"{options.check} is in order.")
            return OK
        config = config_of(options)
    except BadOptions as fault:
        return _fault(str(fault), USAGE)
    except BadConfig as fault:
        return _fault(str(fault), BAD_CONFIG)
    if options.wiring is None:
        from companion.config.text import printed

        print(printed(config), end="")
        return OK
    from companion.config.wiring import wiring
    from web_ui.svg import svg

    drawing = wiring(config)
    if drawing is None:
        return _fault(
            "Nothing hangs on any pin: the configuration has no [pins], and no line of a [controller]."
        )
    try:
        options.wiring.write_text(svg(drawing, "What hangs on which pin") + "\n", "utf-8")
    except OSError as fault:
        return _fault(f"{options.wiring} cannot be written: {fault.strerror}.")
    return OK


def _doctor(options: argparse.Namespace) -> int:
    from companion.daemon import settings
    from companion.doctor import as_json, checks, configured, examined, told
    from companion.doctor.findings import Finding

    # What is found is told by the findings; the log would tell it once more, in between.
    logging.getLogger().addHandler(logging.NullHandler())
    faults: tuple[ConfigFault, ...] = ()
    source = str(file_of(options) or "")
    try:
        config = config_of(options)
    except BadOptions as fault:
        return _fault(str(fault), USAGE)
    except BadConfig as bad:
        # The rest is looked at all the same, as far as it hangs on nothing that the file says.
        faults, config = bad.faults, Config()
    found: list[Finding] = []
    for finding in itertools.chain(configured(source, faults), examined(checks(settings(config)))):
        found.append(finding)
        if not options.json:
            print(told(finding), flush=True)
    if options.json:
        print(as_json(found))
    return OK if all(finding.ok for finding in found) else FAULT


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
    for line in words.splitlines():
        print(f"{priority('err')}stationmaster: {line}", file=sys.stderr)
    return status
