"""Mails that are too much for whoever reads them: kept in quarantine after a few tries, and not lost there."""

import signal
import sys
from dataclasses import replace
from pathlib import Path

from cli.mail.process import worked
from integrations.parser_process.reader import IsolatedMailReader
from tests.e2e.installation import MAILS, Installation
from tests.e2e.opened import house, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.ports import LeasedCase
from triage.pipeline.context import Services
from triage.services.intake import received_from_file

NEW = MAILS / "01-barcode-cut-off.eml"

BROKEN = """
from integrations.parser_process import child as child

def broken(raw):
    raise RecursionError

child._READERS.update(dict.fromkeys(child._READERS, broken))
child.main()
"""
"""A child that no mail survives."""


def test_three_crashes_while_reading_are_enough(with_model: Installation) -> None:
    """Bytes that take the worker with them three times are put aside; `triage replay` reads them again, once only."""
    first = with_model.triage("process", str(NEW), TRIAGE_CRASH_AT="step.read")
    deaths = [with_model.triage("work", "--until-idle", TRIAGE_CRASH_AT="step.read") for _ in range(2)]
    survived = with_model.triage("work", "--until-idle", TRIAGE_CRASH_AT="step.read")
    quarantined = with_model.json("show", "1")
    listed = with_model.json("cases", "--state", "quarantined")["cases"]
    created = with_model.created()
    replayed = with_model.triage("replay", "1")

    assert [died.returncode for died in (first, *deaths)] == [-signal.SIGKILL] * 3
    assert (survived.returncode, quarantined["state"]) == (0, "quarantined"), survived.stderr.decode()
    assert "triage replay" in quarantined["case"]["reason"]
    assert [line["id"] for line in listed] == ["case-1"]
    assert created == []
    assert replayed.stdout.startswith(b"ticketed"), (replayed.stdout + replayed.stderr).decode()
    assert len(with_model.created()) == 1


async def test_a_mail_that_breaks_every_reader_is_put_aside(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The worker lives on, the raw bytes are kept, and a better reader makes a ticket of them later."""
    raw = NEW.read_bytes()
    reader = IsolatedMailReader(command=(sys.executable, "-S", "-P", "-c", BROKEN))
    async with house(cloud_jira, tmp_path) as opened:

        def with_broken_reader(leased_case: LeasedCase) -> Services:
            return replace(opened.worker.services(leased_case), reader=reader)

        fragile = replace(opened, worker=replace(opened.worker, services=with_broken_reader))
        report = await take(fragile, raw=raw)
        await reader.close()
        kept = await opened.store.archive.raw(report.case.id)
        await opened.cases.replay(report.case.id)
        await worked(opened, report.case.id)
        again = await opened.store.archive.report(report.case.id)

    assert (report.case.outcome, report.attempts, kept) == (Outcome.QUARANTINED, 1, raw)
    assert "RecursionError" in report.case.reason
    assert "triage replay" in report.case.reason
    assert again.case.outcome is Outcome.TICKETED


async def test_without_a_reader_mail_waits(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where no child can be started, which says nothing about the mail, it is tried again later."""
    reader = IsolatedMailReader(command=("/nonexistent/python",))
    async with house(cloud_jira, tmp_path, reader) as opened:
        report = await take(opened)
        await reader.close()

    assert (report.case.outcome, report.state) == (None, "retrying")
    assert "No process can be started" in report.trouble


async def test_poison_among_good_mails_stops_nobody(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """One bomb to twenty ordinary mails: each has its end, the ordinary ones are tickets or comments as ever."""
    from tests.unit.integrations.mime.test_bombs import BOMBS

    bombs = ("encoded words", "nested multiparts", "parts")
    raws: list[bytes] = []
    for place, bomb in enumerate(bombs):
        raws += [BOMBS[bomb](), *(ordinary(20 * place + number) for number in range(20))]
    off = "0"
    async with house(cloud_jira, tmp_path, None, THROTTLE_SENDER_PER_HOUR=off, THROTTLE_STORM_PER_HOUR=off) as opened:
        now = opened.worker.clock.now()
        cases = [
            await opened.intake.accept(received_from_file(f"{place}.eml", raw, now)) for place, raw in enumerate(raws)
        ]
        await opened.worker.drain()
        ends = [(await opened.store.archive.report(case)).case for case in cases]

    good = [case.outcome for place, case in enumerate(ends) if place % 21]
    assert [bool(case.outcome and case.flags) for case in ends[::21]] == [True] * 3
    assert set(good) <= {Outcome.TICKETED, Outcome.COMMENTED}
    assert len(good) == 60


THINGS = ("printer", "export", "invoice", "map", "barcode", "login", "backup", "scale", "calendar", "label")
TROUBLES = ("crashes on start", "shows a white page", "is slower than yesterday", "has lost its settings",
            "answers 502", "prints twice")  # fmt: skip


def ordinary(number: int) -> bytes:
    """A mail like any other, about something of its own."""
    thing, trouble = THINGS[number % 10], TROUBLES[number // 10]
    return (
        f"From: Ada <ada{number}@example.com>\nSubject: The {thing} {trouble}\nMessage-ID: <{number}@example.com>\n\n"
        f"Since this morning the {thing} {trouble}. Please have a look.\n"
    ).encode()
