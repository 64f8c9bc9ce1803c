"""Puts what a mail says under the headings of a ticket of its kind; each sentence once, in the order of the mail.

No sentence moves: what stands under a heading of its own, its sender labelled so (decision 290).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, reduce
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.named_day import DAYS
from triage.policy.cues.language import language_of
from triage.policy.cues.request_type import only_blames
from triage.policy.text.sentences import read
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.text.word_patterns import ASKS, MONTHS, levelled, one_of, sentence_spans, words_in
from triage.policy.ticket.text.blocks import Block, BlockKind
from triage.policy.ticket.text.line_wraps import joined_line

LONGEST_COURTESY: Final = 12
"""Words of a sentence such as `Thanks for any help` that is left out."""
LONGEST_PLEA: Final = 6
"""The same of one that asks: `Please check the attached files`; a longer one says what to check."""
MOST_VERSIONS: Final = 6
LEADING: Final = (":", ",", "\uff1a", "\u3001")
"""What a sentence ends with that leads to what comes behind it; a word without any sign does, too."""
SHORT_CODE: Final = 10
SHORT_CODE_TEXT: Final = 1_000
"""Lines and characters of code that stay between the sentences; more of it stands below all text."""
_STAMP: Final = r"20\d\d-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?z?)?"
_CLOCK: Final = r"\d{1,2}[.:]\d\d(?!\d)"
_DAY: Final = r"\d{1,2}[./]\d{1,2}\.?(?:\d{2,4})?"
_YEAR: Final = r"20\d\d"
_VERSION: Final = r"v?\d+\.\d+[\w.]*"
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
    TicketKind.QUESTION: "question",
    TicketKind.TASK: "details",
}
"""The heading of all that belongs under no other one."""
FAULTY: Final = frozenset({TicketKind.BUG, TicketKind.INCIDENT})
RENAMED: Final[Mapping[TicketKind, Mapping[str, str]]] = {
    TicketKind.INCIDENT: {"happens": "down", "impact": "hit"},
    TicketKind.WISH: {"happens": "background"},
    TicketKind.ACCESS: {"happens": "details", "wanted": "access"},
    TicketKind.QUESTION: {"happens": "background", "wanted": "question"},
    TicketKind.TASK: {"happens": "details", "wanted": "details"},
}
ORDER: Final = (
    *("down", "happens", "wanted", "access", "question", "details", "for_whom", "by_when", "steps", "expected"),
    *("hit", "impact", "since", "why", "background", "environment", "evidence"),
)
_PRODUCT: Final = r"(?:[A-Z][\w+#-]{1,30}[ ]){0,2}(?:[A-Z][\w+#-]{0,30}|macOS|iOS|iPadOS)"
"""Up to three words with capitals: `Acme Print Server`."""
_DOTTED: Final = r"(?:[vV](?:ersion)?[ .]?)?\d{1,4}(?:\.\d{1,5}){1,3}(?:[-+][\w.]{1,12})?"
"""`4.2.1`, `v4.2`, `4.2.1-rc1`."""
_LOW: Final = r"(?:app|widget|plugin|client|firmware|driver|sdk|agent|kernel)"
"""Words that people write before a version without a name."""
_PAIR: Final = r"[A-Za-z][\w+-]{1,30} v?\d{1,4}(?:\.\d{1,5}){2,3}"
_CALLED: Final = r"(?:[Vv]ersion|[Rr]elease|[Bb]uild|[Vv]ersión|[Vv]ersão|[Vv]ersione|[Vv]ersie|[Ww]ersja|[Vv]erze)"
_KNOWN: Final = (
    r"(?:Windows(?:[ ]Server)?|macOS|iOS|iPadOS|Android|Ubuntu|Debian|Chrome|Firefox|Safari|Edge|Opera|Outlook|Excel|Office"
    r"|Java|Python|Node|PHP|iPhone|iPad)"
)
"""Products whose versions are often a bare number."""
_VERSIONS: Final = re.compile(
    rf"(?<![\w./-]){_PRODUCT}[ ]?{_DOTTED}(?![\w/]|\.\d|\s?%)"
    rf"|\b{_PAIR}(?=, {_PAIR[:-5]}{{1,3}}\b)|(?<=\d, ){_PAIR[:-5]}{{1,3}}(?![\w/%]|\.\d)"
    rf"|\b{_LOW} {_DOTTED}(?![\w/%]|\.\d)"
    rf"|\b{_CALLED}[ :]{{1,2}}v?\d[\w.-]{{0,20}}\w"
    rf"|\b{_KNOWN}[ ]?\d{{1,4}}(?:[ ]?(?:Pro|Max|Home|LTS))?\b"
)
_UNPARTED: Final = '[^\\s,.;:!?()"\u00ab\u00bb\u201c\u201d\u201e\u3001\u3002]'
"""A letter of a word that no sign parts from the one before it."""
_NO_VERSION: Final = re.compile(r"(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|Euro|CVSS)\b")


@cache
def _since(languages: tuple[str, ...]) -> re.Pattern[str]:
    """Find since when; compiled when it is first needed, as the other long ones below: together they take 80 ms.

    The words are those of these languages, since Italian `da` is `of the` in Portuguese; without any, of all.
    """
    begun = "|".join(one_of("said.since", "said.begins", language=code) for code in languages or ("",))
    named = one_of("date.today", "date.tomorrow", *(f"date.{name}" for name in (*DAYS, *MONTHS)))
    time = rf"(?:{_STAMP}|{one_of('said.times')}|{named}|{_CLOCK}|{_DAY}|{_YEAR}|{_VERSION})"
    return re.compile(
        rf"(?<!\bnot )(?<!n't )(?:{begun})(?:[ ]?{_UNPARTED}+){{0,4}}?[ ]?{time}"
        rf"(?:(?:[ ]?{_UNPARTED}+){{0,2}}?[ ]?{time}){{0,3}}"
    )


@cache
def _courtesy() -> re.Pattern[str]:
    polite = word_lists().alternatives("letter.courtesy_patterns")
    return re.compile(
        rf"\W{{0,8}}(?:{one_of('letter.greetings')}\W+)?(?:{one_of('said.courtesies', 'letter.regards', 'letter.thanks')}|{polite})"
    )


@dataclass(frozen=True, slots=True)
class Piece:
    """A block under a heading."""

    section: str
    block: Block


def pieces_of(blocks: Sequence[Block], kind: TicketKind, pointer: str = "") -> tuple[Piece, ...]:
    """Return the blocks of a mail under the headings of this kind, in the order of the mail, courtesies left out.

    A sentence that leads to a long block of code ends with the pointer: the code stands below.
    """
    if kind is TicketKind.QUESTION and not any(ASKS.search(block.text) for block in blocks):
        kind = TicketKind.TASK
    stepwise = kind in FAULTY and not any(ASKS.search(block.text) for block in blocks if block.numbered)
    pieces: list[Piece] = []
    for at, block in enumerate(blocks):
        if pointer and pieces and _is_long_code(block):
            _point(pieces, blocks[at - 1], pointer)
        pieces += _placed(block, kind, stepwise=stepwise)
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
    found = (_unled(one[0].split()) for one in _VERSIONS.finditer(text) if not _NO_VERSION.match(one[0]))
    return tuple(dict.fromkeys(filter(None, found)))[:MOST_VERSIONS]


def _unled(words: Sequence[str]) -> str:
    """Join the words without `With` or `In` before the name; a number alone names nothing."""
    start = next((at for at, word in enumerate(words) if levelled(word) not in STOP_WORDS), len(words))
    return " ".join(words[start:]) if re.match(r"[^\W\d]", words[start : start + 1][0] if words[start:] else "") else ""


def since_in(text: str) -> str:
    """Return the words that say since when: `since the update of last night`; empty if none do."""
    found = _since(language_of(read(text).words).leading).search(levelled(text))
    return " ".join(text[slice(*found.span())].split()) if found else ""


def without_since(sentence: str) -> str:
    """Return a sentence without the `since Friday` in its midst: the ticket has that under a heading."""
    since = since_in(sentence)
    at = sentence.find(since) if since and words_in("said.since").match(levelled(since)) else 0
    rest = re.sub(r"^\.(?=\s)", "", sentence[at + len(since) :])  # `since 19.11.`
    if at <= 0 or re.match(r"\s*\d", rest):
        return sentence
    return re.sub(r"\s+(?=[\s,.;:])", "", f"{sentence[:at]}{rest}").strip()


def without_leading_since(sentence: str) -> str:
    """Return a sentence without `Since Monday` before its subject: the ticket has that under a heading."""
    since = since_in(sentence)
    rest = sentence[len(since) :]
    alone = rest.startswith(",") or words_in("said.subjects").match(levelled(rest.lstrip()))
    return rest.lstrip(" ,") if since and sentence.startswith(since) and alone else sentence


def is_courtesy(sentence: str) -> bool:
    """Tell whether a sentence only thanks, greets or asks for help, and gives no number, no link and nobody who suffers."""
    text = levelled(sentence)
    if only_blames(sentence):
        return True
    longest = LONGEST_PLEA if words_in("said.please").match(text) else LONGEST_COURTESY
    if not _courtesy().match(text) or len(text.split()) > longest or re.search(r"\d|://", text):
        return False
    return not words_in("said.impact", "said.hit").search(text)


def _is_long_code(block: Block) -> bool:
    long = len(block.lines) > SHORT_CODE or len(block.text) > SHORT_CODE_TEXT
    return long and block.kind is BlockKind.CODE


def _placed(block: Block, kind: TicketKind, *, stepwise: bool) -> Iterator[Piece]:
    """Yield a block under its heading; with `stepwise` numbered lists are steps."""
    if _is_long_code(block):
        yield Piece("evidence", block)
    elif block.section:
        yield Piece(block.section, block)
    elif block.kind is BlockKind.TEXT:
        if text := _without_courtesies(block):
            yield Piece(MAIN[kind], text)
    elif block.numbered and stepwise:
        yield Piece("steps", block)
    else:
        yield Piece(MAIN[kind], block)


def _without_courtesies(block: Block) -> Block | None:
    """Return a text line by line as written, without the sentences that only greet or thank; None if nothing is left."""
    lines = []
    for line in block.lines:
        kept = [part for span in sentence_spans(line.text) if not is_courtesy((part := line.part(*span)).text)]
        if kept:
            lines.append(reduce(joined_line, kept))
    return replace(block, lines=tuple(lines)) if lines else None
