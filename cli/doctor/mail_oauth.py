"""Checks the tokens that open mailboxes: whether somebody has signed in, how long ago, and for what."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.mailboxes import OAuthGrant


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
