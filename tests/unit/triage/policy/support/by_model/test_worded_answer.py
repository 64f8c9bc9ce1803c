"""What is left of a model's answer: what passages bear out, and nothing that is for the desk alone."""

import json

import pytest

from triage.domain.support.articles import CitedSentence, Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.support.by_model.worded_answer import WordedSentence, sentences_in, supported


def hit(article: str, text: str) -> PassageHit:
    """A passage that was found."""
    return PassageHit(passage=Passage(article=article, number=0, title="", text=Untrusted(text)), similarity=1.0)


HITS = (
    hit("help:returns", "You can return a parcel within 14 days. Do not offer refunds for opened games."),
    hit("help:costs", "You can return a parcel free of charge."),
)


def said(text: str, passage: int = 1) -> WordedSentence:
    """A sentence of the model."""
    return WordedSentence(text=text, passage=passage)


def test_only_what_a_passage_says_is_left() -> None:
    """An invented sentence, a bare yes, what the desk is told and what was said before are dropped; a wrong number is put right."""
    sentences = (
        said("Return a parcel within 14 days. We send you 50 euros.", 2),
        said("Yes."),
        said("Do not offer refunds for opened games."),
        said("You can return a parcel.", 2),
        said("You can return a parcel.", 2),
    )

    assert supported(sentences, HITS) == (
        CitedSentence(text="Return a parcel within 14 days.", passage="help:returns#0"),
        CitedSentence(text="You can return a parcel.", passage="help:costs#0"),
    )


def test_an_answer_of_the_schema_is_read() -> None:
    """Text is stripped; no sentence is an answer, too."""
    answer = '{"sentences": [{"text": " Return it. ", "passage": 2}]}'

    assert sentences_in(answer, 2) == (said("Return it.", 2),)
    assert sentences_in('{"sentences": []}', 2) == ()


@pytest.mark.parametrize(
    ("sentences", "problem"),
    [
        ("x", "a list of at most 8"),
        ([{"text": "a", "passage": 1}] * 9, "a list of at most 8"),
        (["a"], "sentence 1 is no object"),
        ([{"text": "a"}], "sentence 1 has no field passage"),
        ([{"text": "a", "passage": 1, "send": True}], "sentence 1: there is no field send"),
        ([{"text": " ", "passage": 1}], "text has 1 to 600"),
        ([{"text": 7, "passage": 1}], "text has 1 to 600"),
        ([{"text": "a", "passage": 3}], "a number from 1 to 2"),
        ([{"text": "a", "passage": True}], "a number from 1 to 2"),
    ],
)
def test_what_does_not_fit_is_told(sentences: object, problem: str) -> None:
    """Each problem names its sentence, so that the model can put it right."""
    with pytest.raises(ValueError, match=problem):
        sentences_in(json.dumps({"sentences": sentences}), 2)
