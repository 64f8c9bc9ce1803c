"""The page on which people say what is wrong with a case or its ticket; a form that is refused is shown again there."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final

from fastapi import Request, Response

from triage.domain.errors import Permanent, TicketGone, ToolRefused, Transient
from triage.domain.findings import Disposition
from triage.domain.operations.errors import NothingToAmend, NothingToSplit
from triage.domain.reports import Report
from triage.services.casework.amending import Choices
from triage.services.casework.merging import standing_merge
from web.console.pages.case.view import saw_of
from web.console.render import Render
from web.context import WebContext

OTHERS: Final = (
    (Disposition.QUESTION, "A question"),
    (Disposition.STATUS, "It says that something is done or works again"),
    (Disposition.NEWSLETTER, "A newsletter or a notice to many"),
    (Disposition.SPAM, "Spam or phishing"),
    (Disposition.AUTOMATIC, "An automatic answer"),
    (Disposition.SEVERAL, "Several matters in one mail"),
)
UNFIT: Final = (ToolRefused, NothingToAmend, NothingToSplit, TicketGone)
"""What a person can cure in the form."""


@dataclass(frozen=True, slots=True)
class CorrectForms:
    """The forms of a case, and what becomes of one that is refused."""

    at: WebContext
    render: Render

    async def page(self, http: Request, number: str, wrong: str = "", error: str = "") -> Response:
        """Return the page; where something is wrong, it stands beside the form `wrong`, with what was typed."""
        report = await self.at.reports.report(number)
        choices, trouble = await self._choices(report)
        parts = await self.at.merging.parts(report.case.id) if self.at.merging and choices else ()
        typed = {name: str(value) for name, value in (await http.form()).items()} if wrong else {}
        return self.render.page(
            http,
            "case/correct.html",
            422 if wrong else 200,
            number=number,
            report=report,
            saw=saw_of(report.case),
            others=OTHERS,
            choices=choices,
            trouble=trouble,
            parts=parts,
            merge=standing_merge(report),
            typed=typed,
            wrong=wrong,
            error=error,
        )

    async def answer(self, http: Request, number: str, form: str, shown: Awaitable[Response]) -> Response:
        """Return the answer to a form, or where it is refused the page with the form and the reason beside it."""
        try:
            return await shown
        except UNFIT as e:
            return await self.page(http, number, form, e.sentence())

    async def _choices(self, report: Report) -> tuple[Choices | None, str]:
        """Return what may be chosen for its ticket, or why that cannot be said: a tracker that is down keeps nobody from the rest."""
        if self.at.amending is None or not report.case.ticket or report.case.result is None:
            return None, ""
        try:
            return await self.at.amending.choices(report.case.id), ""
        except (Transient, Permanent) as e:
            return None, e.sentence()
