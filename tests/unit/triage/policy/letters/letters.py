"""Letters and cases that tests of letters share."""

from dataclasses import replace
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from triage.domain.cases import Case
from triage.domain.findings import Identity
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Address, Kind, KindVerdict, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.letters.compose import LetterRules
from triage.policy.letters.recipients import Ours

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
SUPPORT = Address(address="support@harbour.example", name=Untrusted("Harbour Support"))
RULES = LetterRules(
    sender=SUPPORT,
    ours=Ours(addresses=frozenset({SUPPORT.address}), domains=frozenset({"harbour.example"})),
    delay=60.0,
    per_person=2,
)
ADA = Address(address="ada@acme.example", name=Untrusted("Ada Byron"))
SECRET = b"a secret of the tests"


def case_of(**message: object) -> Case:
    """A proven person's mail."""
    mail = Message(
        message_id="1@acme.example",
        subject=Untrusted("Export broken"),
        sender=ADA,
        cc=(Address(address="bob@acme.example"), Address(address="eve@evil.example")),
        date=NOW,
        text=Untrusted("It is broken.\n\n> history"),
        reply=Untrusted("It is broken."),
    )
    human = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)
    return Case(
        id="case-17",
        source="file",
        received_at=NOW,
        message=replace(mail, **message),  # type: ignore[arg-type]  # tests name fields
        identity=Identity(kind=human, trust=Trust.VERIFIED),
    )


def letter(**more: object) -> Letter:
    """A letter."""
    made = Letter(
        key="case-17:reply:1",
        case="case-17",
        kind=LetterKind.ANSWER,
        to=(ADA,),
        subject="Re: Export broken",
        body="We look **into** it.",
        message_id="triage.17.0.reply_1.0@harbour.example",
    )
    return replace(made, **more)  # type: ignore[arg-type]  # tests name fields


def parsed(raw: bytes) -> EmailMessage:
    """The mail as another program reads it."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    assert isinstance(message, EmailMessage)
    return message
