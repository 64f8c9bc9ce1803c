"""Decides by rules whether a refund is proposed to a person: a plain request, one record of the customer, articles that speak of refunds and do not refuse it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.domain.conversation import Json
from triage.domain.support.articles import PassageHit
from triage.policy.knowledge.passages import sentences_of
from triage.policy.knowledge.promises import forbids
from triage.policy.knowledge.support import denies
from triage.policy.memory.reading.wording import Sentence, sentences_of_mail
from triage.policy.support.mentions import everywhere, mentioned, reading_of, wished
from triage.policy.support.resolving.questions import BEGINS
from triage.policy.text.tokenizer import terms_in

WISHES: Final = ("lookup.exception", "lookup.exception_exceptions")
REFUNDS: Final = ("topic.refund",)
REFUSALS: Final = ("lookup.no_refund",)
REASONS: Final = frozenset({"reason", "note", "comment", "description"})
"""Arguments that take the customer's own words."""
LONGEST_REASON: Final = 300
"""Characters of these."""
STATUS: Final = "status"
ENDED: Final = frozenset({"cancelled", "canceled", "completed", "refunded", "expired"})
"""States of a record that leave nothing to refund by rules."""
_PARTS: Final = re.compile(r"\w[\w-]*")
_DIGIT: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundFacts:
    """What is known when a mail may ask for money back."""

    text: str
    """Subject and own text of the mail."""
    schema: Mapping[str, Json]
    """Of the arguments of the tool that refunds."""
    known: Mapping[str, Json] = field(default_factory=dict)
    """Values that code knows, by the names of arguments."""
    read: Mapping[str, Json] = field(default_factory=dict)
    """What tools have read of the customer's data."""
    hits: Sequence[PassageHit] = ()
    """Passages that were found for the mail and for its wish."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundPlan:
    """The arguments of the call, or the reason why there is none; neither where the mail does not ask for money back."""

    arguments: Mapping[str, Json] = field(default_factory=dict)
    why_not: str = ""


def wish_for_refund(text: str) -> str:
    """Return the sentence that plainly asks for money back, empty if there is none: what depends on an `if` asks for the rules."""
    return next((one.text for one in _wishes(text)), "")


def refund_plan(facts: RefundFacts) -> RefundPlan:
    """Return what is to be proposed. The call waits for a person in any case, so that this only decides whether he is asked."""
    wishes = tuple(_wishes(facts.text))
    if not wishes:
        return RefundPlan()
    speaking = [one for one in facts.hits if _of_refunds(one.passage.text) or _of_refunds(one.passage.title)]
    if not speaking:
        return RefundPlan(why_not="no article speaks of refunds")
    if refused := next((sentence for one in speaking for sentence in _refusals(one)), ""):
        return RefundPlan(why_not=f"an article says: “{refused}”")
    return _planned(wishes, facts)


def _planned(wishes: Sequence[Sentence], facts: RefundFacts) -> RefundPlan:
    required = tuple(facts.schema.get("required", ()))
    wanted = [name for name in required if name not in facts.known and name not in REASONS]
    whole = (one for one in _records(facts.read) if all(isinstance(one.get(name), str) for name in wanted))
    records = list({tuple(one[name] for name in wanted): one for one in whole}.values())
    if not wanted or not records:
        return RefundPlan(why_not="no record of the customer was found that it could be about")
    meant, is_named = _meant(records, wanted, facts.text)
    if meant is None:
        return RefundPlan(why_not="the mail does not say which of the customer's records it is about")
    if not is_named and all(BEGINS.match(one.low) for one in wishes):
        return RefundPlan(why_not="the mail asks about refunds, and names no record of the customer")
    if str(meant.get(STATUS, "")).casefold() in ENDED:
        return RefundPlan(why_not=f"{meant[wanted[0]]} is {meant[STATUS]}")
    reason = wishes[0].text[:LONGEST_REASON]
    values = {**dict.fromkeys(REASONS, reason), **facts.known, **{name: meant[name] for name in wanted}}
    return RefundPlan(arguments={name: values[name] for name in required})


def _wishes(text: str) -> Iterator[Sentence]:
    for one in sentences_of_mail(text):
        found = any(_of_refunds(each.words) for each in wished(reading_of("", one.text), *WISHES))
        if found and (not one.found("conditions") or one.found("courtesies")):
            yield one


def _of_refunds(text: str) -> bool:
    return any(mentioned(everywhere(reading_of("", text)), *REFUNDS))


def _refusals(hit: PassageHit) -> Iterator[str]:
    """Yield the sentences that tell customers that nothing is paid back; a rule for the desk, `do not promise refunds`, is none."""
    for one in sentences_of(hit.passage.text):
        plain = _of_refunds(one) and denies(one) and not forbids(one)
        if plain or any(mentioned(everywhere(reading_of("", one)), *REFUSALS)):
            yield one


def _records(value: Json) -> Iterator[Mapping[str, Json]]:
    if isinstance(value, Mapping):
        yield value
        for one in value.values():
            yield from _records(one)
    elif isinstance(value, list):
        for one in value:
            yield from _records(one)


def _meant(
    records: Sequence[Mapping[str, Json]], names: Sequence[str], text: str
) -> tuple[Mapping[str, Json] | None, bool]:
    """Return the record that the mail means, and whether its words name it: by id, by most words of its texts, else the only open one."""
    written = {one.casefold() for one in _PARTS.findall(text)}
    ids = [str(one[names[0]]).casefold() for one in records]
    if like := [one for one in written if any(_shape(one) == _shape(each) for each in ids)]:
        named = [one for one, each in zip(records, ids, strict=True) if each in like]
        return (named[0] if len(named) == len(like) == 1 else None), True
    terms = frozenset(terms_in(text))
    shared = [len(terms & _words(one)) for one in records]
    best = [one for one, count in zip(records, shared, strict=True) if count and count == max(shared)]
    if len(best) == 1:
        return best[0], True
    still = [one for one in records if str(one.get(STATUS, "")).casefold() not in ENDED]
    return (still[0] if len(still) == 1 and not best else None), False


def _shape(name: str) -> str:
    """Return an id with its digits levelled: whoever names one of the same shape means that one, and no other."""
    return _DIGIT.sub("0", name)


def _words(record: Mapping[str, Json]) -> frozenset[str]:
    """Return the terms of a record's titles and descriptions."""
    texts = (one for name, one in record.items() if isinstance(one, str) and not name.endswith("_id"))
    return frozenset(term for text in texts if not text[:1].isdigit() for term in terms_in(text))
