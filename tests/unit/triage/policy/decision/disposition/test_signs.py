"""Signs of unwanted and of honest mail beside its words."""

from dataclasses import replace

import pytest

from triage.domain.mail import Address, Attachment, Kind, Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.signs import GTUBE, signs_of
from triage.policy.decision.disposition.text_classes import TextClasses

WORDS = TextClasses(probabilities={"mail": 1.0}, words=20, text="", code=0)
PLAIN = Message(
    sender=Address(address="ada@firm.example"),
    to=(Address(address="desk@us.example"),),
    subject=Untrusted("Invoice export"),
    text=Untrusted("The export of all our invoices is empty since Monday."),
    headers=(("from", "ada"),),
)


def told(message: Message, kind: Kind = Kind.HUMAN, text: TextClasses = WORDS) -> dict[str, float]:
    """The signs in a mail by their words."""
    return {sign.text: sign.weight for sign in signs_of(message, kind, text)}


def saying(text: str) -> Message:
    """The plain mail with another text."""
    return replace(PLAIN, text=Untrusted(text), reply=Untrusted(text))


def attached(name: str, content_type: str = "application/octet-stream", size: int = 50_000) -> Message:
    """The plain mail with a file."""
    file = Attachment(name=Untrusted(name), content_type=content_type, size=size, inline=False, sha256="0")
    return replace(PLAIN, attachments=(file,))


def test_an_honest_mail() -> None:
    """A mail without any sign has none."""
    assert told(PLAIN) == {}


@pytest.mark.parametrize(
    ("message", "sign"),
    [
        (saying("Please look at http://203.0.113.7/pay for all of the details of it"), "link to a bare number"),
        (saying("See the page http://x.example/wp-content/a/b.php for everything we have"), "asks for a password"),
        (saying("Look: https://short.example/x8"), "little more than a link"),
        (replace(PLAIN, sender=None), "no sender"),
        (replace(PLAIN, sender=None, flags=("no-headers",)), "no header at all"),
        (
            replace(PLAIN, sender=Address(address="a@gmail.com"), reply_to=(Address(address="b@gmail.com"),)),
            "from a@gmail.com, answers to b@gmail.com",
        ),
        (
            replace(PLAIN, sender=Address(address="x@evil.example", name=Untrusted("boss@us.example"))),
            "the name is an address of us.example",
        ),
        (replace(PLAIN, sender=Address(address="newsletter@shop.example")), "who writes to many"),
        (replace(PLAIN, to=()), "names no recipient"),
        (saying(f"This is a test. {GTUBE}"), "the test text of all spam filters"),
        (replace(PLAIN, subject=Untrusted("ADV: your new house")), "calls it advertising"),
        (replace(PLAIN, subject=Untrusted("You can win          35001")), "letters behind a gap"),
        (replace(PLAIN, subject=Untrusted("EVERYTHING MUST GO NOW")), "shouts"),
        (saying("C L I C K  here to see all of the nice things that we have"), "s p a c e d"),
        (saying("Your p\u0430ypal account was closed, so please have a look at it"), "letters of two scripts"),
        (replace(PLAIN, hidden_text=True), "cannot see"),
        (attached("invoice.exe"), "a program attached"),
        (attached("document.html", "text/html"), "a web page attached"),
    ],
)
def test_signs_against_a_mail(message: Message, sign: str) -> None:
    """Each is found, said in words, and raises the odds."""
    found = {words: weight for words, weight in told(message).items() if sign in words}

    assert found
    assert all(weight > 0 for weight in found.values())


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        (PLAIN, Kind.HUMAN, replace(WORDS, code=3)),
        (PLAIN, Kind.LIST, WORDS),
        (PLAIN, Kind.AUTOMATED, WORDS),
        (replace(PLAIN, in_reply_to=("1@us.example",)), Kind.HUMAN, WORDS),
        (attached("server.log", "text/plain"), Kind.HUMAN, WORDS),
        (attached("screen.png", "image/png"), Kind.HUMAN, WORDS),
    ],
)
def test_signs_for_a_mail(message: Message, kind: Kind, text: TextClasses) -> None:
    """Traces, lists, threads, logs and screenshots lower the odds."""
    assert [weight < 0 for weight in told(message, kind, text).values()] == [True]


def test_links_within_the_house() -> None:
    """Addresses of private networks are what colleagues write about."""
    assert "link" not in " ".join(
        told(saying("The page http://192.168.1.20/admin does not load at all since this morning."))
    )


def test_a_web_form() -> None:
    """A form of a firm answers to the customer's public address: no sign."""
    form = replace(PLAIN, reply_to=(Address(address="customer@gmail.com"),))

    assert told(form) == {}
