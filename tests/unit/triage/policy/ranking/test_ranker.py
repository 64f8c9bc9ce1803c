"""The ranking model: what it reads, what it refuses, and how it orders tickets."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.training.model_files import ranking_file, write_model
from triage.domain.errors import SettingsInvalid
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.ranking.documents import document_of
from triage.policy.ranking.features import FEATURES
from triage.policy.ranking.ranker import (
    CALIBRATED,
    SHIPPED,
    Contender,
    RankingModel,
    calibrated_rows,
    circumstances,
    ranked,
    shipped_model,
)

NOW = datetime(2026, 3, 2, tzinfo=UTC)
MAIL = document_of("Export of invoices fails", "It stops with ORA-00942.")
MODEL = RankingModel(
    weights=np.array([float(name == "match") for name in FEATURES]),
    calibration=np.array([float(name == "score") for name in CALIBRATED]),
    bias=-2.0,
)
"""Orders by BM25 alone."""


def contender(key: str, title: str, text: str = "") -> Contender:
    """A ticket that was found."""
    ticket = Ticket(
        key=key, summary=Untrusted(title), description=Untrusted(text), status="x", category="new", issue_type="Bug"
    )
    return Contender.of(ticket)


NEAR, FAR = contender("OPS-1", "Invoices: export fails", "ORA-00942"), contender("OPS-2", "Login page is slow")


def test_the_shipped_model_is_the_trained_one() -> None:
    """The file is what the training wrote: whoever changes it trains again and writes its hash here."""
    assert (
        hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
        == "005a32c0193a28ea540741c0d8ea643684a69230f5446d4b2006935298ab6f0b"
    )


def test_the_shipped_model_ranks_by_likeness() -> None:
    """More likeness never makes a ticket less probable than one that shares nothing."""
    first, second = ranked(MAIL, NOW, [FAR, NEAR])

    assert (first.key, second.key) == ("OPS-1", "OPS-2")
    assert first.probability > second.probability
    assert shipped_model() is shipped_model()


def test_tickets_are_ordered_by_score() -> None:
    """The best first, with falling probabilities; nothing found, nothing ranked."""
    first, second = ranked(MAIL, NOW, [FAR, NEAR], MODEL)

    assert (first.key, second.key) == ("OPS-1", "OPS-2")
    assert second.probability == pytest.approx(1 / (1 + np.exp(2.0)))
    assert first.probability > second.probability
    assert ranked(MAIL, NOW, [], MODEL) == ()


def test_no_ticket_is_more_probable_than_the_one_before() -> None:
    """Where both stages disagree, the order counts."""
    model = replace(MODEL, calibration=-MODEL.calibration)

    first, second = ranked(MAIL, NOW, [NEAR, FAR], model)

    assert first.probability == second.probability


def test_a_lone_ticket_has_no_rival() -> None:
    """Its share is all, and its lead none."""
    row = calibrated_rows(np.zeros((1, len(FEATURES))), np.array([3.0]))[0]

    assert row[:3].tolist() == [3.0, 0.0, 0.0]


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    """What was written is read."""
    write_model(tmp_path / "m.npz", ranking_file(MODEL, trained=["here"]))
    read = RankingModel.read(tmp_path / "m.npz")

    assert read.weights.tolist() == MODEL.weights.tolist()
    assert (read.calibration.tolist(), read.bias) == (MODEL.calibration.tolist(), -2.0)


def test_a_model_for_other_features_is_refused(tmp_path: Path) -> None:
    """Weights of other features would rank nonsense."""
    file = ranking_file(MODEL)
    write_model(tmp_path / "old.npz", replace(file, about={**file.about, "features": ["match"]}))
    write_model(tmp_path / "half.npz", replace(file, arrays={"weights": MODEL.weights}))

    with pytest.raises(SettingsInvalid, match="was trained for other features; train it again"):
        RankingModel.read(tmp_path / "old.npz")
    with pytest.raises(SettingsInvalid, match="lacks 'calibration'; train it again"):
        RankingModel.read(tmp_path / "half.npz")


def test_times_of_a_ticket_are_days_before_the_mail() -> None:
    """Unknown and future times count as today; one known time stands for the other; no zone is UTC."""
    old = NEAR._replace(created=int((NOW - timedelta(days=9)).timestamp()), updated=0)
    now, never = circumstances([old, NEAR], NOW), circumstances([old, NEAR], None)
    earlier = circumstances([old], (NOW - timedelta(days=30)).replace(tzinfo=None))

    assert (now.days_old.tolist(), now.days_untouched.tolist()) == ([9, 0], [9, 0])
    assert never.days_old.tolist() == [0, 0]
    assert earlier.days_old.tolist() == [0]


def test_what_was_not_found_by_words_stands_behind_all_others() -> None:
    """A ticket of the live search alone has the place after the last."""
    assert circumstances([NEAR._replace(place=4), FAR], NOW).place.tolist() == [4, 2]


def test_a_whole_ticket_keeps_the_place_that_the_index_gave_it() -> None:
    """The index knows place and words, the whole ticket its state."""
    ticket = Ticket(key="OPS-1", summary=Untrusted("x"), status="Done", category="done", issue_type="Bug")
    both = Contender.of(ticket, NEAR._replace(place=4))

    assert (both.place, both.open, both.words) == (4, False, NEAR.words)
