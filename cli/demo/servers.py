"""The servers around a demo: a sandbox Jira, a model if wanted, and everybody's mailboxes."""

import json
import tempfile
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING, Final, Literal

from cli.demo.delivery import DemoWebhook

if TYPE_CHECKING:
    import socket

    from triage.config.settings import Settings

HELP: Final = Path(__file__).parents[2] / "examples" / "help"
SUPPORT: Final = "support@harbourline.example"
OUR_MAIL_SERVER: Final = "mx.harbourline.example"


@dataclass(frozen=True, slots=True)
class World:
    """Where the servers of a demo answer."""

    settings: "Settings"
    board: str
    env: Path
    """A file of the settings."""
    live: "LiveServers | None" = None
    """None for a demo that ends with its table."""


@dataclass(frozen=True, slots=True)
class LiveServers:
    """What a demo has that goes on."""

    listening: "socket.socket"
    """Bound for the service."""
    console: str
    mailboxes: str
    """The page of everybody's mailboxes."""
    settings: Mapping[str, str]
    """With them mail goes both ways."""


@contextmanager
def servers(
    switches: Mapping[str, str], *, model: str, deployment: Literal["cloud", "server"], port: int, live: bool
) -> Iterator[World]:
    """Yield servers on loopback that answer meanwhile: Jira, a model if one decides, and mail in a demo that goes on."""
    from cli.demo.prompt_reader import PromptReader
    from cli.demo.sandbox import bound
    from triage.config.settings import Isolated, load
    from triage_sandbox.jira.app import TOKEN, jira_app
    from triage_sandbox.openai_app import openai_app
    from triage_sandbox.server import Served

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="triage-demo-")))
        database = f"sqlite:///{folder / 'demo.db'}"
        jira = jira_app(deployment=deployment)
        jira.site.report = _reports(database)
        board = stack.enter_context(bound(lambda: Served(jira, port=port), port)).url
        given = {
            "JIRA_BASE_URL": board,
            "JIRA_PROJECT_KEY": "HARB",
            "JIRA_EMAIL": "bot@harbourline.example",
            "JIRA_API_TOKEN": TOKEN,
            "DATABASE_URL": database,
            "TRIAGE_CONFIG": str(_configuration(folder)),
            "ENABLE_MEMORY": "true",
            "MEMORY_DIR": str(_folder(folder / "memory")),
            "LOG_LEVEL": "ERROR",
            "HOST": "127.0.0.1",
            "PORT": "0",
            **switches,
        }
        going_on = _live(stack, board) if live else None
        given |= going_on.settings if going_on else {}
        if model == "openai":
            wire = stack.enter_context(Served(openai_app(PromptReader()))).url
            given |= {"OPENAI_BASE_URL": f"{wire}/v1", "OPENAI_API_KEY": "sandbox", "OPENAI_MODEL": "sandbox-playbook"}
        env = folder / "env"
        env.write_text("".join(f"{name}='{value}'\n" for name, value in given.items()), encoding="utf-8")
        yield World(load(Isolated, **given), board, env, going_on)


def _live(stack: ExitStack, board: str) -> LiveServers:
    """Start everybody's mailboxes, from where one can write to the team; the service takes it as soon as it runs."""
    from cli.service.listening import listening_at
    from triage_sandbox.mail.mailboxes import Mailboxes
    from triage_sandbox.mail.pages import mail_app
    from triage_sandbox.mail.smtp import ServedMail
    from triage_sandbox.mail.writing import Desk
    from triage_sandbox.server import Served

    listening = stack.enter_context(listening_at("127.0.0.1", 0))
    console, secret, mailboxes = (
        f"http://127.0.0.1:{listening.getsockname()[1]}",
        f"whsec_{b64encode(token_bytes(32)).decode()}",
        Mailboxes(),
    )
    post = stack.enter_context(ServedMail(mailboxes))
    desk = Desk(SUPPORT, OUR_MAIL_SERVER, DemoWebhook(console, secret).deliver)
    page = stack.enter_context(Served(mail_app(mailboxes, desk, {"The board": board, "The console": console})))
    settings = {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(post.port),
        "SMTP_TLS": "none",
        "MAIL_FROM": f"Harbourline support <{SUPPORT}>",
        "LETTER_DELAY_SECONDS": "0",
        "AUTHSERV_ID": OUR_MAIL_SERVER,
        "WEBHOOK_SECRET": secret,
    }
    return LiveServers(listening, console, page.url, settings)


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _configuration(folder: Path) -> Path:
    """Write the demo's triage.yaml: receipts, and the help pages of the company, where this is a checkout."""
    file = folder / "triage.yaml"
    source = f"sources: [{{ name: help, folder: {json.dumps(str(HELP))} }}]" if HELP.is_dir() else ""
    letters = "letters: { receipt: true, signature: Harbourline support }"
    file.write_text(f"knowledge: {{ {source} }}\n{letters}\n", encoding="utf-8")
    return file


def _reports(database: str) -> Callable[[str], Awaitable[str | None]]:
    """Return a function from case to the text of `triage show`, for the board."""
    from cli.cases.show import text_of
    from cli.wiring.store import reports_at
    from triage.domain.errors import CaseNotFound

    async def report(case: str) -> str | None:
        async with reports_at(database) as reports:
            try:
                return text_of(await reports.report(case)) if reports else None
            except CaseNotFound:
                return None

    return report
