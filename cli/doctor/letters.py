"""Checks that letters can leave: login at the mail server, and the mailbox's folders of drafts and sent mail."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding
from triage.domain.errors import MailboxDenied, MailboxDown

if TYPE_CHECKING:
    from triage.config.settings import Settings


async def letters(settings: "Settings") -> AsyncIterator[Finding]:
    """Log in without sending anything, and name the folders; say nothing where letters are off."""
    if not settings.smtp_host:
        return
    yield await _login(settings)
    async for finding in _folders(settings):
        yield finding
    if not settings.authserv_id and not settings.enable_dkim_check:
        cure = "set AUTHSERV_ID or ENABLE_DKIM_CHECK; mail of signed webhooks may be proven without"
        yield Finding("letter recipients", "warn", "no sender is proven, so that nobody gets a letter", cure)


async def _login(settings: "Settings") -> Finding:
    from cli.wiring.letters import outbox_of, sender_address
    from triage.domain.letters.errors import OutboxDenied, OutboxDown

    outbox = outbox_of(settings)
    try:
        offers = await outbox.check()
    except (OutboxDown, OutboxDenied) as e:
        reach = "check SMTP_HOST, SMTP_PORT and SMTP_TLS; " if isinstance(e, OutboxDown) else ""
        cure = f"{reach}until then letters wait; then: triage letters test"
        return Finding("letters", "fail", f"{settings.smtp_host}: {e}", cure)
    finally:
        await outbox.close()
    address = sender_address(settings).address
    return Finding("letters", "ok", f"{settings.smtp_host} lets {address} in ({offers}); try it: triage letters test")


async def _folders(settings: "Settings") -> AsyncIterator[Finding]:
    """Name the folders of drafts and of sent mail, or say what happens without one."""
    from cli.wiring.letters import folders_of
    from cli.wiring.mailboxes import configured_mailboxes
    from triage.domain.letters import MailFolder

    folders = folders_of(settings, configured_mailboxes(settings))
    if folders is None:
        detail = "no mailbox is watched: drafts stay in `triage letters`, and a letter whose answer is lost cannot be looked for"
        yield Finding("letter folders", "warn", detail, "set IMAP_HOST")
        return
    try:
        names = {folder: await folders.name(folder) for folder in MailFolder}
    except (MailboxDown, MailboxDenied) as e:
        yield Finding("letter folders", "fail", str(e))
        return
    for folder, name in names.items():
        what = "drafts" if folder is MailFolder.DRAFTS else "sent mail"
        missing, cure = f"the mailbox names no folder of {what}", f"set {folder.name}_FOLDER"
        known = Finding(f"folder {folder}", "ok", name)
        yield known if name else Finding(f"folder {folder}", "warn", missing, cure)
