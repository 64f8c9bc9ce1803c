"""Which lines are items of a list."""

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.list_items import begins_list, is_item, item_of, number_of


def test_items_have_depth_and_text() -> None:
    """The sign of an item says how deep it stands; a line without one is its own text."""
    assert item_of(RichLine(Untrusted("    - deep")))[0] == 2
    assert item_of(RichLine(Untrusted("none"))) == (0, RichLine(Untrusted("none")))


def test_a_date_is_no_item() -> None:
    """`30. November` is none, and a number that ends a wrapped sentence begins no list."""
    day, twelve, one, dash = (
        RichLine(Untrusted(text)) for text in ("30. November", "12. It is", "1. It is", "- It is")
    )

    assert [is_item(line) for line in (day, twelve, one, dash)] == [False, True, True, True]
    assert [begins_list(line) for line in (day, twelve, one, dash)] == [False, False, True, True]
    assert [number_of(line) for line in (day, twelve, dash)] == ["30", "12", ""]
