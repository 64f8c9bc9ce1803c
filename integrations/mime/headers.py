"""Header values: encoded words, parameters, addresses, ids and dates, each in linear time and without raising."""

import binascii
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import unquote_to_bytes

from mailparser.dates import parse_mail_date
from mailparser.utils import get_addresses

from integrations.mime.charsets import codec_of, decode, guess
from integrations.mime.html.invisible import one_line
from triage.domain.mail import Address
from triage.domain.untrusted import Untrusted

MAX_WORDS: Final = 500
MAX_ADDRESSES: Final = 500
MAX_PARAMETERS: Final = 100
MAX_NAME: Final = 120

_BRACKETED: Final = re.compile(r"<([^<>]*)>")
_ADDRESS: Final = re.compile(r"[^\s<>\"(),;:@\\]{1,128}@[^\s<>\"(),;:@\\]{1,255}")
_ENCODED: Final = re.compile(r"(?:=\?[^?\s]{1,60}\?[bBqQ]\?[^?\s]*\?=\s*){1,20}")
_AFTER_FIRST: Final = re.compile(r"[\s;,]+")
_PARAMETER: Final = re.compile(r";\s*([^\s=;\"]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"?|([^;]*))", re.DOTALL)
_SECTION: Final = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?")
_OLDEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)


def value_of(raw: str, odd: set[str]) -> str:
    """Decode an unstructured value (subject, comment) to one line."""
    return one_line(_words_decoded(raw, odd), odd)


def _words_decoded(raw: str, odd: set[str]) -> str:
    """Decode RFC 2047 words, also malformed ones: blanks inside, letters split over two words, words in quotes."""
    if "=?" not in raw:
        return raw
    text: list[str] = []
    run: tuple[str, bytes] = ("", b"")
    for gap, charset, data in _words(raw, odd):
        if gap.strip() or not run[1]:
            text += [_word(run, odd), gap]
            run = (charset, data)
        elif charset == run[0]:
            run = (charset, run[1] + data)
        else:
            text.append(_word(run, odd))
            run = (charset, data)
    return "".join(text)


def _words(raw: str, odd: set[str]) -> Iterator[tuple[str, str, bytes]]:
    """Yield each encoded word with the plain text before it; the last one is empty and carries the rest."""
    gap = at = found = 0
    while (start := raw.find("=?", at)) >= 0:
        charset, encoding, begin = _word_head(raw, start)
        stop = raw.find("?=", begin) if encoding else -1
        if encoding and stop < 0:
            break
        data = _word_bytes(raw[begin:stop], charset, encoding) if encoding else None
        if data is None:
            at = start + 2
            continue
        found += 1
        if found > MAX_WORDS:
            odd.add("degraded:encoded-words")
            break
        yield raw[gap:start], charset, data
        gap = at = stop + 2
    yield raw[gap:], "", b""


def _word_head(raw: str, start: int) -> tuple[str, str, int]:
    """Return charset, encoding and start of the text of the word at `start`; an empty encoding means no word."""
    head = raw[start + 2 : start + 80].split("?", 2)
    if len(head) < 3 or head[1] not in {"b", "B", "q", "Q"} or not head[0] or " " in head[0]:  # noqa: PLR2004 - charset, encoding, text
        return "", "", start
    return head[0].partition("*")[0].lower(), head[1].lower(), start + 2 + len(head[0]) + 3


def _word_bytes(text: str, charset: str, encoding: str) -> bytes | None:
    # A byte that should have been encoded and was not is in the charset of the word all the same.
    octets = text.encode("utf-8" if text.isascii() else codec_of(charset) or "utf-8", "replace")
    if encoding == "q":
        return binascii.a2b_qp(octets, header=True)
    sound = octets.rstrip(b"= \t\r\n")
    try:
        return binascii.a2b_base64(sound + b"=" * (-len(sound) % 4))
    except binascii.Error:
        return None


def _word(run: tuple[str, bytes], odd: set[str]) -> str:
    return decode(run[1], run[0], odd) if run[1] else ""


def parameters_of(raw: str, odd: set[str]) -> tuple[str, Mapping[str, str]]:
    """Return the value and its parameters, with RFC 2231 sections joined and names in lower case."""
    # Some writers forget the semicolon behind the type, so a blank ends it too.
    first, *rest = _AFTER_FIRST.split(raw.strip(), maxsplit=1)
    plain: dict[str, str] = {}
    sections: dict[str, dict[int, tuple[str, bool]]] = {}
    for number, match in enumerate(_PARAMETER.finditer(f";{rest[0]}" if rest else "")):
        if number >= MAX_PARAMETERS:
            odd.add("degraded:parameters")
            break
        section = _SECTION.fullmatch(match[1].lower())
        if section is None:
            continue
        value = match[3].strip() if match[2] is None else re.sub(r"\\(.)", r"\1", match[2])
        if section[2] is None and section[3] is None:
            plain.setdefault(section[1], value)
        else:
            sections.setdefault(section[1], {}).setdefault(int(section[2] or 0), (value, bool(section[3])))
    # RFC 6266, 4.3: of `filename` and `filename*` the second is the name, whichever comes first.
    parameters = {name: value_of(value, odd) for name, value in plain.items() if name not in sections}
    return first.lower(), parameters | {name: _joined(pieces, odd) for name, pieces in sections.items()}


def _joined(pieces: Mapping[int, tuple[str, bool]], odd: set[str]) -> str:
    """Join the numbered sections of a value; the first extended one names the charset of all."""
    if not any(extended for _, extended in pieces.values()):
        return value_of("".join(piece for _, (piece, _) in sorted(pieces.items())), odd)
    charset, data = "", b""
    for number, (piece, extended) in sorted(pieces.items()):
        text = piece
        if number == 0 and extended and piece.count("'") >= 2:  # noqa: PLR2004 - charset'language'text
            charset, _, text = piece.split("'", 2)
        data += unquote_to_bytes(text) if extended else text.encode("utf-8", "replace")
    return one_line(decode(data, charset, odd), odd)


def addresses_of(raw: str, odd: set[str]) -> tuple[Address, ...]:
    """Parse the mailboxes of an address field and of its groups; a malformed field is parsed leniently."""
    if raw.count(",") >= MAX_ADDRESSES:
        odd.add("degraded:addresses")
        raw = ",".join(raw.split(",", MAX_ADDRESSES)[:MAX_ADDRESSES])
    found = [(name, address) for name, address in get_addresses(raw) if address]
    if all("@" not in address for _, address in found) and _ENCODED.fullmatch(raw.strip()):
        found = [(raw, "")]  # a name alone, in encoded words
    if not found:
        found = list(_generous(raw))
    return tuple(
        Address(address=one_line(address, odd).lower(), name=Untrusted(value_of(name, odd)))
        for name, address in found[:MAX_ADDRESSES]
    )


def _generous(raw: str) -> Iterator[tuple[str, str]]:
    """Parse addresses from a field that breaks the grammar, as most mail programs would read them."""
    rest = raw.strip()
    name = rest.partition("<")[0].strip(' "')
    bracketed = [one.strip() for one in _BRACKETED.findall(rest) if one.strip()]
    match = _ADDRESS.search(rest)
    if bracketed:
        yield name, next((one for one in reversed(bracketed) if "@" in one), bracketed[-1])
    elif match:
        yield rest.replace(match[0], "").strip(' "<>()'), match[0]
    elif rest and not rest.endswith((";", ":")):
        word, _, comment = name.partition("(")
        word = word.strip(' "')
        yield (comment.rstrip(") "), word) if " " not in word else (word, "")


def readings_of_from(raw: str) -> set[str]:
    """Return all addresses that some mail program may show as the sender."""
    problems: list[object] = []
    strict = {address.lower() for _, address in get_addresses(raw, defects=problems) if address}
    return strict | {a.lower() for a in _ADDRESS.findall(raw)} if problems else strict


def ids_of(raw: str) -> tuple[str, ...]:
    """Return Message-IDs in order without their brackets, also those that have none."""
    sound = one_line(raw, set())
    ids = [re.sub(r"\s+", "", one) for one in _BRACKETED.findall(sound)]
    if not any(ids):
        ids = [word.strip("<>,;\"'") for word in sound.split() if "@" in word]
    return tuple(one for one in ids if one)[-MAX_ADDRESSES:]


def bare_id(raw: str) -> str | None:
    """Return a malformed Message-ID without brackets and blanks."""
    return re.sub(r"[<>\s]", "", one_line(raw, set())) or None


def date_of(raw: str) -> datetime | None:
    """Return the time in UTC; None if it is missing, impossible or far from our time."""
    text = raw[:200]
    moment = parse_mail_date(text).value or _lenient_date(text)
    return moment if moment and _OLDEST < moment < _LATEST else None


def _lenient_date(text: str) -> datetime | None:
    """Parse what the strict grammar refuses: ISO dates, one-digit hours, words behind the zone."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text.strip())
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            continue
        try:
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None


def safe_name(name: str, odd: set[str]) -> str:
    """Return a file name without folders, control and direction characters; the extension stays."""
    base = one_line(name, odd).replace("\\", "/").rstrip("/").rpartition("/")[2].strip(" .") if name else ""
    if len(base) <= MAX_NAME:
        return base
    stem, dot, ending = base.rpartition(".")
    ending = f"{dot}{ending}" if stem and len(ending) <= 10 else ""  # noqa: PLR2004 - longer is no file type
    return base[: MAX_NAME - len(ending)] + ending


def text_of_bytes(raw: bytes, label: str = "") -> str:
    """Decode a raw value: ASCII, UTF-8 (RFC 6532), or the charset of the text below, which some programs use."""
    if raw.isascii():
        return raw.decode("ascii")
    codec = codec_of(label)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return guess(raw) if codec in {None, "ascii", "utf-8"} else raw.decode(codec or "ascii", "replace")
