"""Compares a mail with the tickets that a search found: one row of numbers per ticket, the input of the ranking model.

How rare a term is, is counted among these tickets; nothing is known of terms elsewhere.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from triage.policy.ranking.columns import Column, Columns, GramColumn
from triage.policy.ranking.documents import (
    BUCKETS,
    MOST_COUNTED,
    TITLE_WEIGHT,
    Document,
    Grams,
    Marks,
    Numbers,
    Shorts,
    common_terms,
)

SATURATION: Final = 2.5
"""BM25's k1: how soon a repeated term stops counting."""
TITLE_LENGTH: Final = 0.3
TEXT_LENGTH: Final = 0.8
"""BM25's b: how much the length of a text reduces the score."""
PRIOR_DOCUMENTS: Final = 50
"""The candidates were found by the mail's words, so these look common among them; a prior corrects that."""
PRIOR_COMMON: Final = 0.15
PRIOR_RARE: Final = 0.004
UNKNOWN: Final = 0.25
"""Weight of a term that no candidate has: rare, but often the sender's own expression."""
RANKED: Final = ("match", "words", "titles", "grams", "title_grams")
"""Features that are also given as rank and as distance to the best."""
TINY: Final = 1e-6
_LOGARITHMS: Final = np.log1p(np.arange(MOST_COUNTED + 1, dtype=np.float32))
"""Of one more than each count."""
WORDS: Final = (
    *("match", "coverage", "words", "shared", "best_shared", "pairs", "ours", "ours_lacking"),
    *("ours_lacking_count",),
)
TITLES: Final = ("titles", "theirs", "union", "theirs_lacking", "theirs_lacking_count")
NAMES: Final = ("codes", "quotes", "conflict", "other_names", "same_names", "differing_names")
STANDING: Final = tuple(f"{name}_{part}" for name in RANKED for part in ("rank", "lead"))
CIRCUMSTANCES: Final = (
    *("open", "place", "age", "untouched"),
    *("title_length", "text_length", "mail_title", "mail_text"),
)
FEATURES: Final = (*WORDS, *TITLES, *NAMES, "grams", "title_grams", *STANDING, *CIRCUMSTANCES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Circumstances:
    """What is known of the tickets besides their words when the mail comes: an array each."""

    place: Numbers
    """Place in the search's order, from 0; the number of tickets for one that was not found by words."""
    open: Numbers
    days_old: Numbers
    days_untouched: Numbers


def features_of(mail: Document, tickets: Columns, known: Circumstances) -> NDArray[np.float32]:
    """Return a row of `FEATURES` for each ticket (at least one); a row depends on all tickets."""
    columns = _word_features(mail, tickets) | _title_features(mail, tickets) | _set_features(mail, tickets)
    columns["grams"] = _gram_cosine(mail.grams, tickets.grams)
    columns["title_grams"] = _gram_cosine(mail.title_grams, tickets.title_grams)
    for name in RANKED:
        columns |= _standing(name, columns[name])
    columns |= _circumstances(mail, tickets, known)
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


# --- words --------------------------------------------------------------------------------------


class _Shared:
    """The terms that the mail shares with each ticket, as arrays of equal length: row of the ticket, place in the mail's terms."""

    def __init__(self, mine: Shorts, theirs: Column) -> None:
        places = np.full(BUCKETS, -1, dtype=np.int16)
        places[mine] = np.arange(len(mine))
        found = places.take(theirs.values)
        self.kept = np.flatnonzero(found >= 0)
        """Which of all the tickets' terms, one ticket behind the other, are shared."""
        self.places = found[self.kept]
        self.rows = theirs.rows_of(self.kept)
        self.count = len(theirs.sizes)
        self.holders = np.bincount(self.places, minlength=len(mine))
        """In how many tickets each of the mail's terms stands."""

    def sums(self, values: Numbers) -> Numbers:
        return np.bincount(self.rows, weights=values, minlength=self.count)

    def of(self, theirs: NDArray[np.uint8]) -> Numbers:
        """Return the tickets' counts of the shared terms."""
        return theirs[self.kept].astype(np.float32)


def _rarity(holders: NDArray[np.intp], tickets: int, prior: Numbers | float) -> Numbers:
    """Return the inverse document frequency of terms that so many candidates hold, with a prior."""
    expected = holders + PRIOR_DOCUMENTS * prior
    rare = np.log(1 + (tickets + PRIOR_DOCUMENTS - expected + 0.5) / (expected + 0.5))
    return np.where(holders > 0, rare, UNKNOWN * rare)


def _word_features(mail: Document, tickets: Columns) -> dict[str, Numbers]:
    shared = _Shared(mail.terms, tickets.terms)
    prior = np.where(common_terms()[mail.terms], PRIOR_COMMON, PRIOR_RARE)
    rare = _rarity(shared.holders, len(tickets), prior)
    wanted = rare * np.log1p(TITLE_WEIGHT * mail.in_title.astype(np.float32) + mail.in_text)
    in_title, in_text = shared.of(tickets.in_title), shared.of(tickets.in_text)
    often = in_title * (TITLE_WEIGHT / _relative(tickets.title_length, TITLE_LENGTH))[shared.rows]
    often += in_text * (1 / _relative(tickets.text_length, TEXT_LENGTH))[shared.rows]
    match = shared.sums(wanted[shared.places] * often / (often + SATURATION))
    vector = rare[shared.places] * np.log1p(TITLE_WEIGHT * in_title + in_text)
    best = np.zeros(len(tickets))
    np.maximum.at(best, shared.rows, rare[shared.places])
    return {
        "match": np.log1p(match),
        "coverage": match / max(TINY, float(wanted.sum())),
        "words": shared.sums(wanted[shared.places] * vector)
        / (tickets.norm * max(TINY, float(np.linalg.norm(wanted)))),
        "shared": np.log1p(np.bincount(shared.rows, minlength=len(tickets))),
        "best_shared": best,
        "pairs": _pairs(mail, tickets),
        **_subject(mail, shared, rare, in_title),
    }


def _subject(mail: Document, shared: _Shared, rare: Numbers, in_title: Numbers) -> dict[str, Numbers]:
    """Return what of the mail's subject each ticket holds anywhere, and what its title lacks."""
    weights = rare * (mail.in_title > 0)
    lacking = np.tile(weights, (shared.count, 1))
    titled = np.flatnonzero(in_title > 0)
    lacking[shared.rows[titled], shared.places[titled]] = 0
    return {
        "ours": shared.sums(weights[shared.places]) / max(TINY, float(weights.sum())),
        "ours_lacking": lacking.max(axis=1, initial=0),
        "ours_lacking_count": np.count_nonzero(lacking, axis=1),
    }


def _relative(lengths: Numbers, part: float) -> Numbers:
    """Return BM25's correction for lengths above or below the mean."""
    return 1 - part + part * lengths / max(1.0, float(lengths.mean()))


def _pairs(mail: Document, tickets: Columns) -> Numbers:
    shared = _Shared(mail.pairs, tickets.pairs)
    rare = _rarity(shared.holders, len(tickets), PRIOR_RARE)
    return np.log1p(shared.sums(rare[shared.places]))


def _title_features(mail: Document, tickets: Columns) -> dict[str, Numbers]:
    """Compare the titles: what both hold, and the rarest word that only one holds, as siblings differ by one word."""
    titled = np.flatnonzero(tickets.in_title)
    rows, subject = tickets.terms.rows_of(titled), mail.terms[mail.in_title > 0]
    both_sides = np.concatenate((tickets.terms.values[titled], subject))
    every, inverse, holders = np.unique(both_sides, return_inverse=True, return_counts=True)
    prior = np.where(common_terms()[every], PRIOR_COMMON, PRIOR_RARE)
    rare = _rarity(holders, len(tickets), prior)
    places = inverse[: len(rows)]
    in_subject, in_mail = np.isin(every, subject)[places], np.isin(every, mail.terms)[places]
    weights, mine = rare[places], rare[inverse[len(rows) :]]
    size = len(tickets)
    total = np.bincount(rows, weights=weights, minlength=size)
    both = np.bincount(rows, weights=weights * in_subject, minlength=size)
    dots = np.bincount(rows, weights=weights**2 * in_subject, minlength=size)
    lengths = np.sqrt(np.bincount(rows, weights=weights**2, minlength=size)) * float(np.linalg.norm(mine))
    lacking = np.zeros(size)
    np.maximum.at(lacking, rows, weights * ~in_subject)
    return {
        "titles": dots / np.maximum(TINY, lengths),
        "theirs": np.bincount(rows, weights=weights * in_mail, minlength=size) / np.maximum(TINY, total),
        "union": both / np.maximum(TINY, total + float(mine.sum()) - both),
        "theirs_lacking": lacking,
        "theirs_lacking_count": np.bincount(rows, weights=~in_subject, minlength=size),
    }


# --- characters ---------------------------------------------------------------------------------


def _gram_cosine(mine: Grams, theirs: GramColumn) -> Numbers:
    """Return the cosine of the n-grams' logarithmic counts, in which grams that few candidates have weigh more."""
    shared = _Shared(mine.ids, theirs.ids)
    rare = np.log(1 + (shared.count + 1) / (shared.holders + 0.5))
    counts = np.log1p(mine.counts.astype(np.float32))
    wanted = counts * rare**2
    dots = shared.sums(wanted[shared.places] * _LOGARITHMS[theirs.counts[shared.kept]])
    lengths = theirs.norm * float(np.linalg.norm(counts * rare))
    return dots / np.maximum(TINY, lengths)


# --- codes, quotations, names -------------------------------------------------------------------


def _set_features(mail: Document, tickets: Columns) -> dict[str, Numbers]:
    codes, _ = _same(mail.codes, tickets.codes, shared_by_many=0)
    quotes, _ = _same(mail.quotes, tickets.quotes)
    technologies, named = _same(mail.technologies, tickets.technologies)
    identifiers, sizes = _same(mail.identifiers, tickets.identifiers)
    return {
        "codes": np.minimum(1.0, codes),
        "quotes": np.minimum(1.0, quotes),
        "conflict": _differs(technologies, named, len(mail.technologies)),
        "other_names": _differs(identifiers, sizes, len(mail.identifiers)),
        "same_names": identifiers,
        "differing_names": len(mail.identifiers) + sizes - 2 * identifiers,
    }


def _same(mine: Marks, theirs: Column, *, shared_by_many: float = 1.0) -> tuple[Numbers, Numbers]:
    """Return the number of names that each ticket shares with the mail, and the number of its names.

    A name that n tickets share counts 1/n if `shared_by_many` is 0.
    """
    count, sizes = len(theirs.sizes), theirs.sizes.astype(np.float64)
    if not len(mine):
        return np.zeros(count), sizes
    kept = np.flatnonzero(np.isin(theirs.values, mine))
    _, inverse, holders = np.unique(theirs.values[kept], return_inverse=True, return_counts=True)
    weights = np.maximum(shared_by_many, 1 / holders)[inverse]
    return np.bincount(theirs.rows_of(kept), weights=weights, minlength=count), sizes


def _differs(shared: Numbers, theirs: Numbers, mine: int) -> Numbers:
    """Tell whether both name something and share none: iOS here, Android there."""
    differs: Numbers = (shared == 0) & (theirs > 0) & (mine > 0)
    return differs


# --- standing among the candidates, circumstances -----------------------------------------------


def _standing(name: str, values: Numbers) -> dict[str, Numbers]:
    """Return rank and distance to the best; the best one's distance is to the second, and positive."""
    order = np.argsort(-values, kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(len(values))
    best = values[order[0]]
    lead = values - best
    lead[order[0]] = best - (values[order[1]] if len(values) > 1 else 0)
    return {f"{name}_rank": np.log1p(ranks), f"{name}_lead": lead}


def _circumstances(mail: Document, tickets: Columns, known: Circumstances) -> dict[str, Numbers]:
    """Return place, state, ages and lengths; all but the state as logarithms."""
    every = np.ones(len(tickets))
    numbers = {
        "place": known.place,
        "age": known.days_old,
        "untouched": known.days_untouched,
        "title_length": tickets.title_length,
        "text_length": tickets.text_length,
        "mail_title": mail.title_length * every,
        "mail_text": mail.text_length * every,
    }
    return {"open": known.open, **{name: np.log1p(values) for name, values in numbers.items()}}
