"""`triage watch`: fetches mail from IMAP mailboxes until it is stopped."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.service.process import stop_event
from cli.verb import load
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.mailboxes import SyncCursor
    from triage.services.mailbox_watch import Watch
    from triage.services.operations.leader import Leader

NO_MAILBOX: Final = "IMAP_HOST: missing; it is the mail server, or name several under `mailboxes:` in triage.yaml"

Since = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"], metavar="DAY", help="Take the mails since this day, too; without it only new ones."
    ),
]
Once = Annotated[bool, typer.Option("--once", help="Fetch what there is, compare, and end.")]
Status = Annotated[bool, typer.Option("--status", help="Only say how the mailboxes do; 1 if one does badly.")]
AsJson = Annotated[bool, typer.Option("--json", help="The status for machines.")]


def watch(since: Since = None, once: Once = False, status: Status = False, as_json: AsJson = False) -> None:
    """Fetch mail from mailboxes alone; `triage serve` includes it.

    The mailboxes of IMAP_HOST and of triage.yaml; each mail is stored before anything else happens to it.
    """
    settings = load()
    if status or as_json:
        raise typer.Exit(int(not asyncio.run(_status(settings, as_json=as_json))))
    asyncio.run(_watch(settings, since.replace(tzinfo=UTC) if since else None, once=once))


async def _watch(settings: "Settings", since: datetime | None, *, once: bool) -> None:
    from cli.wiring.intake import open_intake
    from cli.wiring.mailboxes import configured_mailboxes, watchers_of, watches_of

    async with open_intake(settings) as context:
        specs = configured_mailboxes(settings)
        if once and not specs:
            raise SettingsInvalid((NO_MAILBOX,))
        if once:
            _print(await _once(watches_of(context, specs, since)))
            return
        if not specs:  # do not exit, or a supervisor would restart the process for ever
            typer.echo(f"triage: nothing to watch. {NO_MAILBOX}", err=True)
        await context.health.beside_check(watch_all(watchers_of(context, specs, since), stop_event()))


async def watch_all(watches: "Sequence[Watch | Leader]", stop: asyncio.Event) -> None:
    """Run all watches until `stop` is set. One that ends by itself has a bug; then stop all and raise its error."""
    watching = [asyncio.create_task(watch.run()) for watch in watches]
    stopping = asyncio.create_task(stop.wait())
    try:
        ended, _ = await asyncio.wait({*watching, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (*watching, stopping):
            task.cancel()
        await asyncio.gather(*watching, stopping, return_exceptions=True)
    for task in ended - {stopping}:
        task.result()


async def _once(watches: "Sequence[Watch]") -> "list[SyncCursor]":
    """Fetch from every mailbox, then raise the first error, if any."""
    results = await asyncio.gather(*(watch.once() for watch in watches), return_exceptions=True)
    for outcome in results:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in results if not isinstance(outcome, BaseException)]


async def _status(settings: "Settings", *, as_json: bool) -> bool:
    """Print the state of each mailbox; return whether all are well."""
    from cli.wiring.intake import open_intake
    from cli.wiring.mailboxes import configured_mailboxes

    specs = configured_mailboxes(settings)
    async with open_intake(settings) as context:
        found = await context.health.mailboxes()
    cursors, troubles = [one.cursor for one in found], [one.trouble for one in found]
    never = [spec.name for spec in specs if spec.name not in {cursor.name for cursor in cursors}]
    if as_json:
        print_json({"mailboxes": cursors, "complaints": list(filter(None, troubles)), "never_seen": never})
    else:
        _print(cursors, troubles, never)
    return not any(troubles) and not never


def _print(
    cursors: "Sequence[SyncCursor]", troubles: "Sequence[str] | None" = None, never: "Sequence[str]" = ()
) -> None:
    rows = [
        (at.name, at.phase.value, f"{at.complete_at:%m-%d %H:%M:%S}", f"{at.validity}.{at.uid}", str(at.missing), why)
        for at, why in zip(cursors, troubles or [""] * len(cursors), strict=True)
    ]
    rows += [(name, "never seen", "", "", "", "`triage watch` has not run yet") for name in never]
    screen().print(table(("mailbox", "state", "complete at (UTC)", "cursor", "missing", "trouble"), rows))
