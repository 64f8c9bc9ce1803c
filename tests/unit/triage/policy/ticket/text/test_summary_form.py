"""The form of a summary: quiet, without signs at its ends, and cut where a reader would cut it."""

import pytest

from triage.policy.ticket.text.summary_form import LONGEST, is_plain_word, shortened, tidied, unshouted


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("The crane is stuck", "The crane is stuck"),
        (f"The crane ({'in the yard ' * 6}) is stuck", "The crane is stuck"),
        (
            "The crane behind the long hall is stuck since the storm, which nobody in the whole yard had expected",
            "The crane behind the long hall is stuck since the storm",
        ),
        (f"Bob, {'the crane ' * 9}", f"Bob,{' the crane' * 7}…"),
        (f"{'The crane ' * 7}is stuck, it shows CRN-118 again", f"{'The crane ' * 6}The crane… CRN-118"),
    ],
)
def test_a_long_line_is_cut_where_it_means_least(line: str, short: str) -> None:
    """First what stands in brackets goes, then a clause behind the middle, then words; a code stays."""
    assert shortened(line) == short
    assert len(shortened(line)) <= LONGEST


def test_a_line_is_quiet_and_tidy() -> None:
    """Shouted words are small where the text has them so, and a plain word begins with a capital."""
    assert tidied(unshouted("CRANE IS STUCK!!", "the crane is stuck")) == "Crane is stuck"
    assert not is_plain_word("iPad")
