"""Finds the day by which a mail asks for something: `by Friday`, `bis 30.11.`, `来週の金曜日までに`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.cues.request_type import symptoms_in
from triage.policy.text.word_patterns import MONTHS, NeededWords, levelled, needed_words, one_of, sentences_of, words_of
from triage.policy.ticket.clock_time import hours_by, hours_in

READ: Final = 20_000
"""Characters of a text that are read."""
FARTHEST: Final = timedelta(days=300)
"""A day of the year without a year that lies farther ahead is one that has passed."""
LONGEST: Final = 365
"""Most days of `within 90 days`."""
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS: Final = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "tens": 10}
MOMENTS: Final = (
    *("day_after_tomorrow", "tomorrow", "today", "next_week_end", "week_end"),
    *("next_month_end", "month_end", "year_end", "christmas", "year_turn"),
)
FEASTS: Final = ("christmas", "year_turn")
"""Moments that are days only behind a word for `by`: `Christmas card` names none."""
AMERICAS: Final = (timedelta(hours=-10), timedelta(hours=-4))
"""Offsets from UTC at which English text puts the month before the day: `12/5/2026`."""
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
_NTH: Final = r"(?:\.|st\b|nd\b|rd\b|th\b|er\b|\xba|日)"
_NUMERIC: Final = (
    r"(?<![\d.])(?P<first>\d{1,2})\s?(?P<sign>[./])\s?(?P<second>\d{1,2})"
    r"(?:\s?(?P=sign)\s?(?P<numeric_year>20\d\d|\d\d)|(?P<dotted>\.))?(?!\.?\d|/|\s*(?:uhr|h\b|:|%))"
)
_DAY_ALONE: Final = r"(?<!\d)(?P<nth>\d{1,2})(?:st\b|nd\b|rd\b|th\b|日|\.(?=\s|$))"


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
            if not ahead or other.search(begins.sub(" ", clause)) or not _is_plain(found.groupdict(), self.language):
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
            return _day_of(parts, self.language, sent)
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


def _day_of(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    """Return the day by the first group that tells it."""
    return next(read for name, read in _FORMS.items() if name in parts)(parts, language, sent)


def _counted(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    count = int(parts["count"]) if parts["count"].isdecimal() else _named_number(parts["count"], language)
    days = count * (7 if "weeks" in parts else 1)
    return sent.date() + timedelta(days=days) if 0 < days <= LONGEST else None


def _day_month(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    return _of_year(_month(parts["month"], language), int(parts["day"]), parts.get("year"), sent.date())


def _month_day(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    year = parts.get("year_first") or parts.get("year_behind")
    return _of_year(_month(parts["month_first"], language), int(parts["day_behind"]), year, sent.date())


def _end_of_month(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    start = _of_year(_month(parts["last_of"], language), 28, parts.get("last_year"), sent.date())
    return _last_of_month(start) if start else None


def _middle_of_month(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    return _of_year(_month(parts["middle_of"], language), 15, None, sent.date())


def _week_number(parts: dict[str, str], _: str, sent: datetime) -> date:
    today, week = sent.date(), int(parts["week_number"])
    friday = date.fromisocalendar(today.year, week, 5)
    return friday if friday >= today else date.fromisocalendar(today.year + 1, week, 5)


def _named_number(word: str, language: str) -> int:
    return next(
        value for name, value in NUMBERS.items() if re.fullmatch(one_of(f"date.{name}", language=language), word)
    )


def _number(word: str, names: tuple[str, ...], language: str) -> int:
    return next(n for n, name in enumerate(names) if re.fullmatch(one_of(f"date.{name}", language=language), word))


def _month(word: str, language: str) -> int:
    return _number(word, MONTHS, language) + 1


def _numeric(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    first, second = int(parts["first"]), int(parts["second"])
    if parts["sign"] == "." and not parts.keys() & {"numeric_year", "dotted"} and len(parts["second"]) == 1:
        return None  # a version: `3.8`
    offset = sent.utcoffset() or timedelta()
    american = parts["sign"] == "/" and language == "en" and AMERICAS[0] <= offset <= AMERICAS[1]
    month_first = language == "ja" or (american and first <= 12) or (second > 12 and parts["sign"] != ".")  # noqa: PLR2004 - months of a year
    day, month = (second, first) if month_first else (first, second)
    return _of_year(month, day, parts.get("numeric_year"), sent.date())


def _of_year(month: int, day: int, year: str | None, today: date) -> date | None:
    if year:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day)  # noqa: PLR2004 - 26 for 2026
    here = date(today.year, month, day)
    found = here if here >= today else date(today.year + 1, month, day)
    return found if found - today <= FARTHEST else None


def _weekday(parts: dict[str, str], language: str, sent: datetime) -> date:
    today, number = sent.date(), _number(parts["weekday"], DAYS, language)
    if parts.keys() & {"next", "next_behind"}:
        return today - timedelta(days=today.weekday()) + timedelta(days=7 + number)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _nth(parts: dict[str, str], _: str, sent: datetime) -> date:
    today, day = sent.date(), int(parts["nth"])
    start = today if day >= today.day else _last_of_month(today) + timedelta(days=1)
    return start.replace(day=day)


def _named_day(parts: dict[str, str], _: str, sent: datetime) -> date:
    today = sent.date()
    month = _last_of_month(today)
    days = {
        "today": today,
        "tomorrow": today + timedelta(days=1),
        "day_after_tomorrow": today + timedelta(days=2),
        "week_end": today + timedelta(days=(4 - today.weekday()) % 7),
        "next_week_end": today + timedelta(days=11 - today.weekday()),
        "month_end": month,
        "next_month_end": _last_of_month(month + timedelta(days=1)),
        "year_end": date(today.year, 12, 31),
        "christmas": date(today.year, 12, 24),
        "year_turn": date(today.year, 12, 31),
    }
    return next(day for name, day in days.items() if name in parts)


def _last_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


_FORMS: Final[Mapping[str, Callable[[dict[str, str], str, datetime], date | None]]] = {
    "iso": lambda told, *_: date.fromisoformat(told["iso"]),
    "count": _counted,
    "month": _day_month,
    "month_first": _month_day,
    "first": _numeric,
    "last_of": _end_of_month,
    "middle_of": _middle_of_month,
    "week_number": _week_number,
    "weekday": _weekday,
    "nth": _nth,
} | dict.fromkeys(MOMENTS, _named_day)
"""Group of the expression → what reads the day from the groups."""


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
    when = _date(code)
    count = rf"(?P<count>\d{{1,3}}|{_any(code, *NUMBERS)})\s*(?:{_any(code, 'days')}|(?P<weeks>{_any(code, 'weeks')}))"
    if word_lists().of(code, "due.after"):
        within = one_of("due.within_after", language=code)
        return rf"(?:{when}\s*(?P<before>{one_of('due.after', language=code)})|{count}\s*(?P<by>{within}))"
    named = (rf"(?P<{name}>{one_of(f'due.{name}', language=code)})" for name in ("latest", "by", "before"))
    fillers = rf"(?:\s*(?:{_any(code, 'fillers')}|\d\d?(?::\d\d)?\s?(?:[ap]m|uhr|h|o'clock)\b|\d\d:\d\d)){{0,3}}?"
    return rf"(?:(?:{'|'.join(named)}){fillers}\s*{when}|{one_of('due.within', language=code)}\s+{count})"


@cache
def _range(code: str) -> re.Pattern[str]:
    """Return the expression for the first day of several, which ends where the last one begins: `11 to `."""
    return re.compile(
        rf"(?<![\d.,:/-])(\d{{1,2}})(?:\.|{_NTH})?\s*(?:{_any(code, 'until')}|[-\u2013])\s*(?:{_any(code, 'fillers')}\s*)?\Z"
    )


@cache
def _alone(code: str) -> re.Pattern[str]:
    """Return the expression for a date that is pointed to, `the 5th` among them: `it runs on the 5th; please repair it before`."""
    return re.compile(_date(code))


@cache
def _plain(code: str) -> re.Pattern[str]:
    """Return the expression for a date that stands for itself; `the 5th` alone and `Sat` are none."""
    short = "|".join(
        levelled(entry) for name in DAYS for entry in word_lists().of(code, f"date.{name}") if len(entry) <= _SHORT
    )
    return re.compile(rf"(?!\s*(?:{short or '(?!)'})\b){_date(code, alone=False)}")


def _date(code: str, *, alone: bool = True) -> str:
    """Return the expression for a date; the names of its groups say how it is told. `alone`: also `the 5th` without a month."""
    months, days = _any(code, *MONTHS), _any(code, *DAYS)
    joins, fillers = rf"(?:\s*{_any(code, 'joins')})?\s*", rf"(?:{_any(code, 'fillers')}\s*)?"
    month_first = (
        rf"(?:(?P<year_first>20\d\d)\s*年\s*)?(?<!\d)(?P<month_first>{months})\s*(?P<day_behind>\d{{1,2}})(?!\d){_NTH}?"
        r"(?:,?\s*(?P<year_behind>20\d\d))?(?:\s*\(.{1,3}\))?"
    )
    forms = (
        r"(?P<iso>20\d\d-\d\d-\d\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_NTH}?{joins}(?P<month>{months})\.?(?:,?{joins}(?P<year>20\d\d))?",
        month_first,
        _NUMERIC,
    )
    led = rf"(?:{fillers}(?:{_any(code, 'this')}\s*)?{days},?\s*{fillers})?"
    part = rf"(?:{_any(code, 'part_of_day')}\s*{fillers})?"
    ends = (
        rf"{_any(code, 'end_of')}\s*(?P<last_of>{months})(?:\s*(?P<last_year>20\d\d))?"
        rf"|{_any(code, 'middle_of')}\s*(?P<middle_of>{months})|{_any(code, 'week_number')}\s*(?P<week_number>\d\d?)\b"
    )
    names = (name for name in MOMENTS if alone or name not in FEASTS)
    moments = "|".join(rf"(?P<{name}>{_any(code, name)})" for name in names)
    adjective = rf"(?:(?:(?P<next>{_any(code, 'next')})|{_any(code, 'this')})\s*)?"
    behind = rf"(?:\s*(?P<next_behind>{_any(code, 'next', 'next_week')}))?"
    weekday = rf"{adjective}{fillers}(?P<weekday>{days}){behind}"
    return rf"{part}(?:{led}(?:{'|'.join(forms)})|{ends}|{weekday}|{moments}{f'|{_DAY_ALONE}' if alone else ''})"


def _any(code: str, *names: str) -> str:
    return one_of(*(f"date.{name}" for name in names), language=code)
