"""Is it the same mail, and whose thread?"""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.identity import content_hash, fingerprint, lane_of

MAIL = Message(
    message_id="1@a.example",
    subject=Untrusted("Export fails"),
    sender=Address(address="ada@a.example"),
    date=datetime(2026, 11, 20, 8, tzinfo=UTC),
    text=Untrusted("It fails\n every time"),
    attachments=(Attachment(name=Untrusted("x"), content_type="text/plain", size=1, inline=False, sha256="00"),),
)


def test_the_way_does_not_matter() -> None:
    """White space and headers added on the way leave the content hash alone."""
    again = replace(MAIL, text=Untrusted("It fails every  time"), headers=(("received", "by x"),))

    assert content_hash(again) == content_hash(MAIL)


def test_another_text_is_another_mail() -> None:
    """A reused Message-ID shadows nothing: other words, other hash, other marks."""
    forged = replace(MAIL, text=Untrusted("Something else"))

    assert content_hash(forged) != content_hash(MAIL)
    assert fingerprint(forged) != fingerprint(MAIL)


def test_bare_mails_have_an_identity() -> None:
    """A mail without sender, date and id still has hash, fingerprint and lane."""
    bare = Message()

    assert (len(content_hash(bare)), len(fingerprint(bare)), lane_of(bare)) == (64, 64, content_hash(bare))


def test_the_lane_is_the_root() -> None:
    """The oldest reference names the thread, then In-Reply-To, then the mail itself."""
    deep = replace(MAIL, references=("root@a.example", "mid@a.example"), in_reply_to=("mid@a.example",))
    flat = replace(MAIL, in_reply_to=("mid@a.example",))

    assert (lane_of(deep), lane_of(flat), lane_of(MAIL)) == ("root@a.example", "mid@a.example", "1@a.example")
