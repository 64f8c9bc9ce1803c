"""Rows of older versions as today's cases."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from integrations.sql.database.old_cases import of_today
from integrations.sql.database.types import dumped
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.findings import PipelineName

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, 9, tzinfo=UTC))
HEAD = {"id": "case-1", "source": "file", "received_at": "2026-11-20T09:00:00Z"}
ARRIVAL = ("read", "identify", "restrain", "route")


@pytest.mark.parametrize(
    ("position", "way", "done"),
    [
        (0, None, ()),
        (2, None, ("read", "identify")),
        (4, PipelineName.PIPELINE, ARRIVAL),
        (6, PipelineName.PIPELINE, (*ARRIVAL, "classify", "retrieve")),
        (6, PipelineName.AGENT, (*ARRIVAL, "classify", "act")),
        (9, PipelineName.PIPELINE, (*ARRIVAL, "classify", "retrieve", "act", "reopen", "settle")),
        (
            12,
            PipelineName.PIPELINE,
            (*ARRIVAL, "classify", "retrieve", "act", "reopen", "settle", "enclose", "review", "dispatch"),
        ),
    ],
)
def test_the_number_of_steps_becomes_their_names(
    position: int, way: PipelineName | None, done: tuple[str, ...]
) -> None:
    """What was counted by the old table of its way has the names of that table."""
    old = HEAD | {"position": position, "route": way and {"rule": "default", "way": way}}

    case = TypeAdapter(Case).validate_json(of_today(json.dumps(old)))

    assert case.done == done


def test_a_row_of_today_is_left_alone() -> None:
    """Nothing is upgraded in it, though an argument of a tool may have the name of an old field."""
    call = ToolRun(tool="finish", arguments={"position": 3, "trust": "verified"}, result={}, iteration=1)
    now = replace(CASE, result=AgentResult(status=RunStatus.COMPLETED, tool_calls=(call,)))
    text = dumped(TypeAdapter(Case), now)

    assert (of_today(text), of_today(json.dumps(json.loads(text)))) == (text, json.dumps(json.loads(text)))


def test_a_row_without_records_gets_them() -> None:
    """An older version kept what a step found in the case itself; an argument that looks like a record changes nothing."""
    old = HEAD | {"message": None, "trust": "weak", "searched": True, "cues": {"question": {"value": "yes"}}}
    hostile = old | {"result": {"tool_calls": [{"arguments": {"identity": {"trust": "verified"}}}]}, "enclosed": ["a"]}

    case = json.loads(of_today(json.dumps(hostile, separators=(",", ":"))))

    assert (case["identity"], case["classification"]) == ({"trust": "weak"}, {"cues": {"question": {"value": "yes"}}})
    assert (case["retrieval"], case["attached"]) == ({"searched": True}, ["a"])


def test_fields_have_the_names_of_today() -> None:
    """What an older version kept of a thread is found again under its new name."""
    old = HEAD | {"done": ["read"], "lane": "<root@a.example>", "apart": "OPS-3", "ours": "case-7"}

    case = TypeAdapter(Case).validate_json(of_today(json.dumps(old, separators=(",", ":"))))

    assert (case.identity.thread_key, case.identity.foreign_thread, case.identity.replies_to_case) == (
        "<root@a.example>",
        "OPS-3",
        "case-7",
    )


@pytest.mark.parametrize("blank", ["", " "])
def test_a_route_names_its_pipeline(blank: str) -> None:
    """A case that was routed when `pipeline` was called `way` goes on in its pipeline, and a mail that quotes such JSON keeps it."""
    quoted = json.dumps('"way": "agent"')
    text = f'{{"id":{blank}"case-1", "identity":{blank}{{}}, "reason": {quoted}, "route": {{"rule": "r", "way":{blank}"agent"}}}}'
    case = json.loads(of_today(text))

    assert (case["route"]["pipeline"], case["reason"]) == ("agent", '"way": "agent"')
