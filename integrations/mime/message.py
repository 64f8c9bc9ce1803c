"""Parses a raw mail into a `Message`, as far as it can be read, with flags for what was odd."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from integrations.mime.charsets import guess
from integrations.mime.formats.outlook import OUTLOOK, mail_of
from integrations.mime.headers import addresses_of, bare_id, date_of, ids_of, readings_of_from, value_of
from integrations.mime.hops import hops_of
from integrations.mime.html.invisible import cleaned, one_line
from integrations.mime.parts import (
    MAX_TEXT,
    NO_TEXT,
    MailBody,
    PartBudget,
    attachments_of,
    body_of,
    html_body,
    invitation_of,
    is_attached,
    messages_in,
    named_text,
)
from integrations.mime.reply.answered import Answered, bare_subject
from integrations.mime.reply.footer.disclaimers import words_of
from integrations.mime.reply.quote_patterns import ANSWER_SUBJECT, FORWARD_SUBJECT
from integrations.mime.reply.split import Split, split
from integrations.mime.rich_reply import rich_reply
from integrations.mime.transfer import transferred
from integrations.mime.tree import MimePart, starts_with_fields, tree_of
from triage.domain.errors import NotAMail
from triage.domain.mail import OWN_HEADER, Address, Message
from triage.domain.untrusted import Untrusted

MAX_IDS: Final = 20
MAX_BYTES: Final = 100_000
"""Bytes of one part that are searched for a header block."""

# RFC 8098 calls it Original-Message-ID; servers that copy a header block into a text file may quote it.
_LINE: Final = re.compile(
    rb"^[> \t]{0,8}(?:original-)?(?:message-id|" + OWN_HEADER.encode() + rb")[ \t]{0,9}:"
    rb"[ \t]{0,20}(?:\r?\n[ \t]{1,20})?<?([^<>\s]{3,300})",
    re.IGNORECASE | re.MULTILINE,
)

_BINARY: Final = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|PK\x03\x04|PK\x05\x06|\x7fELF|%PDF-|\x1f\x8b|BZh|7z\xbc\xaf|\xfd7zXZ|Rar!|MZ.\x00|"
    rb"SQLite format 3|RIFF....(?:WEBP|WAVE|AVI )|ID3|OggS|\x00\x00\x00.ftyp|\xca\xfe\xba\xbe",
    re.DOTALL,
)
_HTML: Final = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype|!--|html|head|body|div|p|table|span|meta|style|br)\b", re.IGNORECASE
)
_LEADING: Final = re.compile(rb"\x00*(?:\xef\xbb\xbf)?[\r\n]*")
_HEAD: Final = re.compile(rb"\A.{0,100000}?\n\r?\n", re.DOTALL)
_CONTROLS: Final = bytes(set(range(32)) - {9, 10, 12, 13, 27} | {127})
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


def message_of(raw: bytes) -> Message:
    """Parse a raw mail. Raises `NotAMail` for empty input and for files of other types."""
    odd: set[str] = set()
    content = content_in(raw, odd)
    if "outlook-msg" not in odd and not starts_with_fields(content):
        return _with_body(Message(size=len(raw)), _bare(content, odd), odd)
    tree = tree_of(content, odd)
    enclosed = enclosed_ids_of(tree)
    attachments, pictures = attachments_of(tree, odd)
    message = replace(_envelope(tree, odd), attachments=attachments, enclosed_ids=enclosed, size=len(raw))
    budget = PartBudget(pictures=pictures)
    body = body_of(tree, odd, budget)
    if body.blank and not (named := named_text(tree, odd, budget)).blank:
        body = body.joined(replace(named, hidden=body.hidden))
    invitation = invitation_of(tree, odd, alone=body.blank)
    if body.blank and not invitation:
        return _passed_on(message, tree, body, odd, budget)
    return _invited(_with_body(message, body, odd), invitation)


def _invited(message: Message, invitation: str) -> Message:
    """Append the text of an invitation."""
    if not invitation:
        return message
    text, reply = (Untrusted("\n\n".join(filter(None, (one, invitation)))) for one in (message.text, message.reply))
    return replace(message, text=text, reply=reply)


def content_in(raw: bytes, odd: set[str]) -> bytes:
    """Return the mail without its wrapping (Outlook file, UTF-16). Raises `NotAMail` for empty input."""
    text = not raw.startswith(OUTLOOK) and not _BINARY.match(raw)
    sound = _without_nuls(raw) if text and b"\0" in raw[:1000] else raw
    leading = _LEADING.match(sound) if text else None
    content = sound[leading.end() :] if leading else sound
    if not content.strip():
        raise NotAMail("there is nothing in it")
    if 2 * content.count(b"\r\r\n") > content.count(b"\n"):
        odd.add("broken-line-ends")
        content = content.replace(b"\r\r\n", b"\r\n")
    if content.startswith(_UTF16):
        content = content.decode("utf-16", "replace").encode("utf-8", "replace")
    if content.startswith(OUTLOOK):
        odd.add("outlook-msg")
        return mail_of(content)
    return content if b"\n" in content else content.replace(b"\r", b"\n")  # old Macs


def _without_nuls(content: bytes) -> bytes:
    """Decode UTF-16 where every second byte is NUL; else remove NULs from the header alone."""
    sample = content[:200]
    for codec, zeros, signs in (("utf-16-le", sample[1::2], sample[::2]), ("utf-16-be", sample[::2], sample[1::2])):
        if not content.startswith(_UTF16) and 4 * zeros.count(0) > 3 * len(zeros) > 0 and _is_readable(signs):
            return content.decode(codec, "replace").encode("utf-8", "replace")
    head = _HEAD.match(content)
    return content if head is None else head[0].replace(b"\0", b"") + content[head.end() :]


def _is_readable(signs: bytes) -> bool:
    """Tell whether at most a tenth of the bytes are control characters."""
    return len(signs.translate(None, _CONTROLS)) >= 0.9 * len(signs)


def _bare(content: bytes, odd: set[str]) -> MailBody:
    """Parse text without a header block as a body. Raises `NotAMail` for binary data."""
    sample = content[:8192].replace(b"\0", b"")
    if _BINARY.match(content) or len(sample.translate(None, _CONTROLS)) < 0.98 * len(sample):
        raise NotAMail("it is a file of some other kind")
    odd.add("no-headers")
    text = guess(content)
    body = html_body(text, odd) if _HTML.match(text) else MailBody(cleaned(text[:MAX_TEXT], odd))
    if body.blank and not body.hidden:
        raise NotAMail("there is nothing to read in it")
    return body


def _envelope(tree: MimePart, odd: set[str]) -> Message:
    senders = tree.all("from")
    found = addresses_of(senders[0], odd) if senders else ()
    if len(senders) > 1 or len(found) > 1:
        odd.add("many-from")
    if any(len(readings_of_from(one)) > 1 for one in senders):
        odd.add("from-disagrees")
    return Message(
        message_id=next(iter(ids_of(tree.get("message-id"))), None) or bare_id(tree.get("message-id")),
        in_reply_to=ids_of(tree.get("in-reply-to")),
        references=ids_of(" ".join(tree.all("references"))),
        subject=Untrusted(value_of(tree.get("subject"), odd)),
        sender=found[0] if found else None,
        to=_all(tree, "to", odd),
        cc=_all(tree, "cc", odd),
        reply_to=_all(tree, "reply-to", odd),
        date=date_of(tree.get("date")),
        headers=tuple((name, _header(name, value, odd)) for name, value in tree.fields),
        hops=hops_of(tree.all("received"), odd),
    )


def _header(name: str, value: str, odd: set[str]) -> str:
    """Decode a header for reading, but not Authentication-Results: encoded words could add semicolons to it."""
    return one_line(value, odd) if name == "authentication-results" else value_of(value, odd)


def _all(tree: MimePart, name: str, odd: set[str]) -> tuple[Address, ...]:
    """Return the mailboxes of every field of this name."""
    return tuple(dict.fromkeys(one for field in tree.all(name) for one in addresses_of(field, odd)))


def _with_body(message: Message, body: MailBody, odd: set[str]) -> Message:
    """Add the text, split into reply and history."""
    marks = body.page.marks if body.page else frozenset[int]()
    first, sender = _is_first(message), str(message.sender or "")
    answered = Answered(
        bare_subject(message.subject), frozenset(one.address.lower() for one in (*message.to, *message.cc))
    )
    page = body.page or body.beside
    signature = frozenset(map(words_of, page.signature)) if page else frozenset[str]()
    parted = partial(split, first=first, sender=sender, answered=answered, signature=signature)
    parts = parted(body.text, marks)
    forward = parts.forward or bool(parts.quoted and FORWARD_SUBJECT.match(message.subject))
    if forward and not parts.reply:  # the forwarded mail is the matter
        parts = Split(body.text.strip(), body.text.strip(), forward)
    with_text = _with_text(message, replace(parts, forward=forward), body, odd)
    return replace(with_text, rich=rich_reply(body, parts.reply, parted, forward=forward))


def _is_first(message: Message) -> bool:
    """Tell whether the header answers and forwards no mail; False for a text without a header."""
    named = ANSWER_SUBJECT.match(message.subject) or FORWARD_SUBJECT.match(message.subject)
    return bool(message.headers) and not message.thread and not named


def _passed_on(message: Message, tree: MimePart, own: MailBody, odd: set[str], budget: PartBudget) -> Message:
    """Take the text from the first attached mail, for a mail without text of its own."""
    inside = (body_of(one, odd, budget) for one in messages_in(tree))
    found = next((one for one in inside if not one.blank), NO_TEXT)
    body = own.joined(found)
    text = body.text.strip()
    parts = Split(text, text if found.text else "", forward=bool(found.text))
    return _with_text(message, parts, body, odd)


def _with_text(message: Message, parts: Split, body: MailBody, odd: set[str]) -> Message:
    flags = odd | ({"forward"} if parts.forward else set())
    return replace(
        message,
        text=Untrusted(body.text.strip("\n").rstrip()),
        reply=Untrusted(parts.reply),
        quoted=Untrusted(parts.quoted),
        hidden_text=body.hidden,
        flags=tuple(sorted(flags)),
    )


def enclosed_ids_of(tree: MimePart) -> tuple[str, ...]:
    """Return the Message-IDs of attached mails and of header blocks in files, in order, each once."""
    found = (one for part in tree.walk() if part is not tree for one in _ids_of(part))
    return tuple(one for one, _ in zip(dict.fromkeys(found), range(MAX_IDS), strict=False))


def _ids_of(part: MimePart) -> Iterator[str]:
    if part.parts:
        yield from _ids_of_head(part.parts[0]) if part.type.startswith("message/") else ()
    elif part.type.startswith("message/") or (part.type.startswith("text/") and is_attached(part)):
        text = transferred(part.body[:MAX_BYTES], part.get("content-transfer-encoding"), set())
        yield from (found.decode("utf-8", "replace") for found in _LINE.findall(text))


def _ids_of_head(mail: MimePart) -> Iterator[str]:
    yield from ids_of(mail.get("message-id"))[:1]
    yield from ids_of(mail.get(OWN_HEADER))[:1]
