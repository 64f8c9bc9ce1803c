"""Actions on several cases of the inbox: a preview first, then the results."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from triage.domain.findings import Candidate
from triage.policy.operations.sign_in import safe_path
from triage.services.case_lists.bulk import MOST, BulkOrder, BulkPlan, Wish
from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.inbox import zone_of
from web.console.render import after

Number = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,8}$")]
Cases = Annotated[list[Number], Query(max_length=MOST)]
Back = Annotated[str, Query(max_length=2000)]
Seen = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,8}:[0-9a-f]{64}$")]
SUGGESTED = 5
"""Tickets that the page proposes as the one to which mails belong."""
UNLIKELY = 0.01
"""Probability below which a ticket is not proposed."""
DISPOSITIONS = (
    ("work", "A ticket: a bug, a wish, a task"),
    ("question", "A question"),
    ("status", "A report that something is done"),
    ("several", "Several matters: a person looks"),
    ("ignore", "Not for us"),
    ("newsletter", "A newsletter"),
    ("spam", "Spam"),
)
"""What a person may say that a mail is, the frequent first."""


class BulkForm(BaseModel):
    """The form of the plan."""

    wish: Wish
    case: list[Number] = Field(max_length=MOST)
    shown: list[Seen] = Field([], max_length=5 * MOST)
    """Approvals that the person has seen, with the hash of what they propose."""
    value: str = Field("", max_length=100)
    """Disposition, ticket, or until when."""
    back: str = Field("/", max_length=2000)


pages = APIRouter(prefix="/inbox")


@pages.get("/plan")
async def plan(console: Console, visitor: Approver, wish: Wish, case: Cases, back: Back = "/") -> Response:
    """Say what would happen to each case; nothing happens yet."""
    plans = await console.services.bulk.preview(wish, case, visitor.approver)
    return console.page(
        "inbox/plan.html",
        wish=wish,
        plans=plans,
        able=[one for one in plans if not one.cannot],
        suggested=suggestions(plans),
        dispositions=DISPOSITIONS,
        back=safe_path(back),
        zone=zone_of(console.http),
    )


@pages.post("/do")
async def do(console: Console, visitor: Approver, asked: Annotated[BulkForm, Form()]) -> Response:
    """Do it, case by case, and say what has happened."""
    order = BulkOrder(wish=asked.wish, who=visitor.approver, zone=zone_of(console.http), value=asked.value.strip())
    done, back = await console.services.bulk.carry_out(order, asked.case, asked.shown), safe_path(asked.back)
    if len(done) == 1 and not done[0].failed:
        return after(back, f"{done[0].case}: {done[0].result}.")
    failed = sum(bool(one.failed) for one in done)
    return console.page("inbox/done.html", done=done, failed=failed, back=back)


def suggestions(plans: tuple[BulkPlan, ...]) -> list[Candidate]:
    """Return the tickets to which these mails belong most probably."""
    best: dict[str, Candidate] = {}
    found = (one for plan in plans for one in plan.candidates if one.probability >= UNLIKELY)
    for one in sorted(found, key=lambda one: -one.probability):
        best.setdefault(one.ticket.key, one)
    return list(best.values())[:SUGGESTED]
