"""Conversations with the support hub over the sandbox: answers in several mails, and how urgent they are."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents.example_agents import (
    OPERA,
    accepted,
    asked,
    call,
    posted,
    posting,
)
from tests.e2e.agents.support_mails import DENIED, HubModel, hub, letter_of, plain, sentences
from tests.e2e.mail.delivery import delivered
from tests.e2e.opened import again, house, modelled
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Case, Outcome, StepDone
from triage.domain.conversation import Turn
from triage.domain.ports import CaseStore, LeasedCase
from triage.domain.support.conversations import EscalationTrigger, SupportStatus, Urgency
from triage.pipeline.context import Services
from triage.services.intake import received_from_file
from triage_sandbox.jira import Fault

LISBON = "Is there a branch in Lisbon where I can park my bicycle?"
BOTH = ("Until when can I cancel a reservation free of charge?", "And do unused visits expire?")


async def test_articles_are_searched_for_the_matter_alone(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """Greeting, closing and name of a mail are nothing that an article should hold: the answer stays sure.

    Where no mail server is set the reason names the setting.
    """
    question = "Until when can I cancel a reservation free of charge?"
    text = f"Hello dear team,\n\n{question}\n\nWarm regards\nWilhelmina Featherstonehaugh-Cholmondeley"
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        report = await delivered(opened, letter_of(1, "Cancel a reservation", text), "cancel")

    assert report.case.support
    assert report.case.support.resolution
    assert report.case.support.resolution.resolved, report.case.support.resolution.escalation_reason
    assert "letters are off: set SMTP_HOST" in report.case.reason


async def test_the_subject_of_an_answer_is_that_of_the_mail_before(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """A later mail is answered for what its text asks; below `Re: Cancelling` nobody reads about cancelling again."""
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        await delivered(opened, letter_of(1, "Cancelling a reservation", BOTH[0]), "1")
        text = "How many visits are in my subscription, and when do they expire?"
        again = await delivered(opened, letter_of(2, "Re: Cancelling a reservation", text), "2")

    assert again.case.support
    assert again.case.support.resolution
    assert again.case.support.resolution.articles_used == ("cultpass:subscriptions.md",)


async def test_nobody_is_told_to_use_what_he_has_lost(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """A sure answer that needs the very thing the customer says is lost goes to a person, with the thing in the reason."""
    question = "I lost access to the app. How do I reserve an experience?"
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        sure = await delivered(opened, letter_of(1, "Reserving", question.partition(". ")[2]), "sure")
        lost = await delivered(opened, letter_of(1, "Reserving", question).replace(b"<m-1", b"<n-1"), "lost")

    assert sure.case.support
    assert sure.case.support.resolution
    assert sure.case.support.resolution.resolved
    assert lost.case.support
    assert lost.case.support.resolution
    assert "the answer needs “app”, which the customer does not have" in lost.case.support.resolution.escalation_reason


async def test_a_name_below_a_mail_is_no_summary(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """The ticket of an escalation is called by what the mail says, where its subject says nothing."""
    text = "Hello,\n\nthanks, the class was perfect. Great service!"
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        report = await delivered(opened, letter_of(1, "Thanks", text), "thanks")
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")

    assert "Alma" not in ticket.summary, ticket.summary


async def test_a_conversation_of_three_mails(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """Answered in a model's words as far as the article says so, answered with looked-up data, handed to a person: one conversation."""
    model = HubModel(
        call("user_lookup", 1),
        call("subscription_management", 2, user_id="u-001"),
        Turn(text="Eight visits a month."),
        call("user_lookup", 3),
        call("refund_processing", 4, **OPERA),
        Turn(text="A person decides."),
        resolver=(
            '{"answer": "Any time!"}',
            sentences(
                "You can cancel free of charge until the day before the event.",
                "We pay you 50 euros.",
                "Ask for a refund.",
            ),
        ),
    )
    more = hub(install, **posting(mail_server))
    async with modelled(cloud_jira, tmp_path, model, **more) as (opened, _):
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        first = await delivered(
            opened, letter_of(1, "Cancelling", "Hello,\n\nuntil when can I cancel a reservation free of charge?"), "1"
        )
        first = await accepted(opened, first, "send_reply")
        second = await delivered(
            opened, letter_of(2, "Re: Cancelling", "Thanks. How many visits are in my subscription each month?"), "2"
        )
        second = await accepted(opened, second, "send_reply")
        third = await delivered(
            opened, letter_of(3, "Re: Cancelling", "I am in hospital that week. Could you refund r-500, please?"), "3"
        )
        waits = [one.tool for one in await opened.store.archive.approvals()]
        [ticket] = [await opened.tracker.tickets.get(one.result) for one in third.effects if one.kind == "create"]
        dialogue = await opened.store.dialogues.of_case(third.case.id)
        assert dialogue
        said = await opened.store.dialogues.messages(dialogue.id)
        await posted(opened)

    bodies = [plain(one.message) for one in mail_server.accepted]
    assert (first.case.outcome, second.case.outcome) == (Outcome.ANSWERED, Outcome.ANSWERED), second.case.reason
    assert "You can cancel free of charge until the day before the event. [1]\r\n" in bodies[0], bodies
    assert "50" not in bodies[0] + bodies[1]
    assert "no field sentences" in model.resolved[1][-1].text
    assert "until when can I cancel" in model.resolved[0][1].text
    assert "monthly quota 8" in bodies[1]
    assert waits == ["refund_processing"]
    assert asked(tmp_path, "cultpass", "SELECT * FROM refunds") == []
    assert third.case.support
    assert third.case.support.escalation
    assert third.case.support.escalation.triggers == (EscalationTrigger.POLICY_EXCEPTION,)
    for line in ("answered from cultpass", "refund_processing: waits for a person", "Subscription: premium (active)"):
        assert line in ticket.description, ticket.description
    assert (dialogue.status, dialogue.ticket, dialogue.account) == (SupportStatus.ESCALATED, ticket.key, "cultpass")
    assert dialogue.respond_by
    assert [one.role for one in said] == ["user", "ai", "user", "ai", "user", "system"]


async def test_a_conversation_goes_on_at_another_address(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """An answer to our letter goes to the letter's sender, whom no rule sends to the hub: the hub answers it all the same."""
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install, **posting(mail_server))) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        first = await delivered(opened, letter_of(1, "Cancelling", BOTH[0]), "1")
        again = letter_of(2, "Re: Cancelling", BOTH[1]).replace(b"To: help@", b"To: desk@")
        second = await delivered(opened, again, "2")

    assert b"To: desk@" in again
    assert first.case.route
    assert second.case.route
    assert second.case.route.because == ("goes on with its conversation",)
    assert (second.case.route.rule, second.case.route.account) == (first.case.route.rule, first.case.route.account)
    assert second.case.support


async def test_two_questions_of_one_mail_are_answered(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """Each has its answer with its source, in the model's words where the passage bears them out, and one that nothing answers is handed to a person, openly."""
    worded = (sentences("You can cancel until the day before the event."), sentences("Unused visits expire."))
    model = HubModel(resolver=worded)
    async with modelled(cloud_jira, tmp_path, model, **hub(install, **posting(mail_server))) as (opened, _):
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        both = await delivered(opened, letter_of(1, "Two questions", " ".join(BOTH)), "1")
        both = await accepted(opened, both, "send_reply")
        part = await delivered(opened, letter_of(1, "Two more", f"{BOTH[0]} {LISBON}").replace(b"<m-1", b"<n-1"), "2")
        waits = [one.tool for one in await opened.store.archive.approvals()]
        await accepted(opened, part, "send_reply")
        [ticket] = [await opened.tracker.tickets.get(one.result) for one in part.effects if one.kind == "create"]
        await posted(opened)

    bodies = [" ".join(plain(one.message).split()) for one in mail_server.accepted]
    answered = next(one for one in bodies if "Unused visits expire. [2]" in one)
    handed = next(one for one in bodies if f"A colleague will answer the rest ({ticket.key}): “{LISBON}”" in one)
    assert (both.case.outcome, waits) == (Outcome.ANSWERED, ["send_reply"]), both.case.reason
    assert f"{BOTH[0]} You can cancel until the day before the event. [1] Do unused visits expire?" in answered
    assert "You can cancel a reservation free of charge until the day before the event. [1]" in handed
    assert f"“{LISBON}” has no sure answer" in ticket.description
    assert "ANSWER TO THE REST" in ticket.description
    assert len(model.resolved) == 3


@pytest.mark.parametrize("other_languages", [True, False])
async def test_a_sure_answer_to_a_german_mail(
    tmp_path: Path,
    cloud_jira: RunningJira,
    mail_server: MailServer,
    install: Callable[[str], str],
    *,
    other_languages: bool,
) -> None:
    """English articles answer it in their words, below a German sentence that says so; where that is off a person does."""
    more = hub(install, **posting(mail_server))
    rules = Path(shutil.copytree(Path(more["TRIAGE_CONFIG"]).parent, tmp_path / "rules")) / "support.yaml"
    rules.write_text(f"{rules.read_text()}  other_languages: {str(other_languages).lower()}\n")
    more["TRIAGE_CONFIG"] = str(rules)
    text = "Guten Tag,\n\nbis wann kann ich eine Reservierung kostenlos stornieren?"
    async with house(cloud_jira, tmp_path, dry_run=False, **more) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        report = await delivered(opened, letter_of(1, "Stornieren", text), "1")
        if other_languages:
            report = await accepted(opened, report, "send_reply")
        await posted(opened)

    outcome, words = report.case.outcome, " ".join(" ".join(plain(one.message).split()) for one in mail_server.accepted)
    assert outcome is (Outcome.ANSWERED if other_languages else Outcome.TICKETED), report.case.reason
    assert ("Unsere Hilfeseiten beantworten das in einer anderen Sprache" in words) is other_languages
    assert ("free of charge until the day before the event. [1]" in words) is other_languages


@dataclass
class Crashing:
    """The case's store, which crashes where the resolver's findings would be kept."""

    cases: CaseStore

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cases, name)

    async def save(self, case: Case, step: StepDone, **more: Any) -> None:
        """Keep the findings of another step."""
        if step.name == "resolve":
            raise RuntimeError
        await self.cases.save(case, step, **more)


async def test_a_model_s_words_are_kept_and_rules_answer_without_them(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """A crash behind the answer asks the model no second time; where an answer does not fit and then the model refuses us, rules quote."""
    question = letter_of(1, "Cancelling", "Hello,\n\nuntil when can I cancel a reservation free of charge?")

    def crashed(leased: LeasedCase) -> Services:
        return replace(opened.worker.services(leased), cases=Crashing(leased.cases))

    classes = [
        json.dumps({"issue_type": one, "urgency": "high", "complexity": "simple"}) for one in ("pets", "general")
    ]
    model = HubModel(
        classifier=classes, resolver=(sentences("You can cancel until the day before the event."), "Any time!", DENIED)
    )
    async with modelled(cloud_jira, tmp_path, model, **hub(install, **posting(mail_server))) as (opened, _):
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        case = await opened.intake.accept(received_from_file("1", question, opened.worker.clock.now()))
        await replace(opened.worker, services=crashed).handle(case)
        replayed = await again(opened, await opened.store.archive.report(case))
        asked_once = len(model.resolved)
        second = await delivered(opened, question.replace(b"<m-1@", b"<n-1@").replace(b"Hello", b"Good morning"), "2")

    supports = [one.case.support for one in (replayed, second)]
    first, other = [one.resolution.answer for one in supports if one and one.resolution and one.resolution.answer]
    kinds = [one.classification for one in supports if one and one.classification]
    assert [(one.issue_type, one.urgency, bool(one.asked)) for one in kinds] == [
        ("booking", Urgency.HIGH, True),
        ("booking", Urgency.MEDIUM, False),
    ]
    assert kinds[0].evidence[-1].startswith("rules: booking (")
    assert asked_once == 1
    assert [(one.run, one.profile, one.status, one.result.iterations) for one in second.runs if one.result] == [
        (1001, "classifier", "error", 2),
        (1011, "resolver", "error", 1),
    ]
    assert first.worded_by
    assert [one.text for one in first.sentences] == ["You can cancel until the day before the event."]
    assert "does not fit" in model.resolved[2][-1].text
    assert other.worded_by == ""
    assert "You can cancel a reservation free of charge" in other.sentences[0].text


async def test_a_more_urgent_mail_raises_the_conversation_and_a_calmer_one_lowers_nothing(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """Jira's priority and the response time follow the worst mail of a conversation; the report says so."""
    texts = (
        ("Opening hours", "Hello,\n\ncould a person please call me back about our group visit? There is no hurry."),
        ("Re: Opening hours", "Production is down now, all our members are locked out and we lose money every minute!"),
        ("Re: Opening hours", "Thanks. It is not urgent any more, whenever you have the time."),
    )
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install, **posting(mail_server))) as opened:
        reports, priorities, dialogues = [], [], []
        for number, (subject, text) in enumerate(texts, 1):
            reports.append(await delivered(opened, letter_of(number, subject, text), str(number)))
            [known] = await opened.store.dialogues.waiting()
            dialogues.append(known)
            priorities.append((await opened.tracker.tickets.get(known.ticket)).priority)

    escalations = [one.case.support.escalation for one in reports if one.case.support and one.case.support.escalation]
    assert [(str(one.priority), one.raised_from and str(one.raised_from)) for one in escalations] == [
        ("P4", None),
        ("P1", "P4"),
        ("P1", None),
    ]
    assert priorities == ["Low", "Highest", "Highest"]
    dues = [one.respond_by for one in dialogues]
    assert dues[0]
    assert dues[1]
    assert dues[0] > dues[1] == dues[2]
    assert [one.priority for one in dialogues] == ["P4", "P1", "P1"]
    assert "P1 (raised from P4)" in next(one.note for one in reports[1].steps if one.name == "hand_over")


@pytest.mark.parametrize("down", [False, True], ids=["counted", "down"])
async def test_on_a_service_project_jira_s_own_clock_says_until_when(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str], *, down: bool
) -> None:
    """A request's SLA replaces our response time, and the report names it; where Jira does not say, the time of the priority counts."""
    if down:
        cloud_jira.fault(Fault(do="answer", status=503, method="GET", path="/sla$", count=0))
    desk = hub(install, JIRA_PROJECT_KEY="HELP", JIRA_REQUEST_TYPE="Ask a question")
    async with house(cloud_jira, tmp_path, dry_run=False, **desk) as opened:
        report = await delivered(opened, letter_of(1, "Please call", "Can a real person please call me back?"), "call")
        [waiting] = await opened.store.dialogues.waiting()
        created = (await opened.tracker.tickets.get(waiting.ticket)).created

    told = next(one.note for one in report.steps if one.name == "hand_over")
    assert created
    assert waiting.respond_by
    assert ("Time to first response in Jira" in told) is not down, told
    assert (waiting.respond_by == created + timedelta(hours=8)) is not down
