"""Detects claims that a problem is resolved; it is strict, since a claim can propose to close a ticket."""

from collections.abc import Iterator, Sequence
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.findings import Cue
from triage.policy.text.phrase_matcher import PhraseMatch, phrases
from triage.policy.text.sentences import TokenizedText, Word, folded

_LISTS: Final = word_lists()
LIGHT: Final = folded("sentence.fillers")
CLAIMS: Final = phrases(
    LIGHT, fixed=_LISTS["fixed.claims"], alone=_LISTS["fixed.alone"], nothing=_LISTS["fixed.exceptions"]
)
TROUBLES: Final = phrases(LIGHT, trouble=_LISTS["fixed.troubles"])
ENDS: Final = phrases(LIGHT, ends=_LISTS["fixed.ends"])
BETWEEN: Final = 6
"""Most words between trouble and its end: `the error with the label printers is gone`."""
FINE: Final = (*_LISTS["fixed.doubt_exceptions"], *_LISTS["fixed.ends"])
DOUBTS: Final = phrases(LIGHT, doubt=_LISTS["fixed.doubts"], fine=FINE)
HOPES: Final = phrases(LIGHT, hope=_LISTS["fixed.hopes"])
LONG_AGO: Final = phrases(LIGHT, past=_LISTS["assertion.long_ago"])
BROKEN: Final = phrases(LIGHT, broken=_LISTS["fixed.still_broken"])
OPENERS: Final = folded("fixed.question_openers")
"""A clause that begins with one of these and goes on with a noun is a question, with or without a question mark."""
AFTERWARDS: Final = LIGHT | folded("fixed.followers")
"""The words that may follow a `Fixed` that begins a clause."""
TERSE: Final = 12
LONG: Final = 200
"""Words; in a longer mail only the first `EARLY` words are searched, since `fixed` further down tells a story."""
EARLY: Final = 60
DENIALS: Final = folded("fixed.denials")


def fixed_in(*passages: TokenizedText) -> Cue:
    """Say `yes` with the words that claim a resolution, unless other words say that it is still broken."""
    if any(True for passage in passages for _ in BROKEN.find(passage.words)):
        return Cue(value="no")
    evidence = tuple(dict.fromkeys(claim for passage in passages for claim in _claims(passage)))
    return Cue(value="yes", evidence=evidence) if evidence else Cue(value="no")


def claimed_clauses(passage: TokenizedText) -> frozenset[int]:
    """Return the numbers of the clauses that claim a resolution: the trouble that they name is over."""
    return frozenset(passage.words[found.start].clause for found in _found(passage))


def _claims(passage: TokenizedText) -> Iterator[str]:
    for found in _found(passage):
        yield " ".join(word.shown for word in passage.words[found.start : found.end])


def _found(passage: TokenizedText) -> Iterator[PhraseMatch]:
    words = passage.words[:EARLY] if len(passage.words) > LONG else passage.words
    for found in (*CLAIMS.find(words), *_ended(words)):
        if found.label != "nothing" and _stands(found, passage):
            yield found


def _ended(words: Sequence[Word]) -> Iterator[PhraseMatch]:
    """Yield trouble with its end, `the error … is gone`; `the file is gone` is none, since a file is no trouble."""
    troubles = tuple(TROUBLES.find(words))
    for end in ENDS.find(words) if troubles else ():
        for trouble in troubles:
            near = end.start - BETWEEN <= trouble.end <= end.start
            if near and words[trouble.start].clause == words[end.start].clause:
                yield PhraseMatch("ended", trouble.start, end.end)
                break


def _stands(found: PhraseMatch, passage: TokenizedText) -> bool:
    """Tell whether the claim is about now: it is not asked, wished, denied or long past."""
    words = passage.words
    first = _clause_start(words, found.start)
    if words[found.start].sentence in passage.asked:
        return False
    if found.label == "alone" and not _alone(words, found):
        return False
    if words[first].plain in OPENERS and first < found.start:
        return False
    if any(True for _ in LONG_AGO.find(words[first : _clause_end(words, found.end)])):
        return False
    if _follows(words, found, DENIALS, empty=False) or _hoped(words, first):
        return False
    return all(doubt.label != "doubt" for doubt in DOUBTS.find(words[first : found.end]))


def _alone(words: Sequence[Word], found: PhraseMatch) -> bool:
    """Tell whether a bare `Fixed` begins a sentence, or a clause where the text is as short as a subject."""
    if found.start:
        here, before = words[found.start], words[found.start - 1]
        opens = here.clause != before.clause if len(words) <= TERSE else here.sentence != before.sentence
    else:
        opens = True
    return opens and _follows(words, found, AFTERWARDS, empty=True)


def _clause_start(words: Sequence[Word], at: int) -> int:
    while at and words[at - 1].clause == words[at].clause:
        at -= 1
    return at


def _clause_end(words: Sequence[Word], end: int) -> int:
    while end < len(words) and words[end].clause == words[end - 1].clause:
        end += 1
    return end


def _follows(words: Sequence[Word], found: PhraseMatch, those: frozenset[str], *, empty: bool) -> bool:
    """Tell whether the next word of the clause is one of those; `empty` is the answer where there is no next word."""
    if found.end == len(words) or words[found.end].clause != words[found.start].clause:
        return empty
    return words[found.end].plain in those


def _hoped(words: Sequence[Word], first: int) -> bool:
    """Tell whether the clause in front only hopes, with a comma behind it: `doufám, že už to funguje`."""
    if not first or words[first - 1].sentence != words[first].sentence:
        return False
    return any(True for _ in HOPES.find(words[_clause_start(words, first - 1) : first]))
