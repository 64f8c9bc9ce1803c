"""Observations as JSON, and what is refused of a model's answer."""

import json
from dataclasses import replace

import pytest

from tests.conftest import ROOT
from tests.unit.triage.policy.memory.observed import MAIL, told
from triage.domain.memory.notes import CommitmentStatus, NoteTrust
from triage.domain.untrusted import Untrusted
from triage.policy.memory.reading import observation_json

GOOD = {"kind": "commitments", "title": "Send it", "text": "I will send it", "source_emails": ["case-1"]}


def test_the_published_schema_is_the_one_that_is_checked() -> None:
    """The file of the documentation is what the code says."""
    published = json.loads((ROOT / "docs/reference/observation.schema.json").read_text())

    assert published == observation_json.schema()


def test_observations_come_back_as_they_were() -> None:
    """Nothing is lost between reading and writing."""
    found = told("Please ask Eva Novak about HARB-12 today, it is urgent. I will send the list.")
    kept = (*found, replace(found[0], commitment_status=CommitmentStatus.CONFIRMED))

    assert observation_json.read(observation_json.to_json(kept)) == kept


def test_a_model_sees_what_it_may_use() -> None:
    """Nothing that is empty, nor what code alone decides."""
    (one,) = told("I will send the list by Friday.")
    shown = observation_json.shown(one)

    assert (shown["quote"], shown["deadline"]) == ("I will send the list by Friday.", "2026-11-06")
    assert not shown.keys() & {"sender", "trust", "source_emails", "tickets"}


def test_sender_and_trust_are_the_mails() -> None:
    """Whatever an answer says, its source is the mail that it names."""
    (one,) = observation_json.observations_of([GOOD | {"deadline": "2026-11-06", "status": "active"}], {"case-1": MAIL})

    assert (one.sender, one.trust, str(one.deadline)) == ("ann@acme.example", NoteTrust.UNTRUSTED, "2026-11-06")


def test_what_no_word_of_the_mail_says_is_dropped() -> None:
    """A quote has to stand in its mail, however its lines are broken."""
    mails = {"case-1": replace(MAIL, text=Untrusted("I will send\nthe list."))}
    quoted = ["i will  send the list.", "I will pay.", " "]
    found = observation_json.observations_of([GOOD | {"quote": quote} for quote in quoted], mails)

    assert observation_json.proven(found, mails) == found[:1]


def test_a_good_answer_has_no_problem() -> None:
    """All fields of the schema are taken."""
    whole = GOOD | {"quadrant": "do", "deadline": "2026-11-06", "people": ["Eva"], "owner": "tom@acme.example"}

    assert observation_json.problems_of([whole], {"case-1"}) == ()


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({}, "the answer is no list of observations"),
        (["x"], "observation 1 is no object"),
        ([{"kind": "commitments", "title": "x", "text": "x"}], "observation 1 has no field source_emails"),
        ([GOOD | {"trust": "trusted"}], "observation 1: there is no field 'trust'"),
        ([GOOD | {"kind": "orders"}], "observation 1: kind does not fit the schema"),
        ([GOOD | {"title": "x" * 201}], "observation 1: title does not fit the schema"),
        ([GOOD | {"owner": 7}], "observation 1: owner does not fit the schema"),
        ([GOOD | {"people": [7]}], "observation 1: people does not fit the schema"),
        ([GOOD | {"kind": ["commitments"]}], "observation 1: kind does not fit the schema"),
        ([GOOD | {"deadline": "Friday"}], "observation 1: deadline does not fit the schema"),
        ([GOOD | {"source_emails": ["case-9"]}], "observation 1: source_emails names exactly one of the mails"),
        ([GOOD | {"source_emails": [["case-1"]]}], "observation 1: source_emails does not fit the schema"),
    ],
)
def test_a_wrong_answer_is_told_in_words(answer: object, problem: str) -> None:
    """A model can act on each problem."""
    assert problem in observation_json.problems_of(answer, {"case-1"})
