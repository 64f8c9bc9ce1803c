"""Checks how people come in and are reached: their identity provider, channels of notices, and whether Jira knows the approvers."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.config.settings import Settings


async def sign_in(settings: "Settings") -> AsyncIterator[Finding]:
    """Read what the identity provider publishes; say nothing where people sign in by passwords alone."""
    from cli.wiring.people.accounts import oidc_provider
    from triage.domain.operations.errors import IdentityProviderDown, IdentityRefused

    if not settings.oidc_issuer:
        return
    provider = oidc_provider(settings)
    try:
        await provider.address("", "", "")
    except (IdentityProviderDown, IdentityRefused) as e:
        cure = "copy OIDC_ISSUER from `issuer` in its metadata: its address with /.well-known/openid-configuration"
        yield Finding("sign-in", "fail", f"{settings.oidc_issuer}: {e}", cure)
    else:
        yield Finding("sign-in", "ok", f"{settings.oidc_issuer} answers; it sends people back to {provider.callback}")
    finally:
        await provider.close()


async def notices(settings: "Settings") -> AsyncIterator[Finding]:
    """Name the channels that tell people what they must know; say nothing where there is none."""
    from cli.wiring.channels import channels_of

    if channels := channels_of(settings):
        names = ", ".join(channel.name for channel in channels)
        yield Finding("notices", "ok", f"go to {names}: triage notify test sends one to each")


async def approvers(settings: "Settings") -> AsyncIterator[Finding]:
    """Name the approvers whose comments would not count; say nothing where comments decide nothing."""
    from cli.wiring.jira import open_tracker_checks
    from triage.config.triage_yaml import load_config

    if not settings.enable_jira_approvals or not settings.jira_ready:
        return
    named = load_config(settings.triage_config).approvals.approvers.people
    async with open_tracker_checks(settings) as checks:
        people = (await checks[settings.jira_project_key].project()).people if named else ()
    seen = {known for one in people for known in (one.id.casefold(), one.email.casefold())}
    for person in sorted(named - seen):
        detail = f"Jira shows nobody as {person}, so that no comment of this person decides"
        cure = "name the account's id, as the answer to such a comment tells it, or a group or role; letters and links work as they are"
        yield Finding("approvers", "warn", detail, cure)
