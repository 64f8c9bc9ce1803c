"""Finds what stands below the author's words: signature, device line, footers of companies and of mailing lists."""

# ruff: noqa: RUF001 - dashes of every alphabet are the point

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from integrations.mime.reply.attribution import ADDRESS, COLONS, LONGEST
from integrations.mime.reply.footer.appended import appended_at, is_notice, unframed, without_appended
from integrations.mime.reply.footer.disclaimers import is_legal, shows_contact, words_of
from integrations.mime.reply.lines import EMPTY, BodyLine, Lines
from integrations.mime.reply.names import NO_NAMES, Names
from integrations.mime.reply.quote_patterns import CLOSING, CONTACT, FAREWELL, FOOTER, NUMBER, PAGE, REFERENCE

MAX_SIGNATURE: Final = 12
PROSE: Final = 3
"""Lines that go on in small letters below `-- `: a text, not a signature."""
SIGNED_WITHIN: Final = 2
"""Lines of a signature with sentences that have the name or an address."""
MOST_RULED: Final = 8
"""Most lines of a name and address below a rule."""
CLOSING_CARD: Final = range(2, 9)
"""Lines below a closing formula: name and title at least."""
TYPED: Final = 2
"""Lines right under a formula that a person types: name and firm."""
FAREWELL_WORDS: Final = 4
"""Most words of `Many thanks,`, and of a name below it."""
SIGNS: Final = 2
"""Least signs of a card below a text without a farewell: the text has ended, legal text stood below, a number, a page or address."""
LEAVE_WORDS: Final = 8
"""Most words of a line that begins with a formula: `Many thanks and a good weekend to all of you`."""

_LABEL: Final = re.compile(r"[^\W\d_]+")
_CELLS: Final = re.compile(r"\s[|·•]\s")
_ABBREVIATED: Final = r"(?:(?:[^\W\d_]\.){2,}|(?:bhd|co|corp|esq|inc|jr|lda|ltd|ltda|pty|sr)\.)"
"""The end of a name or firm that is no end of a sentence: `M.A.`, `Sp. z o.o.`, `Pvt. Ltd.`"""
_SENTENCE: Final = re.compile(
    rf"[?:]\s*$|(?:\S+\s+){{4}}(?!{_ABBREVIATED}\s*$)\S+\.\s*$|^\W{{0,3}}(?:p\.?[\s-]?[sd]\.?|nb)\b|(?:\S+\s+){{12}}|[。！？]\s*$|"
    r"^\s*\((?:\S+\s+){4}",
    re.IGNORECASE,
)
"""Lines that no signature has: a question, an announcement, a sentence, a remark in brackets, a postscript."""
_SHORT_NAME: Final = re.compile(rf"(?:^|[\s,]){_ABBREVIATED}\s*$", re.IGNORECASE)
_POSTSCRIPT: Final = re.compile(r"\W{0,3}(?:(?:p\.?[\s-]?[sd]|nb|nachtrag)\.?\W|追伸|추신|又及)", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[^\W\d_]+\s[a-zà-öø-ÿ]\S*\s.*[a-zà-öø-ÿ]{2}\.\s*")
"""A short sentence: `Please add it.`"""
_GOES_ON: Final = re.compile(r"\s*[a-zß-öø-ÿа-я]\w*\s\w+\s\w")
"""Three words, the first of them in small letters: the sentence goes on."""
_LISTED: Final = re.compile(r"^[^\S\n]*(?:\d{1,3}\s+[^\W\d_]|[-*•]\s|[A-Z]:(?!\s?[+(\d][\d ()/.+-]{6,}))", re.MULTILINE)
"""Numbered or listed lines; no signature has them."""
LAST: Final = 20
"""Characters at the end of a line that tell whether a sentence ends there."""
_ENDED: Final = re.compile(r"[.!?…)。！？）]\W*$")
"""The end of a whole sentence."""
_PICTURE: Final = re.compile(r"\s*\[[^\[\]]{1,60}\]\s*")
"""`[Example Ltd logo]`, `[cid:image001.png@01DB]`."""
_FIELD: Final = re.compile(r"[^:：]{2,30}[:：]\s*[^\W\d]")
"""`Ada Byron: the pump`: a list of who does what."""
_SMALL: Final = re.compile(r"\s*[a-zß-öø-ÿа-я]")
_GAP: Final = Lines(("",), (BodyLine.BLANK,))


@dataclass(frozen=True, slots=True)
class MailAuthor:
    """The author of a mail: which mail of the thread it is, and what a signature would repeat."""

    first: bool
    names: Names = NO_NAMES
    signature: frozenset[str] = frozenset()
    """The `words_of` the lines that the markup of a mail program names a signature."""

    def unsigned(self, lines: Lines) -> Lines:
        """Remove signature, device line and footers at the end, and those above a postscript."""
        at = _postscript_at(lines)
        above, below = self._cut(lines[:at]), self._cut(lines[at:])
        return above + _GAP + below if len(below) else above

    def _cut(self, lines: Lines) -> Lines:
        framed = next((kind for kind in reversed(lines.kinds) if kind is not BodyLine.BLANK), None) is BodyLine.RULE
        places: list[Callable[[Lines], int]]
        places = [self.signature_at, self.device_at, partial(self.footer_at, framed=framed)]
        if self.first:
            return _cut_at(lines.stripped(), places)
        # A telephone adds its line below what the company appends, a program above it.
        whole = _cut_at(unframed(lines), [appended_at, self.contained_at, *places[:2]])
        bare = _cut_at(whole, [partial(appended_at, closed=len(whole) < len(lines.stripped()))])
        closed = len(bare) < len(whole) or appended_at(lines.stripped()) < len(lines.stripped())
        return _cut_at(bare, [*places[2:], self.closing_at, partial(self.card_at, closed=closed), self.data_at])

    def only_signs(self, lines: Lines) -> bool:
        """Tell whether all lines are the sender's signature: his name in full above title, firm or number."""
        card = lines.without(*EMPTY, BodyLine.DEVICE)
        return len(card) > 1 and self.names.begin(card.text[0]) and _is_card(card) and not _FIELD.match(card.text[0])

    def contained_at(self, lines: Lines) -> int:
        """Find the last lines that the markup names a signature, if they have a name or an address and no sentence."""
        at = len(lines)
        if not self.signature:
            return at
        while at and (not words_of(lines.text[at - 1]) or words_of(lines.text[at - 1]) in self.signature):
            at -= 1
        card = lines[at:].without(*EMPTY)
        if len(card) > 1 and _is_farewell(card.text[0]):  # Zoho keeps `Regards,` there
            at = lines.text.index(card.text[0], at) + 1
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
        goes_on = list(map(_goes_on, card.text))
        if sum(goes_on) >= PROSE:
            complete = False
        elif self.first:
            drawn = lines.text[found : found + 1] == ("-- ",) and lines.kinds[found - 1] in EMPTY
            complete = only and _is_card(card) and (signed or (drawn and not any(goes_on[:1])))
        elif _is_card(without_appended(card)):
            complete = signed or not _LISTED.search("\n".join(card.text))
        else:
            # A signature with sentences begins with the name; a text begins with a sentence and ends with the name.
            complete = self.signed(card[: SIGNED_WITHIN if _is_card(card[:1]) else 1])
        return found if complete else len(lines)

    def signed(self, card: Lines) -> bool:
        """Tell whether lines have the sender's name, an address, a number or a device line."""
        return _has_contact(card) or BodyLine.DEVICE in card.kinds or self.named(card)

    def named(self, card: Lines) -> bool:
        return self.names.are_in("\n".join(text[:LONGEST] for text in card.text))

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
        led = bool(leads and leads[0].endswith(COLONS)) or any(map(_SMALL.match, lines.text[alone + 2 : alone + 3]))
        added = any(map(_POSTSCRIPT.match, lines.text[alone + 1 :]))
        return alone if around == (BodyLine.BLANK, BodyLine.DEVICE, BodyLine.BLANK) and not (led or added) else at

    def footer_at(self, lines: Lines, *, framed: bool = False) -> int:
        """Find a rule with list data, legal text or, in an answer, a signature below; `framed`: a rule stands below it, too."""
        for at in range(len(lines) - 1, max(0, len(lines) - 2 * MAX_SIGNATURE), -1):
            kind, below = lines.kinds[at], lines[at + 1 :]
            if kind is BodyLine.QUOTE:
                break
            if kind in {BodyLine.RULE, BodyLine.SIGNATURE} and below.has_text:
                alone = lines.kinds.count(BodyLine.RULE) == 1
                ruled = kind is BodyLine.RULE and self.is_footer(lines.text[at], below, framed=framed, alone=alone)
                if ruled or (kind is BodyLine.SIGNATURE and not self.first and is_notice(below)):
                    return at
        return len(lines)

    def is_footer(self, rule: str, below: Lines, *, framed: bool, alone: bool) -> bool:
        """Tell whether the text below a rule is a footer: list data, legal text, or a name with an address.

        Authors part their texts with rules, too: what has neither the known sender's name nor an address stays.
        """
        paragraphs = below.paragraphs()
        legal = [bool(FOOTER.search(text)) or is_legal(text) for text in paragraphs]
        if any(legal):
            end = len(legal) if self.first else len(legal) - legal[::-1].index(True)
            return all(
                one or CONTACT.search(text) or self.names.begin(text.split("\n")[0])
                for one, text in zip(legal[:end], paragraphs[:end], strict=True)
            )
        card = below.without(*EMPTY)
        if len(card) > MOST_RULED or not _is_card(card):
            return False
        if self.first:
            return framed and self.named(card) and _has_contact(card)
        signs = set(rule.strip())
        drawn = signs <= {"-", "–", " "} or _has_contact(card)
        if _FIELD.match(card.text[0]):
            return False
        if signs <= {"_", "—", " "}:
            return self.signed(card) or (alone and not self.names)
        return drawn and self.named(card)

    def closing_at(self, lines: Lines) -> int:
        """Find name and title below `Regards,`, or below a name right under it: the author wrote formula and name."""
        for at in range(len(lines) - 1, max(0, len(lines) - MAX_SIGNATURE), -1):
            if lines.kinds[at] is BodyLine.TEXT and CLOSING.fullmatch(lines.text[at].strip()):
                below = lines[at + 1 :].without(*EMPTY)
                card = len(below) in CLOSING_CARD and _is_card(below) and not below.text[0].strip()[:1].islower()
                is_signed = self.signed(below) if self.names else not any(map(_CLAUSE.fullmatch, below.text))
                right_under = lines.kinds[at + 1 : at + 2] == (BodyLine.TEXT,)
                typed = right_under and len(below) <= TYPED and not _has_contact(below)
                if not card or not is_signed or (typed and self.names):
                    return len(lines)
                # Where no name is known that begins the card, it begins with the formula.
                return self._below_name(lines, at + 1) if self.names else at
        return len(lines)

    def _below_name(self, lines: Lines, at: int) -> int:
        """Return the line below a name alone in its paragraph: right under the formula, or above the same name in full.

        A line that is not the sender's name is one of a person who writes for a team: `Ada`, then `Sales Support`.
        """
        name = lines.find(BodyLine.TEXT, start=at)
        if not self.names.are_in(lines.text[name]) and not CONTACT.search(lines.text[name]):
            return name + 1
        alone = lines.kinds[name + 1 : name + 2] == (BodyLine.BLANK,)
        below = lines.find(BodyLine.TEXT, start=name + 1)
        again = below < len(lines) and self.names.begin(lines.text[below])
        return name + 1 if alone and (again or (name == at and self.names.are_in(lines.text[name]))) else at

    def card_at(self, lines: Lines, *, closed: bool = False) -> int:
        """Find the sender's name above title, firm or number: at the end, below a farewell or as a last paragraph.

        `closed`: what a company appends stood below.
        """
        lines = lines.stripped()
        found = len(lines)
        for at in range(max(1, len(lines) - MAX_SIGNATURE), len(lines)):
            card = without_appended(lines[at:].without(*EMPTY, BodyLine.DEVICE))
            start = _above_pictures(lines, at)
            above = lines[:start].stripped()
            signed_above = len(lines[found:start].without(*EMPTY)) == 1
            may_begin = lines.kinds[at] is BodyLine.TEXT and (found == len(lines) or signed_above)
            if may_begin and self._is_name_card(above, card, lines.kinds[start - 1], closed=closed):
                found = start
        return found

    def data_at(self, lines: Lines) -> int:
        """Find a last line of the sender's own address and a number, in cells of one label each: `T 030 123456 | ada@example.com`."""
        line = "".join(lines.text[-1:])[:LONGEST]
        cells = [len(_LABEL.findall(cell)) for cell in _CELLS.split(ADDRESS.sub("", line))]
        data = len(cells) > 1 >= max(cells) and NUMBER.search(line) and self.names.own((line,))
        above = "".join(lines[:-1].paragraphs()[-1:])
        led = above.rstrip().endswith(COLONS) or shows_contact(above)
        return len(lines) - 1 if data and not led else len(lines)

    def _is_name_card(self, above: Lines, card: Lines, kind_above: BodyLine, *, closed: bool) -> bool:
        """Tell whether lines are a card that begins with the sender's name.

        It stands below a farewell or a name, or it is a paragraph of one person's data below a text that is about something else.
        """
        if not above.has_text or not len(card) or not _is_card(card):
            return False
        if card.text[0].endswith(".") and not _SHORT_NAME.search(card.text[0]):
            return False
        last = above.text[-1]
        leaves = _is_farewell(last) or self.names.hold(last)
        if len(card) == 1:
            line = card.text[0][:LONGEST].strip(" |")
            cells = _CELLS.split(line)
            if len(cells) == 1 and leaves and _has_contact(card):
                cells = line.split(", ")  # `Ada Byron, Head of Analysis, Engines Ltd, 030 123456`
            known = len(cells) > 1 and (leaves or _has_contact(card))
            return kind_above in EMPTY and known and self.names.hold(cells[0])
        listed = _is_listed(card, signed=leaves) or any(map(_goes_on, card.text))
        field = _FIELD.match(card.text[0])  # `Tested-by: Ada Byron <ada@example.com>`
        if listed or field or not self.names.begin(card.text[0]):
            return False
        if leaves:
            return kind_above in EMPTY or len(card) > TYPED or _has_contact(card)
        own = self.names.own(card.text)
        apart = kind_above in EMPTY or (own and _ENDED.search(last[-LAST:]))
        return bool(apart) and _is_paragraph_of_data(above, card, closed=closed or own)


def _is_paragraph_of_data(above: Lines, card: Lines, *, closed: bool) -> bool:
    """Tell whether a last paragraph has one person's data, which the text above it is not about."""
    last = above.text[-1].rstrip()
    if last.endswith(COLONS):
        return False
    signs = (_ENDED.search(last[-LAST:]), closed, *(any(map(one.search, card.text)) for one in (NUMBER, PAGE)))
    if sum(map(bool, signs)) < SIGNS or not (closed or _has_contact(card)):
        return False
    addresses = set(ADDRESS.findall("\n".join(card.text).casefold()))
    several = len(addresses) > 1 or sum(bool(CONTACT.search(text)) for text in card.text[:2]) > 1
    titled = len(_CELLS.split(card.text[0][:LONGEST])) > 1  # `Ada Byron | Head of Analysis`
    return not several and (titled or not shows_contact(above.paragraphs()[-1]))


def _goes_on(text: str) -> bool:
    """Tell whether a line goes on with a sentence; `m 07700 900 214` is a number."""
    return bool(_GOES_ON.match(text)) and not NUMBER.search(text[:LONGEST])


def _is_listed(card: Lines, *, signed: bool) -> bool:
    """Tell whether lines are numbered or listed; a number below farewell, name and firm is a street's: `555 Main Ave`."""
    found = _LISTED.findall("\n".join(card.text))
    below_firm = len(found) == 1 and not any(map(_LISTED.match, card.text[:2]))
    is_street = signed and below_firm and found[0].strip()[:1].isdigit() and _has_contact(card)
    return bool(found) and not is_street


def _cut_at(lines: Lines, places: Sequence[Callable[[Lines], int]]) -> Lines:
    """Return the lines above what each place finds, where text of the author stands above it."""
    for place in places:
        at = place(lines)
        if at < len(lines) and lines[:at].has_text:
            lines = lines[:at].stripped()
    return lines


def _above_pictures(lines: Lines, at: int) -> int:
    """Return the first of the lines right above that only name pictures, as a signature's logo does."""
    start = at
    while at > 1 and (lines.kinds[at - 1] in EMPTY or _PICTURE.fullmatch(lines.text[at - 1])):
        at -= 1
        start = start if lines.kinds[at] in EMPTY else at
    return start


def _has_contact(card: Lines) -> bool:
    return any(CONTACT.search(text[:LONGEST]) for text in card.text)


def _is_farewell(line: str) -> bool:
    """Tell whether a line takes leave in any language: a formula and little behind it, or few words and a comma."""
    words, end = len(line.split()), line.rstrip()[-1:]
    few = words <= FAREWELL_WORDS and end in {",", "，", "、"}
    return few or bool(words <= LEAVE_WORDS and end not in COLONS and FAREWELL.match(line.strip()))


def _postscript_at(lines: Lines) -> int:
    """Find the first paragraph that says that it is a postscript."""
    numbers = (n for n in range(1, len(lines)) if lines.kinds[n - 1] in EMPTY and _POSTSCRIPT.match(lines.text[n]))
    return next((n - 1 for n in numbers if lines[:n].has_text), len(lines))


def _is_card(lines: Lines) -> bool:
    """Tell whether all lines are short, none is a sentence and none has a customer's number; a device's line may be one."""
    words = lines.without(BodyLine.DEVICE).text
    return len(lines) <= MAX_SIGNATURE and not any(
        len(text) > LONGEST or _SENTENCE.search(text) or REFERENCE.search(text) for text in words
    )
