"""Who gets a letter: the proven sender, people of his organisation or ours in copy, and nobody automatically who may be a machine."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from triage.domain.cases import Case
from triage.domain.errors import ToolRefused
from triage.domain.findings import Classification, Disposition, DispositionFinding, Identity
from triage.domain.mail import Address, Hop, Kind, KindVerdict, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.letters.recipients import MOST_COPIES, Ours, may_pass_on, may_write_automatically, recipients_of

OURS = Ours(addresses=frozenset({"support@harbour.example"}), domains=frozenset({"harbour.example", "gmail.com"}))
HUMAN = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)
ADA = Address(address="ada@acme.example")


def case(sender: Address | None = ADA, *on: str, trust: Trust = Trust.VERIFIED, **message: object) -> Case:
    """A person's mail with these people on it."""
    to = tuple(Address(address=one) for one in on[:1])
    cc = tuple(Address(address=one) for one in on[1:])
    return Case(
        id="case-1",
        source="file",
        received_at=datetime(2026, 11, 20, 9, tzinfo=UTC),
        message=Message(sender=sender, to=to, cc=cc, **message),  # type: ignore[arg-type]  # tests name fields
        identity=Identity(kind=HUMAN, trust=trust),
    )


def test_the_proven_sender_and_people_on_the_mail() -> None:
    """The sender gets it, colleagues of his and ours get copies, everybody else on the mail is left out with the reason."""
    on = ("support@harbour.example", "bob@acme.example", "Grace@harbour.example".lower(), "eve@evil.example")
    found = recipients_of(case(ADA, *on, "carl@gmail.com", "noreply@acme.example", "ada@acme.example"), OURS)

    assert found.to == (ADA,)
    assert [one.address for one in found.cc] == ["bob@acme.example", "grace@harbour.example"]
    assert found.left_out == (
        "eve@evil.example: neither of the sender's organisation nor of ours",
        "carl@gmail.com: neither of the sender's organisation nor of ours",
        "noreply@acme.example: nobody reads it",
    )
    assert found.why == ""


def test_reply_to_names_nobody() -> None:
    """A letter never goes where only Reply-To points."""
    found = recipients_of(case(reply_to=(Address(address="victim@other.example"),)), OURS)

    assert [one.address for one in (*found.to, *found.cc)] == ["ada@acme.example"]


def test_a_person_adds_one() -> None:
    """Whoever accepts a letter may put a colleague of the sender or of ours in copy, once, and nobody else."""
    mail = case(ADA, "support@harbour.example", "bob@acme.example")

    assert recipients_of(mail, OURS, "Grace@harbour.example ").people == (
        str(ADA),
        "grace@harbour.example in copy",
        "bob@acme.example in copy",
    )
    assert len(recipients_of(mail, OURS, "bob@acme.example").cc) == 1
    assert [one.address for one in recipients_of(mail, OURS, "ada@acme.example").cc] == ["bob@acme.example"]
    for foreign in ("eve@evil.example", "no-reply@acme.example", "support@harbour.example", "bob@acme.example, x@y.z"):
        with pytest.raises(ToolRefused, match="can get no copy"):
            recipients_of(mail, OURS, foreign)


def test_few_copies() -> None:
    """A mail to a whole company makes no letter to a whole company."""
    found = recipients_of(case(ADA, *(f"p{number}@acme.example" for number in range(40))), OURS)

    assert len(found.cc) == MOST_COPIES
    assert len(found.left_out) == 40 - MOST_COPIES


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        (case(None), "names no sender"),
        (case(trust=Trust.WEAK), "not proven (weak)"),
        (replace(case(), source="chat"), "typed into a chat"),
        (case(trust=Trust.UNVERIFIED), "not proven (unverified)"),
        (case(trust=Trust.FAILED), "not proven (failed)"),
        (case().flagged("lookalike"), "somebody else: lookalike"),
        (case(flags=("many-from",)), "somebody else: many-from"),
        (case(Address(address="support+7@harbour.example")), "a mailbox of ours"),
        (case(Address(address="no-reply@acme.example")), "nobody reads it"),
        (case(Address(address="mailer-daemon@acme.example")), "nobody reads it"),
        (case(Address(address="ada@acme.example, eve@evil.example")), "no address"),
        (case(Address(address='"a b"@acme.example')), "no address"),
        (case(Address(address="ada@acme.example\nbcc: eve@evil.example")), "no address"),
        (case(Address(address="größe@acme.example")), "no address"),
        (case(Address(address="ada")), "no address"),
    ],
)
def test_nobody(mail: Case, why: str) -> None:
    """A sender who is not proven, is no person, or whose address is none, gets no letter of any kind."""
    found = recipients_of(mail, OURS)

    assert (found.to, found.cc) == ((), ())
    assert why in found.why
    assert why in may_write_automatically(mail, OURS).why


def judged(mail: Case, disposition: Disposition) -> Case:
    """The mail with this disposition."""
    found = DispositionFinding(disposition=disposition, confidence=0.9)
    return replace(mail, classification=Classification(disposition=found))


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        (replace(case(), identity=Identity(trust=Trust.VERIFIED)), "kind is unknown"),
        *(
            (
                replace(
                    case(),
                    identity=Identity(
                        trust=Trust.VERIFIED, kind=replace(HUMAN, kind=kind, evidence=("List-Id",), may_answer=False)
                    ),
                ),
                "no person wrote the mail: List-Id",
            )
            for kind in (Kind.LIST, Kind.AUTOMATED, Kind.BOUNCE, Kind.OWN)
        ),
        (
            replace(
                case(),
                identity=Identity(
                    trust=Trust.VERIFIED, kind=replace(HUMAN, evidence=("subject: away",), may_answer=False)
                ),
            ),
            "wants no automatic answer: subject: away",
        ),
        (judged(case(), Disposition.SPAM), "spam"),
    ],
)
def test_nothing_automatic(mail: Case, why: str) -> None:
    """Lists, programs, bounces, those who ask for silence, and spam get no automatic letter."""
    assert recipients_of(mail, OURS).to == (ADA,)
    assert why in may_write_automatically(mail, OURS).why


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("AW: Drucker", "Vielen Dank für Ihre E-Mail. Unser Büro ist bis zum 7. Januar geschlossen."),
        ("Re: Pompe", "Je serai de retour le 16 mars. Pour toute urgence, merci de contacter Jo."),
        ("RE: 펌프", "안녕하세요. 현재 출장 중으로 회신이 늦을 수 있습니다."),
        ("Re: Pump", "We have received your message and an agent will get back to you within two days."),
    ],
)
def test_an_answer_that_reads_automatic(subject: str, text: str) -> None:
    """A vacation notice that no list knows gets no automatic letter; whoever quotes, begins or chats does."""
    away: dict[str, Any] = {
        "subject": Untrusted(subject),
        "text": Untrusted(text),
        "reply": Untrusted(text),
        "in_reply_to": ("1@harbour.example",),
        "hops": (Hop(),),
    }
    fault = Untrusted("The pump in hall 4 still loses oil at the seal, please send a mechanic today.")
    people: tuple[dict[str, Any], ...] = (
        {"quoted": Untrusted("> old")},
        {"in_reply_to": ()},
        {"hops": ()},
        {"reply": fault, "text": fault},
    )

    assert "automatic answer" in may_write_automatically(case(**away), OURS).why
    assert may_pass_on(case(**away), OURS).yes
    for one in people:
        assert may_write_automatically(case(**{**away, **one}), OURS).yes


def test_so_many_a_day() -> None:
    """A person gets so many automatic letters a day and no more."""
    mail = judged(case(), Disposition.WORK)

    assert may_write_automatically(mail, OURS, written=1, most=2).yes
    assert not (third := may_write_automatically(mail, OURS, written=2, most=2)).yes
    assert "LETTERS_PER_PERSON_PER_DAY" in third.why
    assert not may_write_automatically(mail, OURS, most=0).yes
