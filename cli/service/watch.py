"""`triage watch`: fetches mail from IMAP mailboxes until it is stopped."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.wiring.app import IntakeContext
    from triage.config.mailboxes import MailboxSpec
    from triage.config.settings import Settings
    from triage.domain.mailboxes import SyncCursor
    from triage.domain.ports import Mailbox
    from triage.services.mailbox_watch import Watch

NO_MAILBOX: Final = "IMAP_HOST: missing; it is the mail server, or name several under `mailboxes:` in triage.yaml"


def watch(
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Take the mails since this day, too; without it only new ones."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Fetch what there is, compare, and end.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only say how the mailboxes do; 1 if one does badly.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The status for machines.")] = False,
) -> None:
    """Watch the mailboxes of IMAP_HOST and of triage.yaml; every mail is stored before anything else happens to it."""
    from datetime import UTC

    from triage.config.settings import load

    settings = load()
    if status or as_json:
        raise typer.Exit(int(not asyncio.run(_status(settings, as_json=as_json))))
    asyncio.run(_watch(settings, since.replace(tzinfo=UTC) if since else None, once=once))


async def _watch(settings: "Settings", since: datetime | None, *, once: bool) -> None:
    from cli.service.work import stop_event
    from cli.wiring.app import open_intake
    from cli.wiring.file_check import beside_check

    async with open_intake(settings) as door:
        if once:
            _tell_all(await _once(watches_of(door, mailboxes_of(settings), since)))
            return
        watches = watches_of(door, configured_mailboxes(settings), since)
        if not watches:  # under a supervisor an end would be a start again, for ever
            typer.echo(f"triage: nothing to watch. {NO_MAILBOX}", err=True)
        await beside_check(door.store.health, watch_all(watches, stop_event()))


def mailboxes_of(settings: "Settings") -> "Sequence[MailboxSpec]":
    """Those to watch. Raises `SettingsInvalid` where there is none."""
    from triage.domain.errors import SettingsInvalid

    specs = configured_mailboxes(settings)
    if not specs:
        raise SettingsInvalid((NO_MAILBOX,))
    return specs


def configured_mailboxes(settings: "Settings") -> "Sequence[MailboxSpec]":
    """Those to watch, if any."""
    from triage.config.mailboxes import specs_of
    from triage.config.triage_yaml import load_config

    return specs_of(settings, load_config(settings.triage_config).mailboxes)


def watches_of(door: "IntakeContext", specs: "Sequence[MailboxSpec]", since: datetime | None = None) -> "list[Watch]":
    """A watch for each."""
    from integrations.system_clock import SystemClock
    from triage.services.mailbox_sync import MailboxSync
    from triage.services.mailbox_watch import Pace, Watch

    pace, clock = Pace(look=door.settings.imap_poll_seconds), SystemClock()

    def made(spec: "MailboxSpec") -> Watch:
        mailbox = mailbox_of(spec, door.settings.max_mail_bytes)
        return Watch(
            MailboxSync(mailbox=mailbox, mailboxes=door.mailboxes, intake=door.intake, clock=clock), pace, since
        )

    return [made(spec) for spec in specs]


def mailbox_of(spec: "MailboxSpec", limit: int) -> "Mailbox":
    """The adapter."""
    from integrations.imap.login import Password, TokenCommand
    from integrations.imap.mailbox import ImapMailbox
    from integrations.imap.session import Account, Tls

    account = Account(
        name=spec.name,
        host=spec.host,
        port=spec.port,
        user=spec.user,
        folder=spec.folder,
        tls=Tls.NONE if spec.tls == "insecure" else Tls(spec.tls),
        seen=spec.after == "seen",
        move_to=spec.after.partition(":")[2],
        limit=limit,
    )
    token = spec.token_command
    return ImapMailbox(account, TokenCommand(spec.name, token) if token else Password(spec.secret()))


async def watch_all(watches: "Sequence[Watch]", stop: asyncio.Event) -> None:
    """All at once until told to stop. A watch ends by itself only by a fault of ours, and then all do, loudly."""
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
    """Each mailbox, whatever becomes of the others; the first trouble is raised in the end."""
    became = await asyncio.gather(*(watch.once() for watch in watches), return_exceptions=True)
    for outcome in became:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in became if not isinstance(outcome, BaseException)]


async def _status(settings: "Settings", *, as_json: bool) -> bool:
    """Tell how each mailbox does; whether all do well."""
    from datetime import UTC

    from cli.console import print_json
    from cli.wiring.app import open_intake
    from triage.services.mailbox_watch import complaint

    specs = configured_mailboxes(settings)
    async with open_intake(settings) as door:
        cursors = await door.mailboxes.cursors()
    now, look = datetime.now(UTC), settings.imap_poll_seconds
    complaints = [complaint(standing, now, look) for standing in cursors]
    never = [spec.name for spec in specs if spec.name not in {standing.name for standing in cursors}]
    if as_json:
        print_json({"mailboxes": cursors, "complaints": list(filter(None, complaints)), "never_seen": never})
    else:
        _tell_all(cursors, complaints, never)
    return not any(complaints) and not never


def _tell_all(
    cursors: "Sequence[SyncCursor]", complaints: "Sequence[str] | None" = None, never: "Sequence[str]" = ()
) -> None:
    from cli.console import screen, table

    rows = [
        (at.name, at.phase.value, f"{at.complete_at:%m-%d %H:%M:%S}", f"{at.validity}.{at.uid}", str(at.missing), why)
        for at, why in zip(cursors, complaints or [""] * len(cursors), strict=True)
    ]
    rows += [(name, "never seen", "", "", "", "`triage watch` has not run yet") for name in never]
    screen().print(table(("mailbox", "state", "complete at (UTC)", "cursor", "missing", "trouble"), rows))
