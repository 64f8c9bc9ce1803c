"""Composes the letter of a case: recipients, subject, thread, signed Message-ID, the original to quote."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from triage.domain.cases import Case
from triage.domain.errors import ToolRefused
from triage.domain.letters import Letter, LetterFile, LetterKind, Original
from triage.domain.mail import Address, Message
from triage.domain.text.visible import visible
from triage.domain.untrusted import Untrusted
from triage.policy.letters.recipients import Ours, recipients_of
from triage.policy.thread.fingerprint import bare_subject
from triage.policy.thread.signed_message_ids import own_id

LONGEST_SUBJECT: Final = 160
MOST_REFERENCES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterRules:
    """How letters are written here."""

    sender: Address
    """MAIL_FROM."""
    ours: Ours = field(default_factory=Ours)
    delay: float = 60.0
    """Seconds in which a letter can be taken back."""
    per_person: int = 5
    """Automatic letters that a person may get within a day."""

    @property
    def domain(self) -> str:
        """The domain of our Message-IDs."""
        return self.sender.domain or "localhost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The content of a letter: kind, subject, body, language, files."""

    kind: LetterKind
    body: str
    """Markdown."""
    subject: str = ""
    """Empty: that of the mail, with `Re:` before it once."""
    language: str = "en"
    files: tuple[LetterFile, ...] = ()
    copy_to: str = ""
    """Address that the person who accepted it has put in copy."""


def letter_of(  # noqa: PLR0913 - what a letter is made of
    case: Case,
    effect: str,
    wording: Wording,
    rules: LetterRules,
    *,
    secret: bytes,
    now: datetime,
    automatic: bool = True,
    draft: bool = False,
    by: str = "",
) -> Letter:
    """Return the letter that is this effect (`reply:1`) of the case. Raises `ToolRefused` if nobody may get it.

    An automatic letter goes to the sender alone; people in copy get what a person has accepted.
    """
    found, mail = recipients_of(case, rules.ours, wording.copy_to), case.mail
    if not found.to:
        raise ToolRefused(found.why)
    return Letter(
        key=f"{case.id}:{effect}",
        case=case.id,
        kind=wording.kind,
        to=found.to,
        cc=() if automatic and not draft else found.cc,
        subject=_subject(wording.subject, mail),
        body=wording.body.strip(),
        language=wording.language,
        original=original_of(case),
        files=wording.files,
        in_reply_to=mail.message_id or "",
        references=_references(mail),
        message_id=own_id(case, effect, rules.domain, secret),
        automatic=automatic,
        draft=draft,
        ticket=case.ticket or "",
        due_at=now if draft else now + timedelta(seconds=rules.delay),
        by=by,
        note="; ".join(f"no copy to {one}" for one in found.left_out),
    )


def original_of(case: Case) -> Original:
    """Return the mail of a case as a letter quotes it; nothing of one that could not be read, whose text is ours."""
    mail = case.message
    if mail is None or case.stub is not None:
        return Original()
    return Original(sender=Untrusted(str(mail.sender)), at=mail.date or case.received_at, text=mail.reply or mail.text)


def _subject(wanted: str, mail: Message) -> str:
    """Return one line; answers keep the mail's subject, with `Re:` once."""
    given = " ".join(visible(wanted).split())
    if given:
        return given[:LONGEST_SUBJECT]
    return f"Re: {' '.join(visible(bare_subject(mail.subject)).split())[:LONGEST_SUBJECT]}".strip()


def _references(mail: Message) -> tuple[str, ...]:
    """Return the thread, oldest first, with the mail itself at its end (RFC 5322, 3.6.4)."""
    before: Sequence[str] = mail.references or mail.in_reply_to
    named = dict.fromkeys((*before, *((mail.message_id,) if mail.message_id else ())))
    return tuple(named)[-MOST_REFERENCES:]
