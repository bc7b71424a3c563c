"""The command line: what cannot be begun is said in one line, with the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.command import BAD_CONFIG, USAGE, main


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (("--port", "65536"), "--port"),
        (("--port", "-1"), "--port"),
        (("--seed", "-1"), "--seed"),
        (("--camera", ""), "--camera"),
    ],
)
def test_numbers_that_cannot_be_are_refused_before_anything_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: tuple[str, str], word: str
) -> None:
    folder = tmp_path / "state"
    assert main(["run", "--state", str(folder), *given]) == USAGE
    assert word in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize("name", ["emulated.json", "cookie-secret"])
def test_a_state_folder_that_gives_nothing_is_said_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).mkdir()
    assert main(["run", "--state", str(tmp_path), "--port", "0", "--host", "127.0.0.1"]) == BAD_CONFIG
    told = capsys.readouterr().err
    assert name in told
    assert "--state" in told


def test_a_damaged_seed_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "emulated.json").write_text('{"seed": -1}')
    assert main(["run", "--state", str(tmp_path), "--port", "0", "--host", "127.0.0.1"]) == BAD_CONFIG
    assert "damaged" in capsys.readouterr().err


def test_the_reader_of_photographs_tells_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["see", "--help"])
    assert end.value.code == 0
    assert "markers" in capsys.readouterr().out


def test_options_of_the_reader_reach_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", "dice", "--count", "2", str(tmp_path / "none.jpg")]) == 1
    assert '"error"' in capsys.readouterr().out
