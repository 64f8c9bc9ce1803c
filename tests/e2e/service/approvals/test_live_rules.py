"""Who may decide stands in triage.yaml as it is now: a running service needs no restart."""

import asyncio
from pathlib import Path

import pytest

from cli.wiring.agents.live_config import LOOK_SECONDS
from tests.e2e.opened import take
from tests.e2e.triage.services.decisions import CLOSE, FIXED, SEARCH, proposing
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState, Approver, ApproverProof
from triage.domain.errors import NotAnApprover

RULES = """
approvals:
  approvers: {people: [%s]}
  four_eyes: [change]
"""
ADA, BO, CY = (
    Approver(name=name, proof=ApproverProof.MAIL, address=f"{name}@harbour.example") for name in ("ada", "bo", "cy")
)


async def test_approvers_of_now(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """One who is added decides, one who is removed no longer does; a broken file changes nothing."""
    file = tmp_path / "rules.yaml"

    async def written(text: str) -> None:
        """The file changes, and the service looks at it only after its pause."""
        file.write_text(text)
        await asyncio.sleep(LOOK_SECONDS + 0.1)

    file.write_text(RULES % ADA.address)
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE, TRIAGE_CONFIG=str(file)) as opened:
        (parked,) = (await take(opened, raw=FIXED)).approvals
        with pytest.raises(NotAnApprover):
            await opened.approvals.accept(parked.id, BO)
        await written(RULES % f"{BO.address}, {CY.address}")
        first = await opened.approvals.accept(parked.id, BO)
        with pytest.raises(NotAnApprover):
            await opened.approvals.accept(parked.id, ADA)
        await written("approvals: [broken")
        with pytest.raises(NotAnApprover):
            await opened.approvals.accept(parked.id, ADA)
        second = await opened.approvals.accept(parked.id, CY)

    assert parked.effect == "change"
    assert (first.state, second.state) == (ApprovalState.OPEN, ApprovalState.ACCEPTED)
