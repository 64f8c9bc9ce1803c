"""What one responsible person may read and no team, and who asks for an account."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.triage.policy.decision.disposition.judged_mails import COLLEAGUE, HUMAN, judged, mail
from triage.config.dispositions.table import DEFAULTS
from triage.domain.findings import Disposition, DispositionAction
from triage.domain.mail import Kind, KindVerdict
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.decision.disposition.standing import SenderStanding

MAILS = Path(__file__).parents[5] / "corpus" / "dispatch" / "confidential.jsonl"
HARASSED = (
    "Please keep this between us. Mr. Falk from the night shift has put his arm around me twice this week and calls me "
    "sweetheart in front of the others, although I told him to stop. I do not want to work next to him any more. Whom can I talk to?"
)
SECOND_FACTOR = (
    "My authenticator is gone with the old phone. Please remove the second factor from my login so that I get in."
)
UNPROVEN = SenderStanding(unproven=True)


@pytest.mark.parametrize("standing", [SenderStanding(), COLLEAGUE, UNPROVEN])
def test_it_is_confidential_whoever_writes(standing: SenderStanding) -> None:
    """A colleague's mail is never set aside for its words; this one becomes no ticket either, and its reason quotes nothing."""
    found = judged(HARASSED, "A private matter", standing=standing)

    assert found.disposition is Disposition.CONFIDENTIAL
    assert not any("Falk" in one or "sweetheart" in one for one in found.evidence)


@pytest.mark.parametrize(
    "facts",
    [
        {"standing": SenderStanding(blocked="spammer.example")},
        {"whole": False},
        {"kind": KindVerdict(kind=Kind.AUTOMATED, evidence=(), may_ticket=True, may_answer=False)},
    ],
)
def test_where_nobody_confides(facts: dict[str, Any]) -> None:
    """A blocked sender, the stub of a mail and a program confide nothing."""
    assert disposition_of(replace(Facts(message=mail(HARASSED), kind=HUMAN), **facts)).disposition is not (
        Disposition.CONFIDENTIAL
    )


def test_a_word_alone_confides_nothing() -> None:
    """`Confidential` on a label is work; beside what only half reads like a matter for one person it decides."""
    label = judged("The label 'confidential' is missing on exported documents since the update.", "Labels")
    claim = judged(
        "We act for Mrs. Okonjo, who fell at your station on 2 October. Our client holds you liable for her losses. We require "
        "an acknowledgement within 21 days. You should keep all logs and recordings of that day.",
        "Letter before claim",
    )

    assert (label.disposition, claim.disposition) == (Disposition.WORK, Disposition.CONFIDENTIAL)


@pytest.mark.parametrize(("standing", "waits"), [(UNPROVEN, True), (SenderStanding(), False), (COLLEAGUE, False)])
def test_who_asks_for_an_account_is_proven(standing: SenderStanding, *, waits: bool) -> None:
    """Where senders are checked, a person decides about an unproven request that would hand somebody an account."""
    found = judged(SECOND_FACTOR, "Locked out", standing=standing)

    assert (found.disposition is Disposition.UNSURE) is waits
    assert (found.evidence == ("asks for an account, and nothing proves who asks",)) is waits


def test_mails_of_an_author_who_knew_nothing_of_this() -> None:
    """Of 40 mails for one person's eyes at least 33 become no ticket of themselves, of 55 for engineers at most 6 wait."""
    made = {DispositionAction.TICKET, DispositionAction.COMMENT}
    count: Counter[tuple[str, bool]] = Counter()
    for line in MAILS.read_text("utf-8").splitlines():
        row = json.loads(line)
        found = judged(row["text"], row["subject"], standing=SenderStanding(unproven=row["proof"] != "pass"))
        count[row["is"], DEFAULTS[found.disposition] in made] += 1

    assert count["sensitive", False] >= 33
    assert count["account", False] >= 11
    assert count["fraud", False] >= 15
    assert count["work", False] <= 6
