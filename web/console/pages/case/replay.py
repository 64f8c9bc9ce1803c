"""A case decided again without effects: with another model, agent or the rules of now, beside what was decided."""

from dataclasses import replace
from difflib import unified_diff
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response

from triage.services.casework.dry_runs import ReplayOverrides
from web.console.guard import Approver
from web.console.pages.case.compare import compared
from web.console.pages.parameters import CaseNumber
from web.console.render import Render
from web.context import WebContext

LONGEST: Final = 100_000
"""Characters of a prompt that somebody tries out."""
Model = Annotated[str, Form(pattern=r"^[A-Za-z0-9._:/@ -]{0,100}$")]
Agent = Annotated[str, Form(pattern=r"^[A-Za-z0-9_-]{0,60}$")]
Wish = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,60}$")]
Prompt = Annotated[str, Form(max_length=LONGEST)]


def replay_pages(at: WebContext, render: Render) -> APIRouter:
    pages = APIRouter()

    def agents() -> list[str]:
        return sorted({one.agent for one in at.permissions()})

    def written(agent: str) -> str:
        """Return the prompt of an agent as its file has it; empty for none."""
        found = at.system.rulebook().profiles.get(agent)
        return found.prompt if found else ""

    @pages.get("/{number}/replay")
    async def ask(http: Request, _: Approver, number: CaseNumber, agent: Wish = "") -> Response:
        """Ask what should be different; with an agent its prompt stands ready to be changed."""
        chosen = ReplayOverrides(profile=agent, prompt=written(agent))
        report = await at.reports.report(number)
        return render.page(
            http, "case/replay.html", number=number, report=report, agents=agents(), chosen=chosen, comparison=None,
            ready=at.dry_runs is not None, edits=(),
        )  # fmt: skip

    @pages.post("/{number}/replay")
    async def replay(
        http: Request, _: Approver, number: CaseNumber, model: Model = "", agent: Agent = "", prompt: Prompt = ""
    ) -> Response:
        """Decide it again on a copy of the store, and show both sides; another prompt beside the one of the file."""
        theirs, report = written(agent), await at.reports.report(number)
        mine = "\n".join(prompt.splitlines()).strip() + "\n"
        edits = edits_of(theirs, mine) if theirs and prompt.strip() else ()
        chosen = ReplayOverrides(model=model.strip(), profile=agent, prompt=mine if edits else "")
        before, would = report, None
        if at.dry_runs is not None:
            would = await at.dry_runs.replay(number, chosen)
            before = await at.dry_runs.replay(number, replace(chosen, prompt="")) if edits else report
        return render.page(
            http, "case/replay.html", number=number, report=report, agents=agents(),
            chosen=replace(chosen, prompt=mine if edits else theirs), comparison=compared(before, would) if would else None,
            ready=at.dry_runs is not None, edits=edits,
        )  # fmt: skip

    return pages


def edits_of(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """Return the lines that differ, with two beside them: `+`, `-` or a blank, and the text; nothing where none does."""
    lines = unified_diff(before.strip().splitlines(), after.strip().splitlines(), lineterm="", n=2)
    return tuple((line[:1], line[1:]) for line in lines if not line.startswith(("---", "+++")))
