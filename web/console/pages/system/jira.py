"""Jira: what `triage doctor` finds there, each with its cure."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Response

from triage.services.installation.self_check import CheckScope
from web.console.console import Console
from web.console.guard import Approver
from web.console.render import after

HERE: Final = "/jira"

pages = APIRouter(prefix=HERE)


@pages.get("")
async def findings(console: Console, _: Approver) -> Response:
    """Show the last look of this process, as far as it is."""
    return console.page("jira/page.html", run=console.services.system.check.last)


@pages.post("")
async def look(console: Console, visitor: Approver, looks: Annotated[CheckScope, Form()]) -> Response:
    """Begin to look, unless somebody's look goes on."""
    console.services.system.check.begin(looks, visitor.name)
    return after(HERE)
