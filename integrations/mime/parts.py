"""Chooses the text parts and attachments of a mail."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from integrations.mime.charsets import decode
from integrations.mime.formats import tnef
from integrations.mime.formats.invitation import invitation_in, is_bare_answer
from integrations.mime.formats.openpgp import unarmoured
from integrations.mime.headers import ids_of, safe_name, value_of
from integrations.mime.html.invisible import cleaned
from integrations.mime.html.to_text import HtmlText, page_of
from integrations.mime.pictures import NO_PICTURES, Pictures, bare, pictures_of, pixels_of
from integrations.mime.transfer import transferred
from integrations.mime.tree import MimePart
from triage.domain.mail import Attachment
from triage.domain.untrusted import Untrusted

MAX_TEXT: Final = 4_000_000
MAX_ICS: Final = 400_000
MAX_HTML: Final = 2_000_000
MAX_TAGS: Final = 60_000
FEW_WORDS: Final = 20
"""Different words below which a plain text proves nothing about the HTML beside it."""
MORE_WORDS: Final = 10
"""Different words from which such HTML is more than a signature."""
TIMES_MORE: Final = 3
"""How many times as many words an HTML has of which a short plain text is only the title: `A new message of your form`."""

_META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_TAGS: Final = re.compile(r"<[^<>]{0,200}>")
_DATA_TYPES: Final = frozenset(
    {"text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/css", "text/csv", "text/rtf"}
    | {"text/rfc822-headers", "text/xml", "text/javascript", "text/x-amp-html"}
)
_NAMES: Final = {
    "text/calendar": "invite.ics",
    "text/vcard": "contact.vcf",
    "text/x-vcard": "contact.vcf",
    "text/plain": "text.txt",
    "text/rfc822-headers": "headers.txt",
    "message/delivery-status": "delivery-status.txt",
    "message/feedback-report": "feedback-report.txt",
    "image/jpeg": "image.jpg",
    "application/octet-stream": "file.bin",
}


@dataclass(frozen=True, slots=True)
class MailBody:
    """The text of a mail as plain lines, with the page if it was HTML."""

    text: str = ""
    page: HtmlText | None = None
    """The HTML that the text was made from."""
    beside: HtmlText | None = None
    """The HTML of which the text is the plain alternative."""
    hidden: bool = False
    """Some HTML of the mail, used or not, has hidden text."""

    @property
    def blank(self) -> bool:
        """Tell whether there is no text, though perhaps a picture."""
        return not bare(self.text).strip()

    def joined(self, other: "MailBody") -> "MailBody":
        hidden = self.hidden or other.hidden
        if not (self.text.strip() and other.text.strip()):
            return replace(self if self.text.strip() else other, hidden=hidden)
        page = self.page.joined(other.page) if self.page and other.page else None
        return MailBody(page.text if page else f"{self.text.rstrip()}\n\n{other.text}", page, hidden=hidden)


NO_TEXT: Final = MailBody()


@dataclass(slots=True)
class PartBudget:
    """Limits the text of one mail over all its parts; also holds the pictures that the parts share."""

    characters: int = MAX_TEXT
    tags: int = MAX_TAGS
    pictures: Pictures = NO_PICTURES

    @property
    def spent(self) -> bool:
        """Tell whether no further part is read."""
        return self.characters <= 0 or self.tags <= 0


def body_of(part: MimePart, odd: set[str], budget: PartBudget) -> MailBody:
    """Return the text of a mail: plain text before HTML, without attachments."""
    match part.type.split("/"):
        case ["multipart", "alternative"] if part.parts:
            return _best([(one.type, body_of(one, odd, budget)) for one in part.parts], odd, budget.pictures)
        case ["multipart", "related" | "signed" | "encrypted" as kind] if part.parts:
            if kind == "encrypted":
                odd.add("encrypted")
            return body_of(root_of(part), odd, budget)
        case ["application", _] if part.parts:
            return body_of(part.parts[0], odd, budget)
        case ["multipart", _] if part.parts:
            return _all_of(list(_in_order(part.parts, odd, budget)))
        case ["text" | "multipart", _] if not is_attached(part):
            return _text_of(part, odd, budget)
    return NO_TEXT


def _in_order(parts: Sequence[MimePart], odd: set[str], budget: PartBudget) -> Iterator[MailBody]:
    """Yield bodies in the order of display; pictures between texts become part of the text."""
    last = max((at for at, one in enumerate(parts) if one.type.startswith(("text/", "multipart/"))), default=0)
    has_text = any(one.type.startswith(("text/", "multipart/")) and not is_attached(one) for one in parts)
    for at, one in enumerate(parts):
        if has_text and one.type in tnef.TYPES:
            continue  # it repeats the text of the mail
        between = at < last and one.disposition == "inline" and one.type.startswith("image/")
        mark = budget.pictures.by_part.get(id(one)) if between and not one.get("content-id") else ""
        yield MailBody(mark, HtmlText((mark,), frozenset(), hidden=False)) if mark else body_of(one, odd, budget)


def named_text(part: MimePart, odd: set[str], budget: PartBudget) -> MailBody:
    """Return the text of named parts, for a mail without others: some programs give the body a file name."""
    for one in _own(part):
        if one.type in {"text/plain", "text/html"} and one.disposition != "attachment":
            return _text_of(one, odd, budget)
    return NO_TEXT


def messages_in(part: MimePart) -> Iterator[MimePart]:
    """Yield attached mails, each followed by those attached to it."""
    for one in _own(part):
        if one.type.startswith("message/") and one.parts:
            yield one.parts[0]
            yield from messages_in(one.parts[0])


def is_attached(part: MimePart) -> bool:
    """Tell whether a part is an attachment rather than text of the mail."""
    if part.disposition == "attachment" or part.type in _DATA_TYPES:
        return True
    return bool(_given_name(part))


def attachments_of(part: MimePart, odd: set[str]) -> tuple[tuple[Attachment, ...], Pictures]:
    """Return all attachments in order, and the names of the pictures that the text shows."""
    parts = tuple(attached_in(part))
    return pictures_of([id(one) for one in parts], [_attachment(one, odd) for one in parts])


def attached_in(part: MimePart) -> Iterator[MimePart]:
    """Yield the parts that are no text of the mail."""
    leaves = (one for one in _own(part) if not one.type.startswith("multipart/") and not _is_opened(one))
    return (one for one in leaves if not one.type.startswith("text/") or is_attached(one))


def content_of(part: MimePart, odd: set[str]) -> bytes:
    return transferred(part.body, part.get("content-transfer-encoding"), odd)


def _own(part: MimePart) -> Iterator[MimePart]:
    """Yield the parts of this mail without those of attached mails."""
    yield part
    if not part.type.startswith("message/"):
        for one in part.parts:
            yield from _own(one)


def _is_opened(part: MimePart) -> bool:
    """Tell whether the part is a container, whose parts count instead."""
    return part.type.startswith("application/") and bool(part.parts)


def invitation_of(part: MimePart, odd: set[str], *, alone: bool = False) -> str:
    """Render the first calendar of the mail; empty if there is none.

    `alone`: the mail has no other text; it is flagged if its calendar only answers an invitation.
    """
    for one in _own(part):
        if one.type == "text/calendar":
            label = one.parameters.get("charset", "utf-8")
            text = decode(content_of(one, odd)[:MAX_ICS], label, odd)
            if alone and is_bare_answer(text):
                odd.add("calendar-answer")
            return cleaned(invitation_in(text), odd)
    return ""


def root_of(part: MimePart) -> MimePart:
    """Return the root of a multipart/related."""
    start = part.parameters.get("start", "").strip("<> ")
    named = (one for one in part.parts if start and ids_of(one.get("content-id")) == (start,))
    return next(named, part.parts[0])


def _best(choices: list[tuple[str, MailBody]], odd: set[str], pictures: Pictures) -> MailBody:
    """Choose an alternative: the plain text, else the last one with text (RFC 2046, section 5.1.4).

    Several plain texts are joined, since some scripts send all their parts as alternatives. A short plain text
    that says something else than a longer HTML stands above it: `This message is in HTML format`. One that is no
    more than the title of a much longer HTML gives way to it.
    """
    readable = [(kind, body) for kind, body in choices if not body.blank]
    plain = [body for kind, body in readable if body.page is None and not kind.startswith("text/x-")]
    page = next((body for _, body in reversed(readable) if body.page), None)
    few = _few_words(_all_of(plain), page) if plain and page else None
    if page and few is FewWords.APART:
        return replace(_all_of([*plain, page]), hidden=any(body.hidden for _, body in choices))
    if few is FewWords.TITLE:
        plain = []
    chosen = _all_of(plain) if plain else _last(readable) or _last(choices) or NO_TEXT
    if any(_differs(chosen, other) for _, other in readable):
        odd.add("alternatives-differ")
    pages = "\n".join(body.text for _, body in choices if body.page) if plain else ""
    text = pictures.placed(chosen.text, pages) if pages else chosen.text
    beside = page.page if plain and page else None
    return replace(chosen, text=text, beside=beside, hidden=any(body.hidden for _, body in choices))


def _last(choices: list[tuple[str, MailBody]]) -> MailBody | None:
    """Return the last body with text or a picture."""
    return next((body for _, body in reversed(choices) if body.text.strip()), None)


def _differs(chosen: MailBody, other: MailBody) -> bool:
    """Tell whether the plain text differs from the HTML, which most people read."""
    words, seen = _words_of(chosen, 20_000), _words_of(other, 100_000)
    return len(words) >= FEW_WORDS and len(words & seen) < len(words) / 2


class FewWords(Enum):
    """What a plain text of few words is to the HTML beside it."""

    APART = auto()
    """It says nothing of an HTML that is more than a signature."""
    TITLE = auto()
    """Its words stand in an HTML that says much more."""


def _few_words(plain: MailBody, page: MailBody) -> FewWords | None:
    words = _words_of(plain, 20_000)
    if len(words) >= FEW_WORDS:
        return None
    seen = _words_of(page, 100_000)
    if len(seen) >= MORE_WORDS and len(words & seen) < len(words) / 2:
        return FewWords.APART
    return FewWords.TITLE if len(seen) >= max(FEW_WORDS, TIMES_MORE * len(words)) else None


def _words_of(body: MailBody, longest: int) -> set[str]:
    return set(re.findall(r"\w{3,}", bare(body.text[:longest]).lower()))


def _all_of(bodies: list[MailBody]) -> MailBody:
    whole = NO_TEXT
    for one in bodies:
        whole = whole.joined(one)
    return whole


def _text_of(part: MimePart, odd: set[str], budget: PartBudget) -> MailBody:
    if budget.spent:
        odd.add("degraded:text")
        return NO_TEXT
    if part.type == "text/html":
        source = html_of(part, odd)
        budget.tags -= source.count("<")
        return html_body(source, odd, budget.pictures)
    text = unarmoured(cleaned(_capped(decoded(part, odd), MAX_TEXT, odd), odd), odd)
    budget.characters -= len(text)
    return MailBody(budget.pictures.named(lines_of(part, text)))


def lines_of(part: MimePart, text: str) -> str:
    """Return the decoded text of a part with the lines that its type and parameters say it has."""
    if part.type in {"text/enriched", "text/richtext"}:
        return _TAGS.sub("", text)
    if part.parameters.get("format", "").lower() == "flowed":
        return unflowed(text, delete_space=part.parameters.get("delsp", "").lower() == "yes")
    return text


def html_of(part: MimePart, odd: set[str]) -> str:
    """Return the source of a part of type text/html; its own `meta` names the character set where the header does not."""
    data, label = content_of(part, odd), part.parameters.get("charset", "")
    meta = None if label else _META_CHARSET.search(data[:4000])
    return decode(data, meta[1].decode("ascii") if meta else label, odd)


def decoded(part: MimePart, odd: set[str]) -> str:
    """Return the text of a part as its header says it is coded."""
    return decode(content_of(part, odd), part.parameters.get("charset", ""), odd)


def html_body(source: str, odd: set[str], pictures: Pictures = NO_PICTURES) -> MailBody:
    page = page_of(_capped(source, MAX_HTML, odd), odd, pictures)
    return MailBody(page.text, page, hidden=page.hidden)


def _capped(text: str, most: int, odd: set[str]) -> str:
    if len(text) > most:
        odd.add("degraded:text")
    return text[:most]


def unflowed(text: str, *, delete_space: bool) -> str:
    """Join the lines of RFC 3676 paragraphs; quote marks, signature lines and leading blanks keep their meaning."""
    done: list[list[str]] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if not depth and content.startswith(">"):  # space-stuffed since it is no quote (RFC 3676, section 4.4)
            content = f"    {content}"  # an indent says so, too
        flows = content.endswith(" ") and content != "-- "
        kept = content[:-1] if flows and delete_space else content
        if depth == open_depth and content != "-- ":
            done[-1].append(kept)
        else:
            done.append([">" * depth, " " if depth else "", kept])
        open_depth = depth if flows else -1
    return "\n".join("".join(pieces) for pieces in done)


def _given_name(part: MimePart) -> str:
    return part.disposition_parameters.get("filename") or part.parameters.get("name") or ""


def _attachment(part: MimePart, odd: set[str]) -> Attachment:
    data = content_of(part, odd)
    ids = ids_of(part.get("content-id"))
    return Attachment(
        name=Untrusted(safe_name(_given_name(part), odd) or _made_up_name(part, odd)),
        content_type=part.type,
        size=len(data),
        inline=part.disposition == "inline" or (bool(ids) and part.disposition != "attachment"),
        sha256=hashlib.sha256(data).hexdigest(),
        content_id=ids[0] if ids else None,
        pixels=pixels_of(data) if part.type.startswith("image/") else 0,
    )


def _made_up_name(part: MimePart, odd: set[str]) -> str:
    """Invent a name for a part without one; a mail is named by its subject."""
    if part.parts and part.type.startswith("message/"):
        subject = value_of(part.parts[0].get("subject"), odd)
        subject = subject.replace("/", "-").replace("\\", "-")
        return safe_name(f"{subject or 'message'}.eml", odd)
    family, _, kind = part.type.partition("/")
    ending = re.sub(r"[^a-z0-9].*", "", kind.removeprefix("x-"))
    return _NAMES.get(part.type) or safe_name(f"{family}.{ending or 'bin'}", odd)
