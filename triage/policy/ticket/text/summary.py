"""Writes a ticket's summary: the thing and the symptom, without prefixes, urgency, shouting and greetings."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile, islice, pairwise
from math import inf
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import PICTURE
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.calendar.named_day import DAYS
from triage.policy.classifiers.judged_text import URL
from triage.policy.cues.request_type import only_blames, symptoms_in
from triage.policy.text.matters import ANNOUNCED
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.text.word_patterns import MONTHS, levelled, one_of, sentences_of, words_in
from triage.policy.ticket.text.key_sentence import LEAST, SubjectSays, key_sentence, subject_says, worth_of
from triage.policy.ticket.text.sections import without_leading_since, without_since
from triage.policy.ticket.text.summary_form import (
    CLAUSE,
    CODE,
    LONGEST,
    THAT,
    clause_ends,
    in_quotation,
    shortened,
    tidied,
    unshouted,
    without_parentheses,
)

SHORTEST: Final = 3
LONGEST_OF_MODEL: Final = 100
"""A model is asked for 80; a few characters more are better than a summary without its end."""
READ: Final = 1_000
"""Characters of a subject that are read."""
SENTENCES: Final = 40
"""Sentences of a text among which one may become the summary."""
NAMED: Final = 2.0
"""What the name of the thing is worth in front of a sentence, in logits."""
CUT: Final = 1.0
"""What it costs, in logits, to end within a clause."""
LONGEST_NAME: Final = 50
"""Characters of an alert's name that stand in front of the beginning of what it says."""
CLAUSES: Final = 6
"""Clauses of a long sentence among which is chosen."""
LEAST_CLAUSE: Final = 4
"""Words of a clause that can stand without the one before it: `paging fails` says less than what it is about."""
MOST_OF_LINK: Final = 2
"""Words beside each link of a line that says nothing else."""
MOST_BEFORE_NOTICED: Final = 4
"""Words before `noticed that` which say only who and when: `mir ist heute früh`."""
REFERRING: Final = 4
"""Words at the beginning of a sentence among which `her` points at nobody whom the sentence names."""
MADE_OF: Final = 0.8
"""Share of a name's letters that words of a text must have, to say the same."""
NOTHING: Final = "Mail without words"
_REPLIES: Final = lazy_pattern(
    lambda: (
        rf"\s*{word_lists().alternatives('subject.stripped', 'subject.answer', 'subject.forward')}\s*(?:\[\d+\])?\s*[:\uff1a]\s*"
    ),
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*(?:\[[^\]\[]{1,80}\]|【[^】]{1,40}】|<[^<>]{1,40}>)\s*")
_NUMBERED: Final = re.compile(
    r"\s*[\[(]?(?<![\w-])(?:ticket|case|request|incident|vorgang|anfrage)\s*(?:id|nr\.?|no\.?)?\s*"
    r"(?:[:#]{1,2}\s*(?!20\d\d-)\w*\d[\w-]*[\])]?|\w{0,4}\d{3,}[\w-]*[\])]?\s*:)\s*",
    re.IGNORECASE,
)
_PREFIX: Final = lazy_pattern(
    lambda: (
        rf"\W{{0,8}}{one_of('said.prefixes')}(?:\s*/\s*{one_of('said.prefixes')})?\s*(?:[:\uff1a!|]+|\.{{2,}}|\s[-\u2013\u2014]+\s|[-\u2013\u2014]{{2,}})\s*"
    )
)
_ASIDE: Final = lazy_pattern(
    lambda: (
        rf"\s*[(\[]\W{{0,8}}{one_of('said.prefixes')}\W{{0,8}}[)\]]\s*|\s*[-\u2013\u2014,|!]+\s*{one_of('said.prefixes')}\W{{0,8}}$"
    )
)
_GREETING: Final = lazy_pattern(
    lambda: rf"\W{{0,8}}{one_of('letter.greetings')}(?:\s+(?:all|team|there|zusammen|[a-z]+))?\s*[,!:]\s*(?=\S)"
)
_TOPIC: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.announces')}\s+{one_of('said.concerning')}\s+(?=\S)")
"""Announces what a mail is about: `Quick question about the crane`."""
_RELATIVE: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.relatives')}")
_DEPENDS: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.relatives', 'said.conditions')}\b")
_THEN: Final = lazy_pattern(lambda: rf"{one_of('sentence.then')}\s")
_JOIN: Final = lazy_pattern(lambda: rf"{one_of('sentence.joins')}\s+(?=\S)")
_CONDITION: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.conditions')}\b")
_FILING: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.filing')}(?:\s+\w+){{0,2}}\s*:\s*(?=\S)")
"""Asks for a ticket: `file: the alarm is late`, `open an epic: payroll`."""
_OPENER: Final = lazy_pattern(
    lambda: rf"\W{{0,8}}{one_of('matters.ordinals', 'matters.another')}\s*[,:\u3001]\s*(?=\S)"
)
"""Says that another matter begins, not what it is: `One more thing:`."""
_AND_MORE: Final = lazy_pattern(
    lambda: rf"\s*(?:[+&,/\u2013-]|\b\w{{1,3}}\b)\s*(?=\S+\s){one_of('matters.ordinals', 'matters.another')}\W*$"
)
"""Announces another matter behind the first one: `+ one more thing`."""
_UNFINISHED: Final = lazy_pattern(lambda: rf"{one_of('sentence.contrasts')}\W*$")
_CONTRAST: Final = lazy_pattern(lambda: rf"{one_of('sentence.contrasts')}\s+(?=\S)")
_NOTICED: Final = lazy_pattern(lambda: rf"{one_of('said.noticed')},?\s*{one_of('said.that')}[\s']\s*(?=\S)")
"""Says that the writer saw something, not what: `while testing I noticed that …`."""
_RESTATES: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('sentence.restates')}(?:[\s,:.]+)(?=\S)")
_ABOUT: Final = lazy_pattern(lambda: rf"(?<=\S){one_of('said.about')}\s*$")
_INFORMED: Final = lazy_pattern(
    lambda: rf"(?:\S+\s+){{0,6}}?{one_of('said.informed')}(?:\s[^\s,]+){{0,4}}?,?\s*{one_of('said.that')}[\s']\s*(?=\S)"
)
"""Says that the writer tells something, and whom: `with this letter we inform our partners that …`."""
_LOUD: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.prefixes')}\s+(?=\S+\s+\S+)")
"""A prefix in capitals without a colon: `URGENT platform changes are lost`."""
_ITEM: Final = re.compile(r"^\s{0,3}(?:\(?\d{1,2}[.)]|[-*\u2022])\s+(?:\w{1,24} = (?=.))?")
"""The sign of a list's item, in an alert with a name: `- summary = Disk is full`."""
_PLEASE: Final = lazy_pattern(lambda: rf"(?:\W{{0,8}}{one_of('said.please')}[\s,]*){{1,2}}")
_WISHING: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('said.wishing')}[\s,']*(?=\S)")
_MASKED: Final = re.compile(r"\[password masked")
_POSTSCRIPT: Final = re.compile(r"\W*p\.?\s?s\b", re.IGNORECASE)
_DAY: Final = words_in("date.today", "date.tomorrow", *(f"date.{name}" for name in (*DAYS, *MONTHS)))
_ADDRESS: Final = re.compile(r"\s*[(<]?\b[\w.+-]{1,64}@[\w.-]{1,100}\w[)>]?")
_NAMED: Final = re.compile(r"\W{0,2}\w+(?: \w+)?: ")
"""Begins a matter that names its own thing: `Portal: the chart prints half`."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONG_WORD: Final = re.compile(r"[^\W\d_]{5,}")


def summary_of(subject: str, text: str, keys: Collection[str] = (), title: str = "") -> str:
    """Return the subject without what is no part of the matter, and what it leaves open: the text's key sentence.

    `keys` are ticket keys that may stand in front; `title` is what a template has as its one line about the matter.
    """
    own = _asked_for(_bare(subject[:READ], keys))
    says = (
        subject_says(unshouted(own, text)) if text and is_specific(own) else SubjectSays.NOTHING
    )  # without a text it stays anyway
    least = -inf if says is SubjectSays.NOTHING else LEAST
    if title:
        line = _titled(own, title)
    else:
        line = own if says is SubjectSays.ALL else _with_key(own, _key_of(text, least), says)
    summary = tidied(unshouted(line, text))
    return shortened(summary) if len(summary) >= SHORTEST else NOTHING


def _titled(own: str, title: str) -> str:
    """Return a title behind what the subject names if there is room for both, else alone."""
    named = own and any(
        one not in levelled(title) for one in map(levelled, _WORD.findall(own)) if one not in STOP_WORDS
    )
    if levelled(title).rstrip(".") in levelled(own):
        return own
    both = f"{own}: {title}"
    apart = not any(word in levelled(own) for word in map(levelled, _LONG_WORD.findall(title)))
    if named and (len(both) <= LONGEST or (apart and len(own) <= LONGEST_NAME)):
        return shortened(both)
    return title


def summary_of_several(subject: str, matters: Sequence[str]) -> str:
    """Return the subject of a mail with several matters if it names anything, else the first one and how many more there are."""
    own = _bare(subject[:READ], ())
    if not matters or (is_specific(own) and not ANNOUNCED.search(levelled(own))):
        return shortened(tidied(unshouted(own, "\n".join(matters)))) if matters else ""
    more = f" (+{len(matters) - 1})"
    announced = ANNOUNCED.search(levelled(own))
    behind = own[announced.end() :] if announced else ""
    about = " ".join(dropwhile(lambda word: levelled(word) in STOP_WORDS, behind.split()))
    key = _key_of(matters[0], -inf)
    named = _NAMED.match(key) or levelled(key).partition(" ")[0] in levelled(about).split()
    first = _with_key("" if named else about, key, SubjectSays.NAME)
    return f"{shortened(tidied(first), LONGEST - len(more))}{more}"


def _key_of(text: str, least: float) -> str:
    """Return the key sentence of a text, without words of asking and addresses."""
    sentences = sentences_in(text)
    telling = [one for one in sentences if not (_MASKED.search(one) or _only_solves(one))]
    above = [one for one in telling if not _POSTSCRIPT.match(one)]
    telling = above if any(map(symptoms_in, above)) else telling
    sentence = _ADDRESS.sub("", key_sentence(telling or sentences, least))
    return _asked_for(_observed(_unconnected(sentence))).rstrip(" .!")


def _only_solves(sentence: str) -> bool:
    """Tell whether a sentence asks for nothing but that it be mended, and by when: `could you fix this before Monday?`."""
    asked = _PLEASE.match(levelled(sentence))
    rest = words_in("said.solving").sub(" ", levelled(sentence)[asked.end() :]) if asked else sentence
    words = (one for one in _WORD.findall(_DAY.sub(" ", rest)) if one not in STOP_WORDS)
    return bool(asked) and not any(words)


def _with_key(own: str, key: str, says: SubjectSays) -> str:
    """Return a key sentence behind what a subject names; alone, if the subject names nothing or the sentence has its words."""
    if not key or not own:
        return _fitting(key) or own
    announced = _TOPIC.match(levelled(own))
    name = own[announced.end() :] if announced else own
    if about := _ABOUT.search(name):
        name = name[: about.start()]
    words = [one for one in map(levelled, _WORD.findall(name)) if one not in STOP_WORDS and not _is_empty(one)]
    if words and all(one in levelled(own) for one in map(levelled, _WORD.findall(key)) if one not in STOP_WORDS):
        return own
    says_nothing = says is SubjectSays.NOTHING and not (is_specific(own) and _refers(key))
    alone = says_nothing or all(_repeated(one, levelled(key)) for one in words)
    return _fitting(key, "" if alone else f"{name.rstrip('?!. ')}: ")


def _refers(key: str) -> bool:
    """Tell whether a sentence begins by pointing at somebody or something that only another one names: `set her up`."""
    return words_in("said.referring").search(levelled(" ".join(key.split()[:REFERRING]))) is not None


def _fitting(sentence: str, name: str = "") -> str:
    """Return a sentence behind a name if there is room for both, else the clauses that say most, with or without the name."""
    if len(name) + len(sentence) > LONGEST:
        sentence = without_parentheses(sentence)
    brief = without_since(sentence)
    for one in (sentence, brief):
        if len(name) + len(one) <= LONGEST:
            return f"{name}{one}"
    sentence = brief if len(sentence) > LONGEST else sentence
    end = "?" if sentence.endswith(("?", "\uff1f")) else "."
    begins = (name,) if name and _refers(sentence) else (name, "")
    found = {f"{begin}{part}": part for begin in begins for part in _parts(sentence, LONGEST - len(begin))}
    if not found:  # a condition, and no clause of its own: `when I set the filter to this month it shows last month`
        return shortened(f"{name}{sentence}")
    worth = dict(zip(found, worth_of([f"{part.rstrip('?')}{end}" for part in found.values()]), strict=True))
    return max(found, key=lambda line: worth[line] + NAMED * (line != found[line]) - CUT * line.endswith("…"))


def _parts(sentence: str, room: int) -> Iterator[str]:
    """Yield from each clause on what fits of a sentence, up to the end of a clause and up to a word, if it can stand alone."""
    cuts = [
        0,
        *(cut.end() for cut in islice(CLAUSE.finditer(sentence), CLAUSES) if not in_quotation(sentence[: cut.end()])),
    ]
    opposed = [bool(_CONTRAST.match(levelled(sentence[start:]))) for start in cuts]
    main = _main_of(sentence, cuts)
    for start, is_opposed, goes_on in zip(cuts, opposed, (*opposed[1:], False), strict=True):
        rest = without_leading_since(_freed(_unconnected(sentence[start:])) if start else _unconnected(sentence))
        if start and (len(rest.split()) < LEAST_CLAUSE or _RELATIVE.match(levelled(rest))):
            continue
        ends = [at for at in clause_ends(rest) if at <= room]
        if goes_on or (
            cuts[1:] and not is_opposed and _CONDITION.match(levelled(rest)) and len(ends) < 2  # noqa: PLR2004 - the clause and what it is about
        ):
            continue  # what is well before a `but`, or when something happens, is not the matter
        found = (rest[: max(ends, default=0)], shortened(rest, room)) if ends else (shortened(rest, room),)
        yield from (part for part in found if start >= main or (not start and len(part) > main))


def _main_of(sentence: str, cuts: Sequence[int]) -> int:
    """Return where a sentence that says in front when something happens says what does; 0 for other sentences.

    `When I move a booking, then let it go and press F5, the booking is gone.`
    """
    if not _CONDITION.match(levelled(sentence)):
        return 0
    clauses = ((start, sentence[start:end]) for start, end in pairwise((*cuts, len(sentence))))
    full = [
        (bool(_THEN.match(levelled(one))), start)
        for start, one in clauses
        if len(one.split()) >= LEAST_CLAUSE and not _DEPENDS.match(levelled(one))
    ]
    return min(full)[1] if full else 0


def _freed(clause: str) -> str:
    """Return a clause without the `and` or `that` in front, if a whole sentence follows."""
    that, joined = THAT.match(levelled(clause)), _JOIN.match(levelled(clause))
    found = that or (joined if joined and symptoms_in(clause) else None)
    rest = clause[found.end() :] if found else clause
    return rest if len(rest.split()) > LEAST_CLAUSE else clause


def _unconnected(sentence: str) -> str:
    """Return a sentence or clause without the `But` or `That means` in front, which tie it to the one before."""
    for pattern in (_CONTRAST, _RESTATES):
        if begun := pattern.match(levelled(sentence)):
            sentence = sentence[begun.end() :]
    return sentence


def _observed(sentence: str) -> str:
    """Return a sentence without the `I just noticed that` in front, and a long one also without what stands before that."""
    informed = _INFORMED.match(levelled(sentence))
    if informed and not words_in("said.verb_last").search(informed[0]):
        return sentence[informed.end() :]
    noticed = _NOTICED.search(levelled(sentence))
    if noticed is None or in_quotation(sentence[: noticed.start()]):
        return sentence
    verb_last = words_in("said.verb_last").search(noticed[0])
    brief = not verb_last and len(sentence[: noticed.start()].split()) <= MOST_BEFORE_NOTICED
    return sentence[noticed.end() :] if brief or len(sentence) > LONGEST else sentence


def _asked_for(line: str) -> str:
    """Return a line without the words of asking in front: `could you please whitelist the domain?`."""
    wished = _WISHING.match(levelled(line))
    if wished and THAT.match(levelled(line[wished.end() :])):
        return line
    asked = wished or _PLEASE.match(levelled(line))
    rest = line[asked.end() :].rstrip("?\uff1f ") if asked else ""
    if filing := _FILING.match(levelled(rest)):
        rest = rest[filing.end() :]
    return rest if len(rest.split()) > 1 else line


def mended(summary: str) -> str:
    """Return a summary that a model wrote, in the form that the rules give."""
    own = _bare(summary[:READ], ())
    title = tidied(unshouted(own or summary, ""))
    return shortened(title if len(title) >= SHORTEST else summary, LONGEST_OF_MODEL)


def is_specific(line: str) -> bool:
    """Tell whether a line names a thing or a symptom: any word that is not `problem`, `help` and their like."""
    rest = words_in("said.empty", "said.prefixes").sub(" ", levelled(line))
    return any(word not in STOP_WORDS for word in _WORD.findall(rest)) or bool(CODE.search(line) and _WORD.search(rest))


def _bare(subject: str, keys: Collection[str]) -> str:
    """Remove prefixes, tags, keys and asides, also several of them."""
    line = " ".join(subject.split())
    known = "|".join(map(re.escape, sorted(keys))) or r"(?!)"
    key = re.compile(rf"\s*[\[(#]?\b(?:{known})\b[\])]?\s*[:\-\u2013\u2014]?\s*", re.IGNORECASE)
    before = None
    while line != before:
        before = line
        line = _NUMBERED.sub(" ", _REPLIES.sub("", line) if _REPLIES.match(line) else line).strip()
        if (tag := _BRACKETS.match(line)) and line[tag.end() :].strip():
            line = line[tag.end() :]
        for pattern in (key, _PREFIX, _GREETING):
            if (found := pattern.match(levelled(line) if pattern is not key else line)) and found.end():
                line = line[found.end() :]
        if (
            (loud := _LOUD.match(levelled(line)))
            and loud[0].strip()
            and line[: loud.end()].isupper()
            and not line.isupper()
        ):
            line = line[loud.end() :]
        for pattern in (_ASIDE, _AND_MORE):
            if found := pattern.search(levelled(line)):
                line = f"{line[: found.start()]} {line[found.end() :]}".strip()
    return (
        ""
        if words_in("letter.thanks").match(levelled(line)) or only_blames(line) or _UNFINISHED.search(levelled(line))
        else line
    )


@lru_cache(maxsize=4)
def sentences_in(text: str) -> tuple[str, ...]:
    """Return the first sentences of a text, each line of it by itself; they are looked through several times."""
    bare = (_ITEM.sub("", PICTURE.sub("", line)) for line in text.splitlines() if not _only_links(line))
    return tuple(islice((_unopened(one) for line in bare for one in sentences_of(line)), SENTENCES))


def _only_links(line: str) -> bool:
    """Tell whether a line is little more than links with their names: `Runbook: https://…  Silence: https://…`."""
    links = URL.findall(line)
    return bool(links) and len(_WORD.findall(URL.sub(" ", line))) <= MOST_OF_LINK * len(links)


def _unopened(sentence: str) -> str:
    """Return a sentence without a greeting and without words that only say that another matter begins."""
    for pattern in (_GREETING, _OPENER, _OPENER):
        if found := pattern.match(levelled(sentence)):
            sentence = sentence[found.end() :]
    return sentence


def _repeated(name: str, sentence: str) -> bool:
    """Tell whether a text has a name, or the words of which it is made: `Baustellenkamera`, `die Kamera auf der Baustelle`."""
    return name in sentence or sum(len(word) for word in _LONG_WORD.findall(sentence) if word in name) >= MADE_OF * len(
        name
    )


def _is_empty(word: str) -> bool:
    return bool(words_in("said.empty").fullmatch(levelled(word)))
