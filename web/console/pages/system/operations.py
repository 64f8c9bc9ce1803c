"""Health: whether mail can be accepted, what waits, what needs a person; and the pause of all writing."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Response

from triage.services.operations.status import InstallationStatus
from web.console.console import Console
from web.console.guard import Admin, Viewer
from web.console.pages.parameters import deciding
from web.console.render import after

HERE: Final = "/operations"
Why = Annotated[str, Form(max_length=300)]

pages = APIRouter(prefix=HERE)


@pages.get("")
async def health(console: Console, _: Viewer) -> Response:
    """Show the state of this moment."""
    now, can_pause = await console.services.system.status.now(), console.services.approvals is not None
    facts = {
        "parts": await console.services.health.parts(),
        "now": now,
        "needs": needs_of(now),
        "machine": console.services.system.machine(),
    }
    return console.page("operations/page.html", can_pause=can_pause, **facts)


@pages.post("/pause")
async def pause(console: Console, visitor: Admin, why: Why = "") -> Response:
    """Stop all writing to other systems; mail is still accepted and read."""
    await deciding(console.services).pause(visitor.approver, " ".join(why.split()))
    return after(HERE, "Nothing is written to other systems any more, until somebody resumes.")


@pages.post("/resume")
async def resume(console: Console, visitor: Admin) -> Response:
    ended = await deciding(console.services).resume(visitor.approver)
    return after(HERE, "Triage writes again." if ended else "It was not paused.")


def needs_of(now: InstallationStatus) -> tuple[tuple[str, str], ...]:
    """Return what needs a person, as words and the page where it is done; a pause has its own line."""
    counted = (
        (now.approvals_open, "Open approvals", "/approvals"),
        (now.undecided, "Mails that wait for a person", "/?tab=waiting"),
        (len(now.dead), "Mails that could not be worked on", "/?q=state:dead"),
        (now.letters_in_doubt, "Letters that may or may not have left", "/letters?state=unknown"),
    )
    troubled = ((f"Mailbox {one.public_name}: {one.trouble}", "/mailboxes") for one in now.mailboxes if one.trouble)
    return (*troubled, *((f"{words}: {n}", place) for n, words, place in counted if n))
