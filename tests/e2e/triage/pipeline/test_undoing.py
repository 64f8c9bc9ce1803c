"""What a case has written is taken back where nobody has built on it: each effect once, and what stays is said."""

import signal
from pathlib import Path

import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.opened import ADA, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import Approver, ApproverProof
from triage.domain.errors import NotAnApprover
from triage.domain.operations.errors import NothingToUndo

KNOWN = "02-white-map-on-tablets.eml"


async def test_who_may_not(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A stranger takes nothing back, and where nothing was written there is nothing to take back."""
    eve = Approver(name="ada", proof=ApproverProof.JIRA, account="acc-eve")
    async with house(cloud_jira, tmp_path, SHADOW="true") as opened:
        report = await take(opened)
        with pytest.raises(NotAnApprover):
            await opened.approvals.undo(report.case.id, eve)
        with pytest.raises(NothingToUndo):
            await opened.approvals.undo(report.case.id, ADA)


@pytest.mark.parametrize(
    "point", ["approval.recorded", "effect.intent", "effect.on_wire", "effect.committed", "approval.executed"]
)
def test_killed_anywhere_it_is_taken_back_once(installation: Installation, point: str) -> None:
    """Whoever goes on finishes it, and the comment is changed once."""
    installation.triage("process", str(MAILS / KNOWN))
    died = installation.triage("undo", "1", TRIAGE_CRASH_AT=point)
    installation.triage("work", "--until-idle")
    report = installation.json("show", "1")

    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert "took back" in report["case"]["reason"]
    assert len(installation.jira.requests("PUT", "/comment/")) == 1
