"""Takes a mail's frame off its text: greeting, closing, small print, quotes, the header of a forwarded mail."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triage.domain.mail import PICTURE, RichLine
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.privacy.tracking_links import untracked
from triage.policy.sender.forwards import ADDRESS, FORWARD_SUBJECT
from triage.policy.text.author_text import is_program_line, is_small_print, letter_end, small_print
from triage.policy.text.sentences import UNSPACED, plain
from triage.policy.text.word_patterns import levelled, one_of
from triage.policy.ticket.text.code_runs import exchange_in
from triage.policy.ticket.text.form import form_of, requester_of

LONGEST_GREETING: Final = 60
LONGEST_NAME: Final = 3
"""Words of a line that is a name alone."""
GREETING_WORDS: Final = 4
"""Words of a line with a comma at its end, and a blank line below: a greeting in any language."""
MOST_FORWARDS: Final = 12
"""Mails of a chain, each forwarding the one below, that are looked into."""
WITHIN: Final = 10
"""Lines of a forwarded mail's header."""
_OTHER_VERSION: Final = re.compile(r"\s*[(\[](?:[^\W\d_]+[ ]){1,3}[^\W\d_]+[)\]]\s*")
"""Points to another language: `(English version below)`."""
_FOUR_WORDS: Final = r"\s+\w+\s+\w+\s+\w+\s+\w+"
_TO_ITS_SIGN: Final = r"[^.?!:;,\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]*[,.!:\u3001\u3002\uff01\uff0c\uff1a]?"
"""The rest of a line up to one sign, its last character."""
_CALLED: Final = r",\s+[^\W\d]\w*(?:\s+[^\W\d]\w*)?\s*[,!:]"
"""A name of one or two words behind a comma: `Good morning, Ada Byron,`."""
_JAPANESE: Final = r"[^\u3001\u3002]{1,30}(?:\u69d8|\u5fa1\u4e2d|\u5404\u4f4d)\s*$"
"""A line that ends in an honorific."""
_GREETING: Final = lazy_pattern(
    lambda: rf"\W{{0,8}}{one_of('letter.greetings')}(?:(?!{_FOUR_WORDS}){_TO_ITS_SIGN}|{_CALLED})\s*$|{_JAPANESE}"
)
_GREETED: Final = lazy_pattern(
    lambda: (
        rf"\W{{0,8}}{one_of('letter.greetings')}(?:(?:\s+[^\W\d]\w*){{0,2}}\s*[,!:\u3001\u3002\uff01\uff0c\uff1a]\s*|\.\s+)(?=\S)"
    )
)
_MARKER: Final = lazy_pattern(
    lambda: rf"\W{{0,40}}{one_of('forward.markers', 'forward.outlook_markers')}[^\w]{{0,40}}$"
)
_FORWARDED: Final = lazy_pattern(lambda: rf"\W{{0,40}}{one_of('forward.markers')}[^\w]{{0,40}}$")
_FIELD: Final = lazy_pattern(
    lambda: (
        rf"\W{{0,4}}(?P<name>{one_of('header.from', 'header.date', 'header.to', 'header.subject', 'header.other')})\W{{0,3}}[:\uff1a]"
    )
)
_FROM: Final = lazy_pattern(lambda: rf"\W{{0,4}}{one_of('header.from')}\W{{0,3}}[:\uff1a]\W{{0,2}}(?P<who>.*)")
_SUBJECT: Final = lazy_pattern(lambda: rf"\W{{0,4}}{one_of('header.subject')}\W{{0,3}}[:\uff1a]\W{{0,2}}(?P<what>.*)")
SET_OFF: Final = 3
"""Lines of a quote that is no history."""
SHORT_LINE: Final = 30
LONGEST_CARD: Final = 8
"""Lines of a signature."""
LONGEST_FOOTER: Final = 16
"""Lines of one with a company's slogans and notices."""
CARD_HEAD: Final = 5
"""Lines below the name among which telephone or address stand."""
FULL_NAME: Final = 2
"""Words of it."""
_REACHED: Final = re.compile(r"[\w.+-]@[\w-]+\.\w|\bwww\.|(?:\+|\b0)(?:\d[\s().-]{0,2}){7}")
_INTRODUCES: Final = re.compile(
    r"[^\u3002\n]{1,32}(?:\u3067\u3059|\u3068\u7533\u3057\u307e\u3059|\u3067\u3054\u3056\u3044\u307e\u3059)(?:\u3002|$)"
)
_POSTSCRIPT: Final = re.compile(r"\W*p\.?\s?s\b", re.IGNORECASE)
LEAST_TOLD: Final = 60
"""Characters; a shorter text below a longer note is no matter that is passed on, but an answer to it: `Fine with me`."""
MOST_SMALL: Final = 1
"""Words with a small letter in a line of names: `Bank of Ireland, Cork.`"""
SHORT_CLOSING: Final = 3
"""Words of a line between text and name."""
LONGEST_UNSPACED: Final = 4
"""Letters of a name in a script without blanks."""
_REGARDS: Final = lazy_pattern(lambda: rf"{one_of('letter.regards', 'letter.thanks')}\W+(?=\w)")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_NAME: Final = re.compile(r"[^\W\d_]+(?:['\u2019.-][^\W\d_]*)*")
_SENTENCE: Final = re.compile(r"(?:\w{3}[.]|[!?])\s*$|\s-\s.*\s-\s|^\s*[-*]\s")
_ENDED: Final = re.compile(r"[.!?\u3002\uff01\uff1f]\s*$")
_ATTRIBUTION: Final = re.compile(r"\d{4}.*[:\uff1a]\s*$")
"""Says who wrote what stands below, and when: `On Mon, 23 Nov 2026 at 10:02, Carla wrote:`."""
_BARE: Final = re.compile(r"[\s<>()\[\]*_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterParts:
    """The lines about the matter, and who had it."""

    lines: tuple[RichLine, ...] = ()
    note: tuple[RichLine, ...] = field(default=())
    """What the forwarder wrote above a forwarded mail."""
    header: tuple[RichLine, ...] = ()
    """The lines above a forwarded mail that a mail program wrote: `Begin forwarded message:`, `From: …`."""
    requester: str = ""
    """`Ada Byron <ada@example.com>`, the author of the forwarded mail; empty if the sender is the author."""
    subject: str = ""
    """The forwarded mail's subject."""
    topic: str | None = None
    """What a form names as its subject, which counts instead of the mail's; None where the mail is no form."""


def letter_of(
    lines: Sequence[RichLine], *, sender: str = "", forward: bool = False, chain: int = MOST_FORWARDS
) -> LetterParts:
    """Return the author's own lines; of a forwarded mail those of its first author, and the forwarder's note.

    `chain` is how many mails that were forwarded again are looked into.
    """
    at = _forwarded_at(lines) if forward else None
    if at is None:
        form = form_of(lines)
        if form is None:
            return LetterParts(lines=_own(lines, sender), requester=requester_of(lines, sender))
        content = (*_own(form.message, form.name), RichLine(NOTHING), *form.others)
        return LetterParts(lines=_trimmed(list(content)), requester=form.who, topic=form.topic)
    end = at + _header_length(lines[at : at + 2 * WITHIN])
    header = tuple(lines[at:end])
    requester = _named(next((found["who"] for line in header if (found := _match(_FROM, line.text))), ""))
    below, note = _unquoted(lines[end:]), _own(lines[:at], sender)
    subject = next((found["what"].strip(" *") for line in header if (found := _match(_SUBJECT, line.text))), "")
    if chain and _passes_on(below, subject):
        first = letter_of(below, sender=requester, forward=True, chain=chain - 1)
        return replace(
            first,
            note=(*note, *([RichLine(NOTHING)] if note and first.note else ()), *first.note),
            header=(*header, *first.header),
            requester=first.requester or requester,
        )
    inner = _own(below, requester)
    if _length(note) >= LEAST_TOLD > _length(inner):
        return LetterParts(lines=note)
    return LetterParts(
        lines=inner or note,
        note=note if inner else (),
        header=header,
        requester=requester,
        subject=subject,
    )


def _passes_on(lines: Sequence[RichLine], subject: str) -> bool:
    """Tell whether a forwarded mail is itself a forward, by its subject or by the marker above the next one."""
    at = _forwarded_at(lines)
    marked = at is not None and _FORWARDED.match(levelled(lines[at].text.strip().lstrip("> ")[:200]))
    return at is not None and (bool(marked) or plain(subject[:12]).startswith(FORWARD_SUBJECT))


def _length(lines: Sequence[RichLine]) -> int:
    return sum(len(line.text) for line in lines)


def _match(pattern: re.Pattern[str], line: str) -> dict[str, str] | None:
    """Match the levelled line; the groups have the text as written."""
    found = pattern.match(levelled(line[:500]))
    return {name: line[slice(*found.span(name))] for name in found.groupdict()} if found else None


def _named(text: str) -> str:
    """Return name and address; only what has an address names somebody."""
    address = ADDRESS.search(text)
    name = re.split(r"[<\[(]|mailto:", text)[0].strip(" *\"'") if address else ""
    if not address:
        return ""
    return f"{name} <{address[0].lower()}>" if name and "@" not in name else address[0].lower()


def _forwarded_at(lines: Sequence[RichLine]) -> int | None:
    """Return the line where the header of the first forwarded mail begins."""
    for at, line in enumerate(lines):
        bare = line.text.strip().lstrip("> ")
        if _MARKER.match(levelled(bare[:200])) and _header_length(lines[at + 1 : at + 2 * WITHIN]):
            return at
        if _match(_FROM, bare) and _header_length(lines[at : at + 2 * WITHIN]) > 1:
            return at
    return None


def _header_length(lines: Sequence[RichLine]) -> int:
    """Return how many lines a marker and a block of header fields take; 0 without two fields."""
    fields, end = 0, 0
    for at, line in enumerate(lines):
        bare = line.text.strip().lstrip("> ")
        if _match(_FIELD, bare):
            fields, end = fields + 1, at + 1
        elif bare and not (at <= 1 and not fields) and not line.text.startswith((" ", "\t")):
            break
    return end if fields > 1 else 0


def _unquoted(lines: Sequence[RichLine]) -> list[RichLine]:
    """Remove the quote marks of a mail that was forwarded as a quotation."""
    given = [line for line in lines if line.text.strip()]
    if not given or not given[0].text.startswith(">"):
        return list(lines)
    return [line.part(len(line.text) - len(line.text.lstrip("> ")), len(line.text)) for line in lines]


def _own(lines: Sequence[RichLine], sender: str) -> tuple[RichLine, ...]:
    """Return the lines between greeting and closing, without quotes, small print and tracking links."""
    texts = [line.text for line in lines]
    kept = list(lines[: letter_end(texts)])
    dropped = small_print([line.text for line in kept])
    lines_left = _set_off(
        [line for at, line in enumerate(kept) if at not in dropped and (line.kind or not is_program_line(line.text))]
    )
    clean = _ungreeted([own for line in lines_left if (own := untracked(line)) is not None])
    return _trimmed(_unsigned(_unintroduced(_trimmed(clean), sender), sender))


def _unintroduced(lines: tuple[RichLine, ...], sender: str) -> tuple[RichLine, ...]:
    """Remove the sentence in which a Japanese mail says at its top who writes."""
    names = [name for name in _WORD.findall(sender.partition("<")[0]) if UNSPACED.match(name)]
    opened = _INTRODUCES.match(lines[0].text) if names and len(lines) > 1 else None
    if opened is None or not any(name in opened[0] for name in names):
        return lines
    return _trimmed([lines[0].part(opened.end(), len(lines[0].text)), *lines[1:]])


def _set_off(lines: Sequence[RichLine]) -> list[RichLine]:
    """Remove quotes; a single short one below words of the author shows what a screen said, and is kept as such."""
    shown = exchange_in([line.text for line in lines])
    quoted = [at for at, line in enumerate(lines) if line.text.startswith(">") and at not in shown]
    if answered := _answered(lines, quoted):
        return [
            RichLine(Untrusted(line.text.lstrip("> ")), "quote") if at in answered else line
            for at, line in enumerate(lines)
            if at in answered or at not in quoted
        ]
    history = quoted and _ATTRIBUTION.search(lines[quoted[0]].text)
    run = (
        quoted
        and not history
        and quoted[-1] - quoted[0] < SET_OFF
        and any(line.text.strip() for line in lines[: quoted[0]])
    )
    if not run:
        return [line for at, line in enumerate(lines) if at not in quoted]
    return [
        RichLine(Untrusted(line.text.lstrip("> ")), "code") if at in quoted else line for at, line in enumerate(lines)
    ]


def _answered(lines: Sequence[RichLine], quoted: Sequence[int]) -> frozenset[int]:
    """Return the quoted lines between which the author answers, so that an answer is understood; empty for other quotes."""
    runs: list[list[int]] = []
    for at in quoted:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    ends = [*(run[0] for run in runs), len(lines)][1:]
    own = [
        run
        for run, end in zip(runs, ends, strict=True)
        if len(run) <= SET_OFF and any(line.text.strip() for line in lines[run[-1] + 1 : end])
    ]
    return frozenset(at for run in own for at in run if lines[at].text.strip("> ")) if len(own) > 1 else frozenset()


def _unsigned(lines: Sequence[RichLine], sender: str) -> list[RichLine]:
    """Remove the sender's name at the end, with a card below it."""
    names = set(_WORD.findall(levelled(sender)))
    for at in range(max(1, len(lines) - LONGEST_FOOTER), len(lines)):
        if _begins_footer(lines, at, names):
            return _unclosed(lines[:at])
    for at in range(max(1, len(lines) - LONGEST_CARD), len(lines)):
        words = _WORD.findall(levelled(lines[at].text))
        card = all(_fits_card(line.text) for line in lines[at:])
        if words and set(words) <= names and card and _parts(lines[at - 1].text, last=at == len(lines) - 1):
            return _unclosed(lines[:at])
    last = len(lines) - 1
    if last > 0 and _is_initial(lines[last].text, lines[last - 1].text, names):
        return _unclosed(_trimmed(list(lines[:last])))
    return (
        list(lines[:last]) if last > 0 and _names_author(lines[last].text, lines[last - 1].text, names) else list(lines)
    )


def _begins_footer(lines: Sequence[RichLine], at: int, names: Collection[str]) -> bool:
    """Tell whether the sender's full name stands alone here, and soon below it how to reach him, whatever follows."""
    words = _WORD.findall(levelled(lines[at].text))
    if lines[at - 1].text.strip() or len(words) < FULL_NAME or not set(names).issuperset(words):
        return False
    below = [line.text for line in lines[at + 1 :]]
    return any(map(_REACHED.search, below[:CARD_HEAD])) and not any(map(_POSTSCRIPT.match, below))


def _is_initial(line: str, above: str, names: Collection[str]) -> bool:
    """Tell whether a line is one letter with which a name begins, below the end of a text: `J.`, `- a`."""
    if above.strip() and not (_ENDED.search(above) or above.rstrip().endswith(",")):
        return False
    bare = levelled(line.strip(" .,-\u2013"))
    return len(bare) == 1 and bare.isalpha() and any(name.startswith(bare) for name in names)


def _fits_card(line: str) -> bool:
    """Tell whether a line may stand below a name: it is short and no sentence, or small print."""
    sentence = _SENTENCE.search(line) and not _is_titled(line)
    return (len(line) <= LONGEST_GREETING and not sentence) or is_small_print(line)


def _is_titled(line: str) -> bool:
    """Tell whether nearly every word begins with a capital or figure, as in `Unit 9, Penarth Trading Est.`."""
    words = re.findall(r"\w+", line)
    small = [word for word in words if word[0].islower()]
    return len(words) > MOST_SMALL and len(small) <= MOST_SMALL


def _unclosed(lines: Sequence[RichLine]) -> list[RichLine]:
    """Remove the line above a name that closes the mail in words of no list, as `Ta,` does."""
    last = lines[-1].text.strip() if lines else ""
    closes = last.endswith(",") and len(last.split()) <= SHORT_CLOSING and len(lines) > 1
    return list(lines[:-1] if closes else lines)


def _names_author(line: str, above: str, names: Collection[str]) -> bool:
    """Tell whether a last line is a name: `Petr Svoboda` below a sentence of Petr's, or set off from any sentence.

    A role behind the name belongs to it: `Beatriz, professora do 8.\u00ba B`, in a script without blanks also one before it.
    """
    bare = line.strip().lstrip("-\u2013/ ").rstrip(" ,")
    if UNSPACED.match(bare):
        longest = LONGEST_GREETING // 2 if any(name in levelled(bare) for name in names) else LONGEST_UNSPACED
        return len(bare) <= longest and not _ENDED.search(bare) and (not above.strip() or bool(_ENDED.search(above)))
    bare = bare[closed.end() :] if (closed := _REGARDS.match(levelled(bare))) else bare
    name, *role = re.split(r"\s*[,(]\s*", bare, maxsplit=1)
    words = name.split()
    if not 0 < len(words) <= LONGEST_NAME or not all(_NAME.fullmatch(word) and word[0].isupper() for word in words):
        return False
    known = not set(names).isdisjoint(_WORD.findall(levelled(name)))
    if role:
        ended = bool(_ENDED.search(above)) or not above.strip()
        return known and len(bare) <= LONGEST_GREETING and ended and not _SENTENCE.search(bare)
    foreign = not any(map(str.isascii, bare)) and all(map(str.isascii, names)) and _ENDED.search(above)
    return known or bool(foreign) or (len(words) > 1 and not above.strip())


def _ungreeted(lines: list[RichLine]) -> list[RichLine]:
    """Remove the greeting: its line, or its words before the first sentence."""
    first = next((at for at, line in enumerate(lines) if line.text.strip()), len(lines))
    if first == len(lines):
        return lines
    if _OTHER_VERSION.fullmatch(lines[first].text):
        return _ungreeted(lines[first + 1 :])
    text = levelled(lines[first].text)
    below = lines[first + 1].text.strip() if first + 1 < len(lines) else text
    alone = len(text.split()) <= GREETING_WORDS and text.rstrip().endswith(",") and not below
    if len(text) <= LONGEST_GREETING and (_GREETING.match(text) or alone):
        return _ungreeted(lines[first + 1 :]) if any(line.text.strip() for line in lines[first + 1 :]) else lines
    if found := _GREETED.match(text):
        return _ungreeted([lines[first].part(found.end(), len(text)), *lines[first + 1 :]])
    return lines[first:]


def _parts(above: str, *, last: bool) -> bool:
    """Tell whether a line ends the text above a signature: blank, or short as `Best,` is."""
    return last or not above.strip() or (len(above) <= SHORT_LINE and not _SENTENCE.search(above))


def _trimmed(lines: list[RichLine]) -> tuple[RichLine, ...]:
    solid = [at for at, line in enumerate(lines) if line.text.strip() and not _BARE.fullmatch(line.text)]
    return tuple(lines[solid[0] : solid[-1] + 1]) if solid else ()


def is_picture(line: RichLine) -> bool:
    """Tell whether a line shows pictures only."""
    return bool(PICTURE.search(line.text)) and not PICTURE.sub("", line.text).strip()
