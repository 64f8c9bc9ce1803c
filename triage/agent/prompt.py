"""What a model is told about a case, and how the playbook reads it back.

The system prompt depends on project and settings alone, so it is the same from mail to mail and providers can
cache it; all that changes stands in the user prompt, the time last.
"""

import hashlib
import hmac
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

import prompts
from triage.agent.profiles import Profile
from triage.domain.cases import Candidate, Case, Suggestion
from triage.domain.conversation import ChatMessage, Json, Messages
from triage.domain.mail import Attachment, Message
from triage.domain.tickets import Project
from triage.domain.untrusted import NOTHING, Prompt, Untrusted
from triage.policy.decision.playbook import Facts, Near, Proposed
from triage.policy.text.untrusted import facts, fenced, ours, outside, unfenced, word
from triage.policy.text.unwrap import unwrap

FACTS: Final = "Found by code, not by the sender: "
LONGEST_TEXT: Final = 12_000
LONGEST_HISTORY: Final = 2_000
LISTED: Final = 10
IN_FULL: Final = 3
FULL_FROM: Final = 0.3
LISTED_FROM: Final = 0.1
POINTS: Final = 3

TEMPLATES: Final = Environment(
    loader=FileSystemLoader(prompts.HERE),
    undefined=StrictUndefined,
    autoescape=False,  # noqa: S701 - a prompt is plain text, and what is not ours never enters a template
)


def opening(
    case: Case,
    project: Project,
    profile: Profile,
    *,
    nonce: str,
    now: datetime,
    done: str,
    features: Collection[str] = (),
    short: bool = False,
) -> Messages:
    """System and user prompt. `features` are those switched on, of `assignment` and `sprints`; `short` after a model said that the long one is too long."""
    system = system_prompt(profile, project, done, features)
    bare = replace(case, message=_unwrapped(case.mail, profile.preprocessor))
    return (ChatMessage.system(system), ChatMessage.user(user_prompt(bare, nonce, done, now, short=short)))


def done_status(project: Project, wanted: str) -> str:
    """What a fixed ticket is proposed for: the setting, else the project's first status that means done."""
    return wanted or next((s.name for s in project.statuses if s.category == "done"), "Done")


def system_prompt(profile: Profile, project: Project, done: str, features: Collection[str] = ()) -> Prompt:
    """The agent's text with the project's own words in it."""
    return ours(
        _template(profile.prompt).render(
            project=f"{word(project.name)} ({word(project.key)})",
            done=word(done),
            issue_types=_listed(project.issue_types),
            priorities=_listed(project.priorities),
            components=_listed(project.components),
            features=features,
        )
    )


@lru_cache
def _template(prompt: str) -> Template:
    """Compiled once: profiles are few, and mails are many."""
    return TEMPLATES.from_string(prompt)


def user_prompt(case: Case, nonce: str, done: str, now: datetime, *, short: bool = False) -> Prompt:
    """The mail and what was found about it."""
    mail, longest = case.mail, LONGEST_TEXT // (6 if short else 1)
    prompt = ours("Process this e-mail and decide which Jira actions are needed.\n\n")
    prompt += fenced("MAIL", Untrusted(f"{_head(mail)}\n\n{_cut(_body(mail), longest)}"), nonce)
    if mail.quoted and not short and "forward" not in mail.flags:
        prompt += fenced("HISTORY", Untrusted(_cut(mail.quoted, LONGEST_HISTORY)), nonce)
    listed = [c for c in case.candidates[:LISTED] if c.score >= LISTED_FROM]
    if listed:
        prompt += fenced("TICKETS", Untrusted("\n".join(_lines(listed, short=short))), nonce)
    if case.proposals:
        prompt += fenced("PEOPLE", Untrusted("\n".join(map(_proposed, case.proposals))), nonce)
    prompt += ours("\n" + FACTS) + facts(_found(case, listed, done)) + ours("\n")
    return prompt + ours(f"Received {case.received_at:%Y-%m-%d %H:%M} UTC. Now {now:%Y-%m-%d %H:%M} UTC.\n")


def nonce_of(case: Case, secret: bytes) -> str:
    """The fence's name for this case: the same after a restart, unknown to whoever wrote the mail."""
    return hmac.new(secret, f"fence:{case.id}".encode(), hashlib.sha256).hexdigest()[:8]


def fence_of(messages: Messages) -> str:
    """The fence's name in an opening of ours, empty where there is none."""
    return messages[1].text.partition("<<<MAIL ")[2].partition("\n")[0]


def read_back(messages: Messages) -> Facts:
    """What the playbook knows: the prompt's own lines, and the mail out of its fence."""
    system, user = (said.text for said in messages[:2])
    nonce = fence_of(messages)
    head, _, text = unfenced(user, "MAIL", nonce).partition("\n\n")
    found = json.loads(outside(user, nonce).partition(FACTS)[2].partition("\n")[0])
    values = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    return Facts(
        subject=values.get("Subject", ""),
        sender=values.get("From", ""),
        text=Untrusted(text),
        trust=found["sender"],
        type=found["type"],
        priority=found["priority"]["value"],
        because=tuple(found["priority"]["because"]),
        fixed=found["fixed"],
        ticket=found["ticket"],
        ticket_open=found["ticket_open"],
        near=tuple(Near(key=k, score=s, open=o, evidence=tuple(e)) for k, s, o, e in found["candidates"]),
        searched=found["searched"],
        issue_types=_back(system, "Issue types: "),
        priorities=_back(system, "Priorities: "),
        components=_back(system, "Components: "),
        done_status=found["done"],
        proposals=tuple(Proposed(id=i, score=s, name=n) for i, s, n in found.get("proposals", ())),
        review=found["review"],
    )


def shown_in(messages: Messages) -> Mapping[str, float]:
    """The tickets that an opening shows, and how alike code finds each to the mail; the thread's own is the mail's own."""
    told = read_back(messages)
    return {near.key: near.score for near in told.near} | ({told.ticket: 1.0} if told.ticket else {})


def _found(case: Case, listed: Sequence[Candidate], done: str) -> dict[str, Json]:
    """Cues, the thread's ticket and the candidates' scores: all that code has worked out."""
    cues = case.cues
    return {
        "sender_domain": cues.sender_domain,
        "sender": case.trust.value,
        "priority": {"value": cues.priority.value, "because": cues.priority.evidence[:5]},
        "type": cues.type.value,
        "fixed": cues.fixed.value == "yes",
        "question": cues.question.value == "yes",
        "technologies": [cue.value for cue in cues.technologies[:8]],
        "mentioned": cues.people[:5],
        "keys_mentioned": cues.keys[:5],
        "flags": list(case.flags)[:8],
        "ticket": case.ticket,
        "ticket_open": "ticket-closed" not in case.flags,
        "searched": case.searched,
        "candidates": [[c.ticket.key, round(c.score, 2), c.ticket.open, c.evidence[:3]] for c in listed],
        "done": done,
        "review": "model-down" in case.flags,
        **({"proposals": _ids(case.proposals)} if case.proposals else {}),
    }


def _ids(proposals: Sequence[Suggestion]) -> list[Json]:
    """Whom to write to Jira; an id that is no word could not be read back as it is, and stays out."""
    return [[p.person.id, p.score, p.person.name] for p in proposals if word(p.person.id) == p.person.id]


def _proposed(proposal: Suggestion) -> str:
    """Somebody on one line, with the points."""
    points = "; ".join(f"{point.value:+.0f} {point.why}" for point in proposal.points[:POINTS] if point.value >= 1)
    line = {"name": proposal.person.name, "points": points}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _head(mail: Message) -> str:
    """The lines of the mail that matter, each on one line so that none can be forged."""
    lines = [
        f"From: {mail.sender}" if mail.sender else "From: unknown",
        f"Subject: {mail.subject}",
        f"Message-ID: {mail.message_id}" if mail.message_id else "",
        f"Attachments: {', '.join(map(_attached, mail.attachments[:10]))}" if mail.attachments else "",
    ]
    return "\n".join(" ".join(line.split()) for line in lines if line)


def _unwrapped(mail: Message, preprocessor: str) -> Message:
    """The mail without the wrapping of the system that forwarded it; who wrote it is that system's claim."""
    told = unwrap(mail, preprocessor)
    if told.preprocessor == "default":
        return mail
    text = Untrusted(f"New support inquiry from {told.name} ({told.address}):\n\n{told.text}")
    return replace(mail, subject=told.subject, text=text, reply=text, quoted=NOTHING)


def _body(mail: Message) -> str:
    """What the sender wrote now; of a forwarded mail all of it, since the matter stands in the forwarded part."""
    return mail.text if "forward" in mail.flags else mail.reply or mail.text


def _attached(attachment: Attachment) -> str:
    return f"{attachment.name or 'unnamed'} ({attachment.content_type}, {attachment.size} bytes)"


def _lines(candidates: Sequence[Candidate], *, short: bool) -> list[str]:
    """Candidates, one a line; the likeliest with the beginning of their text."""
    lines = []
    for place, candidate in enumerate(candidates):
        ticket = candidate.ticket
        line: dict[str, Json] = {
            "key": ticket.key,
            "match": round(candidate.score, 2),
            "status": ticket.status,
            "type": ticket.issue_type,
            "summary": ticket.summary[:160],
        }
        if place < IN_FULL and candidate.score >= FULL_FROM and not short:
            line["text"] = candidate.excerpt
        lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
    return lines


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}\n[cut: {len(text) - longest} more characters]"


def _listed(names: Sequence[str]) -> str:
    """Names between semicolons, which `word` leaves in none of them."""
    return "; ".join(map(word, names)) or "none"


def _back(system: str, label: str) -> tuple[str, ...]:
    """The names of one line of the system prompt."""
    line = system.partition(label)[2].partition("\n")[0]
    return tuple(line.split("; ")) if line and line != "none" else ()
