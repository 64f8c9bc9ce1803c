"""Finds the tools that installed packages bring (entry points of the group `triage.tools`), for the profiles that name them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from integrations.outside.own_thread import OwnThread
from triage.agent.toolbox import Tool
from triage.config.agents.profiles import ToolLimits
from triage.config.settings import Settings
from triage.config.triage_yaml import Config
from triage.domain.ports.outside import Isolation
from triage.toolsets.outside.tools import Outside

GROUP: Final = "triage.tools"
FOLDER: Final = "tools"
EXAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "examples/pharmacy": ("search_drugs", "manage_reservation", "web_search"),
    "examples/cultpass": (
        "user_lookup",
        "subscription_management",
        "experience_search",
        "reservation_management",
        "refund_processing",
    ),
}
"""Folder of an example package → the tools that it brings."""


@dataclass(frozen=True, slots=True)
class Packages:
    """The tools of installed packages, and what is wrong with the packages."""

    tools: Mapping[str, Tool]
    problems: tuple[str, ...] = ()


def packages_of(settings: Settings, config: Config, wanted: Collection[str], isolation: Isolation) -> Packages:
    """Load the packages that bring the wanted tools; none is looked for if nothing is wanted."""
    if not wanted:
        return Packages({})
    tools: dict[str, Tool] = {}
    problems: list[str] = []
    for point in entry_points(group=GROUP):
        package = point.dist.name if point.dist else point.name
        for tool in _loaded(point, package, problems):
            if tool.name not in wanted:
                continue
            if tool.name in tools:
                problems.append(f"{package}: the tool {tool.name} comes from another package, too; keep one of them")
            limits = config.tools.get(tool.name, ToolLimits())
            folder = folder_of(settings) / package
            tools[tool.name] = Outside(tool=tool, data_dir=folder, limits=limits, isolation=isolation).adapted()
    return Packages(tools, tuple(problems))


def own_thread() -> Isolation:
    """Return the isolation in which tools of installed packages run: a thread of their own."""
    return OwnThread()


def folder_of(settings: Settings) -> Path:
    """Return the folder of the packages' data: TOOLS_DIR, else beside the SQLite file, else in the working directory."""
    from integrations.sql.database.engine import address_of
    from integrations.sql.database.sqlite import file_of

    if settings.tools_dir:
        return Path(settings.tools_dir).absolute()
    file = file_of(address_of(settings.database_url.get_secret_value()))
    return (Path(file).absolute().parent if file else Path.cwd()) / FOLDER


def cure_of(tool: str) -> str:
    """Say how to get a tool that is not there."""
    known = next((folder for folder, tools in EXAMPLES.items() if tool in tools), None)
    if known:
        return f"the package {known} brings what is missing: pip install ./{known}"
    return f"install the package that brings what is missing (entry points `{GROUP}`), or take it out"


def _loaded(point: EntryPoint, package: str, problems: list[str]) -> Iterator[Tool]:
    """Yield the tools of an entry point; add to the problems what is no tool."""
    try:
        named = point.load()
    except Exception as e:  # noqa: BLE001 - somebody else's module, imported
        problems.append(f"{package}: cannot be loaded ({type(e).__name__}: {e}); install it again, or remove it")
        return
    for tool in named if isinstance(named, tuple | list) else (named,):
        if not isinstance(tool, Tool):
            problems.append(f"{package}: {point.value} names {tool!r}, which is not made with @tool(Grant…)")
        elif tool.names:
            problems.append(
                f"{package}: {tool.name} marks arguments as names of our objects; it may take plain values only"
            )
        else:
            yield tool
