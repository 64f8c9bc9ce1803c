"""One case: what became of a mail and why, and the way to everything that can be done about it."""

from fastapi import APIRouter, Response

from triage.domain.operations.forgetting import keeps_mail
from triage.domain.reports import CaseFilter
from triage.policy.case_lists.beside import beside
from triage.policy.decision.run_record import is_settled
from web.console.console import Console
from web.console.guard import Reader, Viewer
from web.console.headers import PRIVATE
from web.console.pages.case import amend, correct, mail, merge, replay
from web.console.pages.case.deeds import changes_of, letters_of, sums_of, talks_of, writes_of
from web.console.pages.case.view import bars_of, mail_card, saw_of, thread_of
from web.console.pages.parameters import CaseNumber

UNDER_WAY = frozenset({"ready", "working"})
"""States in which the page is loaded again by itself, as while a correction or an undo is carried out."""
THREAD = 20
"""Cases of the same ticket that the page lists."""

pages = APIRouter(prefix="/cases")


@pages.get("/{number}")
async def case(console: Console, visitor: Viewer, number: CaseNumber) -> Response:
    """Show what became of a mail; its words, prompts and letters only to readers."""
    report = await console.services.reports.report(number)
    found, words = report.case, visitor.may("reader")
    where = CaseFilter(ticket=found.ticket or "")
    same = await console.services.reports.search(THREAD + 2, None, None, where) if found.ticket else ()
    thread = thread_of(report, same)
    return console.page(
        "case/page.html",
        number=number,
        report=report,
        pending=report.state in UNDER_WAY or not is_settled(report),
        case=found,
        why=beside(found.reason, report.state, found.ticket or ""),
        words=words,
        kept=keeps_mail(found),
        mail=mail_card(found, found.message) if found.message else None,
        saw=saw_of(found),
        writes=writes_of(report),
        changes=changes_of(report.approvals),
        letters=letters_of(report.letters),
        talks=talks_of(report) if words else (),
        sums=sums_of(report),
        bars=bars_of(report),
        thread=thread[:THREAD],
        more=len(thread) > THREAD,
    )


@pages.get("/{number}/raw")
async def raw(console: Console, _: Reader, number: CaseNumber) -> Response:
    """Return the mail as it came, as a download."""
    headers = {**PRIVATE, "content-disposition": f'attachment; filename="case-{number}.eml"'}
    return Response(await console.services.reports.raw(number), media_type="message/rfc822", headers=headers)


@pages.get("/{number}/test-case")
async def keep(console: Console, _: Reader, number: CaseNumber) -> Response:
    """Show the test case that can be made of it."""
    made = await console.services.eval_cases.of(number)
    files = [(name, content.decode("utf-8", "replace")) for name, content in made.files.items()]
    return console.page("case/test_case.html", number=number, files=files)


@pages.get("/{number}/test-case.zip")
async def zipped(console: Console, _: Reader, number: CaseNumber) -> Response:
    headers = {**PRIVATE, "content-disposition": f'attachment; filename="case-{number}.zip"'}
    return Response(
        (await console.services.eval_cases.of(number)).zipped(), media_type="application/zip", headers=headers
    )


for more in (mail, correct, amend, merge, replay):
    pages.include_router(more.pages)
