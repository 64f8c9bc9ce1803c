"""Checks mailboxes: the login, and which server's Authentication-Results their newest mails carry."""

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.policy.sender.authserv import Advice, Fields

WHOLE: Final = 128 * 1024
"""Bytes up to which a mail is fetched whole; of a larger one only the headers."""
NO_STAMP: Final = (
    "let your mail server check DMARC and write Authentication-Results (RFC 8601), or set ENABLE_DKIM_CHECK=true"
)


async def reading() -> AsyncIterator[Finding]:
    """Check that the isolated parser starts."""
    from cli.wiring.mail import isolated_reader

    reader = isolated_reader()
    why = await reader.ready()
    await reader.close()
    if why:
        cure = "install Triage again with all its packages (make setup); until then every mail waits"
        yield Finding("reading", "fail", f"no process can be started to read mail in: {why}", cure)
    else:
        yield Finding("reading", "ok", "mails are read in a process of their own")


async def mailboxes(settings: "Settings") -> AsyncIterator[Finding]:
    """Check each mailbox and the senders of its newest mails, without marking mails as read."""
    from cli.wiring.mail import isolated_reader
    from cli.wiring.mailboxes import configured_mailboxes, mailbox_of
    from triage.domain.errors import TriageError
    from triage.services.checks import MailboxCheck

    specs = configured_mailboxes(settings)
    if not specs:
        yield Finding("mailboxes", "ok", "none is watched: set IMAP_HOST, or name some in triage.yaml")
        return
    reader, advised = isolated_reader(), settings
    for spec in specs:
        mailbox, mails = MailboxCheck(mailbox_of(spec, WHOLE), reader), ()  # type: MailboxCheck, Sequence[Fields]
        try:
            next_uid = await mailbox.open()
            yield Finding(f"mailbox {spec.name}", "ok", f"opens; its next mail is number {next_uid}")
            mails = await mailbox.newest_headers(next_uid)
        except TriageError as e:
            yield Finding(f"mailbox {spec.name}", "fail", str(e))
        finally:
            await mailbox.close()
        finding, advised = senders(spec.name, mails, advised)
        yield finding
    await reader.close()


def senders(name: str, mails: "Sequence[Fields]", settings: "Settings") -> "tuple[Finding, Settings]":
    """Report whose Authentication-Results prove the senders, and the settings to use; mailboxes add to them."""
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
        detail = f"{stamped} of the newest {len(mails)} mails are stamped by {settings.authserv_id or 'Microsoft 365'}"
        return Finding(what, "ok", detail), settings
    state = "AUTHSERV_ID is empty: every sender is unverified" if not edge.checks else _unstamped(settings, mails)
    if not mails:
        detail = f"{state}; the mailbox has no new mail to learn the name of your server from"
        return Finding(what, "warn", detail, "send a mail there from outside, then run this again"), settings
    advice = advice_of(mails)
    if not advice.found:
        detail = (
            f"{state}, and none of the newest {len(mails)} mails has a stamp that a server of yours could have written"
        )
        return Finding(what, "warn", detail, NO_STAMP), settings
    by = advice.server or "Microsoft 365"
    detail = f"{state}; {by} has stamped {advice.stamped} of the newest {len(mails)}. If that is yours:"
    lines, better = _lines(advice, settings)
    return Finding(what, "warn", detail, lines), better


def _unstamped(settings: "Settings", mails: "Sequence[Fields]") -> str:
    wanted = settings.authserv_id or "Microsoft 365"
    return f"none of the newest {len(mails)} mails is stamped by {wanted}, at TRUSTED_HOPS={settings.trusted_hops}"


def _lines(advice: "Advice", settings: "Settings") -> "tuple[str, Settings]":
    """Return lines to paste into `.env`, without those that are set already."""
    servers = dict.fromkeys([*settings.authserv_id.split(), *([advice.server] if advice.server else [])])
    lines = [f"AUTHSERV_ID={' '.join(servers)}"] if advice.server else []
    if advice.hops != settings.trusted_hops:
        lines.append(f"TRUSTED_HOPS={advice.hops}")
    if advice.profile != settings.auth_profile:
        lines.append(f"AUTH_PROFILE={advice.profile}")
    better = settings.model_copy(update={"authserv_id": " ".join(servers)})
    return "\n".join(lines), better
