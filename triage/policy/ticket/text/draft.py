"""Drafts a ticket or a comment from a mail: summary, description in the team's language, due date."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import Message, RichLine
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.calendar.clock_time import sent_at
from triage.policy.calendar.due_date import DueDate, due_date_of
from triage.policy.cues.request_type import asks_for_access, asks_for_information
from triage.policy.decision.playbook import RuleInput
from triage.policy.sender.machine_patterns import DAEMONS, NO_REPLY
from triage.policy.text.author_text import is_program_line, is_small_print, small_print, takes_for_lure
from triage.policy.text.commands import without_commands
from triage.policy.text.word_patterns import levelled, sentence_spans, words_in
from triage.policy.ticket.markdown import literal, quoted
from triage.policy.ticket.text.blocks import Block, BlockKind, blocks_of
from triage.policy.ticket.text.form import title_of
from triage.policy.ticket.text.letter import LetterParts, letter_of
from triage.policy.ticket.text.list_items import item_of
from triage.policy.ticket.text.rich_markdown import escaped, markdown_of
from triage.policy.ticket.text.sections import ORDER, Piece, TicketKind, is_courtesy, pieces_of, since_in, versions_in
from triage.policy.ticket.text.summary import summary_of, summary_of_several
from triage.policy.ticket.text.summary_form import is_plain_word

ENGLISH: Final = "en"
LONGEST_QUOTE: Final = 8_000
LONGEST_TOLD: Final = 16_000
"""Most characters of a quote: escaping braces and tabs may grow a text fourfold, and Jira takes 32,767 characters."""
LONGEST_DRAFT: Final = 10_000
_letter_of: Final = lru_cache(maxsize=16)(letter_of)
"""Draft, due date and reporter ask for the same letters."""
URGENT: Final = frozenset({"Highest", "High"})
"""Priorities with which a bug that says that something is down is an incident."""
READ_LINES: Final = 2_000
READ_LINE: Final = 6_000
MOST_FRAME: Final = 6
"""Lines of greeting and signature that a ticket can do without."""
LONGEST_FRAME: Final = 60
LEAST_TERM: Final = 16
"""Characters of a sentence by which a line is known that has a greeting in front of it: `Hello! I asked for …`."""
_LINK: Final = re.compile(r"\s*<?https?://\S+\s*")
_LEAD: Final = re.compile(r"(?:\S+\s+){0,3}\S+[:\uff1a]\s*")
"""A few words that only lead to a list: `Action items:`."""
_FACT: Final = re.compile(r"\d|@|://|www\.")
IN_PASSING: Final = 40
"""Words of a text from which a reader would have to look for since when and with which versions."""
SHORT_NOTE: Final = 4
"""Words; a forwarder's shorter note says nothing: `FYI, see below`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketText:
    """The text of a new ticket."""

    summary: str
    description: str
    """Markdown: what the mail says, under headings; the mail's own words are quoted by `with_original`."""


def ticket_text(source: RuleInput, matters: Sequence[str] = ()) -> TicketText:
    """Draft a ticket from a mail; `matters` are the texts of several that it lists above the description."""
    letter = _letter(source)
    lure = letter.requester if letter.note and takes_for_lure("\n".join(line.text for line in letter.note)) else ""
    if lure:
        letter = replace(letter, lines=letter.note, note=(), requester="")
    blocks = tuple(_unlisted(blocks_of(letter.lines), matters))
    prose = _prose(blocks, BlockKind.FIELDS, BlockKind.TABLE)
    lead = f"{source.subject}.\n\n{prose}"
    kind = kind_of(source.type, source.priority, lead)
    if kind in {TicketKind.TASK, TicketKind.QUESTION} and {block.section for block in blocks} & {"steps", "expected"}:
        kind = TicketKind.BUG  # whoever tells steps and what he expected reports a fault, whatever the words
    pointer = f"\u2192 {_heading('evidence', source.language)}"
    subject = source.subject if letter.topic is None else letter.topic
    summary = summary_of_several(subject, matters) or summary_of(
        subject,
        "" if source.stub else _matter(blocks) or _prose((*blocks, *blocks_of(letter.note))),
        source.keys,
        "" if _is_person(source.sender) else title_of(letter.lines),
    )
    description = _description(letter, pieces_of(blocks, kind, pointer), kind, source)
    if lure:
        summary = summary_of(f"{_heading('suspicious', source.language)}: {letter.subject or summary}", "")
        description = f"**{_heading('its_sender', source.language)}:** {literal(lure)}\n\n{description}"
    return TicketText(summary=summary, description=description)


def _is_person(sender: str) -> bool:
    """Tell whether an address has a name of its sender in it: what a template in such a mail says was pasted there."""
    name, _, address = sender.partition("<")
    names = re.findall(r"[^\W\d_]{3,}", levelled(name))
    return len(names) > 1 and any(one in levelled(address.partition("@")[0]) for one in names)


def _matter(blocks: Sequence[Block]) -> str:
    """Return what stands under `Actual` or its like in a report that says what was expected, too; else nothing."""
    if not any(block.section == "expected" for block in blocks):
        return ""
    text = _prose(block for block in blocks if block.section == "happens")
    return text if len(text.split()) >= SHORT_NOTE else ""


def prose_of(source: RuleInput) -> str:
    """Return what a mail says in sentences: without greeting and signature, programs and pictures."""
    return _prose(blocks_of(_letter(source).lines))


def _prose(blocks: Iterable[Block], *also: BlockKind) -> str:
    """Return what stands in sentences, and the blocks of other kinds that are named."""
    return "\n".join(block.text for block in blocks if block.kind in {BlockKind.TEXT, BlockKind.LIST, *also})


def _unlisted(blocks: Sequence[Block], matters: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks without a list of nothing but the matters that stand above, and without the line that leads to it."""
    titles = {_words(one) for one in matters}
    lists = [
        block.kind is BlockKind.LIST and titles.issuperset(_words(item_of(line)[1].text) for line in block.lines)
        for block in blocks
    ]
    for at, block in enumerate(blocks):
        leads = any(lists[at + 1 : at + 2]) and _LEAD.fullmatch(block.text)
        if not (lists[at] or leads):
            yield block


def comment_text(source: RuleInput) -> str:
    """Draft a comment: what is new, code in blocks, without greeting and signature."""
    letter = _letter(source)
    parts = [*_reporter(letter, source.language), *(markdown_of(block) for block in blocks_of(letter.lines))]
    return _fitting(parts)


def reporter_of(mail: Message, language: str = ENGLISH) -> str:
    """Return the lines that name who has the problem, if that is not the sender; empty if it is."""
    return "".join(f"{line}\n\n" for line in _reporter(replace(_letter_in(mail), note=()), language))


def due_in(mail: Message, received: datetime) -> DueDate | None:
    """Return the day by which a mail's own words ask for something."""
    letter = _letter_in(mail)
    words = "\n".join(line.text for line in (*letter.note, *letter.lines) if not line.code)
    return due_date_of(without_commands(f"{mail.subject}.\n\n{words}"), sent_at(mail, received), received)


def words_of(mail: Message) -> Untrusted:
    """Return what the sender wrote; of a forwarded mail all text, since the matter is in the forwarded part."""
    return mail.text if "forward" in mail.flags else mail.reply or mail.text


def with_original(description: str, mail: Message, language: str = ENGLISH) -> str:
    """Append to the description, as a quote, what it leaves out of the mail: nothing, the signature, or the whole text with a heading."""
    text = words_of(mail)
    left = _left_out(description, mail, text) if text.strip() else NOTHING
    if left is None:
        return f"{description}\n\n**{_heading('original', language)}**\n\n{quote_of(text)}".lstrip()
    return f"{description}\n\n{quote_of(left)}" if left else description


def _left_out(description: str, mail: Message, text: Untrusted) -> Untrusted | None:
    """Return what the description lacks of the lines below the matter, None where it lacks some of the matter.

    Greeting, courtesies and a short signature without numbers and addresses are missed by nobody.
    """
    described = _words(description)
    if (words := _words(text)) and words in described:
        return NOTHING
    letter = _letter_in(mail)
    own = (*letter.note, RichLine(NOTHING), *letter.lines)
    sentences = [one for block in blocks_of(own) for one in _sentences_of(block)]
    terms = {one: _words(one) for one in sentences if _words(one)}
    if not terms or not all(
        words in described or is_courtesy(one) or _LEAD.fullmatch(one) for one, words in terms.items()
    ):
        return None
    inside = _words("\n".join(line.text for line in own))
    lines = text.splitlines()
    programs = {_words(line.text) for line in letter.header}
    worded = {at: words for at, line in enumerate(lines) if (words := _words(line)) and words not in programs}
    named = letter.requester and _words(letter.requester)
    filled = {at for at in worded if named and (value := _words(lines[at].partition(":")[2])) and value in named}
    long = [one for one in terms.values() if len(one) >= LEAST_TERM]
    frame = [
        at
        for at, words in worded.items()
        if at not in filled and words not in inside and not any(one in words for one in long)
    ]
    legal = {*small_print(lines), *(at for at in frame if is_small_print(lines[at]) or is_program_line(lines[at]))}
    legal |= {at for at in frame if at - 1 in legal and _LINK.fullmatch(lines[at])}
    telling = [at for at in frame if at not in legal and (len(lines[at]) > LONGEST_FRAME or _FACT.search(lines[at]))]
    if len(frame) <= MOST_FRAME and not telling:
        return NOTHING
    last = max(worded.keys() - set(frame), default=-1)
    if telling and telling[0] < last:
        return None
    return Untrusted("\n".join(line for at, line in enumerate(lines) if at > last and at not in legal).strip())


def _sentences_of(block: Block) -> Iterator[str]:
    for line in block.lines:
        text = item_of(line)[1].text if block.kind is BlockKind.LIST else line.text
        yield from (text[slice(*span)] for span in sentence_spans(text))


def quote_of(text: Untrusted) -> str:
    """Quote as much of the text as fits after escaping."""
    longest = LONGEST_QUOTE
    while len(quote := quoted(text, longest)) > LONGEST_TOLD:
        longest //= 2
    return quote or "> (no text)"


def kind_of(type_: str, priority: str, text: str) -> TicketKind:
    """Return the kind of ticket for the type of a mail: an urgent bug that says `down` is an incident."""
    words = levelled(text[:LONGEST_QUOTE])
    if type_ == "bug":
        return TicketKind.INCIDENT if priority in URGENT and words_in("said.down").search(words) else TicketKind.BUG
    if type_ == "feature":
        return TicketKind.WISH
    if asks_for_access(text[:LONGEST_QUOTE]):
        return TicketKind.ACCESS
    asks = asks_for_information(text[:LONGEST_QUOTE]) if "?" in text else type_ == "support"
    return TicketKind.QUESTION if asks else TicketKind.TASK


def _letter_in(mail: Message) -> LetterParts:
    """Read the text of a mail."""
    sender, forward = f"{mail.sender or ''}", "forward" in mail.flags
    return _letter(RuleInput(subject=mail.subject, sender=sender, text=words_of(mail), forward=forward))


def _letter(source: RuleInput) -> LetterParts:
    """Read the lines of the HTML where the mail has one that says the same, else those of the text."""
    lines = source.rich[:READ_LINES] or tuple(
        RichLine(Untrusted(line[:READ_LINE].rstrip("\r"))) for line in source.text.split("\n")[:READ_LINES]
    )
    return _letter_of(lines, sender=source.sender, forward=source.forward)


def _description(letter: LetterParts, pieces: Sequence[Piece], kind: TicketKind, source: RuleInput) -> str:
    given = {piece.section for piece in pieces}
    due, language = source.due, source.language
    parts = [*_reporter(letter, language)]
    for section in ORDER:
        own = [piece.block for piece in pieces if piece.section == section]
        heading = _heading(section, language)
        own = [_unlabelled(block, heading) for block in own]
        body = [markdown_of(_begun(block) if block is own[0] or block.section else block) for block in own]
        body += [] if section in given else _extracted(section, pieces, kind)
        if section == "by_when" and due:
            day = f"{due.day:%Y-%m-%d}"
            body.append(escaped(day if due.evidence == day else f"{day} ({due.evidence})"))
        if any(body):
            parts += [f"### {heading}", *_joined(filter(None, body))]
    return _fitting(parts)


def _joined(parts: Iterable[str]) -> Iterator[str]:
    """Join lists that follow each other."""
    for is_list, group in groupby(parts, key=lambda part: part.startswith("- ")):
        yield ("\n" if is_list else "\n\n").join(group)


def _unlabelled(block: Block, heading: str) -> Block:
    """Return a single field without its label where the heading above it is the same word: `Impact: nobody can pay`."""
    label, _, rest = block.lines[0].text.partition(":")
    if block.kind is not BlockKind.FIELDS or len(block.lines) > 1 or levelled(label.strip()) != levelled(heading):
        return block
    line = block.lines[0]
    start = len(line.text) - len(rest.lstrip())
    return replace(block, kind=BlockKind.TEXT, lines=(line.part(start, len(line.text)),))


def _begun(block: Block) -> Block:
    """Begin a text with a capital: the greeting above it, or the sentence before it, stands elsewhere."""
    first = block.lines[0]
    if block.kind is not BlockKind.TEXT or not is_plain_word(first.text.split(" ", 1)[0]):
        return block
    begun = replace(first, text=Untrusted(first.text[:1].upper() + first.text[1:]))
    return replace(block, lines=(begun, *block.lines[1:]))


def _reporter(letter: LetterParts, language: str) -> Iterator[str]:
    """Yield who has the problem, if that is not the sender or a program, and what the forwarder adds."""
    local = letter.requester.rpartition("<")[2].partition("@")[0]
    program = DAEMONS.fullmatch(local) or NO_REPLY.search(local)
    if letter.requester and not program:
        yield f"**{_heading('reporter', language)}:** {literal(letter.requester)}"
    note = blocks_of(letter.note)
    if sum(len(block.text.split()) for block in note) >= SHORT_NOTE:
        yield f"**{_heading('note', language)}:**"
        yield from (markdown_of(block) for block in note)


def _extracted(section: str, pieces: Sequence[Piece], kind: TicketKind) -> list[str]:
    """Return what a longer text says in passing: since when, and with which versions."""
    if kind not in {TicketKind.BUG, TicketKind.INCIDENT, TicketKind.QUESTION}:
        return []
    text = "\n".join(piece.block.text for piece in pieces if piece.section != "evidence")
    if len(text.split()) < IN_PASSING:
        return []
    if section == "since" and kind is not TicketKind.QUESTION and (since := since_in(text)):
        return [escaped(since[:1].upper() + since[1:])]
    if section == "environment" and (versions := versions_in(text)):
        return ["\n".join(f"- {escaped(one)}" for one in versions)]
    return []


def _fitting(parts: Sequence[str]) -> str:
    """Join as many parts as fit, the last one cut at a line or word; the mail itself has the rest."""
    kept: list[str] = []
    room = LONGEST_DRAFT
    for part in parts:
        if len(part) > room:
            head = "" if part.startswith("`") else part[:room]
            kept += [head.rpartition("\n" if "\n" in head else " ")[0].rstrip("\\ "), literal("[…]")]
            break
        kept.append(part)
        room -= len(part)
    return "\n\n".join(filter(None, kept))


def _heading(name: str, language: str) -> str:
    """Return our word for a heading; English where the language lacks it."""
    lists = word_lists()
    return (lists.of(language, f"heading.{name}") or lists.of(ENGLISH, f"heading.{name}"))[0]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", levelled(text.replace("\\", ""))))
