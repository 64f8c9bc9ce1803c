"""Runs Triage over a mail server that receives its answers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path

from cli.wiring.app import App
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira

STAMP = (
    b"Authentication-Results: mx.harbourline.example; dmarc=pass header.from=corner-shop.example\n"
    b"Received: from a.example by mx.harbourline.example; Fri, 20 Nov 2026 08:00:00 +0000\n"
)


ADA = "Ada Byron <ada@corner-shop.example>"


DESK = "Harbour Support <desk@harbourline.example>"


BUG = "Hello,\n\nsince this morning the export of pallets shows an internal error. Please have a look.\n\nAda"


def mail(text: str = BUG, number: int = 1, sender: str = ADA, **more: str) -> bytes:
    """A mail of a customer whom our mail server has proven."""
    made = EmailMessage()
    made["From"], made["To"] = sender, "desk@harbourline.example"
    made["Subject"] = more.pop("subject", "Export of pallets")
    made["Message-ID"] = f"<r{number}@corner-shop.example>"
    for name, value in more.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return STAMP + made.as_bytes()


@asynccontextmanager
async def answering(
    jira: RunningJira, folder: Path, letters: Mapping[str, object], sections: str = "", **more: str
) -> AsyncIterator[App]:
    """A house that may write letters, with this section `letters` in its triage.yaml, and other sections."""
    lines = "\n".join(
        f"  {name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in letters.items()
    )
    config = folder / "triage.yaml"
    config.write_text(f"letters:\n{lines}\n{sections}")
    given = {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": "1",
        "SMTP_TLS": "insecure",
        "MAIL_FROM": DESK,
        "LETTER_DELAY_SECONDS": "0",
        "AUTHSERV_ID": "mx.harbourline.example",
        "TRIAGE_CONFIG": str(config),
    }
    async with house(jira, folder, dry_run=False, **{**given, **more}) as opened:
        yield opened
