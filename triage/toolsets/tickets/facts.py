"""Facts about project, thread and similar tickets for the prompt."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.findings import Candidate
from triage.domain.mail import Trust
from triage.domain.tickets import Project, TicketLine
from triage.domain.untrusted import Untrusted
from triage.policy.cues.language import NAMES
from triage.policy.decision.permission import RunHistory
from triage.policy.decision.playbook import issue_type_of
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.text.untrusted import word
from triage.policy.ticket.components import sure_component
from triage.policy.ticket.text.draft import due_in
from triage.policy.ticket.versions import versions_of
from triage.toolsets.tickets.reading import page_facts
from triage.toolsets.tickets.rules import CERTAIN, NAMED, SEARCH, describe_limits, shown
from triage.toolsets.toolset import PromptFacts, PromptInput

LISTED: Final = 10
IN_FULL: Final = 3
FULL_FROM: Final = 0.06
LISTED_FROM: Final = 0.05
DESCRIBED: Final = 20
"""From more components on the prompt has their names alone."""
LONGEST_TEXT: Final = 30
"""Characters of a component's description that the prompt shows."""
LEAST_TEXT: Final = 8
"""Characters before a comma from which on they stand alone."""
_CLAUSE: Final = re.compile(r"[,;:.](?= |$)| (?=[(\u2013\u2014-])")
_ENDS: Final = " ,;:.(-\u2013\u2014&+/"
"""Looks wrong at the end of a description."""


def ticket_facts(about: PromptInput) -> PromptFacts:
    """Return the project's names, the thread's ticket, and the candidates with their evidence."""
    case, project = about.case, about.project
    topic, proven = case.identity.new_topic, case.identity.trust is Trust.VERIFIED
    due = due_in(case.mail, case.received_at)
    return PromptFacts(
        words={
            "project": f"{word(project.name)} ({word(project.key)})",
            "done": word(done_status(project, about.rules.done_status)),
            "issue_types": _names(project.issue_types),
            "priorities": _names(project.priorities),
            "components": _components(project),
            "language": NAMES.get(about.rules.language, about.rules.language),
            "limits": describe_limits(about.rules.budget),
            "required": _required(project),
            "severity": " ".join(about.rules.severity.lines()),
        },
        sections={"TICKETS": Untrusted("\n".join(map(_json, _lines(about))))},
        found={
            "issue_type": issue_type_of(case.cues.type.value, project.issue_types),
            "ticket": case.ticket,
            "ticket_closed": "ticket-closed" in case.flags,
            "not_searched": not case.retrieval.searched,
            **({"due": f"{due.day}", "due_because": due.evidence} if due else {}),
            **({"component": guessed} if (guessed := sure_component(case.retrieval.components)) else {}),
            **({"affects_versions": affected} if (affected := versions_of(case, project).names) else {}),
            **({"creates": about.rules.budget.creates} if about.rules.budget.creates > 1 and proven else {}),
            **({"new_topic": {"in": topic, "own_subject": case.identity.own_subject}} if topic else {}),
        },
    )


def tickets_shown(case: Case, history: RunHistory) -> RunHistory:
    """Return the history with the tickets that the prompt shows, and their probabilities.

    The thread's ticket counts as the same matter. The case stores its candidates, so a restart gives the same history.
    """
    if case.retrieval.searched:
        history = history.saw(SEARCH, {"answered": True})
    near = {ticket.key: 0.0 for ticket in case.retrieval.near}
    likely = {candidate.ticket.key: likeness(candidate) for candidate in listed(case)}
    certain = {one.ticket.key: one.certain for one in listed(case) if one.certain}
    history = history.saw(CERTAIN, certain)
    if case.identity.trust is Trust.VERIFIED:
        history = history.saw(NAMED, dict.fromkeys(likely.keys() & set(case.named), True))
    return shown(near | likely | ({case.ticket: 1.0} if case.ticket else {}), history)


def listed(case: Case) -> tuple[Candidate, ...]:
    """Return the candidates that a prompt shows."""
    return tuple(one for one in case.retrieval.candidates[:LISTED] if one.certain or one.probability >= LISTED_FROM)


def likeness(candidate: Candidate) -> float:
    """Return the probability, rounded as in the prompt."""
    return round(candidate.probability, 2)


def done_status(project: Project, wanted: str) -> str:
    """Return the status to propose for a fixed ticket: the setting, else the project's first one of category done."""
    return wanted or next((s.name for s in project.statuses if s.category == "done"), "Done")


def shown_in_full(case: Case) -> tuple[Candidate, ...]:
    """Return the candidates that a prompt shows with their text and page: the likeliest ones."""
    return tuple(one for one in listed(case)[:IN_FULL] if one.certain or one.probability >= FULL_FROM)


def _lines(about: PromptInput) -> Iterator[dict[str, Json]]:
    """Yield the candidates, the likeliest with the facts of their pages and the beginning of their text; then what is near in meaning."""
    full = shown_in_full(about.case)
    for candidate in listed(about.case):
        ticket = candidate.ticket
        line: dict[str, Json] = {
            "key": ticket.key,
            "same": candidate.percent,
            **({"certain": candidate.certain} if candidate.certain else {}),
            **({"why": candidate.evidence[:3]} if candidate.evidence else {}),
            **_state(ticket),
        }
        if candidate in full and not about.short:
            page = about.pages.get(ticket.key)
            line |= page_facts(page) if page else {}
            line["text"] = candidate.excerpt
        yield line
    yield from ({"key": ticket.key, "near": True, **_state(ticket)} for ticket in about.case.retrieval.near)


def _state(ticket: TicketLine) -> dict[str, Json]:
    """Return a ticket's status, type and summary; `done` where its status does not mean open."""
    done: dict[str, Json] = {} if ticket.open else {"done": True}
    return {"status": ticket.status, **done, "type": ticket.issue_type, "summary": ticket.summary[:160]}


def _json(line: dict[str, Json]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _components(project: Project) -> str:
    """Join the components, each with the beginning of its description unless there are too many."""
    texts = project.component_texts if len(project.components) <= DESCRIBED else {}
    return "; ".join(_described(name, texts.get(name, "")) for name in project.components) or "none"


def _described(name: str, text: str) -> str:
    """Return `Customs = declarations, tariff codes`; `word` removes the equals sign from names."""
    first = word(text.split(". ", maxsplit=1)[0]).rstrip(".").removeprefix("The ")
    short = first if len(first) <= LONGEST_TEXT else _beginning(first[: LONGEST_TEXT + 1])
    return f"{word(name)} = {short}" if short else word(name)


def _beginning(text: str) -> str:
    """Return what may stand alone of a text whose end is cut: up to its last comma or bracket, else to a word that is no `of the`."""
    whole = text.rpartition(" ")[0]
    if whole.count("(") > whole.count(")"):
        whole = whole.rpartition("(")[0]
    cut = [found for found in _CLAUSE.finditer(whole) if found.start() >= LEAST_TEXT]
    words = (whole[: cut[-1].start()] if cut else whole).split(" ")
    while words and plain(words[-1].strip(_ENDS)) in STOP_WORDS | {""}:
        words.pop()
    return " ".join(words).rstrip(_ENDS)


def _required(project: Project) -> str:
    """Name the fields that Jira demands beyond ours, by issue type; empty if there are none."""
    return "; ".join(
        f"{word(kind)}: {', '.join(map(word, names))}" for kind, names in project.required.items() if names
    )


def _names(names: Sequence[str]) -> str:
    """Join names by semicolons, which `word` removes from each name."""
    return "; ".join(map(word, names)) or "none"
