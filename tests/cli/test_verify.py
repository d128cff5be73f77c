"""`qwixx verify`: were the dice of a record fair?"""

from hashlib import sha256
from pathlib import Path

import pytest

from qwixx.record import BOT_MARK, Fair, write_record
from tests.cli.conftest import Run
from tests.fuzz import resealed
from tests.record.test_fair import played

SECRET = "0123456789abcdef" * 4


@pytest.fixture
def fair_record(tmp_path: Path) -> Path:
    """A game whose dice a server rolled; Ann's device added to them."""
    file = tmp_path / "fair.qwixx"
    file.write_text(write_record(played("classic", 2, Fair(SECRET, ("ann", "")))), "utf-8")
    return file


def test_verify_says_that_dice_were_fair(qwixx: Run, fair_record: Path) -> None:
    promised = sha256(bytes.fromhex(SECRET)).hexdigest()
    code, out, _ = qwixx("verify", str(fair_record), "--hash", promised)
    assert code == 0
    assert promised in out
    assert "Players who added to the dice: Seat 0." in out
    assert "These dice were fair" in out


@pytest.mark.parametrize("bots_word", ["", f"{BOT_MARK}1"])
def test_verify_says_when_no_player_added(qwixx: Run, tmp_path: Path, bots_word: str) -> None:
    file = tmp_path / "fair.qwixx"
    file.write_text(write_record(played("mini", 2, Fair(SECRET, ("", bots_word)))), "utf-8")
    assert "nobody, so the server alone made them" in qwixx("verify", str(file))[1]


def test_verify_finds_what_was_changed(qwixx: Run, fair_record: Path) -> None:
    text = fair_record.read_text("utf-8")
    code, _, err = qwixx("verify", str(fair_record), "--hash", "0" * 64)
    assert code == 1
    assert "the secret was changed" in err
    fair_record.write_text(resealed(text.replace("added 1: ann", "added 1: bob")), "utf-8")
    code, out, err = qwixx("verify", str(fair_record))
    assert code == 1
    assert "does not follow from the secret" in out
    assert "not fair, or the record was changed" in err


def test_verify_looks_for_ones_own_word(qwixx: Run, fair_record: Path) -> None:
    assert qwixx("verify", str(fair_record), "--word", "1:ann")[0] == 0
    for said in ("1:bob", "2:ann"):
        code, _, err = qwixx("verify", str(fair_record), "--word", "1:ann", "--word", said)
        assert code == 1
        assert "its word was left out or changed" in err
    for nonsense in ("ann", "3:ann", "0:ann", "1:", "x:ann"):
        code, _, err = qwixx("verify", str(fair_record), "--word", nonsense)
        assert code == 1
        assert "like 1:WORD" in err


def test_verify_needs_a_record_with_a_secret(qwixx: Run, record: Path) -> None:
    code, _, err = qwixx("verify", str(record))
    assert code == 1
    assert "does not say where its dice came from" in err
