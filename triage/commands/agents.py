"""`triage agents`: each agent's tools, and what they may do for each kind of sender."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.policy.rights import Row

    Line = tuple[str, str, str, Row]


def agents(
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List agents, their tools, and who may do what with them, by the kind of sender."""
    from triage.commands.tell import print_json, screen, table
    from triage.policy.rights import Standing

    lines, kinds = _lines(), [kind.value for kind in Standing]
    if as_json:
        print_json(
            [
                {"agent": agent, "tool": tool, "deed": deed, "rights": dict(zip(kinds, row, strict=True))}
                for agent, tool, deed, row in lines
            ]
        )
        return
    rows = [(agent, tool, deed, *row) for agent, tool, deed, row in lines]
    screen().print(table(("agent", "tool", "deed", *kinds), rows))


def _lines() -> "Sequence[Line]":
    """Agent, tool, deed and its row, with the tools that the settings switch on."""
    from triage.commands.config_file import load_config
    from triage.commands.wiring import profiles_of, toolbox_of
    from triage.policy.rights import rows
    from triage.settings import load

    settings = load()
    box = toolbox_of(settings)
    return [
        (name, *line)
        for name, profile in profiles_of(load_config(settings.triage_config)).items()
        for line in rows({tool.name: tool.grant for tool in box.granted(profile.tools).tools})
    ]
