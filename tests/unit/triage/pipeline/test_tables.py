"""The order of work, for cases that were begun under another order."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case, Outcome
from triage.domain.findings import PipelineName, Route
from triage.domain.support.conversations import Supervision, Support, SupportAgent
from triage.pipeline.context import REPLIES, SUPPORT
from triage.pipeline.tables import ARRIVAL, ENDING, PIPELINES, TELL, next_step, reopened

ALL = (*ARRIVAL, *PIPELINES[PipelineName.PIPELINE])
NAMES = [step.name for step in ALL if not step.needs]
CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))
ROUTED = replace(CASE, route=Route(rule="default"))


def follows(*done: str) -> str | None:
    """The name of the step after these."""
    step = next_step(replace(ROUTED, done=done))
    return step.name if step else None


def test_every_step_follows_the_one_before() -> None:
    """A case that goes the whole way does each step once, in the order of the table, and then none."""
    assert [follows(*NAMES[:place]) for place in range(len(NAMES) + 1)] == [*NAMES, None]


def test_steps_of_a_feature_exist_only_where_it_is_on() -> None:
    """A case goes through the steps of the answers where mails are answered, and has none of them elsewhere."""
    names = [step.name for step in ALL]
    steps = [next_step(replace(ROUTED, done=tuple(names[:place])), {REPLIES}) for place in range(len(names) + 1)]

    assert [step and step.name for step in steps] == [*names, None]
    assert set(names) - set(NAMES) == {"decide", "execute", "generate", "acknowledge"}


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        ((*NAMES[:6], "a step that is no more"), NAMES[6]),
        (("a step of a newer version",), NAMES[0]),
        ((*NAMES[:5], *NAMES[6:8]), NAMES[8]),
        ((NAMES[3], NAMES[0]), NAMES[4]),
    ],
    ids=["lost", "unknown", "gained before", "out of order"],
)
def test_a_case_of_another_table_goes_on_behind_what_this_one_knows(done: tuple[str, ...], expected: str) -> None:
    """Steps that a table has lost are passed over, and those it has gained in front of the last one done are not made up for."""
    assert follows(*done) == expected


def test_a_decided_end_is_carried_out_next() -> None:
    """Whatever step has decided it, and before the route is known, too: only the last step ends a case."""
    ending = [one.ending(Outcome.IGNORED, "a copy") for one in (CASE, replace(ROUTED, done=tuple(NAMES[:6])))]
    last = [next_step(case) for case in ending]

    assert [case.outcome for case in ending] == [None, None]
    assert [step and step.name for step in last] == ["dispatch", "dispatch"]


def test_a_decision_takes_the_case_back_to_where_it_is_carried_out() -> None:
    """Whoever has come that far goes on there; whoever has not goes on as it is."""
    ended, early = replace(ROUTED, done=tuple(NAMES)), replace(ROUTED, done=tuple(NAMES[:5]))
    going_on = [next_step(reopened(case)) for case in (ended, early)]

    assert [step and step.name for step in going_on] == [ENDING[0].name, NAMES[5]]


SUPPORTED = replace(ROUTED, route=Route(rule="help", pipeline=PipelineName.SUPPORT))
BEGUN = ("read", "identify", "throttle", "route", "classify")


def supported(agent: SupportAgent, *done: str) -> str | None:
    """The step after these, where the supervisor's last decision is this agent."""
    support = Support(decisions=(Supervision(next_agent=agent, reasoning=""),))
    step = next_step(replace(SUPPORTED, support=support, done=(*BEGUN, *done)), {SUPPORT})
    return step.name if step else None


@pytest.mark.parametrize(
    ("agent", "done", "expected"),
    [
        (SupportAgent.CLASSIFIER, (), "supervise"),
        (SupportAgent.CLASSIFIER, ("supervise",), "classify_support"),
        (SupportAgent.CLASSIFIER, ("supervise", "classify_support"), "supervise"),
        (SupportAgent.RESOLVER, ("supervise", "classify_support", "supervise"), "resolve"),
        (SupportAgent.TOOL_AGENT, ("supervise", "resolve", "supervise"), "look_up"),
        (SupportAgent.TOOL_AGENT, ("supervise", "look_up"), "supervise"),
        (SupportAgent.RESOLVER, ("supervise", "resolve", "supervise", "look_up", "supervise"), "resolve"),
        (SupportAgent.END, ("supervise",), "answer"),
        (SupportAgent.END, ("supervise", "answer"), "settle"),
        (SupportAgent.ESCALATION, ("supervise",), "retrieve"),
        (SupportAgent.ESCALATION, ("supervise", "retrieve"), "hand_over"),
        (SupportAgent.ESCALATION, ("supervise", "retrieve", "hand_over"), "settle"),
        (SupportAgent.END, ("supervise", "answer", "settle"), "tell_customer"),
        (SupportAgent.END, ("supervise", "answer", "settle", "tell_customer"), "attach"),
    ],
)
def test_the_supervisor_names_the_next_step(agent: SupportAgent, done: tuple[str, ...], expected: str) -> None:
    """After `supervise` comes what it has decided, after an agent the supervisor, after answer and escalation the ending."""
    assert supported(agent, *done) == expected


def test_a_support_case_goes_on_behind_its_decision() -> None:
    """A person's decision takes an answered case to where it is carried out."""
    support = Support(decisions=(Supervision(next_agent=SupportAgent.END, reasoning=""),))
    ended = replace(
        SUPPORTED, support=support, done=(*BEGUN, "supervise", "answer", *(step.name for step in (*ENDING, TELL)))
    )
    step = next_step(reopened(ended), {SUPPORT})

    assert step
    assert step.name == "settle"


def test_without_the_hub_a_support_case_ends_with_a_person() -> None:
    """A case whose hub was switched off meanwhile goes to the end."""
    step = next_step(replace(SUPPORTED, done=(*BEGUN, "retrieve")))

    assert step
    assert step.name == "settle"
