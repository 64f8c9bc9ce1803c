"""The examples installed as packages, and a model that speaks from a script."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from cli.mail.process import worked
from cli.wiring.app import App
from tests.conftest import ROOT
from tests.e2e.opened import ADA
from tests.servers.mail.smtp import MailServer
from triage.domain.conversation import Messages, ToolCall, ToolSpec, Turn, Usage
from triage.domain.reports import Report

EXAMPLES = ROOT / "examples"


EDGES = {"pharmacy": "mx.pharmacy.example", "cultpass": "mx.cultpass.example"}
"""The mail servers whose word the examples' mails carry."""


OPERA = {"user_id": "u-001", "reservation_id": "r-500", "reason": "in hospital", "approved": True}


def call(name: str, place: int, **arguments: object) -> Turn:
    """A turn that calls a tool."""
    made = ToolCall(id=f"call_{place}", name=name, arguments=json.dumps(arguments))
    return Turn(text="", calls=(made,), usage=Usage(input_tokens=1, output_tokens=1))


class Told:
    """A model that says its turns one after the other, then that it is done, and keeps what it was told."""

    name = "told"

    def __init__(self, *turns: Turn) -> None:
        self.turns = list(turns)
        self.prompt = ""
        self.heard = ""

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next turn."""
        del tools, max_tokens
        self.prompt = self.prompt or messages[1].text
        self.heard = "\n".join(message.text for message in messages[2:])
        return self.turns.pop(0) if self.turns else Turn(text="Done.")


def example(name: str) -> bytes:
    """The example's mail, its sender proven by its mail server."""
    return (EXAMPLES / name / "mail.eml").read_bytes()


def asked(folder: Path, name: str, query: str) -> list[tuple[object, ...]]:
    """What the example's data say."""
    [file] = (folder / "tools" / f"triage-{name}").glob("*.db")
    with sqlite3.connect(file) as connection:
        return connection.execute(query).fetchall()


def posting(server: MailServer) -> dict[str, str]:
    """Settings of the mail server that takes our letters, at once."""
    return {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(server.port),
        "SMTP_TLS": "none",
        "MAIL_FROM": "Support <support@harbourline.example>",
        "LETTER_DELAY_SECONDS": "0",
    }


async def posted(opened: App) -> None:
    """Send what is due."""
    assert opened.letter_sender
    await opened.letter_sender.drain()


async def accepted(opened: App, report: Report, tool: str) -> Report:
    """The case after a person has accepted this tool's call."""
    [approval] = [one for one in await opened.store.archive.approvals() if one.tool == tool]
    await opened.approvals.accept(approval.id, ADA)
    await worked(opened, report.case.id)
    return await opened.store.archive.report(report.case.id)
