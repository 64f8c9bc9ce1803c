"""The degraded parse of a mail over a limit: its headers and first text."""

from typing import Final

from integrations.mime.charsets import decode
from integrations.mime.headers import addresses_of, bare_id, date_of, ids_of, value_of
from integrations.mime.html.invisible import cleaned
from integrations.mime.parts import MailBody, content_of, html_body, is_attached
from integrations.mime.tree import MimePart, tree_of
from triage.domain.errors import NotAMail
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

FLAG: Final = "degraded:reader"
MAX_BYTES: Final = 200_000
"""Bytes of header and text that are read."""
MAX_FIELD: Final = 2000
MAX_TEXT: Final = 50_000


def brief_of(raw: bytes) -> Message:
    """Parse header and first text from the first bytes; the rest stays in the raw mail. Raises `NotAMail`."""
    odd = {FLAG}
    tree = tree_of(raw[:MAX_BYTES], odd)
    if not tree.fields:
        raise NotAMail("it has no head, and reading it as a text fails")
    senders = _addresses(tree, "from", odd)
    if len(tree.all("from")) > 1 or len(senders) > 1:
        odd.add("many-from")
    body = _first_text(tree, odd)
    text = Untrusted(body.text.strip())
    return Message(
        message_id=next(iter(ids_of(_short(tree, "message-id"))), None) or bare_id(_short(tree, "message-id")),
        in_reply_to=ids_of(_short(tree, "in-reply-to")),
        references=ids_of(_short(tree, "references")),
        subject=Untrusted(value_of(_short(tree, "subject"), odd)),
        sender=next(iter(senders), None),
        to=_addresses(tree, "to", odd),
        cc=_addresses(tree, "cc", odd),
        reply_to=_addresses(tree, "reply-to", odd),
        date=date_of(_short(tree, "date")),
        text=text,
        reply=text,
        hidden_text=body.hidden,
        headers=tuple((name, value_of(value[:MAX_FIELD], odd)) for name, value in tree.fields),
        flags=tuple(sorted(odd)),
        size=len(raw),
    )


def _short(tree: MimePart, name: str) -> str:
    return tree.get(name)[:MAX_FIELD]


def _addresses(tree: MimePart, name: str, odd: set[str]) -> tuple[Address, ...]:
    return addresses_of(_short(tree, name), odd)


def _first_text(tree: MimePart, odd: set[str]) -> MailBody:
    """Return the first plain text, else the first HTML as a reader sees it: hidden text stays hidden here, too."""
    leaves = [part for part in tree.walk() if not part.parts and not is_attached(part)]
    chosen = next((part for kind in ("text/plain", "text/html") for part in leaves if part.type == kind), None)
    if chosen is None:
        return MailBody()
    text = decode(content_of(chosen, odd), chosen.parameters.get("charset", ""), odd)[:MAX_TEXT]
    return html_body(text, odd) if chosen.type == "text/html" else MailBody(cleaned(text, odd))
