"""Reads a question that goes on from the one before it: `and who promised that?` names no matter of its own."""

from dataclasses import replace
from typing import Final

from triage.policy.memory.asking.questions import GOING_ON, POINTING, PUTTING, MemoryQuestion, read_question
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import terms_in

MOST_TERMS: Final = 1
"""Words about the matter that a question has at most that goes on: `is it waterproof?`, `what about the lenses?`."""
MOST_ADDED: Final = 3
"""The same of a question that only puts another case: `and for business customers?`."""


def following(text: str, before: str) -> MemoryQuestion:
    """Return a question read with the same asker's question before it, which counts only where this one goes on from it."""
    question = read_question(text)
    if not before.strip() or not goes_on(question):
        return question
    known = read_question(before)
    return replace(
        question,
        terms=tuple(dict.fromkeys((*_own_terms(question), *known.terms))),
        named=question.named | known.named,
        before=known.text,
    )


def goes_on(question: MemoryQuestion) -> bool:
    """Tell whether a question lacks a matter of its own: it points at one, or has no word about any."""
    if question.named:
        return False
    words = " ".join(plain(question.text).split()).lstrip("\u00bf\u00a1")
    if len(_own_terms(question)) > MOST_TERMS:
        return len(_own_terms(question)) <= MOST_ADDED and bool(PUTTING.match(words))
    if POINTING.search(words) or GOING_ON.match(words):
        return True
    return not (_own_terms(question) or question.kinds or question.horizon)


def _own_terms(question: MemoryQuestion) -> tuple[str, ...]:
    """Return the terms without those of words that point."""
    pointed = {term for word in POINTING.findall(plain(question.text)) for term in terms_in(word)}
    return tuple(term for term in question.terms if term not in pointed)
