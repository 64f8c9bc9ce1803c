"""`triage letters`: lists the letters that Triage has written, takes one back, sends one again, tries the mail server."""

import asyncio
import getpass
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, Service, load
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.domain.letters import Letter
    from triage.services.letters.service import LetterService

letters = typer.Typer(add_completion=False, invoke_without_command=True, help="List letters and what became of each.")
LETTER_COLUMNS: Final = ("no.", "case", "at (UTC)", "kind", "to", "subject", "state", "note")


@letters.callback()
def listed(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="How many, the latest first.")] = 50,
    case: Annotated[str | None, typer.Option(help="Only those of this case.")] = None,
    as_json: AsJson = False,
) -> None:
    """List letters, the latest first. `unknown`: it may have left, and a person decides."""
    if context.invoked_subcommand:
        return
    from cli.wiring.letters import open_letters
    from triage.domain.cases import case_id

    found = Service(open_letters).ask(lambda letters: letters.letters(limit, case_id(case) if case else None))
    if as_json:
        print_json([_plain(one) for one in found])
    else:
        screen().print(table(LETTER_COLUMNS, map(letter_row, found)) if found else "no letter was written")


@letters.command()
def undo(number: Annotated[int, typer.Argument(help="Which one; it must wait.")], as_json: AsJson = False) -> None:
    """Take a letter back within its window (LETTER_DELAY_SECONDS)."""
    _act(lambda letters: letters.undo(number, getpass.getuser()), as_json=as_json)


@letters.command()
def again(
    number: Annotated[int, typer.Argument(help="One that is unknown, refused or bounced.")], as_json: AsJson = False
) -> None:
    """Send a letter again. If it is `unknown`, its recipient may get it twice."""
    _act(lambda letters: letters.again(number, getpass.getuser()), as_json=as_json)


@letters.command("test")
def try_server(as_json: AsJson = False) -> None:
    """Send a letter from MAIL_FROM to itself."""
    server, address = asyncio.run(_test())
    if as_json:
        print_json({"server": server, "to": address})
    else:
        screen().print(f"{server} has taken a letter to {address}: look into that mailbox", soft_wrap=True)


def letter_row(letter: "Letter") -> tuple[str, ...]:
    """Return a letter as a line of a table."""
    at = f"{letter.started_at or letter.queued_at:%m-%d %H:%M}" if letter.queued_at else ""
    kind = f"draft {letter.kind}" if letter.draft else str(letter.kind)
    return (
        str(letter.id),
        letter.case,
        at,
        kind,
        ", ".join(letter.recipients),
        letter.subject,
        letter.state,
        letter.note,
    )


def _plain(letter: "Letter") -> dict[str, object]:
    """Return a letter as JSON, files by name and size."""
    files = [{"name": one.name, "content_type": one.content_type, "size": one.size} for one in letter.files]
    return asdict(letter) | {"files": files, "recipients": letter.recipients}


def _act(change: "Callable[[LetterService], Awaitable[Letter]]", *, as_json: bool) -> None:
    from cli.wiring.letters import open_letters

    letter = Service(open_letters).ask(change)
    if as_json:
        print_json(_plain(letter))
    else:
        screen().print(f"letter {letter.id} of {letter.case}: {letter.state}, {letter.note}", soft_wrap=True)


async def _test() -> tuple[str, str]:
    """Send the letter; return the mail server and the address."""
    from cli.wiring.letters import outbox_of, sender_address
    from triage.services.letters.service import send_to_ourselves

    settings = load()
    if not settings.smtp_host:
        raise SettingsInvalid(("SMTP_HOST: missing; it is the mail server that takes our letters",))
    sender, outbox = sender_address(settings), outbox_of(settings)
    try:
        await send_to_ourselves(outbox, sender, datetime.now(UTC))
    finally:
        await outbox.close()
    return settings.smtp_host, sender.address
