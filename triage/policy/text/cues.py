"""Finds the cues of a mail by word lists and patterns: priority, type, technologies, people, keys, resolution claims.

It reads the subject and the author's own text, of a forwarded mail also what is forwarded, never the quoted history; people
and claims of a resolution are the author's alone. A paragraph that speaks to a program gives no cues.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triage.config.ticket.severity import Severity
from triage.domain.findings import NOT_READ, AlertState, Cue, Cues
from triage.domain.mail import Message
from triage.domain.tickets import Person
from triage.policy.alerts.alert import MONITORS, alert_of
from triage.policy.cues.assertion import Reading
from triage.policy.cues.ensemble import priority_weighed, type_weighed
from triage.policy.cues.language import Language, language_of
from triage.policy.cues.priority import ListedPriority, looks_back, priority_of
from triage.policy.cues.request_type import broken_in, question_in, type_of
from triage.policy.cues.semantic_cues import JudgedText
from triage.policy.people.mentions import MentionText, keys_in, people_in
from triage.policy.text.author_text import fell_for_lure, matter_of, subject_of, takes_for_lure, texts_of
from triage.policy.text.commands import without_commands
from triage.policy.text.matters import matters_of
from triage.policy.text.resolution_claims import fixed_in
from triage.policy.text.sentences import folded, plain, read
from triage.policy.text.technologies import technologies_in

ANSWERS: Final = tuple(f"{prefix}:" for prefix in folded("subject.short_answers"))
DEFAULT: Final = Severity()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCues:
    """What lists and patterns say of a mail, and the texts whose meaning is asked beside them; empty where they alone decide."""

    kind: Cue
    kind_text: JudgedText
    priority: ListedPriority
    priority_text: JudgedText
    fixed: Cue


@dataclass(frozen=True, slots=True)
class _Parts:
    """A mail's subject and text as they are read."""

    message: Message
    subject_text: str
    own: str
    matter: str
    subject: Reading
    reply: Reading

    @classmethod
    def of(cls, message: Message) -> "_Parts":
        subject_text = without_commands(subject_of(message))
        own, forwarded = map(without_commands, texts_of(message))
        matter = "\n\n".join(filter(None, (own, forwarded)))
        title, body = read(subject_text), read(matter)
        language = language_of((*title.words, *body.words))
        return cls(message, subject_text, own, matter, Reading(title, language), Reading(body, language))

    @property
    def language(self) -> Language:
        return self.subject.language


def listed_of(message: Message) -> ListedCues:
    """Return what the lists say of a mail, before its meaning is weighed against them."""
    return _listed(_Parts.of(message), DEFAULT)


def cues_of(message: Message, people: Sequence[Person] = (), project: str = "", severity: Severity = DEFAULT) -> Cues:
    """Return all cues of a mail, each with the words that gave it. Calls no model."""
    mail = _Parts.of(message)
    listed, language, own = _listed(mail, severity), mail.language, mail.own
    fixed = listed.fixed.value == "yes"
    kind = type_weighed(listed.kind, listed.kind_text, fixed=fixed)
    priority = priority_weighed(listed.priority, kind.value, listed.priority_text, severity, fixed=fixed)
    if "forward" in message.flags and takes_for_lure(own):
        kind = Cue(value="general", evidence=kind.evidence)
        if (did := fell_for_lure(own)) and priority.value != severity.exposure:
            priority = Cue(value=severity.pressing, evidence=(did,))
    unread = not language.read or not (language.known or kind.evidence or priority.evidence)
    mentioned = MentionText.of(f"{mail.subject_text}\n{own}", (mail.subject.passage, read(own)))
    return Cues(
        priority=_not_read(priority) if unread else priority,
        type=_not_read(kind) if unread else kind,
        technologies=technologies_in(mail.subject_text, mail.matter),
        people=people_in(mentioned, people, message.sender),
        keys=keys_in(f"{mail.subject_text}\n{mail.matter}", project),
        fixed=listed.fixed,
        question=question_in(
            kind.value,
            *([] if _is_reply(message) else [mail.subject]),
            mail.reply,
            text=f"{mail.subject_text}.\n\n{mail.matter}",
        ),
        sender_domain=message.sender.domain if message.sender else "",
        languages=language.leading,
    )


def _listed(mail: _Parts, severity: Severity) -> ListedCues:
    message, nothing = mail.message, JudgedText("")
    matters = matters_of(mail.subject_text, mail.own)  # the first one gives their ticket its name, and so its type, too
    named = ("", matters[0].text) if matters else (mail.subject_text, mail.matter)
    titled = [Reading(read(part), mail.language) for part in named] if matters else [mail.subject, mail.reply]
    alert = alert_of(message) is not None
    own_subject = () if _is_reply(message) else (mail.subject.passage,)
    return ListedCues(
        kind=_fault(message) or type_of(*titled),
        kind_text=nothing if alert or any(map(broken_in, titled)) else JudgedText.of(*named, mail.language),
        priority=priority_of(message, mail.subject, mail.reply, severity),
        priority_text=nothing
        if alert or looks_back(mail.subject, mail.reply)
        else JudgedText.of(mail.subject_text, mail.matter, mail.language),
        fixed=_resolved(message) or fixed_in(*own_subject, read(mail.own)),
    )


def _fault(message: Message) -> Cue | None:
    """Return that a monitor's alert which fires reports a fault, whatever its words; None for other mails."""
    alert = alert_of(message)
    fires = alert and alert.source in MONITORS and alert.state is AlertState.FIRING
    return Cue(value="bug", evidence=(f"{alert}",)) if fires else None


def _resolved(message: Message) -> Cue | None:
    """Return what an alert says of its state; None for other mails."""
    alert = alert_of(message)
    if alert is None:
        return None
    return Cue(value="yes" if alert.state is AlertState.RESOLVED else "no", evidence=(f"{alert}",))


def languages_of(message: Message) -> tuple[str, ...]:
    """Return the languages that a mail is most probably in, as codes; none where no word tells."""
    title, body = read(subject_of(message)), read(matter_of(message))
    return language_of((*title.words, *body.words)).leading


def _not_read(cue: Cue) -> Cue:
    """Say `not read` where nothing was found in a language that the lists do not know."""
    return cue if cue.evidence else Cue(value=NOT_READ)


def _is_reply(message: Message) -> bool:
    """Tell whether the mail answers another one; its subject then belongs to somebody else."""
    return bool(message.thread) or plain(message.subject[:4]).startswith(ANSWERS)
