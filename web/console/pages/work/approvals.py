"""Approvals: what waits for a person, one at a time, and his decision, bound to what he saw."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Final, TypeVar

from fastapi import APIRouter, Form, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.approvals import Approver as Person
from triage.domain.errors import ApprovalClosed, NotAnApprover, OwnMail, Refused, Transient
from triage.domain.reports import EVERY_CASE
from triage.policy.approvals.edit_form import changes_in
from triage.services.approvals import ApprovalService
from web.console.console import Console
from web.console.guard import Approver, Reader, Viewer, Visitor
from web.console.headers import PRIVATE
from web.console.pages.parameters import Number, deciding
from web.console.pages.work.approval_view import decided_by, line_of, view_of
from web.console.render import after

Shown = Annotated[str, Form(pattern="^[0-9a-f]{64}$")]
Instruction = Annotated[str, Form(max_length=4000, pattern=r"\S")]
LIST: Final = "/approvals"
SUBJECTS: Final = 200
"""Latest waiting cases whose subjects the list shows."""
ARGUMENT: Final = "argument-"
"""Begin of the names of the form's fields."""
NOT_ALLOWED: Final = (NotAnApprover, OwnMail)
Found = TypeVar("Found")
Decide = Callable[[ApprovalService, Person], Awaitable[Approval]]

pages = APIRouter(prefix=LIST)


@pages.get("")
async def waiting(console: Console, visitor: Viewer) -> Response:
    """List what waits, longest waiting first; a viewer sees that it waits, and no words."""
    found = await console.services.reports.approvals()
    lines = tuple(map(line_of, found))
    cases = await console.services.reports.search(SUBJECTS, "waiting", None, EVERY_CASE) if lines else ()
    subjects = {one.id: one.subject for one in cases}
    words = visitor.may("reader")
    facts = {
        "subjects": subjects,
        "summaries": await console.services.approvals.summaries(*found) if console.services.approvals else {},
    }
    return console.page("approvals/list.html", lines=lines, words=words, **facts)


@pages.get("/count")
async def count(console: Console, _: Viewer) -> Response:
    """Return how many wait, for the menu."""
    return PlainTextResponse(str(len(await console.services.reports.approvals()) or ""), headers=dict(PRIVATE))


@pages.get("/{number}")
async def one(console: Console, visitor: Reader, number: Number) -> Response:
    """Show one in any state, with the mail beside it."""
    return await _page(console, visitor, number)


@pages.get("/{number}/state")
async def state(console: Console, _: Reader, number: Number) -> Response:
    """Return who decided what by now; the header says whether it still waits."""
    found = await _known(console.services.reports.approval(number))
    headers = {**PRIVATE, "x-approval": found.state.value}
    return PlainTextResponse(decided_by(found, deciding(console.services).rules().eyes(found.effect)), headers=headers)


@pages.post("/{number}/accept")
async def accept(console: Console, visitor: Approver, number: Number, shown: Shown) -> Response:
    """Do exactly what was shown."""
    return await _decided(console, visitor, number, lambda to, who: to.accept(number, who, shown=shown))


@pages.post("/{number}/ignore")
async def ignore(console: Console, visitor: Approver, number: Number, shown: Shown) -> Response:
    return await _decided(console, visitor, number, lambda to, who: to.ignore(number, who, shown=shown))


@pages.post("/{number}/respond")
async def respond(
    console: Console, visitor: Approver, number: Number, shown: Shown, instruction: Instruction
) -> Response:
    """Let the agent go on with an instruction instead."""
    return await _decided(console, visitor, number, lambda to, who: to.respond(number, instruction, who, shown=shown))


@pages.post("/{number}/edit")
async def edit(console: Console, visitor: Approver, number: Number, shown: Shown) -> Response:
    """Do it with what the person has changed; without a change it is an acceptance."""
    form = {name.removeprefix(ARGUMENT): text for name, text in (await _sent(console.http)).items()}
    return await _decided(console, visitor, number, lambda to, who: _edited(to, number, form, who, shown))


async def _page(console: Console, visitor: Visitor, number: int, status: int = 200, error: str = "") -> Response:
    """Return the page of one approval, with what the person had written if something went wrong."""
    service, who = deciding(console.services), visitor.approver
    sent = await _sent(console.http) if error else {}
    written = {name.removeprefix(ARGUMENT): text for name, text in sent.items() if name.startswith(ARGUMENT)}
    proposal = await _known(service.proposal(number, who))
    view = view_of(proposal, who.identity, written, sent.get("instruction", ""))
    facts = {"beside": await _beside(console, number), "summaries": await service.summaries(proposal.approval)}
    return console.page("approvals/one.html", status, view=view, error=error, **facts)


async def _decided(console: Console, visitor: Visitor, number: int, how: Decide) -> Response:
    """Decide, and lead to the next one; where that fails, show what it is now and keep what was written."""
    try:
        approval = await how(deciding(console.services), visitor.approver)
    except Refused as e:
        return await _page(console, visitor, number, 403 if isinstance(e, NOT_ALLOWED) else 409, _words(e))
    except Transient as e:
        sent = await _sent(console.http)
        return console.page("approvals/kept.html", 503, sent=sent, error=e.sentence(), number=number)
    _, later = await _beside(console, number)
    return after(f"{LIST}/{later}" if later else LIST, _done_text(approval))


async def _beside(console: Console, number: int) -> tuple[int, int]:
    """Return the open approvals before and after this one; 0: there is none. After the last comes the first."""
    waiting = [one.id for one in await console.services.reports.approvals() if one.id != number]
    later = next((one for one in waiting if one > number), next(iter(waiting), 0))
    earlier = next((one for one in reversed(waiting) if one < number), next(reversed(waiting), 0))
    return earlier, later


async def _edited(service: ApprovalService, number: int, form: Mapping[str, str], who: Person, shown: str) -> Approval:
    changes = changes_in((await service.proposal(number, who)).fields, form)
    if not changes:
        return await service.accept(number, who, shown=shown)
    return await service.edit(number, changes, who, shown=shown)


async def _known(asked: Awaitable[Found]) -> Found:
    """Raises `HTTPException` 404 if there is none."""
    try:
        return await asked
    except ApprovalClosed:
        raise HTTPException(404, "There is no approval with this number.") from None


async def _sent(http: Request) -> dict[str, str]:
    return {name: str(value) for name, value in (await http.form()).items()}


def _words(e: Refused) -> str:
    """Return what a person reads of a refusal; who decided stands on the page itself."""
    return "Somebody has decided already." if isinstance(e, ApprovalClosed) else e.sentence()


def _done_text(approval: Approval) -> str:
    match approval.state:
        case ApprovalState.OPEN:
            return f"No. {approval.id}: your yes is recorded. One more person has to accept it."
        case ApprovalState.ACCEPTED:
            return f"No. {approval.id} is accepted and is being carried out."
        case ApprovalState.ANSWERED:
            return f"No. {approval.id}: the agent goes on with what you wrote."
    return f"No. {approval.id} is ignored: nothing is written."
