"""Drafts a ticket for each matter of a ticket's checklist."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from triage.domain.cases import Case
from triage.domain.conversation import Json, ToolRun
from triage.domain.tickets import Project
from triage.policy.calendar.clock_time import sent_at
from triage.policy.calendar.due_date import due_date_of
from triage.policy.decision.playbook import RuleInput
from triage.policy.text.commands import without_commands
from triage.policy.text.matters import Matter, matters_of
from triage.policy.ticket.checklist import TEXT, listed_matters, mail_of_part
from triage.policy.ticket.priority import priority_for
from triage.policy.ticket.text.draft import due_in, reporter_of, with_original, words_of
from triage.policy.ticket.versions import versions_of
from triage.toolsets.tickets.playbook import about, drafted
from triage.toolsets.tickets.rules import CREATING


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistPart:
    """One line of a ticket's checklist."""

    number: int
    """From 1."""
    title: str
    draft: Mapping[str, Json]
    """Arguments of the ticket that it would be, as the tool that creates takes them, and `TEXT`."""

    @property
    def text(self) -> str:
        """The ticket in one line."""
        lists = (*self.draft.get("components", ()), *self.draft.get("affects_versions", ()))
        named = (self.draft["issue_type"], self.draft.get("priority"), *lists)
        return f"part {self.number} as {', '.join(filter(None, named))}: {self.draft['summary']}"


def parts_of(case: Case, project: Project, language: str) -> tuple[ChecklistPart, ...]:
    """Return the parts of the case's ticket, in order; empty if it holds one matter."""
    described = _description(case)
    if described is None or case.message is None:
        return ()
    facts = _facts(case, project, language)
    found = matters_of(facts.subject, facts.text)
    matters = listed_matters(described, found) or (found if len(list(_created(case))) == 1 else ())
    if len(matters) < 2:  # noqa: PLR2004 - one matter has no parts
        return ()
    return tuple(
        ChecklistPart(
            number=number,
            title=each.title,
            draft=_draft(about(_on_its_day(facts, each, case), each, found), each, case),
        )
        for number, each in enumerate(matters, 1)
    )


def _description(case: Case) -> str | None:
    """Return what the case's ticket was described as when this case created it; None if it did not."""
    runs = (run for run in _created(case) if run.result.get("key") == case.ticket)
    return next((str(run.arguments.get("description", "")) for run in runs), None)


def _created(case: Case) -> Iterator[ToolRun]:
    return (run for run in case.calls if run.tool == CREATING and run.facts.get("status") == "created")


def _facts(case: Case, project: Project, language: str) -> RuleInput:
    mail = case.mail
    return RuleInput(
        subject=" ".join(mail.subject.split()),
        sender=" ".join(f"{mail.sender or 'unknown'}".split()),
        text=words_of(mail),
        type=case.cues.type.value,
        priority=case.cues.priority.value,
        issue_types=project.issue_types,
        priorities=project.priorities,
        components=project.components,
        affected=versions_of(case, project).names,
        forward="forward" in mail.flags,
        rich=mail.rich,
        keys=case.cues.keys,
        language=language,
    )


def _on_its_day(facts: RuleInput, matter: Matter, case: Case) -> RuleInput:
    """Return the facts with the day that the matter names itself, else the one that the mail names for all."""
    received = case.received_at
    found = due_date_of(without_commands(matter.text), sent_at(case.mail, received), received) or due_in(
        case.mail, received
    )
    return replace(facts, due=found) if found else facts


def _draft(facts: RuleInput, matter: Matter, case: Case) -> dict[str, Json]:
    """Return a ticket's arguments, with who has the problem if the mail was forwarded, and the sender's words of this part."""
    draft = drafted(facts)
    priority, _ = priority_for(facts.priority, case.identity.trust, facts.priorities)
    body = f"{reporter_of(case.mail, facts.language)}{draft['description']}"
    return {
        **draft,
        **({"priority": priority} if "priority" in draft else {}),
        "description": with_original(body, mail_of_part(case.mail, matter.title, matter.text), facts.language),
        TEXT: matter.text,
    }
