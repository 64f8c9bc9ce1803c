"""A model's answer is JSON of the shape that was asked for; where it is not, the model is told once what does not fit."""

import pytest

from triage.domain.conversation import ChatMessage, Role
from triage.policy.text.json_answer import asked_again, json_in, no_json, object_in
from triage.policy.text.untrusted import ours

NO_JSON = no_json("object")


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


def test_a_list_is_read_as_it_is() -> None:
    """What stands in a list is for its reader to judge; where there is none, the sentence asks for a list."""
    assert json_in("```\n[1, {}]\n```", "list") == [1, {}]
    with pytest.raises(ValueError, match="one list and nothing around it"):
        json_in("nothing to tell", "list")


def test_the_model_hears_what_does_not_fit() -> None:
    """Its own answer stands before the problems, of which it hears ten; without an answer a sign stands there."""
    opening = (ChatMessage.system(ours("Answer with a list.")),)
    _, said, told = asked_again(opening, "", [f"problem {number}" for number in range(1, 13)], "list")

    assert (said.role, said.text) == (Role.ASSISTANT, "(no answer)")
    assert "problem 10" in told.text
    assert "problem 11" not in told.text
    assert told.text.endswith("Answer again with the whole list, and nothing around it.\n")
