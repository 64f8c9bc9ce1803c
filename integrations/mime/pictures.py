"""Inline pictures: their places in the text, for each mail program, and their size in pixels."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, Literal
from urllib.parse import unquote

from triage.domain.mail import PICTURE, Attachment, numbered
from triage.domain.untrusted import Untrusted

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG's frame, which holds its height and width."""

MAX_PLACED: Final = 50
MAX_TEXT: Final = 200_000
"""Most pictures placed in a plain text that does not name them, and the longest such text in characters."""

_MARKS: Final = re.compile(
    r"""
      \[cid:(?P<id>[^\[\]\s]{1,300})\]                                     # Outlook
    | \[image:\s+(?P<name>(?:[^\[\]]|\[[^\[\]]{0,50}\]){1,200})\]          # Gmail, folded like all of its text
    """,
    re.VERBOSE,
)
_FILE: Final = re.compile(r"\S\.(?:jpe?g|png|gif|bmp|webp|tiff?|heic|svg)", re.IGNORECASE)
_GONE: Final = "\x00"
"""Replaces a removed mark; this control character occurs in no text."""
_LINE_GONE: Final = re.compile(r"^[ \t]*\x00[\x00 \t]*(?:\n|\Z)", re.MULTILINE)
_WORDS: Final = re.compile(r"\w+")
_REACH: Final = 300
_ANCHORS: Final = (6, 3)
"""Numbers of words before a picture by which its place is found."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The marks that stand in the text for the pictures of one mail; logos have none."""

    by_id: Mapping[str, str] = field(default_factory=dict)
    by_part: Mapping[int, str] = field(default_factory=dict)
    """By the identity of the part."""
    by_name: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By the folded name in the mail; several pictures can share one."""

    def shown(self, source: str) -> str:
        """Return the mark of a picture by its address in HTML; empty if it is not attached."""
        address = source.strip()
        if address[:4].lower() != "cid:":
            return ""
        return self.by_id.get(unquote(address[4:]), "")

    def named(self, text: str) -> str:
        """Replace the marks of mail programs by ours; marks of logos and of missing pictures disappear."""
        seen: Counter[str] = Counter()

        def ours(found: re.Match[str]) -> str:
            if found["id"]:
                return self.by_id.get(found["id"]) or _GONE
            name = " ".join(found["name"].split())
            known = self.by_name.get(name.casefold())
            if known is None:  # ordinary text, unless it names a file that is missing
                return f"[image {name}]" if _FILE.search(name[-6:]) else found[0]
            seen[name.casefold()] += 1
            return known[min(seen[name.casefold()], len(known)) - 1] or _GONE

        renamed = _MARKS.sub(ours, text)
        return _LINE_GONE.sub("", renamed).replace(f" {_GONE}", "").replace(_GONE, "") if _GONE in renamed else renamed

    def placed(self, text: str, page: str) -> str:
        """Insert pictures that only the HTML shows into the plain text, behind the same words."""
        ours = set(self.by_part.values()) - {""}
        if not ours or len(text) > MAX_TEXT:
            return text
        for found in islice(PICTURE.finditer(page), MAX_PLACED):
            if found[0] in ours and found[0] not in text:
                before = _WORDS.findall(page[max(0, found.start() - _REACH) : found.start()])
                text = _behind(before, found[0], text)
        return text


NO_PICTURES: Final = Pictures()


def pictures_of(parts: Iterable[int], attachments: Sequence[Attachment]) -> tuple[tuple[Attachment, ...], Pictures]:
    """Return the attachments, inline pictures with unique names, and the marks of these pictures."""
    called = _with_unique_names(attachments)
    by_id: dict[str, str] = {}
    by_part: dict[int, str] = {}
    by_name: dict[str, list[str]] = defaultdict(list)
    for part, theirs, ours in zip(parts, attachments, called, strict=True):
        if ours.content_type.startswith("image/"):
            mark = by_part[part] = "" if ours.tiny_picture else ours.mark
            if ours.content_id:
                by_id.setdefault(ours.content_id, mark)
            if ours.inline:
                by_name[theirs.name.casefold()].append(mark)
    return called, Pictures(by_id, by_part, by_name)


def _with_unique_names(attachments: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """Make names unique: the second `image.png` becomes `image-2.png`."""
    taken = {one.name.casefold() for one in attachments}
    first: dict[str, str] = {}
    return tuple(_renamed(one, first, taken) for one in attachments)


def bare(text: str) -> str:
    return PICTURE.sub("", text) if "[image: " in text else text


def _renamed(one: Attachment, first: dict[str, str], taken: set[str]) -> Attachment:
    inside = one.inline and one.content_type.startswith("image/") and not one.tiny_picture
    if not inside or first.setdefault(one.name.casefold(), one.sha256) == one.sha256:
        return one
    name = next(name for name in numbered(one.name) if name.casefold() not in taken)
    taken.add(name.casefold())
    return replace(one, name=Untrusted(name))


def _behind(words: list[str], mark: str, text: str) -> str:
    """Insert a mark behind these words; leave the text unchanged unless they occur exactly once."""
    if not words:
        return f"{mark}\n{text}"
    for count in _ANCHORS:
        pattern = r"\W+".join(words[-count:])
        places = list(islice(re.finditer(pattern, text), 2))
        if len(places) == 1:
            return _at(places[0].end(), mark, text)
    return text


def _at(place: int, mark: str, text: str) -> str:
    """Insert a mark on a line of its own, quoted like the line above, unless the line goes on."""
    end = text.find("\n", place)
    end = len(text) if end < 0 else end
    if _WORDS.search(text[place:end]):
        return f"{text[:place]} {mark}{text[place:]}"
    start = text.rfind("\n", 0, place) + 1
    quote = re.match(r"[> ]*", text[start:place])
    return f"{text[:end]}\n{quote[0] if quote else ''}{mark}{text[end:]}"


def pixels_of(content: bytes) -> int:
    """Return width times height of a PNG, GIF, BMP or JPEG; 0 for anything else, and for what is cut off."""
    if content.startswith(_PNG) and content[12:16] == b"IHDR":
        return _product(content[16:20], content[20:24], "big")
    if content[:6] in {b"GIF87a", b"GIF89a"}:
        return _product(content[6:8], content[8:10], "little")
    if content[:2] == b"BM":
        return _product(content[18:22], content[22:26], "little")
    return next((_product(frame[3:5], frame[1:3], "big") for frame in _frames(content)), 0)


def _product(width: bytes, height: bytes, order: Literal["big", "little"]) -> int:
    return int.from_bytes(width, order) * int.from_bytes(height, order)


def _frames(content: bytes) -> Iterator[bytes]:
    """Yield the frame headers of a JPEG, each without marker and length."""
    at = 2 if content[:2] == b"\xff\xd8" else len(content)
    while content[at : at + 1] == b"\xff":
        marker, length = content[at + 1 : at + 2], int.from_bytes(content[at + 2 : at + 4])
        if marker and marker[0] in _FRAMES:
            yield content[at + 4 : at + 2 + length]
        at += 2 + max(length, 2)
