"""Finds the day by which a mail asks for something: `by Friday`, `bis 30.11.`, `来週の金曜日までに`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.calendar.clock_time import hours_by, hours_in
from triage.policy.calendar.named_day import DAYS, MOMENTS, NTH, NUMBERS, any_of, date_expression, day_of
from triage.policy.cues.request_type import symptoms_in
from triage.policy.text.word_patterns import MONTHS, NeededWords, levelled, needed_words, one_of, sentences_of, words_of

READ: Final = 20_000
"""Characters of a text that are read."""
DOTTED: Final = frozenset({"de", "cs", "pl"})
"""Languages in which `1.12.` is a date even where no word for `by` stands before it."""
LEADS: Final = {False: ("due.latest", "due.by", "due.before", "due.within"), True: ("due.after", "due.within_after")}
"""Lists of words for `by`; True: they stand behind the date."""
NAMED: Final = tuple(f"date.{name}" for name in (*DAYS, *MONTHS, *MOMENTS, "week_number"))
_FIGURES: Final = re.compile(r"(?<![\d.])\d{1,2}(?:[./]\s?\d{1,2}[./]|st\b|nd\b|rd\b|th\b)|20\d\d-\d\d-\d\d")
_CLAUSE: Final = re.compile(r"[,;:()\u2013\u2014、]|\s-\s")
_LAST_STOP: Final = re.compile(r"(?<!\d)\.$")
_LEAST_WORDS: Final = 2
_SHORT: Final = 4
"""Letters of the names of days that are other words, too: `sat`, `sun`, French `mar`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDate:
    """The day, and the words that gave it."""

    day: date
    evidence: str


@lru_cache(maxsize=16)  # prompt, playbook and ticket ask for the same mail
def due_date_of(text: str, sent: datetime, received: datetime | None = None) -> DueDate | None:
    """Return the first day by which a sentence asks for something; none that lies before the mail's sending or receipt.

    `sent` has the sender's time zone, in which `tomorrow` counts.
    """
    today = sent.date()
    earliest = max(today, received.astimezone(sent.tzinfo).date()) if received and sent.tzinfo else today
    sentences = tuple(sentences_in(text[:READ]))
    lows = tuple(map(levelled, sentences))
    for find in (_asked, _implied, _by_the_hour):
        for at, words, day in find(lows, sent):
            if day >= earliest:
                return DueDate(day=day, evidence=_LAST_STOP.sub("", " ".join(sentences[at][words].split())))
    return None


def _asked(lows: Sequence[str], sent: datetime) -> Iterator[tuple[int, slice, date]]:
    """Yield sentence, place and day of each date behind a word for `by`."""
    there, whole = words_of(" ".join(lows)), "\n\0\n".join(lows)  # no expression for a date goes over that
    readers = [one for one in _readers() if one.needs.may_be_in(there) and (one.behind or one.deadline).search(whole)]
    for at, low in enumerate(lows):
        for reader in readers:
            for words, day in reader.dates(low, sent):
                yield at, words, day


def _implied(lows: Sequence[str], sent: datetime) -> Iterator[tuple[int, slice, date]]:
    """Yield the days that a mail prepares: `she starts on 7 December. Please …`, and those that `by then` points to."""
    whole = "\n".join(lows)
    there, figures = words_of(whole), _FIGURES.search(whole)
    for reader in _readers():
        needs = [("due.begins", "due.duties", "due.then"), *([] if figures else [NAMED])]
        may = all(needed_words(*names, language=reader.language).may_be_in(there) for names in needs)
        if not (may and (signs := _listed(reader.language, "begins", "duties", "then")).search(whole)):
            continue
        days = [(at, low, following) for at, (low, following) in enumerate(zip(lows, (*lows[1:], ""), strict=True))]
        for at, low, following in days:
            events = reader.events(low, following, sent) if signs.search(f"{low} {following}") else ()
            for words, day in events:
                if _wants(whole, reader.language, plainly=not re.search(r"\d", low[words])):
                    yield at, words, day


def _by_the_hour(lows: Sequence[str], sent: datetime) -> Iterator[tuple[int, slice, date]]:
    """Yield the day of each `before 17:00` in a sentence without a date: today, or tomorrow where that hour is over."""
    pairs = [(at, low) for at, low in enumerate(lows) if any(hours_in(low))]  # an expression for dates is slow
    for reader in _readers() if pairs else ():
        for at, low in pairs:
            hours = () if _plain(reader.language).search(low) else hours_by(low, reader.language)
            for words, hour in hours:
                if reader.asks_in(_clause(low, words.start, words.stop)):
                    yield at, words, sent.date() + timedelta(days=hour <= sent.time())


def days_named(sentence: str, sent: datetime, languages: Iterable[str]) -> Iterator[tuple[slice, date]]:
    """Yield place and day of each date in a sentence, those behind a word for `by` first, whether it asks for something or not."""
    low = levelled(sentence)
    readers = [reader for reader in _readers() if reader.language in set(languages)]
    patterns = [(one, one.deadline) for one in readers] + [(one, _plain(one.language)) for one in readers]
    for reader, pattern in patterns:
        for found in pattern.finditer(low):
            if day := reader.day(found, sent):
                yield slice(*found.span()), day


def sentences_in(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each on one line; an entry of a list is one of its own."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,2}[.)])\s)", text):
        yield from sentences_of(" ".join(paragraph.split()))


def _wants(text: str, language: str, *, plainly: bool) -> bool:
    """Tell whether a text asks for anything; who reports a fault does, but a fault may be that a week `begins on Monday`."""
    return bool(_listed(language, "asks").search(text) or (not plainly and symptoms_in(text)))


@cache
def _listed(language: str, *names: str) -> re.Pattern[str]:
    """Return the expression for the entries of these lists about due dates."""
    return re.compile(one_of(*(f"due.{name}" for name in names), language=language))


@cache
def _since(language: str) -> re.Pattern[str]:
    """Return the expression for words before the time since when something is so."""
    return re.compile(one_of("said.since", language=language))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the dates of one language."""

    language: str
    deadline: re.Pattern[str]
    """A word for `by` with its date."""
    behind: re.Pattern[str] | None
    """Where that word stands behind the date: looked for first, since every number could be a date."""
    needs: NeededWords

    def dates(self, low: str, sent: datetime) -> Iterator[tuple[slice, date]]:
        """Yield place and day of each deadline in a levelled sentence."""
        if self.behind and not self.behind.search(low):
            return
        for found in self.deadline.finditer(low):
            if self.asked(low, found) and (day := self.first_day(low, found, sent)):
                yield slice(*found.span()), day

    def events(self, low: str, following: str, sent: datetime) -> Iterator[tuple[slice, date]]:
        """Yield place and day of what begins or ends in a levelled sentence, or is pointed to in it or in the following one."""
        points, begins, duties, past = (_listed(self.language, name) for name in ("then", "begins", "duties", "past"))
        other = _listed(self.language, "other", "papers")
        pointed = points.search(f"{low} {following}")
        for found in (_alone if pointed else _plain)(self.language).finditer(low):
            clause = _clause(low, *found.span())
            begun = points.search(following) or begins.search(clause)
            ahead = duties.search(clause) or points.search(low, found.end()) or (begun and not past.search(clause))
            explained = low[: found.start()].endswith("(") and _since(self.language).search(low, 0, found.start())
            spoken_of = explained or not ahead or other.search(begins.sub(" ", clause))
            if spoken_of or not _is_plain(found.groupdict(), self.language):
                continue
            if (day := self.first_day(low, found, sent)) and day > sent.date():
                yield slice(*found.span()), day

    def asked(self, low: str, found: re.Match[str]) -> bool:
        """Tell whether the sentence asks for something by then rather than tells what was."""
        groups = found.groupdict()
        if groups.get("latest"):
            return True
        clause = _clause(low, *found.span())
        if _listed(self.language, "past", "papers").search(clause):
            return False
        own = groups.get("before") and len(clause.split()) > len(found[0].split()) + _LEAST_WORDS
        return bool(_listed(self.language, "asks").search(clause if own else low))

    def asks_in(self, low: str) -> bool:
        """Tell whether a clause asks for something and tells nothing that was."""
        return bool(_listed(self.language, "asks").search(low)) and not _listed(self.language, "past").search(low)

    def first_day(self, low: str, found: re.Match[str], sent: datetime) -> date | None:
        """Return the day that the words mean, of several days the first: `from 11 to 14 December`."""
        last = self.day(found, sent)
        begins = last and found["day"] and _range(self.language).search(low, 0, found.start("day"))
        if not (last and begins):
            return last
        first = int(begins[1])
        return last.replace(day=first) if 0 < first < last.day else last

    def day(self, found: re.Match[str], sent: datetime) -> date | None:
        """Return the day that the words mean; None if there is no such day."""
        parts = {name: text for name, text in found.groupdict().items() if text}
        try:
            return day_of(parts, self.language, sent)
        except (ValueError, OverflowError):
            return None


def _is_plain(parts: dict[str, str | None], language: str) -> bool:
    """Tell whether these groups are a date wherever they stand, no `com.sun` and no version `1.13`."""
    dated = parts["numeric_year"] or (parts["dotted"] and language in DOTTED)
    return bool(parts["sign"] != "." or dated) and len(parts["weekday"] or DAYS[0]) > _SHORT


def _clause(low: str, start: int, end: int) -> str:
    """Return the clause with these places; a few words before its comma belong to it: `please, …`."""
    cuts = [0, *(cut.end() for cut in _CLAUSE.finditer(low, 0, start))]
    short = len(cuts) > 1 and len(low[cuts[-2] : cuts[-1]].split()) <= _LEAST_WORDS
    after = _CLAUSE.search(low, end)
    return low[cuts[-2 if short else -1] : after.start() if after else len(low)]


@cache
def _readers() -> tuple[_Reader, ...]:
    """Return a reader for each language whose lists name the days of the week."""
    languages = word_lists().languages
    return tuple(
        _Reader(code, re.compile(_deadline(code)), by := _behind(code), needed_words(*LEADS[bool(by)], language=code))
        for code in languages
        if word_lists().of(code, "date.monday")
    )


def _behind(code: str) -> re.Pattern[str] | None:
    """Return the expression for the words that stand behind a date; None in a language whose words stand before it."""
    if not word_lists().of(code, "due.after"):
        return None
    return re.compile(one_of("due.after", "due.within_after", language=code))


def _deadline(code: str) -> str:
    """Return the expression for a word for `by` with its date, in the order of the language."""
    when = date_expression(code)
    count = rf"(?P<count>\d{{1,3}}|{any_of(code, *NUMBERS)})\s*(?:{any_of(code, 'days')}|(?P<weeks>{any_of(code, 'weeks')}))"
    if word_lists().of(code, "due.after"):
        within = one_of("due.within_after", language=code)
        return rf"(?:{when}\s*(?P<before>{one_of('due.after', language=code)})|{count}\s*(?P<by>{within}))"
    named = (rf"(?P<{name}>{one_of(f'due.{name}', language=code)})" for name in ("latest", "by", "before"))
    fillers = rf"(?:\s*(?:{any_of(code, 'fillers')}|\d\d?(?::\d\d)?\s?(?:[ap]m|uhr|h|o'clock)\b|\d\d:\d\d)){{0,3}}?"
    return rf"(?:(?:{'|'.join(named)}){fillers}\s*{when}|{one_of('due.within', language=code)}\s+{count})"


@cache
def _range(code: str) -> re.Pattern[str]:
    """Return the expression for the first day of several, which ends where the last one begins: `11 to `."""
    return re.compile(
        rf"(?<![\d.,:/-])(\d{{1,2}})(?:\.|{NTH})?\s*(?:{any_of(code, 'until')}|[-\u2013])\s*(?:{any_of(code, 'fillers')}\s*)?\Z"
    )


@cache
def _alone(code: str) -> re.Pattern[str]:
    """Return the expression for a date that is pointed to, `the 5th` among them: `it runs on the 5th; please repair it before`."""
    return re.compile(date_expression(code))


@cache
def _plain(code: str) -> re.Pattern[str]:
    """Return the expression for a date that stands for itself; `the 5th` alone and `Sat` are none."""
    short = "|".join(
        levelled(entry) for name in DAYS for entry in word_lists().of(code, f"date.{name}") if len(entry) <= _SHORT
    )
    return re.compile(rf"(?!\s*(?:{short or '(?!)'})\b){date_expression(code, alone=False)}")
