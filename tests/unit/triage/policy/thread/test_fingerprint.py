"""What makes two mails belong together."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.findings import Identity, Joined
from triage.domain.mail import Address, Kind, KindVerdict, Message, Trust
from triage.domain.traces import Fingerprint, Sketch
from triage.domain.untrusted import Untrusted
from triage.policy.sender.trust_verdict import Edge
from triage.policy.thread.content_hash import content_hash
from triage.policy.thread.fingerprint import (
    ThreadSender,
    canonical,
    fingerprint_of,
    is_answer,
    joins,
    kindred,
    leading_key,
    organisation_of,
    people_of,
    person,
    plain_subject,
    proven_participant,
    sketch_of,
    waits_for,
)

ADA, GRACE = Address(address="ada@a.example"), Address(address="grace@b.example")
MAIL = Message(
    message_id="1@a.example",
    subject=Untrusted("Disk of web-12 at 91 %"),
    sender=ADA,
    to=(GRACE,),
    date=datetime(2026, 11, 20, tzinfo=UTC),
)


def trace(
    mail: Message = MAIL, kind: Kind = Kind.HUMAN, trust: Trust = Trust.VERIFIED, thread_key: str = "lane"
) -> Fingerprint:
    """Its keys."""
    return fingerprint_of(mail, kind, trust, thread_key)


def test_alerts_of_one_object_are_one_topic() -> None:
    """A program's object is its topic for one sender of equal proof; a forged sender's mail has none."""
    firing = Message(subject=Untrusted("[Triggered] Queue"), sender=Address(address="alert@datadoghq.com"))
    end = replace(firing, subject=Untrusted("[Recovered] Queue"))

    def topic(mail: Message, trust: Trust, kind: Kind = Kind.AUTOMATED) -> str:
        return fingerprint_of(mail, kind, trust, "lane").topic

    assert topic(firing, Trust.VERIFIED) == topic(end, Trust.VERIFIED) != ""
    assert topic(firing, Trust.UNVERIFIED) == topic(end, Trust.UNVERIFIED) != topic(end, Trust.VERIFIED)
    assert [topic(end, Trust.FAILED), topic(end, Trust.UNVERIFIED, Kind.HUMAN)] == ["", ""]


VERIFIED, WEAK, UNVERIFIED, FAILED = Trust.VERIFIED, Trust.WEAK, Trust.UNVERIFIED, Trust.FAILED
TEXT = "The export of invoices stops after ten pages and the log says nothing about memory or disks."


def about(text: str, subject: str = "Export") -> Sketch:
    """What a mail with these words looks like."""
    return sketch_of(replace(MAIL, subject=Untrusted(subject), text=Untrusted(text)))


@pytest.mark.parametrize(
    ("text", "like"),
    [
        (TEXT, True),
        (" ".join(reversed(TEXT.split())), True),
        (TEXT.upper(), True),
        (TEXT + " Zebras graze quietly beside seven purple lamps while merry clowns juggle onions near rivers.", True),
        (TEXT.replace("ten", "7").replace("invoices", "invoice-91"), True),
        ("The map is white on all our tablets since the update, and drivers cannot find a street.", False),
        ("The export works.", False),
        ("", False),
    ],
)
def test_alike(text: str, *, like: bool) -> None:
    """Order, case, numbers and padding make no difference; other words do."""
    assert like is about(TEXT).like(about(text)) is about(text).like(about(TEXT))


def test_short_mails_that_differ_in_a_name_are_not_alike() -> None:
    """Two orders in the same words for two people, or about two invoices, are two matters; one that is padded is the same."""
    vera = about("Please order a laptop for Vera Blum who starts on 14 December.", "New laptop for Vera")
    xaver = about("Please order a laptop for Xaver Kuhn who starts on 14 December, too.", "Laptop for Xaver")
    again = about("Please order a laptop for Vera Blum who starts on 14 December. Many greetings from a sunny island.")

    assert not vera.like(xaver)
    assert vera.like(again)


def test_few_words_are_alike_when_they_are_the_same() -> None:
    """Short mails share half of their words soon; floods of nothing are floods, too."""
    assert about("printer broken", "Help").like(about("broken printer", "help"))
    assert not about("printer broken", "Help").like(about("phone broken", "Help"))
    assert about("", "").like(about("", ""))
    assert about("17", "12").like(about("95 3", "4"))


def test_an_answer_brings_no_subject_of_its_own() -> None:
    """Two short answers in one thread share their subject, and are alike by their words only."""
    talk = [
        replace(MAIL, subject=Untrusted("Re: Label printer of gate four is offline"), in_reply_to=("a@corner.example",))
    ] * 2
    said = ["It blinks red since noon.", "Now the cover does not close either."]
    first, second = (sketch_of(replace(mail, text=Untrusted(text))) for mail, text in zip(talk, said, strict=True))

    assert not first.like(second)
    assert first.like(first)


def test_sketch_is_written() -> None:
    """It comes back from the store as it went in, and is no longer than its limit."""
    endless = about(" ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600)))

    assert Sketch.of(str(about(TEXT))) == about(TEXT)
    assert (Sketch.of(""), len(endless.words), len(str(endless))) == (Sketch(), 128, 1024)


@pytest.mark.parametrize(
    ("subject", "key"),
    [
        ("Re: [JIRA] (OPS-7) Portal is slow", "OPS-7"),
        ("AW: [ops-7] Portal", "OPS-7"),
        ("OPS-7: tested", "OPS-7"),
        ("Jira OPS-7 is not done", "OPS-7"),
        ("Re: [yard/core] OPS-7 portal: cache the list (PR #41)", "OPS-7"),
        ("[EXTERNAL] AW: [OPS-7] Portal", "OPS-7"),
        ("[OPS-7] OPS-71 is another one", "OPS-7"),
        ("[one] [two] OPS-7", ""),
        ("Seen while testing OPS-7", ""),
        ("ABC-7 is no ticket of ours", ""),
        ("OPS-71 is another one", ""),
        ("", ""),
    ],
)
def test_a_key_in_front_of_a_subject(subject: str, key: str) -> None:
    """Prefixes, brackets, the name of Jira and one tag of a list or gateway aside, the subject begins with one of the keys; one by the way is none."""
    assert leading_key(subject, ("OPS-8", "OPS-7")) == key


def test_subjects_without_numbers() -> None:
    """Subjects are one where only numbers, prefixes or the order of words differ."""
    keys = [trace(replace(MAIL, subject=Untrusted(one))).subject for one in ("RE: 7 disk full", "full disk 99", "disk")]

    assert (keys[0] == keys[1], keys[0] == keys[2]) == (True, False)


def test_forged_mails_count_for_themselves() -> None:
    """Who only claims to be somebody uses up nothing of what that one may send."""
    standing = [trace(trust=trust) for trust in (FAILED, UNVERIFIED, WEAK, VERIFIED)]
    others = [trace(replace(MAIL, sender=GRACE), trust=trust) for trust in (UNVERIFIED, VERIFIED)]

    assert len({one.sender for one in standing}) == len({one.thread for one in standing}) == 4
    assert ([one.believed for one in standing], [one.proven for one in standing]) == (
        [0, 1, 2, 3],
        [False] * 3 + [True],
    )
    assert (others[0].thread == standing[1].thread, others[1].thread == standing[3].thread) == (False, True)


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


def test_answers() -> None:
    """Copies answer the same mails, in whatever order they name them."""
    answer = trace(replace(MAIL, in_reply_to=("2@x",), references=("1@x", "2@x")))

    assert trace().answers == "" != answer.answers
    assert answer.answers == trace(replace(MAIL, in_reply_to=("1@x",), references=("2@x",))).answers
    assert answer.answers != trace(replace(MAIL, in_reply_to=("1@x",))).answers


def test_bare_mail() -> None:
    """A mail without anything still has content and thread, and belongs to no crowd."""
    bare = Message()

    assert trace(bare) == Fingerprint(
        content=content_hash(bare),
        dated=False,
        thread=trace().thread,
        subject=trace(bare).subject,
        sketch=Sketch(),
        proven=True,
        believed=3,
    )


def test_people() -> None:
    """Sender and recipients, each once, as hashes."""
    told = people_of(replace(MAIL, to=(GRACE, ADA), cc=(Address(address="Grace+x@b.example"),)))

    assert told == (person("ada@a.example"), person("grace@b.example"))
    assert "ada" not in told[0]


EVE = Address(address="eve@evil.example")
NAMED = Joined.REFERENCES


@pytest.mark.parametrize(
    ("sender", "trust", "checked", "unchecked", "proven"),
    [
        (ADA, VERIFIED, NAMED, NAMED, True),
        (ADA, WEAK, NAMED, NAMED, False),
        (ADA, UNVERIFIED, None, NAMED, False),
        (ADA, FAILED, None, None, False),
        (Address(address="ada+x@a.example"), VERIFIED, NAMED, NAMED, True),
        (EVE, VERIFIED, None, NAMED, False),
        (EVE, WEAK, None, NAMED, False),
        (EVE, UNVERIFIED, None, NAMED, False),
        (EVE, FAILED, None, None, False),
        (None, UNVERIFIED, None, None, False),
    ],
)
def test_who_joins_a_thread(
    sender: Address | None, trust: Trust, checked: Joined | None, unchecked: Joined | None, *, proven: bool
) -> None:
    """Where senders are checked only participants with a proof join, else References do; strangers take no part."""
    mail, people = replace(MAIL, sender=sender), frozenset({person(ADA.address)})
    found = [joins(mail, ThreadSender(trust=trust, checked=by_us), people) for by_us in (True, False)]

    assert [checked, unchecked] == found
    assert proven is proven_participant(mail, ThreadSender(trust=trust, checked=True), people)


@pytest.mark.parametrize(
    ("address", "trust", "joined"),
    [
        ("cora@a.example", VERIFIED, NAMED),
        ("cora@a.example", WEAK, None),
        ("cora@a.example", UNVERIFIED, None),
        ("cora@b.example", VERIFIED, None),
    ],
)
def test_who_works_where_a_proven_sender_works_joins(address: str, trust: Trust, joined: Joined | None) -> None:
    """A colleague of a proven sender answers in the thread, proven himself; he does not become a participant."""
    people, mail = frozenset(trace().people), replace(MAIL, sender=Address(address=address))
    sender = ThreadSender(trust=trust, checked=True)

    assert joins(mail, sender, people) is joined
    assert not proven_participant(mail, sender, people)


def test_of_freemail_and_of_claimed_senders_nobody_is_a_colleague() -> None:
    """A public mail domain is no house, and a sender who is not proven speaks for none."""
    public = replace(MAIL, sender=Address(address="ada@gmail.com"))
    claimed = fingerprint_of(MAIL, Kind.HUMAN, UNVERIFIED, "t")

    assert organisation_of(public) == organisation_of(Message()) == ()
    assert set(claimed.people) == set(people_of(MAIL))


@pytest.mark.parametrize(("trust", "proven"), [(VERIFIED, True), (WEAK, False), (UNVERIFIED, False), (FAILED, False)])
def test_colleagues_take_part(trust: Trust, *, proven: bool) -> None:
    """Who is of our own house is part of every thread, with a proof of that."""
    colleague, mail = ThreadSender(trust=trust, checked=True, known=True), replace(MAIL, sender=EVE)

    assert (joins(mail, colleague, frozenset()) is NAMED) is (trust in {VERIFIED, WEAK})
    assert proven is proven_participant(mail, colleague, frozenset())


@pytest.mark.parametrize("trust", Trust)
@pytest.mark.parametrize("deceptive", [True, False])
def test_who_answers_us_joins(trust: Trust, *, deceptive: bool) -> None:
    """Whoever answers a mail of ours has got it; that makes nobody a participant."""
    sender = ThreadSender(trust=trust, checked=True, deceptive=deceptive)

    assert joins(replace(MAIL, sender=EVE), sender, frozenset(), answers_us=True) is Joined.REPLY_ID
    assert not proven_participant(replace(MAIL, sender=EVE), sender, frozenset())


@pytest.mark.parametrize("checked", [True, False])
def test_who_looks_like_a_participant_is_none(*, checked: bool) -> None:
    """A From that deceives joins no thread, whether anybody checks senders or not."""
    sender = ThreadSender(trust=VERIFIED, checked=checked, known=True, deceptive=True)

    assert joins(MAIL, sender, frozenset({person(ADA.address)})) is None
    assert not proven_participant(MAIL, sender, frozenset({person(ADA.address)}))


ROOT = replace(MAIL, message_id="1@a.example", subject=Untrusted("Map is white"), sender=ADA, to=(GRACE,))
ANSWER = replace(MAIL, message_id="2@b.example", subject=Untrusted("Re: Map is white"), sender=GRACE, to=(ADA,))
ANSWER = replace(ANSWER, in_reply_to=("1@a.example",))
ASIDE = replace(ANSWER, message_id="3@a.example", sender=ADA, to=(GRACE,))


EDGE = Edge(servers=frozenset({"mx.ours.example"}))
STAMPED = replace(
    ROOT, headers=(("authentication-results", "mx.ours.example; dmarc=fail header.from=a.example"), ("received", "x"))
)


def speaker(case: Case) -> ThreadSender:
    """Who sent it, where nobody checks senders."""
    return ThreadSender(trust=case.identity.trust, checked=False)


def case(mail: Message, trust: Trust = Trust.UNVERIFIED, kind: Kind = Kind.HUMAN, foreign_thread: str = "") -> Case:
    """A mail as far as `identify` has it."""
    told = KindVerdict(kind=kind, evidence=(), may_ticket=True, may_answer=True)
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return Case(
        id=f"case-{mail.message_id}",
        source="file",
        received_at=at,
        message=mail,
        identity=Identity(trust=trust, kind=told, foreign_thread=foreign_thread),
    )


@pytest.mark.parametrize(
    ("late", "answer", "akin"),
    [
        (case(ROOT), case(ANSWER), True),
        (case(ROOT, kind=Kind.AUTOMATED), case(ANSWER), True),
        (case(ROOT, Trust.FAILED), case(ANSWER), False),
        (case(ROOT), case(ANSWER, Trust.FAILED), False),
        (case(ROOT), case(ANSWER, foreign_thread="OPS-1"), False),
        (case(ROOT), case(replace(ANSWER, in_reply_to=("9@a.example",))), False),
        (case(ROOT), case(replace(ANSWER, to=())), False),
        (case(ROOT, Trust.VERIFIED), case(replace(ANSWER, to=())), False),
        (case(ROOT), case(replace(ANSWER, subject=Untrusted("Colours"))), True),
        (case(ROOT), case(replace(ANSWER, sender=EVE)), True),
        (case(ROOT), case(replace(ANSWER, sender=EVE, subject=Untrusted("Gold"))), False),
        (case(replace(ROOT, message_id=None)), case(ANSWER), False),
    ],
)
def test_a_mail_after_its_answer(late: Case, answer: Case, *, akin: bool) -> None:
    """It belongs to its answer's ticket, where the two know of each other and nobody is proven to be somebody else."""
    assert (answer if akin else None) is kindred(late, [answer], speaker(late))


@pytest.mark.parametrize(
    ("late", "other", "akin"),
    [
        (case(ASIDE), case(ANSWER), True),
        (case(ASIDE, kind=Kind.AUTOMATED), case(ANSWER), False),
        (case(ASIDE), case(ANSWER, kind=Kind.AUTOMATED), False),
        (case(replace(ASIDE, subject=Untrusted("Re: Gold"))), case(ANSWER), False),
        (case(replace(ASIDE, in_reply_to=("9@a.example",))), case(ANSWER), False),
        (case(replace(ASIDE, sender=EVE)), case(ANSWER), False),
        (case(replace(ASIDE, sender=EVE), Trust.VERIFIED), case(ANSWER), False),
    ],
)
def test_two_answers_to_a_mail_that_we_do_not_have(late: Case, other: Case, *, akin: bool) -> None:
    """People's answers on one subject are one matter; programs share made-up ids for other reasons."""
    assert (other if akin else None) is kindred(late, [other], speaker(late))


@pytest.mark.parametrize(
    ("other", "waits"),
    [
        (case(ROOT), True),
        (case(ROOT, Trust.VERIFIED), True),
        (case(ROOT, Trust.FAILED), False),
        (case(replace(ROOT, sender=EVE)), False),
        (case(replace(ROOT, sender=EVE), Trust.VERIFIED), False),
        (case(replace(ROOT, sender=GRACE)), True),
        (case(replace(ROOT, sender=None)), False),
        (replace(case(ROOT), message=None), True),
        (replace(case(ROOT), identity=replace(case(ROOT).identity, kind=None)), True),
        (replace(case(ROOT), identity=replace(case(ROOT).identity, kind=None), verdict=Trust.FAILED), False),
        (replace(case(STAMPED), identity=replace(case(STAMPED).identity, kind=None)), False),
        (replace(case(STAMPED), identity=replace(case(STAMPED).identity, kind=None), source="webhook:postmark"), True),
    ],
)
def test_whom_an_answer_waits_for(other: Case, *, waits: bool) -> None:
    """It waits for mails of its own sender and of those it is to, not for whoever claims the id that it answers."""
    assert waits is waits_for(case(ANSWER), other, EDGE)


def test_the_first_that_fits() -> None:
    """Of several the earliest; and under an id that two mails have nothing is certain."""
    bare, answer, aside = case(ROOT), case(ANSWER), case(replace(ASIDE, in_reply_to=("1@a.example",)))
    shadow = case(replace(ROOT, subject=Untrusted("Another one"), sender=EVE))

    sender = speaker(bare)
    assert kindred(bare, [case(ANSWER, Trust.FAILED), answer, aside], sender) is answer
    assert kindred(bare, [answer, shadow], sender) is None
    assert kindred(bare, [], sender) is None


@pytest.mark.parametrize(
    ("subject", "answer"),
    [
        ("Re: Barcode", True),
        ("AW: Barcode", True),
        ("RE[2]: Barcode", True),
        ("[EXTERNAL] Re: Barcode", True),
        ("Fwd: Barcode", False),
        ("Barcode: Re", False),
        ("Regarding: Barcode", False),
    ],
)
def test_a_subject_that_answers(subject: str, *, answer: bool) -> None:
    """By the prefix that a mail program has written, in any language; a forward is no answer."""
    assert is_answer(subject) is answer
