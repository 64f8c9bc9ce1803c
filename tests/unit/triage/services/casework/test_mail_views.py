"""What a person reads of a case's mail: which words are marked, and which attachment is which."""

import pytest

from tests.unit.triage.services.casework.mail_cases import case_with
from triage.domain.errors import AttachmentNotFound
from triage.domain.mail import MailView
from triage.domain.reports import Report
from triage.services.casework.mail_views import MailViews, labels_of


class Desk:
    """An archive with one case, and a viewer that knows one file."""

    async def report(self, _: str) -> Report:
        """The same for each name."""
        return Report(case=case_with(0.9), state="ticketed", attempts=1, trouble="")

    async def raw(self, case: str) -> bytes:
        """The name."""
        return case.encode()

    async def view(self, raw: bytes, labels: dict[str, str], *, plain: bool = False) -> MailView:
        """What it was asked for."""
        return MailView(html=f"{raw!r} {labels['export']} {plain}")

    async def files(self, _: bytes, wanted: list[str]) -> dict[str, bytes]:
        """The file `a` alone."""
        return {"a": b"first"} if wanted == ["a"] else {}


def test_the_first_finding_names_the_words() -> None:
    """Cues, people, keys, and the words that the mail shares with a ticket that is probably the same."""
    likely = {"export": "HARB-3", "invoices": "HARB-3"}
    rest = {"urgent": "priority High", "fails": "bug", "nginx": "Nginx", "Ada": "person", "HARB-9": "ticket"}

    assert labels_of(case_with(0.9)) == rest | likely
    assert labels_of(case_with(0.1)) == rest


async def test_a_mail_and_its_files_by_number() -> None:
    """The view has the case's labels; attachments are counted from 1, and one that is not there is refused."""
    views = MailViews(archive=Desk(), viewer=Desk())  # type: ignore[arg-type]  # what is asked of both

    assert (await views.view("7", plain=True)).html == "b'case-7' HARB-3 True"
    found, content = await views.attachment("7", 1)
    assert (found.name, content) == ("a.png", b"first")
    for number in (0, 2, 3):
        with pytest.raises(AttachmentNotFound):
            await views.attachment("7", number)
