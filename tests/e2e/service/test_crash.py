"""SIGKILL at every named point of a case, then `triage work`: one ticket, one report, no answer asked for twice."""

import signal

import pytest

from tests.e2e.installation import MAILS, Installation
from triage.domain.findings import PipelineName
from triage.pipeline.tables import ARRIVAL, PIPELINES

NEW = str(MAILS / "01-barcode-cut-off.eml")
FIXED = str(MAILS / "09-queue-alarm-fixed.eml")
KNOWN = str(MAILS / "02-white-map-on-tablets.eml")

BEFORE_ACCEPTED = ("raw.written", "row.inserted")
TICKET = (
    "intake.committed",
    "intake.rung",
    "job.leased",
    "step.read",
    "step.retrieve",
    "step.saved",
    "step.act",
    "llm.journalled",
    "effect.intent",
    "effect.on_wire",
    "effect.answered",
    "effect.committed",
    "step.reopen",
    "step.settle",
    "step.review",
    "step.dispatch",
)
DECISION = (
    *("step.settle", "approval.recorded", "effect.intent", "effect.on_wire", "effect.committed"),
    *("approval.executed", "step.dispatch"),
)
COMMENT = ("effect.intent", "effect.on_wire", "effect.answered", "effect.committed")


def crash(house: Installation, mail: str, point: str) -> None:
    """Process a mail in a process that kills itself at this point."""
    died = house.triage("process", mail, TRIAGE_CRASH_AT=point)

    assert died.returncode == -signal.SIGKILL, f"{point} was never reached: {died.stderr.decode()}"


@pytest.mark.parametrize("point", TICKET)
def test_one_ticket_whatever_happens(with_model: Installation, point: str) -> None:
    """After a kill at any point another process brings the case to exactly one ticket and one report."""
    crash(with_model, NEW, point)
    done = with_model.triage("work", "--until-idle")
    listed = with_model.json("cases")
    (case,) = listed["cases"]

    assert done.returncode == 0, done.stderr.decode()
    assert (case["state"], listed["counts"]) == ("ticketed", {"ticketed": 1})
    assert with_model.created() == [case["ticket"]]
    assert len(with_model.asked) == len(with_model.json("show", "1")["turns"]) == 2


@pytest.mark.parametrize("point", BEFORE_ACCEPTED)
def test_what_was_not_accepted_can_be_brought_again(with_model: Installation, point: str) -> None:
    """A kill before the commit leaves nothing behind; the same file again is one case and one ticket."""
    crash(with_model, NEW, point)
    with_model.triage("process", NEW)

    assert with_model.json("cases")["counts"] == {"ticketed": 1}
    assert len(with_model.created()) == 1


@pytest.mark.parametrize("point", COMMENT)
def test_one_comment_whatever_happens(with_model: Installation, point: str) -> None:
    """A comment is written once, too."""
    crash(with_model, KNOWN, point)
    with_model.triage("work", "--until-idle")

    assert with_model.json("cases")["counts"] == {"commented": 1}
    assert (len(with_model.comments("HARB-12")), with_model.created()) == (1, [])
    assert len(with_model.asked) == 2


@pytest.mark.parametrize("point", DECISION)
def test_a_decision_is_carried_out_once_whatever_happens(installation: Installation, point: str) -> None:
    """A person has spoken, the process dies: the next worker moves the ticket, once, and nobody is asked again."""
    installation.triage("process", FIXED)
    died = installation.triage("approve", "1", TRIAGE_CRASH_AT=point)
    installation.triage("work", "--until-idle")
    report = installation.json("show", "1")

    assert died.returncode == -signal.SIGKILL
    assert (report["case"]["outcome"], report["approvals"][0]["state"]) == ("updated", "accepted")
    assert [effect["state"] for effect in report["effects"]] == ["done"]
    assert len(installation.jira.requests("POST", "transitions")) == 1
    assert installation.triage("approve").stdout == b"nothing waits\n"


def test_a_kill_between_two_steps_repeats_none(with_model: Installation) -> None:
    """The journal has each step once, although two processes have worked on the case."""
    crash(with_model, NEW, "step.review")
    with_model.triage("work", "--until-idle")
    steps = [step["name"] for step in with_model.json("show", "1")["steps"]]

    assert steps == [step.name for step in (*ARRIVAL, *PIPELINES[PipelineName.PIPELINE]) if not step.needs]
