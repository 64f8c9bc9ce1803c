"""Separates the author's text from quoted history, signature and appended footers."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from dataclasses import dataclass
from typing import Final

from integrations.mime.reply.answered import NOTHING_KNOWN, Answered
from integrations.mime.reply.appended import answers_inside, is_appended, is_banner, is_legal, words_of
from integrations.mime.reply.attribution import ADDRESS, COLONS, LONGEST, is_attribution, text_before
from integrations.mime.reply.lines import EMPTY, BodyLine, Lines, header_block, kinds_of, proven_below
from integrations.mime.reply.quote_patterns import CLOSING, FOOTER, FORWARDED

MAX_LINES: Final = 5_000
MAX_SIGNATURE: Final = 12
PROSE: Final = 3
"""Lines that go on in small letters below `-- `: a text, not a signature."""

_HISTORY: Final = frozenset({BodyLine.HEADERS, BodyLine.ORIGINAL, BodyLine.FORWARD})
_CONTACT: Final = re.compile(r"@|https?:|www\.|\+?\d[\d ()/.-]{6,}")
_CELLS: Final = re.compile(r"\s[|·•]\s")
_SENTENCE: Final = re.compile(
    r"[?:]\s*$|(?:\S+\s+){4}\S+\.\s*$|^\W{0,3}(?:p\.?[\s-]?[sd]\.?|nb)\b|(?:\S+\s+){12}",
    re.IGNORECASE,
)
"""Lines that no signature has: a question, an announcement, a sentence, a postscript."""
_POSTSCRIPT: Final = re.compile(r"\W{0,3}(?:(?:p\.?[\s-]?[sd]|nb|nachtrag)\.?\W|追伸|추신|又及)", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[^\W\d_]+\s[a-zà-öø-ÿ]\S*\s.*[a-zà-öø-ÿ]{2}\.\s*")
"""A short sentence: `Please add it.`"""
_GOES_ON: Final = re.compile(r"\s*[a-zß-öø-ÿа-я]\w*\s\w+\s\w")
"""Three words, the first of them in small letters: the sentence goes on."""
_LISTED: Final = re.compile(r"^[^\S\n]*(?:\d{1,3}\s+[^\W\d_]|[-*•]\s|[A-Z]:)", re.MULTILINE)
"""Numbered or listed lines; no signature has them."""


@dataclass(frozen=True, slots=True)
class Split:
    """A body split into reply and history."""

    reply: str
    quoted: str
    forward: bool = False
    """The history is a forwarded mail."""


def split(
    text: str,
    marks: frozenset[int] = frozenset(),
    *,
    first: bool = False,
    sender: str = "",
    answered: Answered = NOTHING_KNOWN,
    signature: frozenset[str] = frozenset(),
) -> Split:
    """Split a body into reply and history; `marks` are lines where markup says that history begins.

    In the `first` mail of a thread history needs a proof, and a forwarded text stays in the reply: it may be the matter.
    `sender` holds name and address, by which a signature is recognised; `answered` what the header tells of the history,
    `signature` the `words_of` the lines that the markup of a mail program names a signature.
    """
    lines = text.split("\n")
    body = _classified(lines[:MAX_LINES], marks, first=first, answered=answered)
    top, history, forward = _parted(body)
    if not first and history.kinds[:1] == (BodyLine.HEADERS,):
        top = _without_last_address(top)
    own = _Writer(first, _names(sender), signature).own_words(top)
    if not first and (len(history) or BodyLine.QUOTE in top.kinds) and answers_inside(str(own)):
        # Colour alone tells the answers from what they answer: all of it is the author's mail.
        return Split(text.strip(), "", forward)
    tail = "\n".join(lines[MAX_LINES:])
    if not own.has_text and not first and (above := text_before(top.text[top.find(BodyLine.ATTRIBUTION) :][:1])):
        return Split(above, text.strip().removeprefix(above).strip(), forward)
    if not own.has_text:
        # The author added no text: the forwarded mail is the matter.
        only_history = not first and not forward and BodyLine.QUOTE in top.kinds and _attributed(top)
        return Split("" if only_history else text.strip(), text.strip() if forward or only_history else "", forward)
    if tail and not len(history):
        own_text, quoted = f"{own}\n{tail}".strip(), _quoted(top, own, history, "")
    else:
        own_text, quoted = str(own), _quoted(top, own, history, tail)
    return Split(own_text, quoted, forward or (first and bool(quoted)))


def _names(sender: str) -> frozenset[str]:
    """Return the words of name and address that a signature would repeat."""
    return frozenset(re.findall(r"[^\W\d_]{3,}", sender.partition("@")[0].casefold()))


def _classified(lines: list[str], marks: frozenset[int], *, first: bool, answered: Answered) -> Lines:
    kinds = kinds_of(lines, first=first, answered=answered)
    for mark in sorted(mark for mark in marks if mark < len(lines)):
        if not first or proven_below(lines, mark):
            _apply_mark(lines, kinds, mark)
    return Lines(tuple(lines), tuple(kinds))


def _apply_mark(lines: list[str], kinds: list[BodyLine], mark: int) -> None:
    """Apply a mark of the markup: above a quote it marks the attribution, elsewhere all that follows is history."""
    mark = next((n for n in range(mark, min(mark + 3, len(lines))) if kinds[n] not in EMPTY), mark)
    if kinds[mark] is not BodyLine.TEXT:
        return
    ahead = next((n for n in range(mark, min(mark + 6, len(lines))) if kinds[n] is BodyLine.QUOTE), None)
    if ahead is None:
        kinds[mark] = BodyLine.ORIGINAL
        return
    for number in range(mark, ahead):
        if kinds[number] is BodyLine.TEXT:
            kinds[number] = BodyLine.ATTRIBUTION


def _parted(body: Lines) -> tuple[Lines, Lines, bool]:
    """Return the lines that may be the author's, those that are history, and whether they are a forwarded mail."""
    cut = body.find(*_HISTORY)
    top, rest = body[:cut], body[cut:]
    forward = BodyLine.FORWARD in rest.kinds[:1] or _forwards_in_quote(top)
    attribution = top.find(BodyLine.ATTRIBUTION)
    if attribution < len(top) and top[:attribution].has_text and not _quoted_below(top, attribution):
        # History without quote marks takes all that follows.
        top, rest = top[:attribution], top[attribution:] + rest
    return top, rest, forward


def _forwards_in_quote(top: Lines) -> bool:
    start = top.find(BodyLine.QUOTE)
    return start < len(top) and bool(FORWARDED.match(top.text[start].strip("> *-").removesuffix(":")))


def _quoted_below(lines: Lines, attribution: int) -> bool:
    """Tell whether the attribution stands above lines with quote marks."""
    after = lines.find(
        *(kind for kind in BodyLine if kind not in {BodyLine.BLANK, BodyLine.ATTRIBUTION}), start=attribution
    )
    return after < len(lines) and lines.kinds[after] is BodyLine.QUOTE


def _attributed(top: Lines) -> bool:
    """Tell whether an attribution stands above the quote, or in its first line."""
    quote = top.find(BodyLine.QUOTE)
    return BodyLine.ATTRIBUTION in top.kinds[:quote] or _attribution_in_quote(top, quote)


def _attribution_in_quote(lines: Lines, start: int) -> bool:
    """Tell whether the quote begins with its attribution, which telephones quote, too."""
    four = lines[start : start + 4]
    bare = [text.lstrip(" >") for text in four.text[: four.find(*set(BodyLine) - {BodyLine.QUOTE})]]
    if not bare:
        return False
    openings = (" ".join(bare[:length]).strip() for length in range(1, len(bare) + 1))
    return any(is_attribution(one, quote_follows=True) for one in openings) or bool(header_block(bare, 0))


@dataclass(frozen=True, slots=True)
class _Writer:
    """The author: which mail of the thread it is, and the author's names."""

    first: bool
    names: frozenset[str]
    signature: frozenset[str]
    """See `split`."""

    def own_words(self, top: Lines) -> Lines:
        """Return the lines around quotes; quotes stay where answers stand between them."""
        if self.first:
            return self.unsigned(self.without_tail_quotes(self.unsigned(top))).stripped()
        lines = self.unsigned(self.without_tail_quotes(_without_closed_quote(self.unsigned(_without_banner(top)))))
        first = lines.find(*(kind for kind in BodyLine if kind not in EMPTY))
        attributed = lines.find(BodyLine.ATTRIBUTION) == first < len(lines) or (
            lines.kinds[first : first + 1] == (BodyLine.QUOTE,) and _attribution_in_quote(lines, first)
        )
        lines = lines.without(BodyLine.ATTRIBUTION)
        return (_without_head_quote(lines) if attributed else lines).stripped()

    def without_tail_quotes(self, lines: Lines) -> Lines:
        """Remove a quote at the end, unless the text announces it with a colon or it has no attribution."""
        lines = lines.stripped()
        end = len(lines)
        while end and lines.kinds[end - 1] in {BodyLine.QUOTE, BodyLine.ATTRIBUTION, *EMPTY}:
            end -= 1
        if end in {0, len(lines)}:
            return lines
        attribution = lines.find(BodyLine.ATTRIBUTION, start=end)
        introduced = attribution < len(lines)
        if (
            introduced and BodyLine.QUOTE in lines.kinds[end:attribution]
        ):  # what the author shows, above what the program quotes
            return lines[:attribution]
        introduced = introduced or _attribution_in_quote(lines, lines.find(BodyLine.QUOTE, start=end))
        leads = lines.text[end - 1].rstrip().endswith(COLONS)
        return lines if not introduced and (leads or self.first) else lines[:end]

    def unsigned(self, lines: Lines) -> Lines:
        """Remove signature, device line and footers at the end."""
        places = [self.signature_at, self.device_at, self.footer_at]
        if not self.first:
            places = [_appended_at, self.contained_at, *places, self.closing_at, self.card_at]
        lines = lines.stripped()
        for place in places:
            at = place(lines)
            if at < len(lines) and lines[:at].has_text:
                lines = (lines[:at].stripped() + _postscript(lines[at:])).stripped()
        return lines

    def contained_at(self, lines: Lines) -> int:
        """Find the last lines that the markup names a signature, if they have a name or an address and no sentence."""
        at = len(lines)
        if not self.signature:
            return at
        while at and (not words_of(lines.text[at - 1]) or words_of(lines.text[at - 1]) in self.signature):
            at -= 1
        card = lines[at:].without(*EMPTY)
        return at if _is_card(card) and self.signed(card) else len(lines)

    def signature_at(self, lines: Lines) -> int:
        """Find the first `-- ` with only a signature below; a first mail may have one only, above contact data."""
        found, below = len(lines), 0
        for at in range(len(lines) - 1, -1, -1):
            kind = lines.kinds[at]
            if kind in {BodyLine.QUOTE, BodyLine.ATTRIBUTION} or below > MAX_SIGNATURE:
                break
            if kind is BodyLine.SIGNATURE:
                found = at
            below += kind not in EMPTY
        card = lines[found + 1 :].without(*EMPTY)
        signed, only = self.signed(card), lines.kinds.count(BodyLine.SIGNATURE) == 1
        goes_on = [bool(_GOES_ON.match(text)) for text in card.text]
        if sum(goes_on) >= PROSE:
            complete = False
        elif self.first:
            drawn = lines.text[found : found + 1] == ("-- ",) and lines.kinds[found - 1] in EMPTY
            complete = only and _is_card(card) and (signed or (drawn and not any(goes_on[:1])))
        else:
            complete = signed or (_is_card(card) and not _LISTED.search("\n".join(card.text)))
        return found if complete else len(lines)

    def signed(self, card: Lines) -> bool:
        """Tell whether lines have the sender's name, an address, a number or a device line."""
        words = "\n".join(text[:LONGEST] for text in card.text)
        return bool(_CONTACT.search(words)) or BodyLine.DEVICE in card.kinds or self.named(card)

    def named(self, card: Lines) -> bool:
        """Tell whether lines have the sender's name."""
        words = "\n".join(text[:LONGEST] for text in card.text)
        return not self.names.isdisjoint(re.findall(r"[^\W\d_]{3,}", words.casefold()))

    def device_at(self, lines: Lines) -> int:
        """Find the last line if a device wrote it; in an answer also one that stands alone above earlier text."""
        at = len(lines)
        while at and lines.kinds[at - 1] in {BodyLine.DEVICE, *EMPTY}:
            at -= 1
        alone = lines.find(BodyLine.DEVICE)
        if self.first or at < len(lines) or lines.find(BodyLine.QUOTE, BodyLine.ATTRIBUTION, start=alone) < len(lines):
            return at
        around = lines.kinds[max(0, alone - 1) : alone + 2]
        leads = lines[:alone].stripped().text[-1:]
        led = bool(leads and leads[0].endswith(COLONS))
        added = any(map(_POSTSCRIPT.match, lines.text[alone + 1 :]))
        return alone if around == (BodyLine.BLANK, BodyLine.DEVICE, BodyLine.BLANK) and not (led or added) else at

    def footer_at(self, lines: Lines) -> int:
        """Find a rule with list data, legal text or, in an answer, a signature below."""
        for at in range(len(lines) - 1, max(0, len(lines) - 2 * MAX_SIGNATURE), -1):
            kind, below = lines.kinds[at], lines[at + 1 :]
            if kind is BodyLine.QUOTE:
                break
            if kind is BodyLine.RULE and below.has_text and self.is_footer(lines.text[at], below):
                return at
        return len(lines)

    def is_footer(self, rule: str, below: Lines) -> bool:
        """Tell whether the text below a rule is a footer: list data, legal text, or a name with an address."""
        paragraphs = below.paragraphs()
        legal = [bool(FOOTER.search(text)) or is_legal(text) for text in paragraphs]
        if any(legal):
            return not self.first or all(
                one or _CONTACT.search(text) for one, text in zip(legal, paragraphs, strict=True)
            )
        card = below.without(*EMPTY)
        signs = set(rule.strip())
        is_rule = signs <= {"_", "—", " "} or (signs <= {"-", "–", " "} and self.named(card))
        return not self.first and is_rule and len(card) <= 6 and _is_card(card)  # noqa: PLR2004 - lines of such a card

    def closing_at(self, lines: Lines) -> int:
        """Find `Regards,` above a name with a title; a name alone belongs to the letter."""
        for at in range(len(lines) - 1, max(0, len(lines) - MAX_SIGNATURE), -1):
            if lines.kinds[at] is BodyLine.TEXT and CLOSING.fullmatch(lines.text[at].strip()):
                below = lines[at + 1 :].without(*EMPTY)
                card = 2 <= len(below) <= 8 and _is_card(below) and below.text[0].strip()[:1].isupper()  # noqa: PLR2004 - name and title at least
                is_signed = self.signed(below) if self.names else not any(map(_CLAUSE.fullmatch, below.text))
                return at if card and is_signed else len(lines)
        return len(lines)

    def card_at(self, lines: Lines) -> int:
        """Find a last line that is a card: `Ada Byron | Pumps Ltd | +44 20 7946 0000`, the sender's name in front."""
        lines = lines.stripped()
        at = len(lines) - 1
        alone = at > 0 and lines.kinds[at] is BodyLine.TEXT and lines.kinds[at - 1] in EMPTY
        cells = _CELLS.split(lines.text[at][:LONGEST]) if alone else []
        known = bool(cells[1:]) and _names(cells[0]) and _names(cells[0]) <= self.names
        return at if known and _CONTACT.search(lines.text[at]) else len(lines)


def _postscript(lines: Lines) -> Lines:
    """Return the paragraphs below a signature from the first one that says that it is a postscript."""
    numbers = (n for n in range(1, len(lines)) if lines.kinds[n - 1] in EMPTY and _POSTSCRIPT.match(lines.text[n]))
    return lines[next(numbers, len(lines) + 1) - 1 :]


def _appended_at(lines: Lines) -> int:
    """Find the last paragraphs of an answer that a company or a program appended."""
    found = end = len(lines)
    while end:
        start = end
        while start and lines.kinds[start - 1] is BodyLine.TEXT:
            start -= 1
        above = next((text for text in reversed(lines.text[:start]) if text.strip()), "")
        if not 0 < start < end or above.rstrip().endswith(COLONS) or not is_appended("\n".join(lines.text[start:end])):
            break
        found = end = start
        while end and lines.kinds[end - 1] in EMPTY:
            end -= 1
    return found


def _without_last_address(lines: Lines) -> Lines:
    """Remove an address that stands alone right above the older mail's header, as Foxmail writes it."""
    lines = lines.stripped()
    alone = lines.kinds[-2:-1] == (BodyLine.BLANK,) and ADDRESS.fullmatch(lines.text[-1].strip())
    above = lines[:-1].stripped()
    return above if alone and not above.text[-1].rstrip().endswith(COLONS) else lines


def _without_banner(lines: Lines) -> Lines:
    """Remove the first paragraphs of an answer that a mail server wrote above it."""
    lines = lines.stripped()
    end = lines.find(*(kind for kind in BodyLine if kind is not BodyLine.TEXT))
    if not 0 < end < len(lines) or not lines[end:].has_text or not is_banner(" ".join(lines.text[:end])):
        return lines
    return _without_banner(lines[end:])


def _without_closed_quote(lines: Lines) -> Lines:
    """Remove a quote between the answer and its closing formula: nothing below answers it."""
    start = lines.find(BodyLine.ATTRIBUTION, BodyLine.QUOTE)
    end = next((n + 1 for n in range(len(lines) - 1, start, -1) if lines.kinds[n] is BodyLine.QUOTE), start)
    below = lines[end:].without(*EMPTY)
    if start == end or not lines[:start].has_text or not 0 < len(below) <= 3:  # noqa: PLR2004 - formula, name and firm
        return lines
    line = below.text[0].strip()
    formula = CLOSING.match(line)
    closed = formula and not (formula[0][-1:].isalnum() and line[formula.end() :][:1].isalnum())
    between = lines[start:end].without(BodyLine.ATTRIBUTION, BodyLine.QUOTE, *EMPTY)
    return lines[:start] + lines[end:] if closed and not between.has_text else lines


def _is_card(lines: Lines) -> bool:
    """Tell whether all lines are short and none is a sentence."""
    return len(lines) <= MAX_SIGNATURE and not any(_SENTENCE.search(text) for text in lines.text)


def _without_head_quote(lines: Lines) -> Lines:
    """Remove a single quote above a single answer; several quotes with answers between them stay.

    Lines with a quote mark that the answer announces are its own and answer nothing.
    """
    start = lines.find(*(kind for kind in BodyLine if kind not in EMPTY))
    if start >= len(lines) or lines.kinds[start] is not BodyLine.QUOTE:
        return lines
    end = lines.find(*(kind for kind in BodyLine if kind not in {BodyLine.QUOTE, *EMPTY}), start=start)
    rest = lines[end:]
    second = rest.find(BodyLine.QUOTE)
    shown = "".join(rest[:second].stripped().text[-1:]).rstrip().endswith(COLONS)
    return rest if rest.has_text and (second == len(rest) or shown) else lines


def _quoted(top: Lines, own: Lines, history: Lines, tail: str) -> str:
    """Return the history: quotes that were not kept with their attributions, and all below the cut."""
    mine = set(own.text)
    around = [
        text
        for text, kind in zip(top.text, top.kinds, strict=True)
        if kind is BodyLine.ATTRIBUTION or (kind is BodyLine.QUOTE and text not in mine)
    ]
    return "\n".join([*around, *history.text, tail]).strip()
