"""Carries out a person's wish to take back what a case has written."""

import json
from collections.abc import Collection, Iterable, Mapping

from triage.domain.approvals import AMEND, MERGE, PART, Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.effects import Effect
from triage.pipeline.context import Services
from triage.pipeline.orders.amending import taken_back
from triage.pipeline.scope import effects_of
from triage.pipeline.stale_proposals import place_of
from triage.toolsets.tickets.effects import CREATE
from triage.toolsets.tickets.undo import Undone, Withdrawal


async def _void_merges(wanted: Collection[str], named: int | None, at: Services) -> None:
    """Let no accepted merge be carried out any more that has made these effects, or that the wish names."""
    for one in await at.approvals.approvals():
        theirs = any(key.endswith(f":{place_of(one)}") for key in wanted)
        if one.tool == MERGE and one.state is ApprovalState.ACCEPTED and (theirs or one.id == named):
            await at.approvals.void(one.id)


async def undone(approval: Approval, case: Case, at: Services) -> Json:
    """Take back the effects that the wish names; return what was done and what stays, in sentences."""
    wish = json.loads(approval.exact)
    wanted = set(wish["effects"])
    await _void_merges(wanted, wish.get("merge"), at)
    effects = [effect for effect in await at.ledger.effects() if effect.key in wanted]
    corrected = {f":{place_of(one)}": one for one in await at.approvals.approvals() if one.tool == AMEND}
    orders = [(effect, _order(effect, corrected)) for effect in effects]
    set_back = [await taken_back(order, case, at) for _, order in reversed(orders) if order]
    others = [effect for effect, order in orders if order is None]
    back = await Withdrawal(effects=effects_of(case, at), tracker=at.tracker, by=approval.by).back(others)
    await _in_the_first_again(zip(reversed(others), back, strict=True), at)
    return {
        "status": "undone",
        "done": [*(line for one in set_back for line in one["done"]), *(one.text for one in back if one.done)],
        "left": [*(line for one in set_back for line in one["left"]), *(one.text for one in back if not one.done)],
    }


async def _in_the_first_again(tried: Iterable[tuple[Effect, Undone]], at: Services) -> None:
    """Void the orders for parts whose tickets are taken back, so that only the first ticket has them again."""
    gone = [effect.key for effect, one in tried if one.done and effect.kind == CREATE.name]
    for one in await at.approvals.approvals():
        if one.tool == PART and any(key.endswith(f":{place_of(one)}") for key in gone):
            await at.approvals.void(one.id)


def _order(effect: Effect, corrected: Mapping[str, Approval]) -> Approval | None:
    """Return the correction by which a person had this effect made, if one is behind it."""
    return next((one for place, one in corrected.items() if effect.key.endswith(place)), None)
