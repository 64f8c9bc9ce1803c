"""Builds the prompts of a case: the mail, the findings of code, and the facts of each toolset.

The system prompt depends only on project and settings, so it is equal for all mails and providers can cache it;
all that changes is in the user prompt, the time last.
"""

import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from jinja2 import FileSystemLoader, StrictUndefined, Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

import prompts
from triage.agent.profiles import Profile
from triage.domain.cases import Case
from triage.domain.conversation import ChatMessage, Json, Messages
from triage.domain.mail import Attachment, Message
from triage.domain.untrusted import NOTHING, Prompt, Untrusted
from triage.policy.text.untrusted import facts, fenced, ours
from triage.policy.text.unwrap import unwrap
from triage.policy.ticket.text.draft import words_of
from triage.toolsets.table import TICKETS, TOOLSETS, describe_rights, granted
from triage.toolsets.toolset import PromptFacts, PromptInput

FACTS: Final = "Found by code, not by the sender: "
USER_WORDS: Final = frozenset({"mail", "facts", "received", "now"})
"""What the template of a profile's user prompt is given; the mail comes fenced."""
OF_TICKETS: Final = frozenset({"priority", "type", "keys_mentioned", "technologies", "fixed"})
"""Findings that only somebody who writes tickets needs."""
LONGEST_TEXT: Final = 12_000
LONGEST_HISTORY: Final = 2_000

TEMPLATES: Final = ImmutableSandboxedEnvironment(  # a version that an approver tries out is a template, too
    loader=FileSystemLoader(prompts.HERE),
    undefined=StrictUndefined,
    autoescape=False,
)


def opening(about: PromptInput, profile: Profile, tools: Collection[str], *, nonce: str, now: datetime) -> Messages:
    """Return system and user prompt for an agent that may call these tools."""
    given = {toolset.name: toolset.facts(about) for toolset in TOOLSETS}
    bare = replace(about, case=replace(about.case, message=unwrapped(about.case.mail, profile.preprocessor)))
    return (
        ChatMessage.system(system_prompt(profile, tuple(given.values()), tools)),
        ChatMessage.user(
            _written(profile, bare, [given[each.name] for each in granted(tools)], nonce, now=now, tools=tools)
        ),
    )


def _written(
    profile: Profile,
    about: PromptInput,
    given: Sequence[PromptFacts],
    nonce: str,
    *,
    now: datetime,
    tools: Collection[str],
) -> Prompt:
    """Write the user prompt: by the profile's template if it has one, with the facts of the toolsets that it may use."""
    if not profile.user_prompt:
        return user_prompt(about, given, nonce, now, tools)
    values = {
        "mail": _mail(about, nonce).text,
        "facts": _facts(about, given, tools).text,
        "received": f"{about.case.received_at:%a %Y-%m-%d %H:%M} UTC",
        "now": f"{now:%a %Y-%m-%d %H:%M} UTC",
    }
    return ours(_template(profile.user_prompt).render(values))


def system_prompt(profile: Profile, given: Sequence[PromptFacts], tools: Collection[str] = ()) -> Prompt:
    """Render the profile's template with the toolsets' words and the fragments of the granted toolsets."""
    words = {name: text for each in given for name, text in each.words.items()}
    fragments = [toolset.fragment for toolset in granted(tools) if toolset.fragment]
    off = (each for each in TOOLSETS if each.named_if_off and each.tools and each not in granted(tools))
    words["off"] = ", ".join(toolset.name for toolset in off)
    features = [PurePosixPath(fragment).stem for fragment in fragments]  # users' prompts may still have the older name
    return ours(_template(profile.prompt).render(**words, fragments=fragments, features=features))


@lru_cache
def _template(prompt: str) -> Template:
    """Compile a profile's template; cached, since all mails share few profiles."""
    return TEMPLATES.from_string(prompt)


def user_prompt(
    about: PromptInput, given: Sequence[PromptFacts], nonce: str, now: datetime, tools: Collection[str] = ()
) -> Prompt:
    """Write the mail, the findings and the rights of its sender, untrusted text in fences."""
    received, moment = f"{about.case.received_at:%a %Y-%m-%d %H:%M} UTC", f"{now:%a %Y-%m-%d %H:%M} UTC"
    prompt = _mail(about, nonce)
    for title, text in ((title, text) for each in given for title, text in each.sections.items() if text):
        prompt += fenced(title, text, nonce)
    prompt += ours("\n" + FACTS) + _facts(about, given, tools) + ours("\n")
    return prompt + ours(
        f"Received {received}. Now {moment}.\n" if received != moment else f"Received now, {moment}.\n"
    )


def _mail(about: PromptInput, nonce: str) -> Prompt:
    """Fence the mail, and its quoted history apart."""
    mail = about.case.mail
    prompt = fenced("MAIL", Untrusted(f"{_head(mail)}\n\n{mail_text(mail, short=about.short)}"), nonce)
    if mail.quoted and not about.short and "forward" not in mail.flags:
        prompt += fenced("HISTORY", Untrusted(_cut(mail.quoted, LONGEST_HISTORY)), nonce)
    return prompt


def _facts(about: PromptInput, given: Sequence[PromptFacts], tools: Collection[str]) -> Prompt:
    """Write the findings of code and the sender's rights as one line of JSON; what is about tickets, for those who write them."""
    found = _found(about.case)
    if TICKETS not in {toolset.name for toolset in granted(tools)}:
        found = {name: value for name, value in found.items() if name not in OF_TICKETS}
    found |= {name: value for each in given for name, value in each.found.items()}
    found |= describe_rights(sorted(tools), about.sender, about.case.ticket)
    return facts({name: value for name, value in found.items() if value})


def nonce_of(case: Case, secret: bytes) -> str:
    """Return the suffix of this case's fences: stable over restarts, and not guessable by the sender."""
    return hmac.new(secret, f"fence:{case.id}".encode(), hashlib.sha256).hexdigest()[:8]


def mail_text(mail: Message, *, short: bool = False) -> Untrusted:
    """Return the text without quotes; of a forwarded mail all text, since the matter is in the forwarded part."""
    return Untrusted(_cut(words_of(mail), LONGEST_TEXT // (6 if short else 1)))


def unwrapped(mail: Message, preprocessor: str) -> Message:
    """Remove the text that a forwarding system added; only that system vouches for the author named there."""
    unwrapped_mail = unwrap(mail, preprocessor)
    if unwrapped_mail.preprocessor == "default":
        return mail
    kind = "New support inquiry" if unwrapped_mail.preprocessor == "crisp" else "Forwarded mail"
    note = f"{unwrapped_mail.note}\n\n" if unwrapped_mail.note else ""
    text = Untrusted(
        f"{note}{kind} from {unwrapped_mail.name} ({unwrapped_mail.address}):\nSubject: {unwrapped_mail.subject}\n\n{unwrapped_mail.text}"
    )
    return replace(mail, subject=unwrapped_mail.subject, text=text, reply=text, rich=(), quoted=NOTHING)


def _found(case: Case) -> dict[str, Json]:
    """Return the findings of code about the mail."""
    cues, because = case.cues, case.cues.priority.evidence[:5]
    return {
        "sender": case.identity.trust.value,
        "priority": {"value": cues.priority.value, **({"because": because} if because else {})},
        "type": cues.type.value,
        "disposition": case.classification.disposition and case.classification.disposition.disposition.value,
        "alert": _alert(case),
        "fixed": cues.fixed.value == "yes",
        "question": cues.question.value == "yes",
        "technologies": [cue.value for cue in cues.technologies[:8]],
        "mentioned": cues.people[:5],
        "keys_mentioned": cues.keys[:5],
        "flags": list(case.flags)[:8],
        "review": case.model_missed,
    }


def _alert(case: Case) -> Json:
    alert = case.identity.alert
    if alert is None:
        return None
    return {"source": alert.source, "state": alert.state, "severity": alert.severity, "object": str(alert.object)}


def _head(mail: Message) -> str:
    """Format the main headers, each on one line so that a mail cannot forge another one."""
    lines = [
        f"From: {mail.sender}" if mail.sender else "From: unknown",
        f"Subject: {mail.subject}",
        f"Attachments: {', '.join(map(_attached, mail.attachments[:10]))}" if mail.attachments else "",
    ]
    return "\n".join(" ".join(line.split()) for line in lines if line)


def _attached(attachment: Attachment) -> str:
    return f"{attachment.name or 'unnamed'} ({attachment.content_type}, {attachment.size} bytes)"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}\n[cut: {len(text) - longest} more characters]"
