"""What stands on two tickets after a merge."""

from triage.domain.tickets import TicketLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.merging import merge_comments, part_comment


def test_both_are_told() -> None:
    """Each names the other and who said so; a title of somebody else's cannot end its line."""
    gone = TicketLine(key="OPS-9", summary=Untrusted("Fire\n\n# now"), status="To Do", category="new", issue_type="Bug")
    there, here = merge_comments(gone, "OPS-7", "ada")

    assert there.startswith("**OPS-9 was merged into this ticket** by ada: Fire # now\n\n")
    assert here.startswith("**Merged into OPS-7** by ada.")


def test_a_part_that_moved_is_told() -> None:
    """In one line, with the part's number and words."""
    assert part_comment(2, "Add a\n# dark mode", "OPS-9", "ada").startswith("**Part 2 moved to OPS-9** by ada: Add a ")
