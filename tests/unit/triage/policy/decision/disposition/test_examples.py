"""What people said about mails like this one."""

from dataclasses import replace

import pytest

from triage.domain.approvals import Correction
from triage.domain.findings import Disposition
from triage.domain.mail import Trust
from triage.domain.traces import Sketch
from triage.policy.decision.disposition.examples import hint_of

WORDS = Sketch(frozenset(range(40)))
SAID = Correction(
    id=1,
    case="case-3",
    disposition=Disposition.SPAM,
    by="ada",
    sender="eve@x.example",
    trust="unverified",
    sketch=str(WORDS),
)
WANTED = replace(SAID, disposition=Disposition.WORK)


def test_the_same_sender_and_the_same_words() -> None:
    """Both are said, with who said it of which case."""
    hint = hint_of([SAID], "eve@x.example", Trust.UNVERIFIED, WORDS)

    assert hint
    assert (hint.aside, hint.same_sender, hint.alike) == (True, True, True)
    assert hint.text == "ada said spam of case-3: same sender and same words"


@pytest.mark.parametrize(
    ("said", "trust", "speaks"),
    [
        (SAID, Trust.UNVERIFIED, True),
        (SAID, Trust.FAILED, True),
        (SAID, Trust.VERIFIED, False),
        (WANTED, Trust.UNVERIFIED, True),
        (WANTED, Trust.VERIFIED, True),
        (WANTED, Trust.FAILED, False),
        (replace(WANTED, trust="verified"), Trust.UNVERIFIED, False),
    ],
)
def test_a_forged_mail_teaches_nothing(said: Correction, trust: Trust, speaks: bool) -> None:  # noqa: FBT001 - a column
    """What was said of an unproven mail sets no proven one aside, and what was said of a proven one lets no unproven one pass."""
    assert speaks is (hint_of([said], "eve@x.example", trust, None) is not None)


def test_other_mails_say_nothing() -> None:
    """Another sender with other words, or a person who was unsure, is no example."""
    others = [replace(SAID, sender="bob@y.example", sketch=""), replace(SAID, disposition=Disposition.UNSURE)]

    assert hint_of(others, "eve@x.example", Trust.UNVERIFIED, WORDS) is None


def test_the_same_words_of_another_sender() -> None:
    """They are said as that."""
    hint = hint_of([SAID], "bob@y.example", Trust.VERIFIED, WORDS)

    assert hint
    assert (hint.same_sender, hint.alike) == (False, True)
