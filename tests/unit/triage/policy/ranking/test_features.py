"""Features of the ranking: what each of them says about a mail and a ticket."""

from collections.abc import Mapping

import numpy as np
import pytest

from triage.policy.ranking.columns import Columns
from triage.policy.ranking.documents import Document, document_of
from triage.policy.ranking.features import FEATURES, Circumstances, features_of

MAIL = document_of("Android: export of invoices fails", "The export stops with ORA-00942 since version 2.1.")
SAME = document_of("Export of invoices stops", "ORA-00942 when an invoice is exported.")
SIBLING = document_of("Android: import of invoices fails", "The import stops.")
OTHER = document_of("iOS: login page is slow", "It takes a minute.")
NOTHING = document_of("", "")


def compared(mail: Document, *tickets: Document, **known: float) -> list[Mapping[str, float]]:
    """The features of each ticket by name."""
    every = np.ones(len(tickets))
    about = Circumstances(
        place=every * len(tickets),
        open=every,
        days_old=every * known.get("age", 0.0),
        days_untouched=every * known.get("touched", 0.0),
    )
    rows = features_of(mail, Columns.of(tickets), about)
    return [dict(zip(FEATURES, row, strict=True)) for row in rows.tolist()]


@pytest.mark.parametrize("name", ["match", "coverage", "words", "shared", "pairs", "ours", "theirs", "grams", "codes"])
def test_the_same_matter_is_nearer(name: str) -> None:
    """A ticket that shares words, pairs, characters and the error code is nearer than one that shares nothing."""
    same, other = compared(MAIL, SAME, OTHER)

    assert same[name] > other[name]


def test_siblings_differ_by_a_rare_word() -> None:
    """The ticket's title has a word that the mail's lacks, and the other way round; a copy has none."""
    copy, sibling = compared(MAIL, MAIL, SIBLING)

    assert (copy["theirs_lacking"], copy["ours_lacking"]) == (0, 0)
    assert (sibling["theirs_lacking_count"], sibling["ours_lacking_count"]) == (1, 1)
    assert sibling["theirs_lacking"] > 1
    assert sibling["ours_lacking"] > 1


def test_other_platforms_conflict() -> None:
    """Titles that name technologies and share none conflict; where one names none, there is no conflict."""
    sibling, other, silent = compared(MAIL, SIBLING, OTHER, SAME)

    assert (sibling["conflict"], other["conflict"], silent["conflict"]) == (0, 1, 0)


def test_other_names_of_code_conflict() -> None:
    """Identifiers in both titles and none in common: probably another thing."""
    mail = document_of("saveInvoice crashes", "")
    same, other = compared(mail, document_of("Crash in saveInvoice", ""), document_of("loadInvoice crashes", ""))

    assert (same["same_names"], same["other_names"], same["differing_names"]) == (1, 0, 0)
    assert (other["same_names"], other["other_names"], other["differing_names"]) == (0, 1, 2)


def test_a_code_that_many_tickets_have_counts_less() -> None:
    """An error code in one ticket counts 1, in two of them a half."""
    assert [row["codes"] for row in compared(MAIL, SAME, OTHER)] == [1, 0]
    assert [row["codes"] for row in compared(MAIL, SAME, SAME)] == [0.5, 0.5]


def test_the_best_leads() -> None:
    """The best ticket has rank 0 and its lead over the second; the others their distance to the best."""
    same, other = compared(MAIL, SAME, OTHER)

    assert same["match_rank"] == 0
    assert other["match_rank"] == pytest.approx(np.log(2))
    assert same["match_lead"] == pytest.approx(-other["match_lead"])


def test_a_lone_ticket_leads_by_its_whole_value() -> None:
    """Without a second one the lead is the value itself."""
    (only,) = compared(MAIL, SAME)

    assert only["match_lead"] == pytest.approx(only["match"])


def test_circumstances_are_logarithms() -> None:
    """Age and last change count in logarithms of days; what was not found by words stands behind all others."""
    (row,) = compared(MAIL, SAME, age=9.0, touched=0.0)

    assert (row["untouched"], row["open"]) == (0, 1)
    assert row["age"] == pytest.approx(np.log(10))
    assert row["place"] == pytest.approx(np.log(2))


@pytest.mark.parametrize(("mail", "ticket"), [(NOTHING, NOTHING), (MAIL, NOTHING), (NOTHING, SAME)])
def test_empty_texts_are_compared(mail: Document, ticket: Document) -> None:
    """A mail or ticket without words gives numbers, none of them infinite or undefined."""
    assert np.isfinite(list(compared(mail, ticket)[0].values())).all()
