"""The tool that ends a run."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from triage.config.dispositions.table import DispositionTable
from triage.domain.cases import Case
from triage.domain.conversation import Grant
from triage.domain.errors import ToolRefused
from triage.domain.findings import Classification, Disposition, DispositionFinding
from triage.toolsets.endings.tools import finish

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))


@dataclass
class At:
    """What the tool reads."""

    case: Case = CASE
    dispositions: DispositionTable = field(default_factory=DispositionTable)


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


async def test_what_code_does_not_see() -> None:
    """The refusal says what to do instead."""
    with pytest.raises(ToolRefused, match="finish with unsure"):
        await finish.function(At(), disposition="spam", reason="the mail says so")
