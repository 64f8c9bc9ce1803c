"""The one comment about further reports of a ticket."""

from datetime import UTC, datetime

from triage.domain.effects import Reports
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.reports import render_reports

SINCE, UNTIL = datetime(2026, 11, 20, 7, 10, tzinfo=UTC), datetime(2026, 11, 22, 8, 0, tzinfo=UTC)


def test_it_counts_reports_and_names_senders() -> None:
    """With the case of each one's last mail, escaped and cut; how many senders are left out."""
    senders = (
        (Untrusted("Ada *x* <ada@example.com>"), 11, "case-18"),
        (Untrusted(""), 1, "case-3"),
        (Untrusted("y" * 150), 1, "case-4"),
    )
    text = render_reports(Reports(comments=9, count=13, since=SINCE, until=UNTIL, senders=senders, different=5))

    when = "2026-11-20 07:10 to 2026-11-22 08:00 UTC"

    assert text.splitlines() == [
        f"**13 more reports**, {when}, beside the 9 comments before. This comment is edited as they come.",
        "",
        r"- Ada \*x\* \<ada\@example\.com\> (11 mails, the last case-18)",
        "- unknown sender (case-3)",
        f"- {'y' * 100}… (case-4)",
        "- … and 2 more senders",
    ]


def test_one_report_is_one() -> None:
    """In the singular."""
    assert render_reports(Reports(count=1, since=SINCE, until=UNTIL)).startswith("**1 more report**,")
