"""Input of the Jira checks: the probe's answers and the settings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from integrations.jira.diagnostics.inspection import JiraFacts
    from triage.config.settings import Settings
    from triage.config.triage_yaml import Config

ROLE: Final = (
    "a project's administrator grants it to the role of our account: in the permission scheme, or where the team "
    "manages the project under Access"
)


@dataclass(frozen=True, slots=True)
class Visit:
    """What the checks of a Jira read: the facts that the probe found, the settings and triage.yaml."""

    facts: "JiraFacts"
    settings: "Settings"
    config: "Config"
