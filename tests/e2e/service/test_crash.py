"""SIGKILL at every named point of a case, then `triage work`: one ticket, one report, no answer asked for twice."""

import shutil
import signal
from collections.abc import Sequence
from dataclasses import replace

from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.e2e.installation import MAILS, Installation
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.effects import EffectState
from triage.domain.findings import PipelineName
from triage.domain.reports import Report
from triage.pipeline.tables import ARRIVAL, PIPELINES
from triage_sandbox.company import mails

NEW = [str(MAILS / f"{mail.name}.eml") for mail in mails() if mail.expected.action == "ticketed"]
FIXED = str(MAILS / "09-queue-alarm-fixed.eml")
KNOWN = str(MAILS / "02-white-map-on-tablets.eml")

BEFORE_ACCEPTED = ("raw.written", "row.inserted")
TICKET = (
    "intake.committed",
    "intake.notified",
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
    "job.finish",
)
DECISION = (
    *("step.settle", "approval.recorded", "effect.intent", "effect.on_wire", "effect.committed"),
    *("approval.executed", "step.dispatch"),
)
COMMENT = ("effect.intent", "effect.on_wire", "effect.answered", "effect.committed")


def crash(house: Installation, point: str, *words: str) -> None:
    """Run a command that kills itself at this point."""
    died = house.triage(*words, TRIAGE_CRASH_AT=point)

    assert died.returncode == -signal.SIGKILL, f"{point} was never reached: {died.stderr.decode()}"


async def recovered(house: Installation, points: Sequence[str]) -> dict[str, Report]:
    """What became of the case that died at each point, after one more process; there are no other cases."""
    done = house.triage("work", "--until-idle")
    assert done.returncode == 0, done.stderr.decode()
    store = await open_store(house.database, SystemClock())
    reports = {point: await store.archive.report(f"case-{n}") for n, point in enumerate(points, 1)}
    counts = await store.archive.counts()
    await store.close()
    assert sum(counts.values()) == len(points)
    return reports


async def test_one_ticket_whatever_happens(with_model: Installation) -> None:
    """Of mails whose processes were killed, each at another point, one process makes one ticket and one report each.

    The model was asked for no answer twice, and the journal has each step once, although two processes have worked on the case.
    """
    for point, mail in zip(TICKET, NEW, strict=False):
        crash(with_model, point, "process", mail)
    reports = await recovered(with_model, TICKET)
    turns = {point: len(report.turns) for point, report in reports.items()}
    once = [step.name for step in (*ARRIVAL, *PIPELINES[PipelineName.PIPELINE]) if not step.needs]

    assert {point: report.state for point, report in reports.items()} == dict.fromkeys(TICKET, "ticketed")
    assert with_model.created() == sorted(f"{report.case.ticket}" for report in reports.values())
    assert len(set(with_model.created())) == len(TICKET)
    assert turns == dict.fromkeys(TICKET, 2)
    assert len(with_model.asked) == sum(turns.values())
    assert {point: [step.name for step in report.steps] for point, report in reports.items()} == dict.fromkeys(
        TICKET, once
    )


def test_what_was_not_accepted_can_be_brought_again(with_model: Installation) -> None:
    """A kill before the commit leaves nothing behind; the same file again is one case and one ticket."""
    for point in BEFORE_ACCEPTED:
        crash(with_model, point, "process", NEW[0])
    with_model.triage("process", NEW[0])

    assert with_model.json("cases")["counts"] == {"ticketed": 1}
    assert len(with_model.created()) == 1


def another(house: Installation, name: str) -> Installation:
    """A copy of its store in a folder of its own, over a Jira as seeded."""
    copy = replace(house, folder=house.folder / name)
    copy.folder.mkdir()
    shutil.copy(house.folder / "triage.db", copy.folder)
    copy.jira.reset()
    return copy


async def test_one_comment_whatever_happens(with_model: Installation) -> None:
    """A comment is written once, too."""
    for point in COMMENT:
        house = another(with_model, point)
        crash(house, point, "process", KNOWN)
        report = (await recovered(house, [point]))[point]

        assert (report.state, len(report.turns)) == ("commented", 2), point
        assert (len(house.comments("HARB-12")), house.created()) == (1, []), point
    assert len(with_model.asked) == 2 * len(COMMENT)


async def test_a_decision_is_carried_out_once_whatever_happens(installation: Installation) -> None:
    """A person has spoken, the process dies: the next worker moves the ticket, once, and nobody is asked again."""
    installation.triage("process", FIXED)
    for point in DECISION:
        house = another(installation, point)
        crash(house, point, "approve", "1")
        report = (await recovered(house, [point]))[point]

        assert (report.case.outcome, [one.state for one in report.approvals]) == (
            Outcome.UPDATED,
            [ApprovalState.ACCEPTED],
        ), point
        assert [effect.state for effect in report.effects] == [EffectState.DONE], point
        assert len(house.jira.requests("POST", "transitions")) == 1, point
