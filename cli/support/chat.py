"""`triage chat`: talks with the support hub in a terminal; the agents that answer mails answer here."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from cli.console import screen
from cli.verb import load
from triage.domain.cases import Outcome

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.config.settings import Settings
    from triage.domain.reports import Report

ASKER = "chat@localhost.invalid"

SessionId = Annotated[str, typer.Option(help="Go on with this session, or name a new one.")]
Account = Annotated[str, typer.Option(help="The account whose articles answer; empty: the first support rule's.")]
Customer = Annotated[str, typer.Option("--as", help="Address of the customer, for tools that look data up.")]
ShowLogs = Annotated[bool, typer.Option("--show-logs", help="Show each step and decision.")]
NoStats = Annotated[bool, typer.Option("--no-stats", help="No line of figures behind an answer.")]


def chat(
    session_id: SessionId = "",
    account: Account = "",
    customer: Customer = ASKER,
    show_logs: ShowLogs = False,
    no_stats: NoStats = False,
) -> None:
    """Ask the support hub as a customer would, one question a line.

    An empty line or the end of the input ends it.

    Whoever may run this command may speak for a customer. Exit codes: 0 done; 2 the hub is off, or no rule is its.
    """
    settings = load()
    if not settings.enable_support:
        raise typer.BadParameter("the support hub is off: set ENABLE_SUPPORT=true, and a rule with `route: support`")
    asyncio.run(_chat(settings, session_id or uuid4().hex[:8], account, customer, logs=show_logs, stats=not no_stats))


async def _chat(settings: "Settings", session: str, account: str, customer: str, *, logs: bool, stats: bool) -> None:
    from cli.wiring.app import open_app
    from triage.policy.support.chat_message import chat_rule

    async with open_app(settings) as app:
        if chat_rule(app.live.config.rules, account) is None:
            named = f" of the account {account}" if account else ""
            raise typer.BadParameter(f"triage.yaml has no rule with `route: support`{named}")
        screen().print(f"Session {session}; go on later with --session-id {session}")
        if app.knowledge_sync:
            await app.knowledge_sync.read()
        while line := (await asyncio.to_thread(_asked)).strip():
            report = await send_message(app, session, line, account, customer)
            if logs:
                for step in report.steps:
                    screen().print(f"  {step.name}: {step.note}", markup=False)
            screen().print(await answer_to(app, report), markup=False)
            if stats:
                screen().print(f"  {stats_of(report)}", markup=False)


def _asked() -> str:
    if sys.stdin.isatty():
        typer.echo("> ", nl=False)
    return sys.stdin.readline()


async def send_message(app: "App", session: str, text: str, account: str, customer: str) -> "Report":
    """Take one message of a session and work it to its end."""
    from cli.mail.process import worked
    from cli.wiring.support.services import chat_of

    case = await chat_of(app.context, app.live).say(session, text, account=account, customer=customer)
    await worked(app, case)
    return await app.reports.report(case)


async def answer_to(app: "App", report: "Report") -> str:
    """Return what the hub has said to a message, and whether a person takes over what is left."""
    answer = await app.conversations.answer(report.case.id)
    if report.case.outcome is Outcome.ANSWERED:
        return answer or "You are welcome."
    ticket = f" ({report.case.ticket})" if report.case.ticket else ""
    return "\n\n".join(filter(None, (answer, f"A person takes over{ticket}.")))


def stats_of(report: "Report") -> str:
    """Return class, confidence and articles in one line."""
    support = report.case.support
    found, resolution = (support.classification, support.resolution) if support else (None, None)
    parts = (
        f"{found.issue_type}, {found.urgency}" if found else "",
        f"confidence {resolution.confidence:.2f}" if resolution else "",
        f"articles {', '.join(resolution.articles_used)}" if resolution and resolution.articles_used else "",
        report.case.id,
        "" if report.case.outcome is Outcome.ANSWERED else report.case.reason,
    )
    return "; ".join(filter(None, parts))
