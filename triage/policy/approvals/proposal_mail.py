"""Writes the call that an MCP client proposes as a mail, so that it is stored, worked on and shown as a case; and reads it."""

import json
from email.message import EmailMessage
from email.policy import SMTP
from typing import Final

from triage.domain.conversation import Json
from triage.domain.errors import NotAMail
from triage.domain.mail import Attachment, Message
from triage.domain.operations.mcp import ProposedCall
from triage.domain.text.visible import visible

SOURCE: Final = "mcp"
"""Source of such mails; only our own code sets sources, so no sender can write one."""
FILE: Final = "proposal.json"
LONGEST_TITLE: Final = 200


def is_proposal(source: str) -> bool:
    return source.partition(":")[0] == SOURCE


def proposal_mail(call: ProposedCall) -> bytes:
    """Return the mail: what people read as its text, and the call as a file."""
    mail = EmailMessage(policy=SMTP)
    name = "".join(letter for letter in visible(call.by.name) if letter not in '"\\<>\r\n\t')
    mail["From"] = f'"{name}" <{call.by.address}>'
    mail["Subject"] = " ".join(visible(call.title).split())[:LONGEST_TITLE] or call.tool
    mail["Date"] = call.at
    mail["Message-ID"] = f"<{call.id}@triage.invalid>"
    mail.set_content(visible(_text(json.loads(call.arguments))), cte="base64")
    held = json.dumps({"tool": call.tool, "arguments": call.arguments}).encode()
    mail.add_attachment(held, maintype="application", subtype="json", filename=FILE)
    return mail.as_bytes()


def file_of(message: Message) -> Attachment:
    """Return the file that holds the call. Raises `NotAMail`."""
    found = next((one for one in message.attachments if one.name == FILE), None)
    if found is None:
        raise NotAMail("a proposal without its call")
    return found


def call_in(content: bytes) -> tuple[str, str]:
    """Return tool and canonical arguments of such a file."""
    held = json.loads(content)
    return str(held["tool"]), str(held["arguments"])


def _text(arguments: Json) -> str:
    """Return the longest argument, which is what the proposal says; all of them where none is a text."""
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return max(texts, key=len) if texts else json.dumps(arguments, ensure_ascii=False, indent=1)
