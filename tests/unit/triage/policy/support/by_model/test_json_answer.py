"""A model's answer is one JSON object with the fields that were asked for."""

import pytest

from triage.policy.support.by_model.json_answer import NO_JSON, object_in


def test_an_object_is_read_also_in_a_fence() -> None:
    """Models like to put a fence around JSON; nothing else may stand there."""
    assert object_in('```json\n{"a": 1}\n```', frozenset({"a"})) == {"a": 1}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", NO_JSON),
        ("[1]", NO_JSON),
        ('Sure: {"a": 1}', NO_JSON),
        ("[" * 100_000, NO_JSON),
        ("{}", "the object has no field a"),
        ('{"a": 1, "route": "x"}', "the object: there is no field route"),
    ],
)
def test_what_does_not_fit_is_told(said: str, problem: str) -> None:
    """The sentence is what the model is told."""
    with pytest.raises(ValueError, match=problem):
        object_in(said, frozenset({"a"}))
