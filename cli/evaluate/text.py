"""Measures lost text of a mail, by kind of part, against Python's own mail parser.

Only parts that Python's parser reads without a defect are compared. Words are compared by their letters, in any script.
"""

import email
import re
import unicodedata
from collections.abc import Iterator
from email.message import Message as Parsed
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from triage.domain.mail import Message

_RUN: Final = re.compile(r"[^\W\d_]+")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""Scripts without blanks between words, or with endings: Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean."""
_SEVEN_BIT: Final = re.compile(r"utf-?7|iso-2022|hz-gb|utf-?16|utf-?32", re.IGNORECASE)
"""Charsets whose bytes also decode as other charsets, so that only the label tells them apart."""
_UNSEEN: Final = frozenset(
    {"script", "style", "head", "title", "template", "noscript", "object", "svg", "textarea", "select"}
)
_LONG: Final = 4
"""Minimum letters of a Latin word; shorter ones occur in every text."""

Part: TypeAlias = "Parsed[str, str]"


def lost_words(message: "Message", raw: bytes) -> dict[str, list[str]]:
    """Return, by kind of part, the missing words of the first part of which our text lacks more than half."""
    if not message.headers:
        return {}
    here = set(_words(message.text))
    lost: dict[str, list[str]] = {}
    for kind, words in _words_of_parts(email.message_from_bytes(raw), message, raw):
        missing = [word for word in words if word not in here]
        if len(missing) > len(words) / 2 and kind not in lost:
            lost[kind] = missing
    return lost


def _words_of_parts(tree: Part, message: "Message", raw: bytes) -> Iterator[tuple[str, list[str]]]:
    """Yield each part's kind and words; skip attached texts that are kept as files."""
    for kind, part in _parts(tree):
        # Triage leaves hidden text out on purpose, and this parser cannot tell which text is hidden.
        hidden = kind == "html" and message.hidden_text
        if not hidden and not (kind == "attached" and _kept(part, message, raw)):
            yield kind, _words(_visible_text(part))


def _parts(part: Part) -> Iterator[tuple[str, Part]]:
    """Yield kind and part of each text, attached texts and mails included."""
    if part.defects:
        return
    if part.get_content_type() == "message/rfc822":
        yield "attached", part
    elif part.get_content_maintype() == "multipart":
        within = [one for one in part.get_payload() if isinstance(one, Parsed)]
        plain = any(one.get_content_type() == "text/plain" and _words(_text(one)) for one in within)
        either = part.get_content_type() == "multipart/alternative" and plain
        for one in within:
            if not (either and one.get_content_type() != "text/plain"):  # a mail program shows one alternative
                yield from _parts(one)
    elif part.get_content_maintype() == "text":
        attached = part.get_content_disposition() == "attachment" or bool(part.get_filename())
        kind = {"text/plain": "plain", "text/html": "html"}.get(part.get_content_type(), "attached")
        yield ("attached" if attached else kind), part


def _kept(part: Part, message: "Message", raw: bytes) -> bool:
    """Whether Triage keeps the part as an attachment, with the same bytes except line ends."""
    from cli.wiring.mail import files_of

    if part.is_multipart():
        return any(one.content_type == part.get_content_type() for one in message.attachments)
    payload = part.get_payload(decode=True)
    content = b"".join(payload.split()) if isinstance(payload, bytes) else b""
    return any(
        b"".join(file.split()) == content
        for file in files_of(raw, {one.sha256 for one in message.attachments}).values()
    )


def _visible_text(part: Part) -> str:
    """Return the visible text of a part; of an attached mail, that of all its parts."""
    if part.is_multipart():
        within = (inner for one in part.get_payload() if isinstance(one, Parsed) for _, inner in _parts(one))
        return " ".join(map(_visible_text, within))
    return _text(part) if part.get_content_type() == "text/plain" else _seen(_text(part))


def _text(part: Part) -> str:
    """Decode a part's text; empty if its charset label is wrong, since the intended text is unknown then."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    label = part.get_content_charset("utf-8")
    for charset in (label,) if _SEVEN_BIT.match(label) else ("utf-8", label):
        try:
            return payload.decode(charset)
        except (UnicodeError, LookupError):
            continue
    text = payload.decode("ascii", "replace")
    return text if text.count("\ufffd") < len(text) / 10 else ""


def _words(text: str) -> list[str]:
    """Split text into case-folded words; scripts without blanks into pairs of characters."""
    found = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _UNSPACED.search(run):
            found += [run[at : at + 2] for at in range(len(run) - 1)]
        elif len(run) >= (_LONG if run.isascii() else 2):
            found.append(run)
    return found


def _seen(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.told)


class _Reader(HTMLParser):
    """Collects the text between tags, without invisible elements."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the parser's own signature
        """Separate words at each tag, except inline ones."""
        if tag in _UNSEEN:
            self._unseen.append(tag)
        if tag not in {"b", "i", "u", "em", "strong", "span", "font", "a"}:
            self.told.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Separate words at block tags; close invisible elements that were left open inside."""
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        if tag in {"p", "div", "td", "th", "li", "tr", "table", "h1", "h2", "h3"}:
            self.told.append(" ")

    def handle_data(self, data: str) -> None:
        """Collect visible characters."""
        if not self._unseen:
            self.told.append(data)
