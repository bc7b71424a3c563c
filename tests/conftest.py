from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

# Each test keeps to one core, so that those that run beside it have theirs: the threads in which numpy
# multiplies matrices spin while they wait for one another. This must be said before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# How fast a machine is, is no property of what it runs; the CI draws the same examples each time.
settings.register_profile(
    "stationmaster", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True
)
settings.load_profile("stationmaster")

# What games make is let go of by counting references; to look for rings in it each time that 700 more
# things were made takes an eighth of the time that random games take.
gc.set_threshold(20_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the long tests as well")
    parser.addoption("--rig", action="store_true", help="run the tests in the virtual machine instead")
    parser.addoption("--cuts", type=int, default=3, help="how often the power of the virtual machine is cut")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs a browser; put on by itself to whatever uses one")


@pytest.hookimpl(tryfirst=True)  # before `-m` is looked at
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    deep, rig = config.getoption("--deep"), config.getoption("--rig")

    def wanted(item: pytest.Item) -> bool:
        in_rig = item.get_closest_marker("rig") is not None
        return in_rig == rig and (deep or item.get_closest_marker("deep") is None)

    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = [item for item in items if wanted(item)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what tests have to tell besides passing: the values of their property "told"."""
    reports = terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", [])
    told = [
        str(value)
        for report in reports
        if report.when == "call"
        for name, value in report.user_properties
        if name == "told"
    ]
    if told:
        terminalreporter.section("told")
    for words in sorted(told):
        terminalreporter.write_line(words)
