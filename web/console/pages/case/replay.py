"""A case decided again without effects: with another model, agent or the rules of now, beside what was decided."""

from dataclasses import replace
from difflib import unified_diff
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Response

from triage.domain.reports import Report
from triage.services.casework.dry_runs import ReplayOverrides
from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.case.compare import compared
from web.console.pages.parameters import CaseNumber

LONGEST: Final = 100_000
"""Characters of a prompt that somebody tries out."""
Model = Annotated[str, Form(pattern=r"^[A-Za-z0-9._:/@ -]{0,100}$")]
Agent = Annotated[str, Form(pattern=r"^[A-Za-z0-9_-]{0,60}$")]
Wish = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,60}$")]
Prompt = Annotated[str, Form(max_length=LONGEST)]

pages = APIRouter()


def _written(console: Console, agent: str) -> str:
    """Return the prompt of an agent as its file has it; empty for none."""
    found = console.services.system.rulebook().profiles.get(agent)
    return found.prompt if found else ""


def _page(console: Console, report: Report, chosen: ReplayOverrides, **facts: Any) -> Response:
    known = {
        "agents": sorted({one.agent for one in console.services.permissions()}),
        "ready": console.services.dry_runs is not None,
    }
    number = report.case.id.removeprefix("case-")
    return console.page("case/replay.html", number=number, report=report, chosen=chosen, **known, **facts)


@pages.get("/{number}/replay")
async def ask(console: Console, _: Approver, number: CaseNumber, agent: Wish = "") -> Response:
    """Ask what should be different; with an agent its prompt stands ready to be changed."""
    chosen = ReplayOverrides(profile=agent, prompt=_written(console, agent))
    return _page(console, await console.services.reports.report(number), chosen, comparison=None, edits=())


@pages.post("/{number}/replay")
async def replay(
    console: Console, _: Approver, number: CaseNumber, model: Model = "", agent: Agent = "", prompt: Prompt = ""
) -> Response:
    """Decide it again on a copy of the store, and show both sides; another prompt beside the one of the file."""
    theirs, report = _written(console, agent), await console.services.reports.report(number)
    mine = "\n".join(prompt.splitlines()).strip() + "\n"
    edits = edits_of(theirs, mine) if theirs and prompt.strip() else ()
    chosen = ReplayOverrides(model=model.strip(), profile=agent, prompt=mine if edits else "")
    comparison = None
    if (dry_runs := console.services.dry_runs) is not None:
        would = await dry_runs.replay(number, chosen)
        before = await dry_runs.replay(number, replace(chosen, prompt="")) if edits else report
        comparison = compared(before, would)
    shown = replace(chosen, prompt=mine if edits else theirs)
    return _page(console, report, shown, comparison=comparison, edits=edits)


def edits_of(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """Return the lines that differ, with two beside them: `+`, `-` or a blank, and the text; nothing where none does."""
    lines = unified_diff(before.strip().splitlines(), after.strip().splitlines(), lineterm="", n=2)
    return tuple((line[:1], line[1:]) for line in lines if not line.startswith(("---", "+++")))
