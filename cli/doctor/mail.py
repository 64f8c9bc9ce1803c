"""Checks how mails are read: the parser, DNS for signatures, logins and tokens of mailboxes, and which server's Authentication-Results their newest mails carry."""

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding, many
from triage.domain.errors import MailboxDenied, MailboxDown, TriageError

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.mailboxes import OAuthGrant
    from triage.policy.sender.authserv import Advice, Fields
    from triage.services.checks import MailboxCheck

WHOLE: Final = 128 * 1024
"""Bytes up to which a mail is fetched whole; of a larger one only the headers."""
NO_STAMP: Final = (
    "let your mail server check DMARC and write Authentication-Results (RFC 8601), or set ENABLE_DKIM_CHECK=true"
)


async def reading(_: "Settings") -> AsyncIterator[Finding]:
    """Check that the isolated parser starts."""
    from cli.wiring.mail import isolated_reader

    reader = isolated_reader()
    why = await reader.ready()
    await reader.close()
    if why:
        cure = "install Triage again with all its packages; until then every mail waits"
        yield Finding("reading", "fail", f"no process can be started to read mail in: {why}", cure)
    else:
        yield Finding("reading", "ok", "mails are read in a process of their own")


async def signatures(settings: "Settings") -> AsyncIterator[Finding]:
    """Check that DNS answers, where we check signatures ourselves."""
    from cli.wiring.mail import signatures_of

    check = signatures_of(settings)
    if check is None:
        return
    trouble = await check.ready()
    detail = f"DNS does not answer ({trouble}): check the resolver of this machine, or DKIM_NAMESERVER"
    yield Finding("signatures", "fail" if trouble else "ok", detail if trouble else "are checked, DNS answers")


async def mailboxes(settings: "Settings") -> AsyncIterator[Finding]:
    """Check each mailbox and the senders of its newest mails, without marking mails as read."""
    from cli.wiring.mail import isolated_reader
    from cli.wiring.mailboxes import configured_mailboxes, imap_of
    from triage.services.checks import MailboxCheck

    specs = configured_mailboxes(settings)
    if not specs:
        yield Finding("mailboxes", "ok", "none is watched: set IMAP_HOST, or name some in triage.yaml")
        return
    reader, advised = isolated_reader(), settings
    for spec in specs:
        opened, mails = await inspect_mailbox(spec.name, MailboxCheck(imap_of(settings, spec, WHOLE), reader))
        yield opened
        if opened.state != "ok":
            continue
        finding, advised = senders(spec.name, mails, advised)
        yield finding
    await reader.close()


async def inspect_mailbox(name: str, mailbox: "MailboxCheck") -> "tuple[Finding, Sequence[Fields]]":
    """Open a mailbox and close it; report whether it opens, and return the headers of its newest mails."""
    what = f"mailbox {name}"
    try:
        next_uid = await mailbox.open()
        mails = await mailbox.newest_headers(next_uid)
    except (MailboxDown, MailboxDenied) as e:
        return Finding(what, "fail", e.detail, e.cure), ()
    except TriageError as e:
        return Finding(what, "fail", str(e)), ()
    finally:
        await mailbox.close()
    return Finding(what, "ok", f"opens; its next mail is number {next_uid}"), mails


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
        detail = f"{stamped} of the newest {many(len(mails), 'mail')} with a stamp of {settings.authserv_id or 'Microsoft 365'}"
        return Finding(what, "ok", detail), settings
    state = "AUTHSERV_ID is empty: every sender is unverified" if not edge.checks else _unstamped(settings, mails)
    if not mails:
        detail = f"{state}; the mailbox has no new mail to learn the name of your server from"
        return Finding(what, "warn", detail, "send a mail there from outside, then run this again"), settings
    advice = advice_of(mails)
    if not advice.found:
        detail = f"{state}, and none of the newest {many(len(mails), 'mail')} has a stamp that a server of yours could have written"
        return Finding(what, "warn", detail, NO_STAMP), settings
    by = advice.server or "Microsoft 365"
    detail = f"{state}; {by} has stamped {advice.stamped} of the newest {len(mails)}. If that is yours:"
    values = learnt(advice, settings)
    lines = "\n".join(f"{name}={value}" for name, value in values.items())
    better = settings.model_copy(update={"authserv_id": values.get("AUTHSERV_ID", settings.authserv_id)})
    return Finding(what, "warn", detail, lines), better


def _unstamped(settings: "Settings", mails: "Sequence[Fields]") -> str:
    wanted = settings.authserv_id or "Microsoft 365"
    return (
        f"none of the newest {many(len(mails), 'mail')} is stamped by {wanted}, at TRUSTED_HOPS={settings.trusted_hops}"
    )


def learnt(advice: "Advice", settings: "Settings") -> dict[str, str]:
    """Return the variables to set (name → value) so that the senders count as proven, without those that have the value already."""
    servers = dict.fromkeys([*settings.authserv_id.split(), *([advice.server] if advice.server else [])])
    values = {"AUTHSERV_ID": " ".join(servers)} if advice.server else {}
    if advice.hops != settings.trusted_hops:
        values["TRUSTED_HOPS"] = str(advice.hops)
    if advice.profile != settings.auth_profile:
        values["AUTH_PROFILE"] = advice.profile
    return values


async def tokens(settings: "Settings") -> AsyncIterator[Finding]:
    """Report each account; say nothing where no mailbox is opened with tokens."""
    from cli.wiring.mail_oauth.sign_in import accounts_of, stored_grants
    from cli.wiring.mailboxes import configured_mailboxes

    accounts = sorted(set(accounts_of(settings, configured_mailboxes(settings)).values()))
    if not accounts or settings.mail_oauth_app_only:
        return
    stored = {one.account: one for one in await stored_grants(settings)}
    for account in accounts:
        if account in stored:
            yield finding_of(settings, stored[account])
        else:
            yield Finding(f"tokens of {account}", "fail", "nobody has signed in", f"triage mailbox login {account}")


def finding_of(settings: "Settings", grant: "OAuthGrant") -> Finding:
    """Tell age, end and scope of a grant."""
    from triage.config.mail_oauth import not_granted, oauth_client
    from triage.services.mail_oauth.tokens import cure

    what, client = f"tokens of {grant.account}", oauth_client(settings)
    if grant.trouble:
        return Finding(what, "fail", grant.trouble, cure(grant.account))
    text = (
        f"signed in on {grant.granted_at:%Y-%m-%d}, renewed {grant.renewed_at:%Y-%m-%d %H:%M}, "
        f"good until {grant.expires_at:%H:%M} UTC{f'; for {grant.scope}' if grant.scope else ''}"
    )
    missing = not_granted(client.scopes, grant.scope) if client else ()
    if missing:
        lacking = f"{text}; not granted: {', '.join(missing)}"
        grants = f"add it to the application, tick it at the sign-in: {cure(grant.account)}"
        return Finding(what, "warn", lacking, grants)
    return Finding(what, "ok", text)
