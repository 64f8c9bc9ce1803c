"""What the doctor has at hand when he speaks of Jira: what was seen, and what we want of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cli.wiring.triage_yaml import Config
    from integrations.jira.diagnostics.inspection import Facts
    from triage.config.settings import Settings

ROLE: Final = (
    "a project's administrator grants it to the role of our account: in the permission scheme, or where the team "
    "manages the project under Access"
)


@dataclass(frozen=True, slots=True)
class Visit:
    """Facts, settings and triage.yaml."""

    facts: "Facts"
    settings: "Settings"
    config: "Config"
