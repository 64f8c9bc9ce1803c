"""Help pages answer what holds for everybody."""

from dataclasses import replace

import pytest

from triage.domain.support.articles import Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.memory.asking.from_articles import from_articles
from triage.policy.memory.asking.questions import read_question

CODES = Passage(
    article="help:sign-in",
    number=1,
    title="Sign-in and login codes",
    heading="My login code is refused",
    text=Untrusted("Login codes depend on the clock of your phone. Set date and time of the phone to automatic."),
)
RARITY = {"login": 0.9, "code": 0.9, "refused": 1.0}
HIT = PassageHit(passage=CODES, similarity=1.0, evidence=("login", "code", "refused"), rarity=RARITY)
QUESTION = "Why is my login code refused?"


def test_a_sure_answer_is_quoted_with_its_page() -> None:
    """Each sentence names the passage."""
    other = replace(CODES, number=2, heading="Single sign-on", text=Untrusted("It is part of the plan Enterprise."))
    hits = [HIT, replace(HIT, similarity=0.3, passage=other)]
    answer = from_articles(read_question(QUESTION), hits)

    assert answer
    assert "Set date and time of the phone to automatic." in [one.text for one in answer.sentences]
    assert [source.id for source in answer.sources] == ["help:sign-in#1"]
    assert {one.source for one in answer.sentences} == {source.key for source in answer.sources}


@pytest.mark.parametrize("asked", ["Who refuses my login code?", "What did we decide about login codes?", "HARB-12?"])
def test_what_is_asked_of_the_team_is_left_to_its_own_words(asked: str) -> None:
    """People, decisions and tickets stand in no help page."""
    assert from_articles(read_question(asked), [HIT]) is None


def test_an_unsure_answer_is_none() -> None:
    """A page that is hardly like the question, and no page."""
    assert from_articles(read_question("Which scanner do we use?"), [replace(HIT, similarity=0.1, evidence=())]) is None
    assert from_articles(read_question(QUESTION), []) is None
