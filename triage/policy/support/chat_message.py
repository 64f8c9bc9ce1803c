"""Makes a chat message a mail of its session, so that it takes the same way as every mail; and finds the rule that takes it."""

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import PipelineName

SOURCE: Final = "chat"
"""Source of messages that were typed into a chat."""
ACCOUNT: Final = "X-Triage-Account"
"""Header that names the account; only of messages of this source, which our own code has written."""


def chat_mail(session: str, name: str, text: str, *, customer: str, account: str, at: datetime) -> bytes:
    """Return a message of a session as raw mail; `name` is its own, and all of a session answer one Message-ID."""
    mail = EmailMessage()
    mail["From"] = customer
    mail["To"] = "chat@chat.triage.invalid"
    mail["Subject"] = f"Chat {session}"
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<chat-{session}-{name}@chat.triage.invalid>"
    mail["In-Reply-To"] = mail["References"] = f"<chat-{session}@chat.triage.invalid>"
    mail[ACCOUNT] = account
    mail.set_content(text)
    return mail.as_bytes()


def chat_rule(rules: Sequence[RoutingRule], account: str) -> RoutingRule | None:
    """Return the first rule of the support hub, of this account if one is named; None if there is none."""
    hubs = [rule for rule in rules if rule.way is PipelineName.SUPPORT]
    return next((rule for rule in hubs if not account or rule.account == account), None)
