"""Writes a ticket's summary: the thing and the symptom, without prefixes, urgency, shouting and greetings."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import dropwhile, islice
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import PICTURE
from triage.policy.cues.request_type import only_blames, symptoms_in, wishes_in
from triage.policy.text.matters import ANNOUNCED
from triage.policy.text.sentences import UNSPACED, read
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.text.word_patterns import levelled, one_of, sentences_of, words_in
from triage.policy.ticket.text.sections import is_courtesy, since_in
from triage.policy.ticket.text.summary_form import CLAUSE, CODE, LONGEST, SIGNS, shortened, tidied, unshouted

SHORTEST: Final = 3
MERE_NAME: Final = 2
"""Most words of a subject without a symptom that gets what the text reports or asks for; of a wish one."""
SURE_NAME: Final = 3
"""Most words that hardly are a sentence of their own."""
LONGEST_NAME: Final = 6
"""The same where the subject reports nothing, and the text a fault, or the text's own sentence has all of its words."""
READ: Final = 1_000
"""Characters of a subject that are read."""
SENTENCES: Final = 40
"""Sentences of a text among which one may become the summary."""
LEAST_CLAUSE: Final = 4
"""Words of a clause that can stand without the one before it: `paging fails` says less than what it is about."""
MADE_OF: Final = 0.8
"""Share of a name's letters that words of a text must have, to say the same."""
NOTHING: Final = "Mail without words"
_REPLIES: Final = re.compile(
    rf"\s*{word_lists().alternatives('subject.stripped', 'subject.answer', 'subject.forward')}\s*(?:\[\d+\])?\s*[:\uff1a]\s*",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*(?:\[[^\]\[]{1,40}\]|【[^】]{1,40}】|<[^<>]{1,40}>)\s*")
_NUMBERED: Final = re.compile(
    r"\s*[\[(]?(?<![\w-])(?:ticket|case|request|incident|vorgang|anfrage)\s*(?:id|nr\.?|no\.?)?\s*"
    r"(?:[:#]{1,2}\s*(?!20\d\d-)\w*\d[\w-]*[\])]?|\w{0,4}\d{3,}[\w-]*[\])]?\s*:)\s*",
    re.IGNORECASE,
)
_PREFIX: Final = re.compile(
    rf"\W{{0,8}}{one_of('said.prefixes')}(?:\s*/\s*{one_of('said.prefixes')})?\s*(?:[:\uff1a!|]+|\.{{2,}}|\s[-\u2013\u2014]+\s|[-\u2013\u2014]{{2,}})\s*"
)
_ASIDE: Final = re.compile(
    rf"\s*[(\[]\W{{0,8}}{one_of('said.prefixes')}\W{{0,8}}[)\]]\s*|\s*[-\u2013\u2014,|!]+\s*{one_of('said.prefixes')}\W{{0,8}}$"
)
_GREETING: Final = re.compile(
    rf"\W{{0,8}}{one_of('letter.greetings')}(?:\s+(?:all|team|there|zusammen|[a-z]+))?\s*[,!:]\s*(?=\S)"
)
_TOPIC: Final = re.compile(rf"\W{{0,8}}{one_of('said.announces')}\s+{one_of('said.concerning')}\s+(?=\S)")
"""Announces what a mail is about: `Quick question about the crane`."""
_RELATIVE: Final = re.compile(rf"\W{{0,8}}{one_of('said.relatives')}")
_CONDITION: Final = re.compile(rf"\W{{0,8}}{one_of('said.conditions')}")
_OPENER: Final = re.compile(rf"\W{{0,8}}{one_of('matters.ordinals', 'matters.another')}\s*[,:\u3001]\s*(?=\S)")
"""Says that another matter begins, not what it is: `One more thing:`."""
_AND_MORE: Final = re.compile(
    rf"\s*(?:[+&,/\u2013-]|\b\w{{1,3}}\b)\s*(?=\S+\s){one_of('matters.ordinals', 'matters.another')}\W*$"
)
"""Announces another matter behind the first one: `+ one more thing`."""
_UNFINISHED: Final = re.compile(rf"{one_of('sentence.contrasts')}\W*$")
_ABOUT: Final = re.compile(rf"(?<=\S){one_of('said.about')}\s*$")
_ITEM: Final = re.compile(r"^\s{0,3}(?:\(?\d{1,2}[.)]|[-*\u2022])\s+(?:\w{1,24} = (?=.))?")
"""The sign of a list's item, in an alert with a name: `- summary = Disk is full`."""
_PLEASE: Final = re.compile(rf"(?:\W{{0,8}}{one_of('said.please')}[\s,]*){{1,2}}")
_ADDRESS: Final = re.compile(r"\s*[(<]?\b[\w.+-]{1,64}@[\w.-]{1,100}\w[)>]?")
_FIELD: Final = re.compile(r"\W{0,8}\w[\w /-]{0,24}[:\uff1a]\s")
"""A line of an alert or a form: `Host: db-2`."""
SHORT_THANKS: Final = 4
"""Words of a sentence that thanks."""
ROOM: Final = LONGEST - len(" ()")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONG_WORD: Final = re.compile(r"[^\W\d_]{5,}")


def summary_of(
    subject: str,
    text: str,
    symptoms: Sequence[str] = (),
    keys: Collection[str] = (),
    wishes: Sequence[str] = (),
    *,
    fault: bool = False,
) -> str:
    """Return the subject without what is no part of the matter; if it says nothing, the first sentence with a symptom or a wish.

    `symptoms` and `wishes` are words of the mail that report a fault and wish for something new, `keys` ticket keys that
    may stand in front. A `fault` may have no listed word; then what is told names it, not what is asked for.
    """
    bare = _bare(subject[:READ], keys)
    own = _asked_for(bare)
    begun = _begun(own, text) or ("" if symptoms else _asked_of(own, text))
    told_by = _timeless(
        _of_its_words(own, text) or _best_sentence(text, symptoms or wishes, wished=not (symptoms or fault)),
        ROOM - len(own) if is_specific(own) else LONGEST,
        symptoms,
    )
    asked = own != bare and not symptoms  # says by itself what to do
    named = begun or (
        (own if asked else _named(own, told_by, symptoms, _most_of_name(told_by, text, symptoms, wishes)))
        if is_specific(own)
        else ""
    )
    summary = tidied(unshouted(named or told_by or own, text))
    return shortened(summary) if len(summary) >= SHORTEST else NOTHING


def summary_of_several(subject: str, matters: Sequence[str]) -> str:
    """Return the subject of a mail with several matters if it names anything, else the first one and how many more there are."""
    own = _bare(subject[:READ], ())
    if not matters or (is_specific(own) and not ANNOUNCED.search(levelled(own))):
        return shortened(tidied(unshouted(own, "\n".join(matters)))) if matters else ""
    more = f" (+{len(matters) - 1})"
    announced = ANNOUNCED.search(levelled(own))
    behind = own[announced.end() :].split() if announced else []
    about = " ".join(dropwhile(lambda word: levelled(word) in STOP_WORDS, behind))
    first = summary_of(about, matters[0], symptoms_in(matters[0]))
    return f"{shortened(first, LONGEST - len(more))}{more}"


def _of_its_words(own: str, text: str) -> str:
    """Return the first sentence that has all words of a subject of several words: it is about that, whatever another one reports."""
    words = [levelled(word) for word in _WORD.findall(own)]
    if not MERE_NAME <= len(words) <= LONGEST_NAME:
        return ""
    found = (one for one in _sentences(text) if all(word in levelled(one) for word in words) and not is_courtesy(one))
    return _asked_for(next(found, "")).rstrip(" .!")


def _asked_of(own: str, text: str) -> str:
    """Return the question that a subject only announces, with all words that it names: `Question about the crane`, `Rope needed`."""
    words = [levelled(word) for word in _WORD.findall(own)]
    empty = [word for word in words if words_in("said.empty").fullmatch(word)]
    named = [word for word in words if word not in STOP_WORDS and word not in empty]
    if not named or not any(len(word) >= LEAST_CLAUSE for word in empty):
        return ""
    asked = (one for one in _sentences(text) if one.endswith(("?", "\uff1f")))
    found = next((one for one in asked if all(word in levelled(one) for word in named)), "")
    return _asked_for(found) if len(found) <= LONGEST else ""


def _asked_for(line: str) -> str:
    """Return a line without the words of asking in front: `could you please whitelist the domain?`."""
    asked = _PLEASE.match(levelled(line))
    rest = line[asked.end() :].rstrip("?\uff1f ") if asked else ""
    return rest if len(rest.split()) > 1 else line


def _begun(own: str, text: str) -> str:
    """Return the sentence of the text that a subject only begins: `Would it be possible that`."""
    begins = levelled(own).rstrip(SIGNS)
    if len(begins.split()) < MERE_NAME:
        return ""
    first = begins.split(None, 1)[0]
    sentences = (_bare(one, ()) for one in _sentences(text) if first in levelled(one))
    found = _asked_for(next((one for one in sentences if levelled(one).startswith(f"{begins} ")), ""))
    unfinished = begins.rsplit(None, 1)[-1] in STOP_WORDS
    return found.rstrip(" .!") if unfinished or len(found) <= LONGEST else ""


def _named(own: str, told_by: str, symptoms: Sequence[str], most: int) -> str:
    """Return a subject with what the text says of it, without the words that only announce it: `Question about the crane`."""
    announced = _TOPIC.match(levelled(own))
    topic = own[announced.end() :] if announced else own
    named = _with_symptom(topic, told_by, symptoms, most)
    return own if named == topic else named


def _most_of_name(told_by: str, text: str, symptoms: Sequence[str], wishes: Sequence[str]) -> int:
    """Return how many words a subject has that still needs what the text says; 0: a sentence that neither reports nor asks."""
    whole = next((one for one in _sentences(text) if told_by in _ADDRESS.sub("", one)), "") if told_by else ""
    asks = not wishes and words_in("due.asks", "said.please").search(levelled(whole))
    return MERE_NAME if symptoms or asks else min(len(wishes), 1)


def _with_symptom(own: str, name: str, symptoms: Sequence[str], most: int) -> str:
    """Return a subject of up to `most` words that name a thing with the sentence that the text says of it: `Invoices`."""
    if symptoms and (about := _ABOUT.search(own)):
        return f"{own[: about.start()]}: {name}"
    words = _WORD.findall(own)
    named = [
        word for word in words if not most or (levelled(word) not in STOP_WORDS and (symptoms or not _is_empty(word)))
    ]
    short = len(named) <= max(most, 1)
    if len(words) > LONGEST_NAME or own.endswith(("?", "\uff1f")) or UNSPACED.search(own):
        return own
    whole = all(levelled(word) in levelled(name) for word in (words if symptoms else named))
    if len(named) > MERE_NAME and not (whole or _adds(name, named, symptoms)):
        return own
    text = _worded(own)
    bare = bool(symptoms) and short  # `Checkout problem`
    reports = any(_worded(one) in text and not (bare and _is_empty(one)) for one in symptoms) or _reports(
        own, bare=bare
    )
    if reports or not is_specific(name) or _FIELD.match(name):
        return own
    if whole:
        name = _to_name(_from_name(name, words) if symptoms else name, own, words, symptoms)
        return name if short or symptoms or (len(name) <= LONGEST and not _reports(name)) else own
    both = f"{own}: {name}"
    repeats = len(both) > LONGEST >= len(name) and any(_repeated(levelled(word), levelled(name)) for word in named)
    return (name if repeats else both) if short or symptoms else own


def _repeated(name: str, sentence: str) -> bool:
    """Tell whether a text has a name, or the words of which it is made: `Baustellenkamera`, `die Kamera auf der Baustelle`."""
    return name in sentence or sum(len(word) for word in _LONG_WORD.findall(sentence) if word in name) >= MADE_OF * len(
        name
    )


def _adds(sentence: str, named: Sequence[str], symptoms: Sequence[str]) -> bool:
    """Tell whether a sentence says more than that it is a bug; below a subject of more than three words it is about these, too."""
    low = levelled(sentence)
    about = len(named) <= SURE_NAME or sum(levelled(word) in low for word in named) >= MERE_NAME
    return about and any(levelled(one) in low and is_specific(one) for one in symptoms)


def _is_empty(word: str) -> bool:
    return bool(words_in("said.empty").fullmatch(levelled(word)))


def _reports(own: str, *, bare: bool = False) -> bool:
    """Tell whether a subject of several words reports or wishes anything beside naming a thing, or `bare` a problem with it."""
    passage = read(own)
    hints = (*symptoms_in(own), *wishes_in(own))
    return len(passage.words) > 1 and not all(bare and _is_empty(hint) for hint in hints)


def _from_name(sentence: str, words: Sequence[str]) -> str:
    """Return a sentence that is too long from the last clause on that still names the thing with all its words."""
    starts = [0, *(cut.end() for cut in CLAUSE.finditer(sentence))] if len(sentence) > LONGEST else [0]
    return next(
        sentence[at:]
        for at in reversed(starts)
        if not at or all(levelled(word) in levelled(sentence[at:]) for word in words)
    )


def _to_name(sentence: str, own: str, words: Sequence[str], symptoms: Sequence[str]) -> str:
    """Shorten a sentence that is too long: up to the clause that has name and symptom, else the name with what follows it."""
    if len(sentence) <= LONGEST:
        return sentence
    low = levelled(sentence)
    begins = max(low.find(levelled(word)) + len(word) for word in words)
    fault = min((at for one in symptoms if (at := low.find(levelled(one))) >= 0), default=begins)
    ends = (cut.start() for cut in CLAUSE.finditer(sentence) if cut.start() >= max(begins, fault))
    if LONGEST // 2 <= (end := next(ends, LONGEST + 1)) <= LONGEST:
        return sentence[:end]
    named = set(own.split())
    behind = " ".join(dropwhile(named.__contains__, sentence[begins:].split())).strip(" ,")
    follows = sentence[begins : begins + 1] == " " and behind[:1].isalnum() and fault >= begins > LONGEST // 2
    return f"{own}: {behind}" if follows else sentence


def _worded(text: str) -> str:
    """Return the words alone: lists write `d un` where a text has `d'un`."""
    return " ".join(re.findall(r"\w+", levelled(text)))


def mended(summary: str) -> str:
    """Return a summary that a model wrote, in the form that the rules give."""
    own = _bare(summary[:READ], ())
    title = tidied(unshouted(own or summary, ""))
    return shortened(title if len(title) >= SHORTEST else summary)


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
        for pattern in (_ASIDE, _AND_MORE):
            if found := pattern.search(levelled(line)):
                line = f"{line[: found.start()]} {line[found.end() :]}".strip()
    return (
        ""
        if words_in("letter.thanks").match(levelled(line)) or only_blames(line) or _UNFINISHED.search(levelled(line))
        else line
    )


def _best_sentence(text: str, symptoms: Sequence[str], *, wished: bool) -> str:
    """Return the first sentence with thing and symptom, and the code that another one has; else a question, or some words."""
    whole = [one for one in _sentences(text) if not is_courtesy(one)]
    sentences = [one[begun.end() :] if (begun := _PLEASE.match(levelled(one))) else one for one in whole]
    words = [levelled(one).rstrip("?") for one in symptoms]
    sentences = [_ADDRESS.sub("", one) for one in sentences]
    known = [one for one in sentences if not words_in("said.opinions").search(levelled(one))]
    found = [
        (one, word)
        for one in known or sentences
        if (word := next((word for word in words if word in levelled(one)), ""))
    ]
    specific = [(one, word) for one, word in found if is_specific(levelled(one).replace(word, " "))] or found
    if wished and specific and words_in("said.why").search(levelled(specific[0][0])):
        # what is asked for says more than the reason
        asked = (one for one, whole_one in zip(sentences, whole, strict=True) if _PLEASE.match(levelled(whole_one)))
        specific = [(one.rstrip("?\uff1f "), "") for one in asked] or specific
    if specific:
        sentence, word = specific[0]
        clause = _clause_with(sentence, levelled(sentence).index(word), len(word)).rstrip(" .!")
        code = next((code[0] for one, _ in found if not wished and (code := CODE.search(one))), "")
        return clause if CODE.search(clause) or not code or len(clause) + len(code) > ROOM else f"{clause} ({code})"
    question = next((one for one in sentences if one.endswith(("?", "\uff1f"))), "")
    if any(_PLEASE.match(levelled(one)) and _ADDRESS.sub("", one).endswith(question) for one in whole):
        question = question.rstrip("?\uff1f ")  # asks for work, not for an answer
    telling = [one for one in sentences if is_specific(one) and not _thanks(one)]
    asking = {
        one for one, whole_one in zip(sentences, whole, strict=True) if words_in("due.asks").search(levelled(whole_one))
    }
    asks = (one.rstrip("?\uff1f ") for one in telling if wished and one in asking and len(one.split()) >= LEAST_CLAUSE)
    first = next(asks, "".join(telling[:1]))
    return question if len(question.split()) >= LEAST_CLAUSE or UNSPACED.search(question) else first or question


def _thanks(sentence: str) -> bool:
    """Tell whether a few words only say that all is well and thank: `It worked, thanks!`."""
    return len(sentence.split()) <= SHORT_THANKS and bool(words_in("letter.thanks").search(levelled(sentence)))


def _timeless(sentence: str, room: int, symptoms: Sequence[str]) -> str:
    """Return a sentence that is too long without `Since Monday` before its subject: the ticket has that under a heading."""
    since = since_in(sentence) if len(sentence) > room else ""
    if not since or not sentence.startswith(since):
        return _unconditional(sentence, symptoms) if len(sentence) > room else sentence
    rest = sentence[len(since) :]
    alone = rest.startswith(",") or words_in("said.subjects").match(levelled(rest.lstrip()))
    return rest.lstrip(" ,") if alone else sentence


def _unconditional(sentence: str, symptoms: Sequence[str]) -> str:
    """Return a sentence without the `When I open it,` in front, where the symptom stands behind it."""
    if not _CONDITION.match(levelled(sentence)):
        return sentence
    low = levelled(sentence)
    fault = min((at for one in symptoms if (at := low.find(levelled(one))) >= 0), default=-1)
    cuts = [cut.end() for cut in CLAUSE.finditer(sentence) if cut.end() <= fault]
    rest = sentence[cuts[-1] :] if cuts else ""
    return rest if len(rest.split()) >= LEAST_CLAUSE and not _RELATIVE.match(levelled(rest)) else sentence


@lru_cache(maxsize=4)
def _sentences(text: str) -> tuple[str, ...]:
    """Return the first sentences of a text, each line of it by itself; they are looked through several times."""
    bare = (_ITEM.sub("", PICTURE.sub("", line)) for line in text.splitlines())
    return tuple(islice((_unopened(one) for line in bare for one in sentences_of(line)), SENTENCES))


def _unopened(sentence: str) -> str:
    """Return a sentence without a greeting and without words that only say that another matter begins."""
    for pattern in (_GREETING, _OPENER, _OPENER):
        if found := pattern.match(levelled(sentence)):
            sentence = sentence[found.end() :]
    return sentence


def _clause_with(sentence: str, start: int, length: int) -> str:
    """Return the sentence from its beginning, or from the clause with the symptom where that lies too far behind."""
    if start + length <= LONGEST:
        return sentence
    cuts = [cut.end() for cut in CLAUSE.finditer(sentence, 0, start) if sentence[cut.end() : start].strip()]
    cuts = [at for at in cuts if not _RELATIVE.match(levelled(sentence[at:]))]
    clause = sentence[cuts[-1] if cuts else 0 :]
    return clause if len(clause.split()) >= LEAST_CLAUSE else sentence
