"""Rows of older versions as today's cases."""

import json

import pytest
from pydantic import TypeAdapter

from integrations.sql.database.old_cases import of_today
from triage.domain.cases import Case
from triage.domain.findings import PipelineName

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
    """Nothing is counted in it, though an argument of a tool may have the same name."""
    now = json.dumps(HEAD | {"done": ["read"], "result": {"tool_calls": [{"arguments": {"position": 3}}]}})

    assert of_today(now) == now


def test_fields_have_the_names_of_today() -> None:
    """What an older version kept of a thread is found again under its new name."""
    old = HEAD | {"done": ["read"], "lane": "<root@a.example>", "apart": "OPS-3", "ours": "case-7"}

    case = TypeAdapter(Case).validate_json(of_today(json.dumps(old, separators=(",", ":"))))

    assert (case.thread_key, case.foreign_thread, case.replies_to_case) == ("<root@a.example>", "OPS-3", "case-7")
