"""The places with a name at which a process can be told to die: read from the sources, so that none is forgotten."""

import re
from typing import Final

from tests.conftest import ROOT
from triage.domain.findings import PipelineName
from triage.pipeline.tables import ARRIVAL, PIPELINES

INTAKE: Final = ("raw.", "row.", "intake.", "imap.")
"""What they begin with where mail is taken in."""
ELSEWHERE: Final = ("approval.", "forget.", "letter.", "memory.", "reply.", "smtp.")
"""What they begin with where no mail that comes in passes: tests of letters, approvals, the memory and forgetting kill there."""
_NAMED: Final = re.compile(r"""failpoint\(\s*["']([a-z0-9_.]+)["']""")


def points() -> tuple[str, ...]:
    """All that a mail can pass on its way to a ticket, by name."""
    sources = (path for room in ("cli", "triage", "integrations", "webhooks") for path in (ROOT / room).rglob("*.py"))
    named = {name for source in sources for name in _NAMED.findall(source.read_text(encoding="utf-8"))}
    steps = {f"step.{step.name}" for step in (*ARRIVAL, *PIPELINES[PipelineName.PIPELINE]) if not step.needs}
    return tuple(sorted(point for point in named | steps if not point.startswith(ELSEWHERE)))


def intake_points() -> tuple[str, ...]:
    """Those between the first byte and the acknowledgement."""
    return tuple(point for point in points() if point.startswith(INTAKE))
