"""A chat with the support hub: a colleague asks as a customer, and the agents that answer mails answer here."""

from dataclasses import dataclass
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import APIRouter, Form, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from triage.domain.errors import CaseNotFound, Refused
from triage.domain.operations.errors import MailGone
from triage.domain.operations.machine import Machine
from triage.domain.reports import Report
from triage.domain.support.dialogues import Dialogue
from triage.policy.support.chat_message import NOBODY, SupportChatMessage
from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.parameters import Number, Place
from web.console.pages.support.turns import WHO, turns_of
from web.console.render import after
from web.console.words import pieces
from web.context import SupportServices

CHAT: Final = "/support/chat"
ALIVE: Final = 60.0
"""Seconds without a sign of life after which a worker counts as gone."""
SLOW: Final = 20.0
"""Seconds after which a message that nobody has taken up looks like one without a worker."""


class ChatForm(BaseModel):
    """What the form of the chat holds."""

    text: str = Field("", max_length=10_000)
    account: str = Field("", max_length=100)
    customer: str = Field("", max_length=254, pattern=r"^([A-Za-z0-9._%+=-]+@[A-Za-z0-9.-]+)?$")
    chat: str = Field("", pattern="^[A-Za-z0-9-]{0,40}$")
    """Name of the session; empty: a new one."""
    after: int = Field(0, ge=0, le=2_000_000_000)
    """Case of the message before; 0: the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatView:
    """A session up to one of its messages."""

    message: SupportChatMessage
    report: Report
    known: Dialogue | None
    """None: its first message was not taken up yet."""
    slow: bool
    earlier: int
    """Number of the case before; 0: none is known."""

    @property
    def pending(self) -> bool:
        """The answer is still to come."""
        return self.report.case.outcome is None


pages = APIRouter(prefix=CHAT)


def _page(console: Console, asked: ChatForm, status: int = 200, **facts: Any) -> Response:
    known: dict[str, Any] = {
        "view": None,
        "turns": (),
        "error": "",
        "waits": (),
        "idle": idle(console.services.system.machine()),
    }
    accounts = console.support.chat.accounts
    facts = {**known, **facts, "asked": asked, "accounts": accounts, "who": WHO, "nobody": NOBODY}
    return console.page("support/chat.html", status, **facts)


@pages.get("")
async def empty(console: Console, _: Approver) -> Response:
    """Show the form of a new session."""
    return _page(console, ChatForm())


@pages.get("/{number}")
async def session(console: Console, _: Approver, number: Number, after: Place = 0) -> Response:
    """Show a session up to this message, and go on with it."""
    case = f"case-{number}"
    try:
        view = await view_of(console, case, after)
    except (CaseNotFound, MailGone):
        raise HTTPException(404, "There is no such message of a chat, or its words were removed.") from None
    turns = await turns_of(
        await console.support.conversations.messages(view.known.id) if view.known else (), console.services.reports
    )
    waits = () if any(turn.case == case for turn in turns) else pieces(view.message.text)
    customer = "" if view.message.customer == NOBODY else view.message.customer
    asked = ChatForm(account=view.message.account, customer=customer, chat=view.message.session, after=number)
    return _page(console, asked, view=view, turns=turns, waits=waits)


@pages.post("")
async def ask(console: Console, who: Approver, asked: Annotated[ChatForm, Form()]) -> Response:
    """Take a message: it goes the way of a mail."""
    text = asked.text.replace("\r\n", "\n").strip()
    if not text:
        return _page(console, asked, 409, error="Write a message.")
    session = asked.chat or uuid4().hex[:8]
    try:
        case = await console.support.chat.say(
            session, text, account=asked.account, customer=asked.customer, by=who.approver.identity
        )
    except Refused as e:
        return _page(console, asked, 409, error=e.sentence())
    return after(f"{CHAT}/{case.removeprefix('case-')}?after={asked.after}")


def idle(machine: Machine) -> bool:
    """Whether no worker is known to run."""
    return not machine.works if machine.heartbeat is None else machine.heartbeat > ALIVE


async def view_of(console: Console, case: str, earlier: int) -> ChatView:
    """Return the session up to a message. Raises `HTTPException` 404, `CaseNotFound`, `MailGone`, `StoreDown`."""
    support = console.support
    message = await support.chat.message_of(case)
    if message is None:
        raise HTTPException(404, "This case is no message of a chat.")
    report, known = await console.services.reports.report(case), await support.conversations.of_case(case)
    if known is None and earlier:
        known = await _before(support, message, f"case-{earlier}")
    slow = report.state == "ready" and (support.now() - report.case.received_at).total_seconds() > SLOW
    return ChatView(message=message, report=report, known=known, slow=slow, earlier=earlier)


async def _before(support: SupportServices, message: SupportChatMessage, case: str) -> Dialogue | None:
    """Return what the session was before its latest message was taken up."""
    before = await support.chat.message_of(case)
    same = before is not None and (before.session, before.customer) == (message.session, message.customer)
    return await support.conversations.of_case(case) if same else None
