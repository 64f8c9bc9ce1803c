"""`triage agents`: each agent's tools, and what they may do for each kind of sender."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from cli.console import print_json, screen, table
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.policy.decision.rights import RightsRow

    Line = tuple[str, str, str, RightsRow]


def agents(as_json: AsJson = False) -> None:
    """List agents, their tools, and what each may do for which sender."""
    from triage.policy.decision.rights import Standing

    lines, kinds = _lines(), [kind.value for kind in Standing]
    if as_json:
        print_json(
            [
                {"agent": agent, "tool": tool, "deed": deed, "rights": dict(zip(kinds, row, strict=True))}
                for agent, tool, deed, row in lines
            ]
        )
        return
    for agent, of_agent in groupby(lines, key=itemgetter(0)):
        rows = [row for tool, of_tool in groupby(of_agent, key=itemgetter(1)) for row in _rows(tool, list(of_tool))]
        screen().print(table(("tool and deed", *(kind.replace(" ", "\n") for kind in kinds)), rows, f"Agent {agent}"))


def _rows(tool: str, lines: "Sequence[Line]") -> "Iterator[tuple[str, ...]]":
    """Yield the rows of one tool: its name, then its deeds; a single deed goes on the same row."""
    if len(lines) == 1:
        yield (f"{tool}: {lines[0][2]}", *lines[0][3])
        return
    yield (tool, *("" for _ in lines[0][3]))
    yield from ((f"  {deed}", *row) for _, _, deed, row in lines)


def _lines() -> "Sequence[Line]":
    """Return agent, tool, deed and rights of each deed, for the tools that the settings switch on."""
    from cli.wiring.agents.profiles import agents_of
    from cli.wiring.memory.agents import all_permissions
    from triage.config.triage_yaml import load_config

    settings = load()
    found = all_permissions(settings, agents_of(settings, load_config(settings.triage_config)))
    return [(one.agent, one.tool, one.deed, one.rights) for one in found]
