"""Each device has all nine faults, brought about or explained; and the docs say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.doctor.devices import _now
from tests.faults.cases import DEVICES
from tests.faults.vocabulary import FAULTS, Case, Senseless

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_has_each_fault_or_a_reason(device: str) -> None:
    cases = DEVICES[device]
    assert list(cases) == list(FAULTS)
    for case in cases.values():
        if isinstance(case, Senseless):
            assert case.why.endswith(".")
        else:
            assert case.means
            assert case.after
            assert bool(case.says) == bool(case.cure)


@pytest.mark.parametrize("device", DEVICES)
def test_without_another_try_by_itself_something_is_left_to_do(device: str) -> None:
    """The doctor tries nothing again, and says the rest of each cure."""
    for case in DEVICES[device].values():
        if isinstance(case, Case) and case.cure:
            assert _now(case.cure).endswith(".")


@pytest.mark.parametrize("device", DEVICES)
def test_what_is_tried_elsewhere_is_tried_there(device: str) -> None:
    for case in DEVICES[device].values():
        if isinstance(case, Case) and case.tried:
            file, _, test = case.tried.partition("::")
            assert f"def {test}(" in (ROOT / file).read_text("utf-8")
