"""Makes a chat message a mail of its session, so that it takes the same way as every mail; and finds the rule that takes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from typing import Final

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import PipelineName
from triage.domain.text.truncation import truncated
from triage.domain.untrusted import Untrusted

SOURCE: Final = "chat"
"""Source of messages that were typed into a chat."""
ASKED_BY: Final = "X-Triage-Asked-By"
"""Header that names the colleague who has asked as a customer; empty where a shell did."""
NOBODY: Final = "chat@localhost.invalid"
"""The customer where none is named."""
ACCOUNT: Final = "X-Triage-Account"
"""Header that names the account; only of messages of this source, which our own code has written."""


LONGEST: Final = 60
"""Characters of a subject."""
READ: Final = 500
"""Characters of a message that may become its subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportChatMessage:
    """What a raw mail of the source `chat` says."""

    session: str
    customer: str
    account: str
    text: Untrusted


def chat_mail(
    session: str, name: str, text: str, *, customer: str, account: str, at: datetime, asked_by: str = ""
) -> bytes:
    """Return a message of a session as raw mail; `name` is its own, and all of a session answer one Message-ID.

    Its subject is how the text begins, for lists; the hub reads the text alone.
    """
    mail = EmailMessage()
    mail["Subject"] = subject_of(text)
    mail["From"] = customer
    mail["To"] = "chat@chat.triage.invalid"
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<chat-{session}-{name}@chat.triage.invalid>"
    mail["In-Reply-To"] = mail["References"] = f"<chat-{session}@chat.triage.invalid>"
    mail[ACCOUNT] = account
    if asked_by:
        mail[ASKED_BY] = asked_by
    mail.set_content(text)
    return mail.as_bytes()


def subject_of(text: str) -> str:
    """Return the first words of a message, 60 characters at most."""
    words = "".join(sign if sign.isprintable() else " " for sign in text[:READ]).split()
    return truncated(" ".join(words), LONGEST, at_word=True)


def chat_of(raw: bytes) -> SupportChatMessage:
    """Return the message that `chat_mail` has made a mail of."""
    mail = message_from_bytes(raw, policy=default)
    body = mail.get_body()
    return SupportChatMessage(
        session=str(mail["In-Reply-To"] or "").removeprefix("<chat-").partition("@")[0],
        customer=str(mail["From"] or ""),
        account=str(mail[ACCOUNT] or ""),
        text=Untrusted(str(body.get_content()).strip() if body else ""),
    )


def chat_accounts(rules: Sequence[RoutingRule]) -> tuple[str, ...]:
    """Return the accounts of the support hub's rules in their order; one without a name is empty."""
    return tuple(dict.fromkeys(rule.account for rule in rules if rule.pipeline is PipelineName.SUPPORT))


def chat_rule(rules: Sequence[RoutingRule], account: str) -> RoutingRule | None:
    """Return the first rule of the support hub, of this account if one is named; None if there is none."""
    hubs = [rule for rule in rules if rule.pipeline is PipelineName.SUPPORT]
    return next((rule for rule in hubs if not account or rule.account == account), None)
