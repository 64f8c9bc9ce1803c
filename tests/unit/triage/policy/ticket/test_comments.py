"""Our comments on tickets: after a merge, about a part that moved, about further reports."""

from datetime import UTC, datetime

from triage.domain.effects import Reports
from triage.domain.tickets import TicketLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.comments import merge_comments, part_comment, render_reports

SINCE, UNTIL = datetime(2026, 11, 20, 7, 10, tzinfo=UTC), datetime(2026, 11, 22, 8, 0, tzinfo=UTC)


def test_both_are_told() -> None:
    """Each names the other and who said so; a title of somebody else's cannot end its line."""
    gone = TicketLine(key="OPS-9", summary=Untrusted("Fire\n\n# now"), status="To Do", category="new", issue_type="Bug")
    there, here = merge_comments(gone, "OPS-7", "ada")

    assert there.startswith("**OPS-9 was merged into this ticket** by ada: Fire # now\n\n")
    assert here.startswith("**Merged into OPS-7** by ada.")


def test_a_part_that_moved_is_told() -> None:
    """In one line, with the part's number and words."""
    assert part_comment(2, "Add a\n# dark mode", "OPS-9", "ada").startswith("**Part 2 moved to OPS-9** by ada: Add a ")


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
        f"- {'y' * 99}… (case-4)",
        "- … and 2 more senders",
    ]


def test_one_report_is_one() -> None:
    """In the singular."""
    assert render_reports(Reports(count=1, since=SINCE, until=UNTIL)).startswith("**1 more report**,")
