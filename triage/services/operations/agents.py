"""The permission matrix: each agent's tools, and what they may do for each kind of sender."""

from collections.abc import Mapping
from dataclasses import dataclass

from triage.agent.profiles import Profile
from triage.agent.toolbox import Toolbox
from triage.policy.decision.rights import RightsRow, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What one agent may do with one tool."""

    agent: str
    tool: str
    deed: str
    """What the call would do, such as `comment on the thread's ticket`."""
    rights: RightsRow


def permissions(profiles: Mapping[str, Profile], toolbox: Toolbox) -> tuple[Permission, ...]:
    """Return a line for each deed of each tool of each agent: called by `triage agents` and the HTTP API."""
    return tuple(
        Permission(agent=agent, tool=name, deed=deed, rights=row)
        for agent, profile in profiles.items()
        for tool in profile.toolbox(toolbox).tools
        for name, deed, row in rows(tool.name, tool.grant, tool.rule.rights if tool.rule else {})
    )
