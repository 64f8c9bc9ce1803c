"""From and Sender: the one address that counts, and what else the fields name."""

import pytest

from triage.domain.mail import Address, Message
from triage.policy.sender.from_header import Senders, senders_of

ADA = Address(address="ada@a.example")


def mail(written: str, *fields: tuple[str, str], flags: tuple[str, ...] = ()) -> Message:
    """A mail of Ada with this From header."""
    return Message(sender=ADA, headers=(("from", written), *fields), flags=flags)


@pytest.mark.parametrize(
    ("written", "readings"),
    [
        ("Ada <ada@a.example>", ()),
        ("Ada (Sales) <ada@a.example>", ()),
        ('"(eve@evil.example)" <ada@a.example>', ()),
        ("Ada (eve@evil.example) <ada@a.example>", ("a comment names eve@evil.example",)),
        ("<ada(comment)@a.example>", ("a comment inside the address",)),
    ],
)
def test_a_comment_may_be_read_as_the_address(written: str, readings: tuple[str, ...]) -> None:
    """A comment with somebody else's address is another reading; a quoted name and a plain comment are none."""
    assert senders_of(mail(written)).other_readings == readings


def test_flags_of_the_parser_come_first() -> None:
    """Two From fields are told before anything else is read."""
    assert senders_of(mail("ada@a.example", flags=("many-from",))).all == ("many-from",)


def test_the_last_sender_counts() -> None:
    """An assistant is named; the writer himself is not, however he is spelt."""
    assert senders_of(mail("ada@a.example", ("sender", "Bob <BOB@a.example>"))).sent_by == ("sent by bob@a.example",)
    assert senders_of(mail("ada@a.example", ("sender", "ADA@a.example"))) == Senders()


@pytest.mark.parametrize("domain", ["lists.example", "other.example"])
def test_a_list_is_known_by_its_own_fields(domain: str) -> None:
    """The Sender is the list's where List-Id names the same domain."""
    fields = (("sender", "talk-bounces@lists.example"), ("list-id", f"<talk.{domain}>"))

    assert senders_of(mail("ada@a.example", *fields)).by_list is (domain == "lists.example")
