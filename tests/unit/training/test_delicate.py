"""The training data of delicate mails, and that the shipped model is made of it."""

import hashlib
from collections import Counter

from tests.training.delicate import examples
from triage.config.model_files import FOLDER
from triage.policy.decision.disposition.delicate import ACCOUNT, CONFIDENTIAL, FRAUD, ORDINARY

SHA256 = "859828f44b5a99b2e7ca24541cf6f597c13ff4541b832e56ccbe2e3c42b2d0a1"
"""Of the shipped model: `python -m tests.training.delicate` makes it again after each change of the examples."""


def test_what_it_is_trained_with() -> None:
    """Hundreds of delicate mails, and ten times as many that are none."""
    found = Counter(example.label for example in examples())

    assert set(found) == {CONFIDENTIAL, ACCOUNT, FRAUD, ORDINARY}
    assert found[CONFIDENTIAL] >= 350
    assert found[FRAUD] >= 200
    assert found[ACCOUNT] >= 150
    assert found[ORDINARY] >= 10 * found[CONFIDENTIAL]


def test_the_shipped_model() -> None:
    """It is the one that was measured."""
    assert hashlib.sha256((FOLDER / "delicate.npz").read_bytes()).hexdigest() == SHA256
