"""Tools of a package, and the tools as our toolbox has them."""

from pathlib import Path
from typing import Any

from integrations.outside.own_thread import OwnThread
from triage.agent.toolbox import Tool, tool
from triage.config.agents.profiles import ToolLimits
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.ports.outside import OutsideContext
from triage.policy.decision.permission import ToolRule
from triage.toolsets.outside.tools import Outside

CALLS: list[OutsideContext] = []
"""What the tools below were given."""


@tool(Grant.READ, ToolRule(), ends=True)
async def search(at: OutsideContext, query: str) -> Json:
    """Look something up."""
    CALLS.append(at)
    return {"status": "finished", "disposition": "spam", "found": query}


@tool(Grant.WRITE)
def reserve(at: OutsideContext, thing: str) -> Json:
    """Put something aside."""
    CALLS.append(at)
    match thing:
        case "nothing":
            raise ToolRefused("there is nothing")
        case "half":
            raise OSError("cut in the middle")
    (at.data_dir / "reserved").write_text(thing, encoding="utf-8")
    return {"kept": thing * 10}


def adapted(made: Tool, folder: Path, **limits: Any) -> Tool:
    """The tool as our toolbox has it."""
    return Outside(tool=made, data_dir=folder / "shop", limits=ToolLimits(**limits), isolation=OwnThread()).adapted()
