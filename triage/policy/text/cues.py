"""Finds the cues of a mail by word lists and patterns: priority, type, technologies, people, keys, resolution claims.

It reads the subject and the author's own text, of a forwarded mail also what is forwarded, never the quoted history; people
and claims of a resolution are the author's alone.
"""

from collections.abc import Sequence
from typing import Final

from triage.config.ticket.severity import Severity
from triage.domain.findings import NOT_READ, AlertState, Cue, Cues
from triage.domain.mail import Message
from triage.domain.tickets import Person
from triage.policy.alerts.alert import MONITORS, alert_of
from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import language_of
from triage.policy.cues.meant import JudgedText, priority_meant, type_meant
from triage.policy.cues.priority import looks_back, priority_of
from triage.policy.cues.request_type import broken_in, question_in, type_of
from triage.policy.people.mentions import MentionText, keys_in, people_in
from triage.policy.text.author_text import fell_for_lure, matter_of, subject_of, takes_for_lure, texts_of
from triage.policy.text.matters import matters_of
from triage.policy.text.resolution_claims import fixed_in
from triage.policy.text.sentences import folded, plain, read
from triage.policy.text.technologies import technologies_in

ANSWERS: Final = tuple(f"{prefix}:" for prefix in folded("subject.short_answers"))
DEFAULT: Final = Severity()


def cues_of(message: Message, people: Sequence[Person] = (), project: str = "", severity: Severity = DEFAULT) -> Cues:
    """Return all cues of a mail, each with the words that gave it. Calls no model."""
    subject_text, (own, forwarded) = subject_of(message), texts_of(message)
    matter = "\n\n".join(filter(None, (own, forwarded)))
    title, body = read(subject_text), read(matter)
    language = language_of((*title.words, *body.words))
    subject, reply = Reading(title, language), Reading(body, language)
    matters = matters_of(subject_text, own)  # the first one gives their ticket its name, and so its type, too
    named = ("", matters[0].text) if matters else (subject_text, matter)
    titled = [Reading(read(part), language) for part in named] if matters else [subject, reply]
    kind, listed = _fault(message) or type_of(*titled), priority_of(message, subject, reply, severity)
    priority = listed.cue
    if alert_of(message) is None:
        if not any(map(broken_in, titled)):
            kind = type_meant(kind, JudgedText.of(*named, language))
        if not looks_back(subject, reply):
            text = JudgedText.of(subject_text, matter, language)
            priority = priority_meant(listed, text, severity, wish=kind.value == "feature")
    if "forward" in message.flags and takes_for_lure(own):
        kind = Cue(value="general", evidence=kind.evidence)
        if (did := fell_for_lure(own)) and priority.value != severity.exposure:
            priority = Cue(value=severity.pressing, evidence=(did,))
    unread = not language.read or not (language.known or kind.evidence or priority.evidence)
    own_subject = () if _is_reply(message) else (title,)
    return Cues(
        priority=_not_read(priority) if unread else priority,
        type=_not_read(kind) if unread else kind,
        technologies=technologies_in(subject_text, matter),
        people=people_in(MentionText.of(f"{subject_text}\n{own}", (title, read(own))), people, message.sender),
        keys=keys_in(f"{subject_text}\n{matter}", project),
        fixed=_resolved(message) or fixed_in(*own_subject, read(own)),
        question=question_in(
            kind.value, *([] if _is_reply(message) else [subject]), reply, text=f"{subject_text}.\n\n{matter}"
        ),
        sender_domain=message.sender.domain if message.sender else "",
        languages=language.leading,
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
