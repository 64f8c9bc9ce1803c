"""Renders a letter as the bytes of a mail. The same letter at the same time gives the same bytes.

Header lines are made here and not by `email`, which folds a long Message-ID into encoded words.
"""

import hashlib
import html
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from string import capwords
from typing import Final

from triage.domain.letters import Letter, LetterFile, LetterKind, Original
from triage.domain.mail import OWN_HEADER, Address
from triage.domain.text.visible import visible
from triage.domain.untrusted import Untrusted
from triage.policy.letters.markdown import html_of, plain_of

LONGEST: Final = 4_000
"""Characters of the original that are quoted."""
WROTE: Final = {
    "en": "On {at}, {who} wrote:",
    "de": "Am {at} schrieb {who}:",
    "fr": "Le {at}, {who} a écrit :",
    "es": "El {at}, {who} escribió:",
    "pt": "Em {at}, {who} escreveu:",
    "it": "Il {at}, {who} ha scritto:",
    "nl": "Op {at} schreef {who}:",
    "pl": "W dniu {at} {who} pisze:",
    "cs": "Dne {at} {who} napsal(a):",
    "ja": "{at}、{who} のメール:",
}

MOST_FILES: Final = 7 * 1024 * 1024
"""Bytes of all files of a letter; most mail servers take 10 MB, and base64 makes four bytes of three."""
MOST_REFERENCES: Final = 20
UNASKED: Final = frozenset({LetterKind.STATUS, LetterKind.COMMENT, LetterKind.APPROVAL})
"""Kinds that something in Jira or in Triage causes and no mail, whatever thread they stand in."""
LONGEST_NAME: Final = 80
_ID: Final = re.compile(r"[\x21-\x3b\x3d\x3f-\x7e]{1,250}")
_TYPE: Final = re.compile(r"([a-z]+)/([a-z0-9.+-]+)(?:;\s*method=([A-Z]+))?")
_FILE_NAME: Final = re.compile(r"[^\w.()+ -]")


def mail_of(letter: Letter, sender: Address, at: datetime) -> bytes:
    """Return the mail with CRLF line ends, in ASCII alone."""
    fit, left_out = fitting(letter.files)
    body = _body(letter, fit, left_out)
    head = "".join(f"{name}: {value}\r\n" for name, value in _head(letter, sender, at) if value)
    return head.encode("ascii") + body.as_bytes(policy=SMTP)


def fitting(files: Iterable[LetterFile]) -> tuple[tuple[LetterFile, ...], tuple[str, ...]]:
    """Return the files that go along, and the names of those that are too large, in their order."""
    fit, left_out, room = list[LetterFile](), list[str](), MOST_FILES
    for file in files:
        if file.size <= room:
            room -= file.size
            fit.append(file)
        else:
            left_out.append(_file_name(file))
    return tuple(fit), tuple(left_out)


def _head(letter: Letter, sender: Address, at: datetime) -> Iterator[tuple[str, str]]:
    """Yield the header fields; no value can begin another field."""
    yield "From", _people([sender])
    yield "To", _people(letter.to)
    yield "Cc", _people(letter.cc)
    yield "Subject", _words(_line(letter.subject))
    yield "Date", format_datetime(at)
    yield "Message-ID", _ids([letter.message_id])
    yield "In-Reply-To", _ids([letter.in_reply_to])
    yield "References", _ids(letter.references[-MOST_REFERENCES:])
    yield capwords(OWN_HEADER, "-"), _ids([letter.message_id])
    yield "Auto-Submitted", _submitted(letter)
    yield "X-Auto-Response-Suppress", "All" if letter.automatic else "OOF, AutoReply"


def _submitted(letter: Letter) -> str:
    """Say as RFC 3834 does that a program wrote it; empty where a person has accepted it."""
    if not letter.automatic:
        return ""
    return "auto-generated" if letter.kind in UNASKED or not letter.in_reply_to else "auto-replied"


def plain_text(letter: Letter, more: str = "") -> str:
    """Return the plain form of a letter, with `more` behind its text and what it quotes below."""
    written = plain_of(visible(letter.body) + more)
    return "\n\n".join(filter(None, (written, quoted_plain(letter.original, letter.language))))


def _body(letter: Letter, files: Iterable[LetterFile], left_out: Iterable[str]) -> EmailMessage:
    """Build the parts: plain text, HTML, files; boundaries come from the letter, not from chance."""
    missing = "".join(f"\n\n({name}: too large for a mail)" for name in left_out)
    source, language = visible(letter.body) + missing, letter.language
    plain = plain_text(letter, missing)
    page = "\n".join(filter(None, (html_of(source), quoted_html(letter.original, language))))
    body = EmailMessage(policy=SMTP)
    body.set_content(plain + "\n", cte="quoted-printable")
    body.add_alternative(f"<html><body>\n{page}\n</body></html>\n", subtype="html", cte="quoted-printable")
    for file in files:
        _attach(body, file)
    stem = hashlib.sha256(letter.message_id.encode(errors="replace")).hexdigest()[:24]
    for number, part in enumerate(part for part in body.walk() if part.is_multipart()):
        part.set_boundary(f"=_{number}_{stem}")
    return body


def _attach(body: EmailMessage, file: LetterFile) -> None:
    """Attach a file; a type that is none becomes plain bytes."""
    found = _TYPE.fullmatch(file.content_type)
    main, sub, method = found.groups() if found else ("application", "octet-stream", None)
    params = {"method": method} if method else None
    body.add_attachment(file.content, maintype=main, subtype=sub, filename=_file_name(file), params=params)


def _words(text: str) -> str:
    """Write a text, encoded where it is not plain or looks encoded."""
    plain = text.isascii() and "=?" not in text
    return Header(text, "us-ascii" if plain else "utf-8", header_name="Subject").encode(linesep="\r\n")


def _people(people: Iterable[Address]) -> str:
    """Write addresses, one per line; names are encoded or quoted."""
    return ",\r\n ".join(formataddr((_line(one.name)[:LONGEST_NAME], one.address), "utf-8") for one in people)


def _ids(ids: Iterable[str]) -> str:
    """Write Message-IDs, one per line, without those that are none."""
    return "\r\n ".join(f"<{one}>" for one in ids if _ID.fullmatch(one))


def _file_name(file: LetterFile) -> str:
    return _FILE_NAME.sub("_", _line(file.name))[:LONGEST_NAME] or "file"


def _line(text: str) -> str:
    """Return the text on one line, without characters that nobody sees."""
    return " ".join(visible(text).split())


def attribution(original: Original, language: str) -> str:
    """Return the line above the quote, which mail programs recognise; a name stays on it."""
    at = f"{original.at:%Y-%m-%d %H:%M}" if original.at else "?"
    who = " ".join(visible(original.sender).split()) or "?"
    return WROTE.get(language, WROTE["en"]).format(at=at, who=who)


def quoted_plain(original: Original, language: str) -> str:
    """Return attribution and quote as plain text; empty without an original."""
    if not original.text.strip():
        return ""
    return "\n".join([attribution(original, language), *(f"> {line}".rstrip() for line in _lines(original.text))])


def quoted_html(original: Original, language: str) -> str:
    """Return attribution and quote as HTML; the original is escaped. Empty without an original."""
    if not original.text.strip():
        return ""
    lines = "<br>\n".join(html.escape(line) for line in _lines(original.text))
    style = "margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex"
    return f'<p>{html.escape(attribution(original, language))}</p>\n<blockquote type="cite" style="{style}">{lines}</blockquote>'


def _lines(text: Untrusted) -> list[str]:
    shown = visible(text).rstrip()
    return [*shown[:LONGEST].splitlines(), *(["[…]"] if len(shown) > LONGEST else [])]
