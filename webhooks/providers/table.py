"""The table of providers."""

from typing import Final

from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid
from webhooks.providers.base import Provider
from webhooks.providers.mailgun import Mailgun
from webhooks.providers.mandrill import Mandrill
from webhooks.providers.postmark import Postmark
from webhooks.providers.raw_mime import RawMime
from webhooks.providers.sendgrid import SendGrid
from webhooks.providers.ses import AmazonSes

PROVIDERS: Final = (RawMime, Postmark, SendGrid, Mailgun, Mandrill, AmazonSes)

NEEDS: Final = {provider.name: provider.needs for provider in PROVIDERS}
"""The variables that each provider needs, by its name; for `triage doctor` and the log."""


def providers_of(settings: Settings) -> tuple[Provider, ...]:
    """Return the providers whose secrets are set. Raises `SettingsInvalid` with all problems at once."""
    found: list[Provider] = []
    problems: list[str] = []
    for known in PROVIDERS:
        try:
            provider = known.of(settings)
        except SettingsInvalid as e:
            problems += e.problems
        else:
            found += [provider] if provider else []
    if problems:
        raise SettingsInvalid(tuple(problems))
    return tuple(found)
