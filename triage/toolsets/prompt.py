"""What a model is told about a case: the mail, what code has found, and what each toolset puts in.

The system prompt depends on project and settings alone, so it is the same from mail to mail and providers can
cache it; all that changes stands in the user prompt, the time last.
"""

import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

import prompts
from triage.agent.profiles import Profile
from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage, Json, Messages
from triage.domain.mail import Attachment, Message
from triage.domain.untrusted import NOTHING, Prompt, Untrusted
from triage.policy.text.untrusted import facts, fenced, ours
from triage.policy.text.unwrap import unwrap
from triage.toolsets.table import TOOLSETS, granted
from triage.toolsets.toolset import PromptFacts, Subject

FACTS: Final = "Found by code, not by the sender: "
LONGEST_TEXT: Final = 12_000
LONGEST_HISTORY: Final = 2_000

TEMPLATES: Final = Environment(
    loader=FileSystemLoader(prompts.HERE),
    undefined=StrictUndefined,
    autoescape=False,  # noqa: S701 - a prompt is plain text, and what is not ours never enters a template
)


def opening(about: Subject, profile: Profile, tools: Collection[str], *, nonce: str, now: datetime) -> Messages:
    """System and user prompt for an agent who may call these tools."""
    given = [toolset.facts(about) for toolset in TOOLSETS]
    bare = replace(about, case=replace(about.case, message=unwrapped(about.case.mail, profile.preprocessor)))
    return (
        ChatMessage.system(system_prompt(profile, given, tools)),
        ChatMessage.user(user_prompt(bare, given, nonce, now)),
    )


def system_prompt(profile: Profile, given: Sequence[PromptFacts], tools: Collection[str] = ()) -> Prompt:
    """The agent's text with the toolsets' own words in it, and the fragments of those that it may use."""
    words = {name: text for each in given for name, text in each.words.items()}
    fragments = [toolset.fragment for toolset in granted(tools) if toolset.fragment]
    features = [PurePosixPath(fragment).stem for fragment in fragments]  # for prompts made from an older one of ours
    return ours(_template(profile.prompt).render(**words, fragments=fragments, features=features))


@lru_cache
def _template(prompt: str) -> Template:
    """Compiled once: profiles are few, and mails are many."""
    return TEMPLATES.from_string(prompt)


def user_prompt(about: Subject, given: Sequence[PromptFacts], nonce: str, now: datetime) -> Prompt:
    """The mail and what was found about it."""
    mail, received = about.case.mail, about.case.received_at
    prompt = ours("Process this e-mail and decide which Jira actions are needed.\n\n")
    prompt += fenced("MAIL", Untrusted(f"{_head(mail)}\n\n{mail_text(mail, short=about.short)}"), nonce)
    if mail.quoted and not about.short and "forward" not in mail.flags:
        prompt += fenced("HISTORY", Untrusted(_cut(mail.quoted, LONGEST_HISTORY)), nonce)
    for title, text in ((title, text) for each in given for title, text in each.sections.items() if text):
        prompt += fenced(title, text, nonce)
    found = _found(about.case) | {name: value for each in given for name, value in each.found.items()}
    prompt += ours("\n" + FACTS) + facts(found) + ours("\n")
    return prompt + ours(f"Received {received:%Y-%m-%d %H:%M} UTC. Now {now:%Y-%m-%d %H:%M} UTC.\n")


def nonce_of(case: Case, secret: bytes) -> str:
    """The fence's name for this case: the same after a restart, unknown to whoever wrote the mail."""
    return hmac.new(secret, f"fence:{case.id}".encode(), hashlib.sha256).hexdigest()[:8]


def mail_text(mail: Message, *, short: bool = False) -> Untrusted:
    """What the sender wrote now; of a forwarded mail all of it, since the matter stands in the forwarded part."""
    body = mail.text if "forward" in mail.flags else mail.reply or mail.text
    return Untrusted(_cut(body, LONGEST_TEXT // (6 if short else 1)))


def unwrapped(mail: Message, preprocessor: str) -> Message:
    """The mail without the wrapping of the system that forwarded it; who wrote it is that system's claim."""
    told = unwrap(mail, preprocessor)
    if told.preprocessor == "default":
        return mail
    text = Untrusted(f"New support inquiry from {told.name} ({told.address}):\n\n{told.text}")
    return replace(mail, subject=told.subject, text=text, reply=text, quoted=NOTHING)


def _found(case: Case) -> dict[str, Json]:
    """What code has worked out about the mail itself."""
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
        "review": "model-down" in case.flags,
    }


def _head(mail: Message) -> str:
    """The lines of the mail that matter, each on one line so that none can be forged."""
    lines = [
        f"From: {mail.sender}" if mail.sender else "From: unknown",
        f"Subject: {mail.subject}",
        f"Message-ID: {mail.message_id}" if mail.message_id else "",
        f"Attachments: {', '.join(map(_attached, mail.attachments[:10]))}" if mail.attachments else "",
    ]
    return "\n".join(" ".join(line.split()) for line in lines if line)


def _attached(attachment: Attachment) -> str:
    return f"{attachment.name or 'unnamed'} ({attachment.content_type}, {attachment.size} bytes)"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}\n[cut: {len(text) - longest} more characters]"
