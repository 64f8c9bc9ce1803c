"""Checks mailboxes: the login, and which server's Authentication-Results their newest mails carry."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.ports import Mailbox, MailReader
    from triage.policy.sender.authserv import Advice, Fields

NEWEST: Final = 20
"""Mails whose headers are read."""
AS_FAR: Final = 200
"""Numbers below the next one in which those are looked for."""
WHOLE: Final = 128 * 1024
"""Bytes up to which a mail is fetched whole; of a larger one the headers come."""
NO_STAMP: Final = (
    "let your mail server check DMARC and write Authentication-Results (RFC 8601), or set ENABLE_DKIM_CHECK=true"
)


async def reading() -> AsyncIterator[Finding]:
    """Whether a process starts that mails can be read in."""
    from integrations.parser_process.reader import IsolatedMailReader

    reader = IsolatedMailReader()
    why = await reader.ready()
    await reader.close()
    if why:
        cure = "install Triage again with all its packages (make setup); until then every mail waits"
        yield Finding("reading", "fail", f"no process can be started to read mail in: {why}", cure)
    else:
        yield Finding("reading", "ok", "mails are read in a process of their own")


async def mailboxes(settings: "Settings") -> AsyncIterator[Finding]:
    """Each one, then the senders of its mails; nothing is marked as read."""
    from cli.service.watch import configured_mailboxes, mailbox_of
    from integrations.parser_process.reader import IsolatedMailReader
    from triage.domain.errors import TriageError

    specs = configured_mailboxes(settings)
    if not specs:
        yield Finding("mailboxes", "ok", "none is watched: set IMAP_HOST, or name some in triage.yaml")
        return
    reader, advised = IsolatedMailReader(1), settings
    for spec in specs:
        mailbox, mails = mailbox_of(spec, WHOLE), ()  # type: Mailbox, Sequence[Fields]
        try:
            folder = await mailbox.open()
            yield Finding(f"mailbox {spec.name}", "ok", f"opens; its next mail is number {folder.next_uid}")
            mails = await _newest(mailbox, reader, folder.next_uid)
        except TriageError as e:
            yield Finding(f"mailbox {spec.name}", "fail", str(e))
        finally:
            await mailbox.close()
        finding, advised = senders(spec.name, mails, advised)
        yield finding
    await reader.close()


async def _newest(mailbox: "Mailbox", reader: "MailReader", end: int) -> "Sequence[Fields]":
    """The headers of the newest mails, read where mails are read."""
    from triage.domain.errors import MailUnreadable, NotAMail

    found = await mailbox.listed((await mailbox.uids(above=max(end - AS_FAR, 0)))[-NEWEST:])
    headers: list[Fields] = []
    for mail in await mailbox.fetch(found):
        with suppress(NotAMail, MailUnreadable):
            headers.append((await reader.read(mail.raw)).headers)
    return headers


def senders(name: str, mails: "Sequence[Fields]", settings: "Settings") -> "tuple[Finding, Settings]":
    """By whose word the senders can be trusted, and the settings as they should be; several mailboxes add to them."""
    from triage.policy.sender.authserv import advice_of, proven
    from triage.policy.sender.trust_verdict import Edge

    what = f"senders in {name}"
    edge = Edge(
        servers=frozenset(settings.authserv_id.lower().split()),
        hops=settings.trusted_hops,
        profile=settings.auth_profile,
    )
    stamped = proven(mails, edge)
    if stamped or (edge.checks and not mails):
        told = f"{stamped} of the newest {len(mails)} mails are stamped by {settings.authserv_id or 'Microsoft 365'}"
        return Finding(what, "ok", told), settings
    state = "AUTHSERV_ID is empty: every sender is unverified" if not edge.checks else _unstamped(settings, mails)
    if not mails:
        told = f"{state}; the mailbox has no new mail to learn the name of your server from"
        return Finding(what, "warn", told, "send a mail there from outside, then run this again"), settings
    advice = advice_of(mails)
    if not advice.found:
        told = (
            f"{state}, and none of the newest {len(mails)} mails has a stamp that a server of yours could have written"
        )
        return Finding(what, "warn", told, NO_STAMP), settings
    by = advice.server or "Microsoft 365"
    told = f"{state}; {by} has stamped {advice.stamped} of the newest {len(mails)}. If that is yours:"
    lines, better = _lines(advice, settings)
    return Finding(what, "warn", told, lines), better


def _unstamped(settings: "Settings", mails: "Sequence[Fields]") -> str:
    wanted = settings.authserv_id or "Microsoft 365"
    return f"none of the newest {len(mails)} mails is stamped by {wanted}, at TRUSTED_HOPS={settings.trusted_hops}"


def _lines(advice: "Advice", settings: "Settings") -> "tuple[str, Settings]":
    """What to paste into `.env`: only what is not set so already."""
    servers = dict.fromkeys([*settings.authserv_id.split(), *([advice.server] if advice.server else [])])
    lines = [f"AUTHSERV_ID={' '.join(servers)}"] if advice.server else []
    if advice.hops != settings.trusted_hops:
        lines.append(f"TRUSTED_HOPS={advice.hops}")
    if advice.profile != settings.auth_profile:
        lines.append(f"AUTH_PROFILE={advice.profile}")
    better = settings.model_copy(update={"authserv_id": " ".join(servers)})
    return "\n".join(lines), better
