"""Puts what a mail says under the headings of a ticket of its kind; each sentence once, nothing added."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.cues.request_type import only_blames
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.text.word_patterns import MONTHS, levelled, one_of, sentence_spans, words_in
from triage.policy.ticket.due_date import DAYS
from triage.policy.ticket.text.blocks import Block, BlockKind, joined_line

LONGEST_COURTESY: Final = 12
"""Words of a sentence such as `Thanks for any help` that is left out."""
LONGEST_PLEA: Final = 6
"""The same of one that asks: `Please check the attached files`; a longer one says what to check."""
MOST_VERSIONS: Final = 6
LEADING: Final = (":", ",", "\uff1a", "\u3001")
"""What a sentence ends with that leads to what comes behind it; a word without any sign does, too."""
_PARTED: Final = re.compile(r"[,;(\u2013\u2014]")
"""In front of `should be 340` stands what is: `It is 212, should be 340` tells both at once."""
ASKING: Final = re.compile(r"[?\uff1f]")
LAST: Final = 12
"""Characters by which the end of a text is found again."""


class TicketKind(StrEnum):
    """What sort of ticket a mail becomes; it decides the headings."""

    BUG = "bug"
    INCIDENT = "incident"
    WISH = "wish"
    ACCESS = "access"
    QUESTION = "question"
    TASK = "task"


MAIN: Final[Mapping[TicketKind, str]] = {
    TicketKind.BUG: "happens",
    TicketKind.INCIDENT: "down",
    TicketKind.WISH: "wanted",
    TicketKind.ACCESS: "access",
    TicketKind.QUESTION: "background",
    TicketKind.TASK: "details",
}
"""The heading of all that belongs under no other one."""
RENAMED: Final[Mapping[TicketKind, Mapping[str, str]]] = {
    TicketKind.INCIDENT: {"happens": "down", "impact": "hit"},
    TicketKind.WISH: {"happens": "background"},
    TicketKind.ACCESS: {"happens": "details", "wanted": "access"},
    TicketKind.QUESTION: {"happens": "background", "wanted": "question"},
    TicketKind.TASK: {"happens": "details", "wanted": "details"},
}
ORDER: Final = (
    *("down", "happens", "wanted", "access", "question", "for_whom", "by_when", "details", "steps", "expected"),
    *("hit", "impact", "since", "why", "background", "environment", "evidence"),
)
_VERSIONS: Final = re.compile(
    r"(?<![\w./-])(?:[A-Z][\w+#-]{1,30}[ ]){0,2}(?:[A-Z][\w+#-]{0,30}|macOS|iOS|iPadOS)[ ]?(?:[vV](?:ersion)?[ .]?)?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-+][\w.]{1,12})?(?![\w/]|\.\d|\s?%)"
    r"|\b(?:[Vv]ersion|[Rr]elease|[Bb]uild|[Vv]ersión|[Vv]ersão|[Vv]ersione|[Vv]ersie|[Ww]ersja|[Vv]erze)[ :]{1,2}v?\d[\w.-]{0,20}\w"
    r"|\b(?:Windows(?:[ ]Server)?|macOS|iOS|iPadOS|Android|Ubuntu|Debian|Chrome|Firefox|Safari|Edge|Opera|Outlook|Excel|Office|Java|Python|Node|PHP|iPhone|iPad)[ ]?\d{1,4}(?:[ ]?(?:Pro|Max|Home|LTS))?\b"
)
_UNPARTED: Final = '[^\\s,.;:!?()"\u00ab\u00bb\u201c\u201d\u201e\u3001\u3002]'
"""A letter of a word that no sign parts from the one before it."""
_SUM: Final = re.compile(r"(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|Euro)\b")


@cache
def _since() -> re.Pattern[str]:
    """Find since when; compiled when it is first needed, as the other long ones below: together they take 80 ms."""
    named = one_of("date.today", "date.tomorrow", *(f"date.{name}" for name in (*DAYS, *MONTHS)))
    time = (
        rf"(?:20\d\d-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?z?)?|{one_of('said.times')}|{named}|\d{{1,2}}[.:]\d\d(?!\d)|\d{{1,2}}[./]\d{{1,2}}\.?(?:\d{{2,4}})?"
        r"|20\d\d|v?\d+\.\d+[\w.]*)"
    )
    return re.compile(
        rf"(?:{one_of('said.since')}|{one_of('said.begins')})(?:[ ]?{_UNPARTED}+){{0,4}}?[ ]?{time}"
        rf"(?:(?:[ ]?{_UNPARTED}+){{0,2}}?[ ]?{time}){{0,3}}"
    )


@cache
def _counted() -> re.Pattern[str]:
    return re.compile(rf"\b\d{{1,6}}\s+(?:\w+\s+)?{one_of('said.counted')}")


@cache
def _courtesy() -> re.Pattern[str]:
    return re.compile(
        rf"\W{{0,8}}(?:{one_of('letter.greetings')}\W+)?{one_of('said.courtesies', 'letter.regards', 'letter.thanks')}"
    )


@dataclass(frozen=True, slots=True)
class Piece:
    """A block under a heading."""

    section: str
    block: Block


def pieces_of(
    blocks: Sequence[Block], kind: TicketKind, symptoms: Sequence[str] = (), pointer: str = ""
) -> tuple[Piece, ...]:
    """Return the blocks of a mail under the headings of this kind, courtesies left out.

    A sentence with a symptom tells what happens, whatever else it tells; one that leads to code ends with the pointer.
    """
    words = levelled("\n".join(block.text for block in blocks))
    if kind is TicketKind.QUESTION and not ASKING.search(words):
        kind = TicketKind.TASK
    wished = kind is TicketKind.WISH and bool(words_in("said.wanted").search(words))
    how = _Sorting(kind, tuple(map(levelled, symptoms)), wished=wished)
    pieces: list[Piece] = []
    for at, block in enumerate(blocks):
        if pointer and pieces and block.kind is BlockKind.CODE:
            _point(pieces, blocks[at - 1], pointer)
        pieces += _placed(block, how, first=at == 0)
    named = RENAMED.get(kind, {})
    return tuple(replace(piece, section=named.get(piece.section, piece.section)) for piece in pieces)


def _point(pieces: list[Piece], before: Block, pointer: str) -> None:
    """Append the pointer to the sentence that leads to the next block, as `the app says:` does, since code stands elsewhere."""
    line = before.text.rstrip()
    if before.kind is not BlockKind.TEXT or not (line.endswith(LEADING) or line[-1:].isalnum()):
        return
    ends = [at for at, piece in enumerate(pieces) if piece.block.text.rstrip().endswith(line[-LAST:])]
    for at in ends[-1:]:
        lines = pieces[at].block.lines
        last = joined_line(lines[-1], RichLine(Untrusted(pointer)))
        pieces[at] = replace(pieces[at], block=replace(pieces[at].block, lines=(*lines[:-1], last)))


def versions_in(text: str) -> tuple[str, ...]:
    """Return the products with versions that a text names, each once, as written."""
    found = (_unled(one[0].split()) for one in _VERSIONS.finditer(text) if not _SUM.match(one[0]))
    return tuple(dict.fromkeys(filter(None, found)))[:MOST_VERSIONS]


def _unled(words: Sequence[str]) -> str:
    """Join the words without `With` or `In` before the name; a number alone names nothing."""
    start = next((at for at, word in enumerate(words) if levelled(word) not in STOP_WORDS), len(words))
    return " ".join(words[start:]) if re.match(r"[^\W\d]", words[start : start + 1][0] if words[start:] else "") else ""


def since_in(text: str) -> str:
    """Return the words that say since when: `since the update of last night`; empty if none do."""
    found = _since().search(levelled(text))
    return " ".join(text[slice(*found.span())].split()) if found else ""


def is_courtesy(sentence: str) -> bool:
    """Tell whether a sentence only thanks, greets or asks for help, and gives no number, no link and nobody who suffers."""
    text = levelled(sentence)
    if only_blames(sentence):
        return True
    longest = LONGEST_PLEA if words_in("said.please").match(text) else LONGEST_COURTESY
    if not _courtesy().match(text) or len(text.split()) > longest or re.search(r"\d|://", text):
        return False
    return not _tells_impact(text)


@dataclass(frozen=True, slots=True)
class _Sorting:
    """What decides where a sentence goes."""

    kind: TicketKind
    symptoms: tuple[str, ...]
    """Levelled words of the mail that make it a report of a fault."""
    wished: bool
    """Some sentence says what is wanted, so that the first one may give the reason."""


def _placed(block: Block, how: _Sorting, *, first: bool) -> Iterator[Piece]:
    kind, main = how.kind, MAIN[how.kind]
    match block.kind:
        case BlockKind.CODE:
            yield Piece("evidence", block)
        case BlockKind.PICTURE:
            yield Piece(block.section or "evidence", block)
        case BlockKind.TEXT if not block.section:
            yield from _sentences(block, how, first=first)
        case BlockKind.LIST if not block.section and block.numbered and kind in {TicketKind.BUG, TicketKind.INCIDENT}:
            yield Piece("steps", block)
        case _:
            yield Piece(block.section or main, block)


def _sentences(block: Block, how: _Sorting, *, first: bool) -> Iterator[Piece]:
    """Yield the sentences of a text, those of one heading together and line by line as written."""
    sections: dict[str, list[RichLine]] = {}
    opening = first
    for line in block.lines:
        sentences: dict[str, RichLine] = {}
        for start, end in sentence_spans(line.text):
            sentence = line.part(start, end)
            if is_courtesy(sentence.text):
                continue
            section = _section(sentence.text, how, opening=opening)
            opening = False
            sentences[section] = joined_line(sentences[section], sentence) if section in sentences else sentence
        for section, joined in sentences.items():
            sections.setdefault(section, []).append(joined)
    for section, lines in sections.items():
        yield Piece(section, replace(block, lines=tuple(lines)))


def _section(sentence: str, how: _Sorting, *, opening: bool) -> str:
    """Return the heading for a sentence; the first one of a mail says what it is about."""
    text = levelled(sentence)
    asks = sentence.rstrip().endswith(("?", "\uff1f"))
    match how.kind:
        case TicketKind.QUESTION if asks:
            return "question"
        case TicketKind.WISH | TicketKind.ACCESS if _gives_reason(text, how, opening=opening):
            return "why"
        case TicketKind.BUG | TicketKind.INCIDENT if not (opening or asks or sentence[:1].islower()):
            return _beside_symptom(text, how)
    return MAIN[how.kind]


def _gives_reason(sentence: str, how: _Sorting, *, opening: bool) -> bool:
    wish = how.wished and words_in("said.wanted").search(sentence)
    return not wish and (how.wished or not opening) and bool(words_in("said.why").search(sentence))


def _beside_symptom(sentence: str, how: _Sorting) -> str:
    if any(word in sentence for word in how.symptoms):
        return MAIN[how.kind]
    expected = words_in("said.expected").search(sentence)
    if (
        expected
        and not _PARTED.search(sentence, 0, expected.start())
        and not words_in("sentence.contrasts").search(sentence)
    ):
        return "expected"
    return "impact" if _tells_impact(sentence) else MAIN[how.kind]


def _tells_impact(sentence: str) -> bool:
    """Tell whether a sentence says what is lost or held up, or who suffers; it does not where it only names a customer."""
    hit = words_in("said.hit").search(sentence) and words_in("said.hurt").search(sentence)
    return bool(hit or words_in("said.impact").search(sentence) or _counted().search(sentence))
