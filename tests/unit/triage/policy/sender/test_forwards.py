"""Who forwarded a mail, by its headers and by the block in its text."""

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.sender.forwards import Forward, forwards_of


def test_a_header_says_who_wrote_it() -> None:
    """A forwarding header counts as ours only where it stands among the fields of our own servers."""
    ours, theirs = ("resent-from", "Ada@a.example"), ("x-forwarded-for", "bob@b.example")
    mail = Message(headers=(ours, theirs, ("subject", "eve@evil.example")))

    assert list(forwards_of(mail, [ours])) == [
        Forward(address="ada@a.example", where="resent-from header", header=True, ours=True),
        Forward(address="bob@b.example", where="x-forwarded-for header", header=True),
    ]


def test_the_block_names_the_first_sender() -> None:
    """The address stands in the sender's line below the marker."""
    mail = Message(text=Untrusted("See below.\n\n---------- Forwarded message ---------\nFrom: Bob <Bob@b.example>\n"))

    assert list(forwards_of(mail, [])) == [Forward(address="bob@b.example", where="forward block", header=False)]


def test_a_quoted_block_is_of_an_older_mail() -> None:
    """A block within a quotation forwards nothing now."""
    mail = Message(text=Untrusted("> ---------- Forwarded message ---------\n> From: Bob <bob@b.example>\n"))

    assert list(forwards_of(mail, [])) == []
