"""What stays of a case: nothing that tells of the person, everything that keeps it from being done twice."""

from dataclasses import replace

from tests.contract.store.store_samples import MORNING, full
from triage.domain.cases import Case, Outcome
from triage.domain.findings import Classification, Disposition, DispositionFinding
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Address, Message
from triage.domain.operations.forgetting import (
    ForgetReport,
    PersonCase,
    aged_case,
    forgotten_case,
    forgotten_letter,
    keeps_mail,
    kept_facts,
)
from triage.domain.untrusted import NOTHING

NEW = Case(id="case-1", source="file", received_at=MORNING)


def test_a_forgotten_case_keeps_its_end_and_its_place() -> None:
    """Outcome, ticket, route, steps and thread stay; a case that never ended counts as ignored."""
    found = DispositionFinding(disposition=Disposition.WORK, confidence=0.9, evidence=("Ada asks",))
    old = replace(full(NEW), classification=Classification(disposition=found))
    new = forgotten_case(old, "sha256:0", MORNING)
    fresh = forgotten_case(NEW, "", MORNING)

    assert (new.outcome, new.ticket, new.done, new.identity.thread_key) == (
        Outcome.TICKETED,
        "OPS-42",
        old.done,
        "sha256:0",
    )
    assert (new.message, new.result, new.retrieval.candidates) == (Message(), None, ())
    assert new.route is not None
    assert new.classification.disposition == replace(found, evidence=())
    assert new.flags == ("hidden-text", "forgotten")
    assert new.reason == "forgotten on 2026-11-20"
    assert (fresh.outcome, fresh.route, fresh.classification.disposition) == (Outcome.IGNORED, None, None)


def test_whose_mail_is_kept() -> None:
    """That of a case whose person is not forgotten, and whose time is not over."""
    assert keeps_mail(full(NEW))
    assert not keeps_mail(forgotten_case(full(NEW), "", MORNING))
    assert not keeps_mail(aged_case(full(NEW)))


def test_an_old_case_keeps_who_wrote_and_what_about() -> None:
    """Its text goes, and what the model said."""
    old, fresh = aged_case(full(NEW)), aged_case(NEW)

    assert old.mail == replace(full(NEW).mail, text=NOTHING, reply=NOTHING, attachments=(), headers=(), hops=())
    assert old.result is not None
    assert (old.result.final_message, old.result.tool_calls, old.result.iterations) == ("", (), 2)
    assert (fresh.message, fresh.result, fresh.flags) == (None, None, ("mail-removed",))


def test_a_letter_keeps_its_key_and_its_signed_id() -> None:
    """Recipients and words go."""
    letter = Letter(
        key="case-1:reply:1",
        case="case-1",
        kind=LetterKind.ANSWER,
        to=(Address(address="ada@example.com"),),
        subject="Export",
        body="Dear Ada",
        in_reply_to="1@example.com",
        message_id="signed@example.org",
    )

    assert forgotten_letter(letter) == replace(letter, to=(), subject="", body="", in_reply_to="")


def test_events_keep_what_counts() -> None:
    """Numbers and outcomes, no sentence."""
    assert kept_facts({"outcome": "ticketed", "n": 3, "why": "Ada says"}) == {"outcome": "ticketed", "n": 3}


def test_it_is_done_once_nothing_is_left() -> None:
    """Not in a dry run, not while a case is under way or an old page can be read."""
    report = ForgetReport(address="a@example.com", dry_run=False, shredded=True, cases=(PersonCase(case="case-1"),))

    assert report.done
    assert not replace(report, dry_run=True).done
    assert not replace(report, shredded=False).done
    assert not replace(report, cases=(PersonCase(case="case-1", under_way="waits"),)).done
