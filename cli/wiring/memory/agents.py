"""Reads the agents of the team's memory and their tools."""

from typing import Final

from cli.wiring.agents.profiles import Agents
from prompts import names, read
from triage.agent.profiles import profile_of
from triage.config.settings import Settings
from triage.services.operations.agents import Permission, permissions
from triage.toolsets.memory.scope import BOX

FOLDER: Final = "memory"


def memory_agents() -> Agents:
    """Return the five agents of the memory, by name, and the ten tools that they share out. Raises `SettingsInvalid`."""
    return Agents({name: profile_of(name, read(f"{FOLDER}/{name}")) for name in names(FOLDER)}, BOX)


def all_permissions(settings: Settings, agents: Agents) -> tuple[Permission, ...]:
    """Return what these agents may do, and those of the memory where it is on."""
    found = permissions(agents.profiles, agents.toolbox)
    if not settings.enable_memory:
        return found
    own = memory_agents()
    return (*found, *permissions(own.profiles, own.toolbox))
