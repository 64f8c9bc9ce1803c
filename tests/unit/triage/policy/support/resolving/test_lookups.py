"""Look-ups without a model."""

from triage.policy.support.resolving.lookups import arguments_of, learnt_of, read_of

LIST = {
    "properties": {"user_id": {}, "action": {"enum": ["list", "cancel"]}, "reservation_id": {}},
    "required": ["user_id", "action"],
}


def test_calls_are_made_of_what_is_known() -> None:
    """Unknown required arguments make no call, an enumeration one call for each of its values."""
    assert list(arguments_of(LIST, {})) == []
    assert list(arguments_of(LIST, {"user_id": "u"})) == [
        {"user_id": "u", "action": "list"},
        {"user_id": "u", "action": "cancel"},
    ]
    assert list(arguments_of({"properties": {"email": {}}}, {"email": "a@b.example", "x": 1})) == [
        {"email": "a@b.example"}
    ]
    assert list(arguments_of({"properties": {"query": {}}, "required": ["query"]}, {})) == []


def test_results_lead_to_further_calls() -> None:
    """Only ids are learnt, and only from results."""
    assert learnt_of({"result": {"user_id": "u-1", "email": "x", "account_id": 7}}) == {"user_id": "u-1"}
    assert learnt_of("text") == {}
    assert learnt_of({"result": ["u-1"]}) == {}


def test_errors_are_no_data() -> None:
    """Neither are calls that wait for a person."""
    results = {"a": {"result": {"tier": "x"}}, "b": {"error": "no"}, "c": {"waiting": []}, "d": "text"}

    assert read_of(results) == {"a": {"tier": "x"}}
