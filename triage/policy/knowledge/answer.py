"""Answers a question from the passages that were found, without a model: it quotes them, and cites each sentence.

Suggested phrasing of an article stands first, where it fits the question. What an article forbids to promise is never quoted, and nothing is answered where
no passage supports an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from triage.config.support.confidence import Scorer, Scoring
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.policy.knowledge.calibrated import ConfidenceModel, features_of, shipped_model
from triage.policy.knowledge.contradictions import contradiction, names_price
from triage.policy.knowledge.likeness import coverage, matches_of
from triage.policy.knowledge.passages import sentences_of
from triage.policy.knowledge.phrasing import fitting
from triage.policy.knowledge.promises import forbidden_topics, forbids, promises, without_desk
from triage.policy.knowledge.terms import all_words
from triage.policy.memory.asking.questions import PRICE
from triage.policy.text.tokenizer import terms_in
from triage.policy.text.word_patterns import levelled
from triage.policy.ticket.index_entry import index_terms

SHIPPED: Final = Scoring()

MOST_QUOTED: Final = 700
"""Characters that are quoted of one passage; the best part of a longer one."""
MOST_ADDED: Final = 300
"""Characters that are quoted of a second article."""
NEAR: Final = 0.75
"""Share of the best likeness that a passage needs for its suggested phrasing to be used."""
GAIN: Final = 0.25
"""Share of the question that another article has to add to be quoted, too."""
LEAST_ADDED: Final = 2
"""Words of the question that it has to add, unless its title or heading names one: a verb alone, such as `buy`, stands in articles about anything."""
ARROWS: Final = ("\u2192", "\u00bb", ">>")
NOTHING_FOUND: Final = "no article fits the question"
UNSUPPORTED: Final = "no article says enough about it"
FORBIDDEN: Final = "the articles leave nothing that may be said"


def answer(
    question: str,
    hits: Sequence[PassageHit],
    *,
    issue_type: str = "",
    scoring: Scoring | None = None,
    trained: ConfidenceModel | None = None,
) -> KnowledgeAnswer:
    """Return the answer to a question, or why there is none. `issue_type` is what the classifier found."""
    found = tuple(hit for hit in hits if without_desk(hit.passage.text).strip())
    fit = fitting(question, found)
    sentences, suggested = quoted(fit)
    if suggested and PRICE.search(levelled(question)):
        sentences = _priced(sentences, fit)
    judgement = judged(
        question, found, sentences, suggested=suggested, issue_type=issue_type, scoring=scoring, trained=trained
    )
    return replace(judgement, hits=fit)


def judged(
    question: str,
    hits: Sequence[PassageHit],
    sentences: Sequence[CitedSentence],
    *,
    suggested: bool = False,
    issue_type: str = "",
    scoring: Scoring | None = None,
    trained: ConfidenceModel | None = None,
) -> KnowledgeAnswer:
    """Return the answer that consists of these sentences (a model's, too, as `support` has cut them) with its confidence."""
    rules = scoring or Scoring()
    found = tuple(hits)
    topics = forbidden_topics(found)
    kept = tuple(one for one in sentences if not promises(one.text, topics))
    by_model = trained or shipped_model()
    scores = {
        Scorer.SEED: _by_formula(found, kept, rules, suggested=suggested, issue_type=issue_type),
        Scorer.CALIBRATED: by_model.probability(features_of(question, found)) if found else 0.0,
    }
    refused = NOTHING_FOUND if not found else FORBIDDEN if not kept else ""
    if not refused and scores[Scorer.CALIBRATED] < rules.refuses:
        refused = UNSUPPORTED
    return KnowledgeAnswer(
        sentences=() if refused else kept,
        hits=found,
        confidence=scores[rules.decides(by_model.labels)],
        scores=tuple((str(name), score) for name, score in scores.items()),
        suggested=suggested and not refused,
        refused=refused,
        disputed="" if refused else contradiction(kept, found),
    )


def narrowed(found: KnowledgeAnswer, question: str) -> KnowledgeAnswer:
    """Reduce an answer to the sentence that contains most terms of a follow-up question, of equals most of its words; unchanged if none contains any."""
    asked, words = frozenset(index_terms(question)), all_words(question)
    rarity = {term: rare for term, rare in found.hits[0].rarity.items() if term in asked} if found.hits else {}
    held = {one: (coverage(rarity, index_terms(one.text)), len(words & all_words(one.text))) for one in found.sentences}
    best = max(held.values(), default=(0.0, 0))
    if not best[0]:
        return found
    return replace(found, sentences=tuple(one for one in found.sentences if held[one] == best))


def quoted(hits: Sequence[PassageHit]) -> tuple[tuple[CitedSentence, ...], bool]:
    """Return the sentences that answer best, and whether they are suggested phrasing."""
    topics = forbidden_topics(hits)
    for hit in hits:
        kept = tuple(
            CitedSentence(text=one, passage=hit.passage.id)
            for one in hit.passage.suggested
            if hit.similarity >= NEAR * hits[0].similarity and not promises(one, topics)
        )
        if kept:
            return kept, True
    if not hits:
        return (), False
    first = _best_part(hits[0], hits[0].rarity, MOST_QUOTED, topics)
    return first + _from_another_article(hits, first, topics), False


def _priced(suggested: tuple[CitedSentence, ...], hits: Sequence[PassageHit]) -> tuple[CitedSentence, ...]:
    """Return suggested phrasing with the sentence of its passage that names the price, where a question for it leaves it out."""
    passage = next(hit.passage for hit in hits if hit.passage.id == suggested[0].passage)
    if any(names_price(one.text, passage) for one in suggested):
        return suggested
    priced = (one for one in sentences_of(passage.text) if names_price(one, passage) and not forbids(one))
    found = next((CitedSentence(text=one, passage=passage.id) for one in priced), None)
    return (*suggested, found) if found else suggested


def _from_another_article(
    hits: Sequence[PassageHit], first: tuple[CitedSentence, ...], topics: frozenset[str]
) -> tuple[CitedSentence, ...]:
    """Return what another article says of that part of the question which the first one leaves open."""
    rarity = hits[0].rarity
    named = f"{hits[0].passage.title}\n{hits[0].passage.heading}"
    covered = frozenset(index_terms("\n".join((named, *(one.text for one in first)))))
    open_still = {term: rare for term, rare in rarity.items() if coverage({term: 1.0}, covered) == 0}
    if not open_still or sum(open_still.values()) < GAIN * sum(rarity.values()):
        return ()
    for hit in (one for one in hits[1:] if one.passage.article != hits[0].passage.article):
        part = _best_part(hit, open_still, MOST_ADDED, topics)
        held = matches_of(open_still, frozenset(index_terms("\n".join(one.text for one in part))))
        gain = sum(held[term] * rare for term, rare in open_still.items()) / sum(rarity.values())
        if gain >= GAIN and (sum(map(bool, held.values())) >= LEAST_ADDED or _names(hit.passage, open_still)):
            return part
    return ()


def _names(passage: Passage, terms: Mapping[str, float]) -> bool:
    """Tell whether the article's title or the passage's headings hold one of the terms."""
    return coverage(terms, index_terms(f"{passage.title}\n{passage.heading}")) > 0


def _best_part(
    hit: PassageHit, rarity: Mapping[str, float], most: int, topics: frozenset[str]
) -> tuple[CitedSentence, ...]:
    """Return the sentences in a row, of so many characters at most, that hold most of the question; the earliest of equals."""
    parts = (one for one in sentences_of(hit.passage.text) if _stands_alone(one))
    sentences = [one for one in parts if not forbids(one) and not promises(one, topics)]
    worth = [coverage(rarity, index_terms(one)) for one in sentences]
    best, chosen = -1.0, (0, 0)
    for start in range(len(sentences)):
        end, size = start, 0
        while end < len(sentences) and (end == start or size + len(sentences[end]) <= most):
            size += len(sentences[end])
            end += 1
        total = sum(worth[start:end]) + max(worth[start:end])
        if total > best + 1e-9:
            best, chosen = total, (start, end)
    return tuple(CitedSentence(text=one, passage=hit.passage.id) for one in sentences[chosen[0] : chosen[1]])


def _stands_alone(sentence: str) -> bool:
    """Whether the sentence says something without the link that it was: not `Here's how.` nor `More on taxes →`."""
    return not sentence.endswith(ARROWS) and (" " not in sentence.strip() or bool(terms_in(sentence)))


def _by_formula(
    hits: Sequence[PassageHit], sentences: Sequence[CitedSentence], rules: Scoring, *, suggested: bool, issue_type: str
) -> float:
    tags = {tag.casefold() for hit in hits for tag in hit.passage.tags}
    return calculate_confidence(
        [hit.similarity for hit in hits],
        sum(len(one.text.split()) for one in sentences),
        has_suggested_phrasing=suggested,
        classification_match=bool(issue_type) and issue_type.casefold() in tags,
        scoring=rules,
    )


def calculate_confidence(
    similarity_scores: Sequence[float],
    answer_length: int,
    *,
    has_suggested_phrasing: bool,
    classification_match: bool,
    scoring: Scoring = SHIPPED,
) -> float:
    """Return the confidence by the formula: similarity 40 %, completeness 30 %, quality 20 %, context 10 %, unless `scoring` says otherwise.

    Similarities are 0 to 1; without any article the confidence is 0. `answer_length` is in words.
    """
    if not similarity_scores:
        return 0.0
    similar = sum(similarity_scores) / len(similarity_scores)
    complete = 1.0 if answer_length > scoring.long else 0.7 if answer_length > scoring.short else 0.3
    quality = 1.0 if has_suggested_phrasing else 0.7
    match = 1.0 if classification_match else 0.5
    weighed = scoring.similarity * similar + scoring.completeness * complete
    return weighed + scoring.quality * quality + scoring.match * match
