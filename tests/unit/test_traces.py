"""What makes two mails belong together."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.mail import Address, Kind, Message, Trust
from triage.domain.traces import Trace
from triage.domain.untrusted import Untrusted
from triage.policy.identity import content_hash
from triage.policy.traces import canonical, people_of, person, plain_subject, stranger, trace_of

ADA, GRACE = Address(address="ada@a.example"), Address(address="grace@b.example")
MAIL = Message(
    message_id="1@a.example",
    subject=Untrusted("Disk of web-12 at 91 %"),
    sender=ADA,
    to=(GRACE,),
    date=datetime(2026, 11, 20, tzinfo=UTC),
)


def trace(mail: Message = MAIL, kind: Kind = Kind.HUMAN, trust: Trust = Trust.VERIFIED, lane: str = "lane") -> Trace:
    """Its keys."""
    return trace_of(mail, kind, trust, lane)


def test_storm() -> None:
    """Numbers and prefixes make no difference, words and domains do."""
    storm = trace().storm

    assert storm == trace(replace(MAIL, subject=Untrusted("RE: disk of  WEB-7 at 100 %"))).storm
    assert storm == trace(replace(MAIL, sender=Address(address="root@a.example"))).storm
    assert storm != trace(replace(MAIL, subject=Untrusted("Memory of web-12 at 91 %"))).storm
    assert storm != trace(replace(MAIL, sender=GRACE)).storm
    assert trace(replace(MAIL, subject=Untrusted("12"))).storm == ""


def test_forged_mails_count_for_themselves() -> None:
    """Who only claims to be somebody uses up nothing of what that one may send."""
    proven, claimed, forged = (trace(trust=trust) for trust in (Trust.VERIFIED, Trust.UNVERIFIED, Trust.FAILED))

    assert len({proven.sender, claimed.sender, forged.sender}) == 3
    assert len({proven.storm, claimed.storm, forged.storm}) == 3
    assert (proven.thread, proven.content) == (claimed.thread, claimed.content)
    assert claimed == trace(trust=Trust.WEAK)


def test_sender() -> None:
    """One person with many plus addresses has one limit."""
    plus = replace(MAIL, sender=Address(address="ada+7@a.example"))

    assert trace().sender == trace(plus).sender != trace(replace(MAIL, sender=GRACE)).sender
    assert (canonical("Ada+x@A.example"), canonical("+x@a.example")) == ("ada@a.example", "+x@a.example")


@pytest.mark.parametrize(
    ("kind", "trust", "subject"),
    [
        (Kind.AUTOMATED, Trust.VERIFIED, "Export"),
        (Kind.HUMAN, Trust.WEAK, "Export"),
        (Kind.HUMAN, Trust.VERIFIED, "Re: "),
    ],
)
def test_no_topic(kind: Kind, trust: Trust, subject: str) -> None:
    """Only a person whose sender is proven goes on about a subject."""
    assert trace(replace(MAIL, subject=Untrusted(subject)), kind, trust).topic == ""


def test_topic() -> None:
    """The same sender, the same subject but for its prefixes."""
    again = trace(replace(MAIL, subject=Untrusted("AW: Re: disk of web-12 at 91 %")))

    assert trace().topic == again.topic != ""
    assert again.topic != trace(replace(MAIL, subject=Untrusted("disk of web-13 at 91 %"))).topic
    assert plain_subject("Fwd: WG: Re[2]: A  b") == "a b"


def test_bare_mail() -> None:
    """A mail without anything still has content and thread, and belongs to no crowd."""
    bare = Message()

    assert trace(bare) == Trace(content=content_hash(bare), dated=False, thread=trace().thread)


def test_people() -> None:
    """Sender and recipients, each once, as hashes."""
    told = people_of(replace(MAIL, to=(GRACE, ADA), cc=(Address(address="Grace+x@b.example"),)))

    assert told == (person("ada@a.example"), person("grace@b.example"))
    assert "ada" not in told[0]


@pytest.mark.parametrize(
    ("sender", "trust", "kept_out"),
    [
        (ADA, Trust.UNVERIFIED, False),
        (Address(address="ada+x@a.example"), Trust.WEAK, False),
        (ADA, Trust.FAILED, True),
        (GRACE, Trust.UNVERIFIED, True),
        (GRACE, Trust.WEAK, True),
        (GRACE, Trust.VERIFIED, False),
        (None, Trust.UNVERIFIED, True),
    ],
)
def test_strangers(sender: Address | None, trust: Trust, *, kept_out: bool) -> None:
    """Proven senders and participants may speak in a thread; a forged participant may not."""
    assert kept_out is stranger(replace(MAIL, sender=sender), trust, frozenset({person(ADA.address)}))


@pytest.mark.parametrize(
    ("trust", "kept_out"),
    [(Trust.UNVERIFIED, False), (Trust.WEAK, False), (Trust.VERIFIED, False), (Trust.FAILED, True)],
)
def test_who_answers_us_is_no_stranger(trust: Trust, *, kept_out: bool) -> None:
    """Whoever answers a mail of ours has got it, and may speak; not who is proven to be somebody else."""
    assert kept_out is stranger(replace(MAIL, sender=GRACE), trust, frozenset(), answers_us=True)
