"""The page on which people say what is wrong with a case or its ticket; a form that is refused is shown again there."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final, ParamSpec, cast

from fastapi import Response

from triage.domain.errors import Permanent, TicketGone, ToolRefused, Transient
from triage.domain.findings import Disposition
from triage.domain.operations.errors import NothingToAmend, NothingToSplit
from triage.domain.reports import Report
from triage.services.casework.amending import Choices
from triage.services.casework.merging import standing_merge
from web.console.console import Console
from web.console.pages.case.view import saw_of
from web.context import WebContext

OTHERS: Final = (
    (Disposition.QUESTION, "A question"),
    (Disposition.STATUS, "It says that something is done or works again"),
    (Disposition.NEWSLETTER, "A newsletter or a notice to many"),
    (Disposition.SPAM, "Spam or phishing"),
    (Disposition.AUTOMATIC, "An automatic answer"),
    (Disposition.SEVERAL, "Several matters in one mail"),
    (Disposition.CONFIDENTIAL, "Confidential: not for a team"),
)
P = ParamSpec("P")
Route = Callable[P, Coroutine[Any, Any, Response]]
UNFIT: Final = (ToolRefused, NothingToAmend, NothingToSplit, TicketGone)
"""What a person can cure in the form."""


async def correct_page(console: Console, number: str, wrong: str = "", error: str = "") -> Response:
    """Return the page; where something is wrong, it stands beside the form `wrong`, with what was typed."""
    report, merging = await console.services.reports.report(number), console.services.merging
    choices, trouble = await _choices(console.services, report)
    return console.page(
        "case/correct.html",
        422 if wrong else 200,
        number=number,
        report=report,
        saw=saw_of(report.case),
        others=OTHERS,
        choices=choices,
        trouble=trouble,
        parts=await merging.parts(report.case.id) if merging and choices else (),
        merge=standing_merge(report),
        typed={name: str(value) for name, value in (await console.http.form()).items()} if wrong else {},
        wrong=wrong,
        error=error,
    )


def of_form(name: str) -> Callable[[Route[P]], Route[P]]:
    """Mark a route as the answer to a form of that page: what it refuses is shown there, with the reason beside the form."""

    def around(route: Route[P]) -> Route[P]:
        @wraps(route)
        async def answer(*args: P.args, **given: P.kwargs) -> Response:
            try:
                return await route(*args, **given)
            except UNFIT as e:
                console, number = cast("Console", given["console"]), cast("str", given["number"])
                return await correct_page(console, number, name, e.sentence())

        return answer

    return around


async def _choices(at: WebContext, report: Report) -> tuple[Choices | None, str]:
    """Return what may be chosen for its ticket, or why that cannot be said: a tracker that is down keeps nobody from the rest."""
    if at.amending is None or not report.case.ticket or report.case.result is None:
        return None, ""
    try:
        return await at.amending.choices(report.case.id), ""
    except (Transient, Permanent) as e:
        return None, e.sentence()
