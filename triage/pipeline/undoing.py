"""Carries out a person's wish to take back what a case has written."""

import json

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.pipeline.context import Services
from triage.pipeline.scope import effects_of
from triage.toolsets.tickets.withdrawing import Withdrawal


async def undone(approval: Approval, case: Case, at: Services) -> Json:
    """Take back the effects that the wish names; return what was done and what stays, in sentences."""
    wanted = set(json.loads(approval.exact)["effects"])
    effects = [effect for effect in await at.ledger.effects() if effect.key in wanted]
    took = Withdrawal(effects=effects_of(case, at), tracker=at.tracker, by=approval.by)
    back = await took.back(effects)
    return {
        "status": "undone",
        "done": [one.told for one in back if one.done],
        "left": [one.told for one in back if not one.done],
    }
