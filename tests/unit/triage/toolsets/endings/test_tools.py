"""The tool that ends a run."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from tests.unit.triage.toolsets.runs import SENDERS, judged
from triage.domain.cases import Case
from triage.domain.conversation import Grant
from triage.domain.errors import ToolRefused
from triage.domain.findings import Classification, Disposition, DispositionFinding
from triage.policy.decision.permission import WRITTEN, Decision, RunHistory, Terms
from triage.policy.decision.rights import Standing
from triage.toolsets.context import Rules
from triage.toolsets.endings.tools import finish

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))


@dataclass
class At:
    """What the tool reads."""

    case: Case = CASE
    rules: Rules = field(default_factory=Rules)


def test_it_writes_nothing_and_names_every_disposition() -> None:
    """A model may be given it without any right to write; its schema has the names as code spells them."""
    assert (finish.grant, finish.ends) == (Grant.READ, True)
    assert finish.spec.parameters["properties"]["disposition"]["enum"] == [*Disposition]


async def test_what_it_answers() -> None:
    """What becomes of the mail, by the table."""
    found = DispositionFinding(disposition=Disposition.WORK, confidence=0.6, unwanted=0.4)
    case = replace(CASE, classification=Classification(disposition=found))
    told = await finish.function(At(case), disposition="spam", reason="a scam")

    assert told == {"status": "finished", "disposition": "spam", "action": "ignore", "reason": "a scam"}


@pytest.mark.parametrize("disposition", ["work", "addition", "several"])
def test_work_is_not_finished_before_a_write(disposition: str) -> None:
    """Where nothing is written or parked yet, the refusal says what to do; afterwards, and for what needs no write, there is none."""
    terms, arguments = Terms(sender=SENDERS[Standing.PARTICIPANT]), {"disposition": disposition, "reason": "x"}
    refused = judged("finish", Grant.READ, arguments, RunHistory(), terms)
    written = judged("finish", Grant.READ, arguments, RunHistory().did(WRITTEN), terms)
    status = judged("finish", Grant.READ, {"disposition": "status", "reason": "x"}, RunHistory(), terms)

    assert (refused.word, "finish with unsure" in refused.reason) == (Decision.REFUSE, True)
    assert (written.word, status.word) == (Decision.ALLOW, Decision.ALLOW)


async def test_what_code_does_not_see() -> None:
    """The refusal says what to do instead."""
    with pytest.raises(ToolRefused, match="finish with unsure"):
        await finish.function(At(), disposition="spam", reason="the mail says so")
