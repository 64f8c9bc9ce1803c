"""The servers around a demo: a sandbox Jira, a model if wanted, and everybody's mailboxes, which write to the running service by its webhook."""

import json
import tempfile
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING, Final, Literal

from cli.service.listening import listening_at
from triage.domain.errors import CaseNotFound

if TYPE_CHECKING:
    import socket

    from triage.config.settings import Settings

_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class DemoWebhook:
    """The service's webhook for raw mail."""

    service: str
    """Where it answers."""
    secret: str = field(repr=False)
    """Its WEBHOOK_SECRET."""

    async def deliver(self, raw: bytes) -> None:
        """Hand a mail over; it is stored when this returns. Raises `Undelivered`."""
        import httpx2

        from triage_sandbox.mail.writing import Undelivered
        from webhooks.signatures import SigningKeys

        keys = SigningKeys.read((self.secret,), "WEBHOOK_SECRET")
        headers = keys.sign(sha256(raw).hexdigest(), datetime.now(UTC), raw) | {"Content-Type": "message/rfc822"}
        try:
            async with httpx2.AsyncClient(timeout=_SECONDS, trust_env=False) as client:
                answer = await client.post(f"{self.service}/webhooks/mime", content=raw, headers=headers)
                answer.raise_for_status()
        except httpx2.HTTPError as e:
            raise Undelivered(f"Triage does not take it now; send it again in a moment ({e}).") from e


SUPPORT: Final = "support@harbourline.example"
HELP_DESK: Final = "help@harbourline.example"
RULES: Final = f"""\
routing:
  rules:
    - {{ name: help desk, match: {{ recipient: {HELP_DESK} }}, route: support }}
    - {{ name: team, match: {{ all: true }}, route: pipeline }}
"""
"""Customers' questions, which the chat of the console and `triage chat` ask, too."""
OUR_MAIL_SERVER: Final = "mx.harbourline.example"


@dataclass(frozen=True, slots=True)
class World:
    """The running demo: its settings and the addresses of its servers."""

    settings: "Settings"
    board: str
    env: Path
    """A file of the settings."""
    live: "LiveServers | None" = None
    """None for a demo that ends with its table."""


@dataclass(frozen=True, slots=True)
class LiveServers:
    """The servers that only a demo has which goes on after its table: console and mailboxes."""

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
    from triage.config.settings import Isolated, load

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="triage-demo-")))
        database = f"sqlite:///{folder / 'demo.db'}"
        board = _board(stack, database, deployment, port)
        own = {**_settings(folder, database, board), **switches}
        going_on = _live(stack, board, _addresses(Path(own["TRIAGE_CONFIG"]))) if live else None
        mail, decider = going_on.settings if going_on else {}, _model(stack) if model == "openai" else {}
        given = {**own, **mail, **decider}
        env = folder / "env"
        env.write_text("".join(f"{name}='{value}'\n" for name, value in given.items()), encoding="utf-8")
        yield World(load(Isolated, **given), board, env, going_on)


def _board(stack: ExitStack, database: str, deployment: Literal["cloud", "server"], port: int) -> str:
    """Start Jira, whose board shows the reports of our database; return its address."""
    from cli.demo.sandbox import bound
    from triage_sandbox.jira.app import jira_app
    from triage_sandbox.server import Served

    jira = jira_app(deployment=deployment)
    jira.site.report = _reports(database)
    return stack.enter_context(bound(lambda: Served(jira, port=port), port)).url


FIXED: Final = {
    "JIRA_PROJECT_KEY": "HARB",
    "JIRA_EMAIL": "bot@harbourline.example",
    "ENABLE_MEMORY": "true",
    "ENABLE_SUPPORT": "true",
    "LOG_LEVEL": "ERROR",
    "HOST": "127.0.0.1",
    "PORT": "0",
}


def _settings(folder: Path, database: str, board: str) -> dict[str, str]:
    """Return the settings of every demo."""
    from triage_sandbox.jira.app import TOKEN

    places = {"JIRA_BASE_URL": board, "JIRA_API_TOKEN": TOKEN, "DATABASE_URL": database}
    files = {"TRIAGE_CONFIG": str(_configuration(folder)), "MEMORY_DIR": str(_folder(folder / "memory"))}
    return {**FIXED, **places, **files}


def _model(stack: ExitStack) -> dict[str, str]:
    """Start the model that decides; return the settings that name it."""
    from cli.demo.prompt_reader import PromptReader
    from triage_sandbox.openai_app import openai_app
    from triage_sandbox.server import Served

    wire = stack.enter_context(Served(openai_app(PromptReader()))).url
    return {"OPENAI_BASE_URL": f"{wire}/v1", "OPENAI_API_KEY": "sandbox", "OPENAI_MODEL": "sandbox-playbook"}


def _addresses(config: Path) -> tuple[str, ...]:
    """Return the addresses of the team that one can write to: its own, and those that rules name."""
    from triage.config.triage_yaml import load_config

    named = (address for rule in load_config(config).rules for address in rule.recipient if address[:1] != "@")
    return tuple(dict.fromkeys((SUPPORT, *named)))


def _live(stack: ExitStack, board: str, addresses: tuple[str, ...]) -> LiveServers:
    """Start everybody's mailboxes, from where one can write to the team; the service takes it as soon as it runs."""
    from triage_sandbox.mail.mailboxes import Mailboxes
    from triage_sandbox.mail.pages import mail_app
    from triage_sandbox.mail.smtp import ServedMail
    from triage_sandbox.mail.writing import Desk
    from triage_sandbox.server import Served

    listening = stack.enter_context(listening_at("127.0.0.1", 0))
    console, mailboxes = f"http://127.0.0.1:{listening.getsockname()[1]}", Mailboxes()
    secret = f"whsec_{b64encode(token_bytes(32)).decode()}"
    post = stack.enter_context(ServedMail(mailboxes))
    desk = Desk(addresses, OUR_MAIL_SERVER, DemoWebhook(console, secret).deliver)
    page = stack.enter_context(Served(mail_app(mailboxes, desk, {"The board": board, "The console": console})))
    return LiveServers(listening, console, page.url, _mail_settings(post.port, secret))


def _mail_settings(port: int, secret: str) -> dict[str, str]:
    """Return the settings with which the service sends mail there and takes mail from there."""
    return {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(port),
        "SMTP_TLS": "none",
        "MAIL_FROM": f"Harbourline support <{SUPPORT}>",
        "LETTER_DELAY_SECONDS": "0",
        "LETTERS_PER_MINUTE": "600",  # or the receipts of the demo's own mails hold back a newcomer's for a minute
        "AUTHSERV_ID": OUR_MAIL_SERVER,
        "WEBHOOK_SECRET": secret,
    }


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _configuration(folder: Path) -> Path:
    """Write the demo's triage.yaml: receipts, a help desk, and the help pages of the company."""
    import triage_sandbox

    file, pages = folder / "triage.yaml", Path(triage_sandbox.__file__).parent / "company" / "help"
    source = f"sources: [{{ name: help, folder: {json.dumps(str(pages))} }}]"
    letters = "letters: { receipt: true, signature: Harbourline support }"
    file.write_text(f"knowledge: {{ {source} }}\n{letters}\n{RULES}", encoding="utf-8")
    return file


def _reports(database: str) -> Callable[[str], Awaitable[str | None]]:
    """Return a function from case to the text of `triage show`, for the board."""
    from cli.cases.show import text_of
    from cli.wiring.store import reports_at

    async def report(case: str) -> str | None:
        async with reports_at(database) as reports:
            try:
                return text_of(await reports.report(case)) if reports else None
            except CaseNotFound:
                return None

    return report
