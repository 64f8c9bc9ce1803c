"""The labelled corpus of the team's memory, and what the rules observe in it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from tests.conftest import ROOT
from triage.domain.memory.notes import MemoryMail, Observation
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.memory.observations import observe

CORPUS: Final = ROOT / "tests" / "corpus" / "memory"


MAIL: Final = MemoryMail(
    case="case-1",
    message_id="1@acme.example",
    sender="ann@acme.example",
    to=("tom@acme.example",),
    subject=NOTHING,
    text=NOTHING,
    at=datetime(2026, 11, 3, 9, tzinfo=UTC),
)


def told(text: str) -> tuple[Observation, ...]:
    """What a mail from Ann to Tom says."""
    return observe(replace(MAIL, text=Untrusted(text)))
