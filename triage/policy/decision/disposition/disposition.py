"""Decides by rules alone what sort of matter a mail is, with evidence and a calibrated probability.

The order: what people and `triage.yaml` say, verdicts of our mail servers, then signs and words. Words alone set no mail
aside; words and signs set none aside of somebody who is one of us, takes part in the thread or has reported before
(decisions 029, 069 and 156).

"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from triage.domain.findings import AlertState, Cues, Disposition, DispositionFinding
from triage.domain.mail import Kind, KindVerdict, Message
from triage.policy.alerts.alert import alert_of
from triage.policy.classifiers.judged_text import URL
from triage.policy.cues.request_type import symptoms_in
from triage.policy.decision.disposition.asks_nothing import (
    announces,
    asks_for_offer,
    asks_nothing,
    assent,
    nothing_said,
    nothing_to_do,
    private,
    receipt,
    reports_nothing,
)
from triage.policy.decision.disposition.delicate import asks_for_confidence, delicate
from triage.policy.decision.disposition.examples import Hint
from triage.policy.decision.disposition.news_for_us import concerns_us
from triage.policy.decision.disposition.only_thanks import only_thanks
from triage.policy.decision.disposition.standing import SenderStanding
from triage.policy.decision.disposition.text_classes import LETTER, for_us, says_for_us
from triage.policy.decision.disposition.unwanted import Unwanted, unwanted
from triage.policy.sender.automatic_reply import absent_subject, absent_text, automatic_subject, read_receipt
from triage.policy.sender.spam_headers import Accusation, ServerVerdict
from triage.policy.text.author_text import author_text, matter_of, without_greeting
from triage.policy.text.matters import matters_of
from triage.policy.text.sentences import read
from triage.policy.text.word_patterns import levelled, sentences_of
from triage.policy.ticket.text.summary_form import shortened

ASIDE: Final = 0.96
"""Probability of being unwanted from which a stranger's mail is set aside."""
DOUBT: Final = 0.5
"""Probability from which a person decides."""
FAULT: Final = 0.8
"""The same for a mail that reports a fault and has no sign of unwanted mail besides its words: `charged twice, please refund`.

A fault without a listed word (`photographs vanish after the upload`) counts where there is no link and no file to open;
a fault by a listed word, without link and file, is doubted from `ASIDE` on.
"""
WORDS_AGREE: Final = 0.6
"""Minimum probability by words for ignoring a mail: with signs alone a person decides."""
WORDS_DISAGREE: Final = 0.2
"""Probability by words below which a person decides even if a mail server marked the mail as spam."""
HARMLESS: Final = frozenset({"talk", "auto", "done", LETTER})
"""Classes that do no harm as a ticket, and in the thread of one are an answer like any other: `thank you, see you on Monday`."""
DOUBT_OF_HARMLESS: Final = 0.75
"""Probability from which a person decides about those."""
CONFIDED: Final = 0.3
"""Probability from which a mail is for one person's eyes."""
CONFIDED_BY_KNOWN: Final = 0.4
"""The same for a mail of somebody we know, who mostly writes of work."""
CONFIDED_BY_WORD: Final = 0.06
"""The same for a mail that asks for it in a listed word: `vertraulich`, `we act for`, `harassed`."""
HANDED_OVER: Final = 0.25
"""Probability from which an unproven mail asks for an account."""
DEFRAUDED: Final = 0.25
"""Probability from which a mail wants money or data as swindlers do."""
DEFRAUDED_AND_BUG: Final = 0.5
"""The same if it reports a fault: `the refund fails, confirm your account`."""
DOUBT_OF_LETTER: Final = 0.7
"""The same for letters: as a ticket of an engineer a bill does some harm."""
CHATTED: Final = 0.9
"""Probability from which a person decides about talk with a listed word of a fault in it."""
MOST_TOLD: Final = 6
"""Sentences with a listed word of a fault that are judged by themselves."""
TAUGHT: Final = 0.3
"""Minimum probability by words for ignoring a mail of a sender of whom a person ignored an earlier one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a mail is judged by."""

    message: Message
    kind: KindVerdict
    standing: SenderStanding = field(default_factory=SenderStanding)
    server: ServerVerdict | None = None
    hint: Hint | None = None
    """A person's correction of a similar mail."""
    cues: Cues = field(default_factory=Cues)
    ticket: str | None = None
    """The thread's ticket."""
    answers_us: bool = False
    """It answers a mail of one of us, of whose subject no ticket of the sender is known."""
    whole: bool = True
    """The mail's text is here; False for stubs."""
    for_support: bool = False
    """Its route answers customers, whose questions are no talk."""


def disposition_of(facts: Facts) -> DispositionFinding:
    return _by_form(facts) or _confided(facts) or _by_standing(facts) or _by_words(facts)


def _by_form(facts: Facts) -> DispositionFinding | None:
    """Return the disposition given by headers, or by the words of a notice, receipt or private talk; None for all other mail."""
    if not facts.kind.may_ticket:
        what = Disposition.NEWSLETTER if facts.kind.reason == "newsletter" else Disposition.AUTOMATIC
        if what is Disposition.NEWSLETTER and (says := concerns_us(facts.message)):
            return _finding(Disposition.UNSURE, 0.5, f"goes to many, but says: {says}", *facts.kind.evidence)
        return _finding(what, 0.97, facts.kind.reason, *facts.kind.evidence)
    if over := _over(facts):
        return _finding(Disposition.AUTOMATIC, 0.9, over, "its beginning made no ticket")
    return (
        _answered_by_program(facts)
        or _settled(facts)
        or _thankful(facts)
        or next((_finding(Disposition.UNSURE, sure, why) for sure, why in _without_matter(facts)), None)
    )


def _confided(facts: Facts) -> DispositionFinding | None:
    """Return CONFIDENTIAL for what one responsible person may read and no team, whoever writes it; None for all other mail.

    The evidence quotes nothing of it.
    """
    if facts.standing.blocked or not facts.whole or facts.kind.kind is not Kind.HUMAN:
        return None
    sure = delicate(facts.message).confidential
    least = CONFIDED_BY_KNOWN if facts.standing.protected else CONFIDED
    if sure < least and not (sure >= CONFIDED_BY_WORD and asks_for_confidence(facts.message)):
        return None
    return _finding(
        Disposition.CONFIDENTIAL, sure, "reads like a matter for one person's eyes, and a ticket is read by many"
    )


def _answered_by_program(facts: Facts) -> DispositionFinding | None:
    """Return the disposition of a vacation notice or receipt: a person decides where only its words prove it; None for all other mail."""
    absent = _absent(facts.message) or read_receipt(facts.message)
    words, what = (absent, "an automatic answer") if absent else (receipt(facts.message), "another desk's receipt")
    if not words:
        return None
    if facts.kind.kind is Kind.AUTOMATED:
        return _finding(Disposition.AUTOMATIC, 0.95, f"{what}: {words}", *facts.kind.evidence)
    return _finding(Disposition.UNSURE, 0.9 if absent else 0.8, f"{what} by its words alone: {words}")


def _settled(facts: Facts) -> DispositionFinding | None:
    """Return the disposition of a mail that says itself that nothing is to be done, and does not read like spam or news; else None."""
    if facts.ticket or facts.cues.fixed.value == "yes" or not (says := nothing_to_do(facts.message)):
        return None
    found = _unwanted(facts)
    if found.label not in HARMLESS or not found.enough:
        return None
    sure, why = max(found.probability, DOUBT), f"says that nothing is to be done: {says}"
    if found.label == "auto":
        return _finding(Disposition.AUTOMATIC, sure, why, *found.evidence)
    return replace(_finding(Disposition.STATUS, sure, why, *found.evidence), settled=True)


def _thankful(facts: Facts) -> DispositionFinding | None:
    """Return the disposition of an answer to one of us that only thanks; None for all other mail, in the thread of a ticket above all."""
    if facts.ticket or facts.cues.keys or not facts.answers_us or not (thanks := only_thanks(facts.message)):
        return None
    why = f"answers one of us, and only thanks or says that it works: {thanks}"
    return replace(_finding(Disposition.STATUS, 0.9, why), settled=True)


def _without_matter(facts: Facts) -> Iterator[tuple[float, str]]:
    """Yield why a mail has no matter by its words alone, and how sure that is."""
    message = facts.message
    if facts.ticket:
        return
    if nothing := nothing_said(message, facts.cues.keys):
        yield 0.5, nothing
    if talk := private(message):
        yield 0.5, f"private, as it seems: {talk}"
    if offer := asks_for_offer(message):
        yield 0.5, f"asks for an offer: {offer}"
    if facts.cues.fixed.value != "yes" and (settled := nothing_to_do(message)):
        yield 0.6, f"says that nothing is to be done: {settled}"
    if agreed := assent(message):
        yield 0.5, f"says nothing but: {agreed}"


def _by_standing(facts: Facts) -> DispositionFinding | None:
    """Return the disposition given by the sender's standing or a person's correction; None if words decide."""
    if facts.standing.blocked:
        return _finding(Disposition.SPAM, 1.0, f"blocked sender: {facts.standing.blocked}")
    if not facts.whole:
        return _finding(Disposition.WORK, 0.5, "only a stub of the mail is here")
    if facts.standing.protected:
        return _talk(facts) or _wanted(facts, 0.02, facts.standing.protected)
    if facts.hint and facts.hint.same_sender and not facts.hint.aside:
        return _wanted(facts, 0.1, facts.hint.text)
    return None


def _over(facts: Facts) -> str:
    """Return the alert that is over and has no ticket here; else nothing."""
    alert = None if facts.ticket else alert_of(facts.message)
    return f"{alert}" if alert and alert.state is AlertState.RESOLVED else ""


def _talk(facts: Facts) -> DispositionFinding | None:
    """Return UNSURE for a mail of one of us that surely asks nothing, such as an invitation; None if it may be work."""
    if facts.ticket or facts.standing.important or "forward" in facts.message.flags:
        return None
    if facts.for_support and read(author_text(facts.message.reply or facts.message.text)).asked:
        return None
    found = _unwanted(facts)
    sure = found.label in HARMLESS and found.enough and found.probability >= DOUBT_OF_HARMLESS
    if (
        not sure
        or _is_done(facts, found)
        or not (reports_nothing(facts.message) or announces(facts.message) or _chats(facts.message, found))
    ):
        return None
    return _finding(Disposition.UNSURE, found.probability, *found.evidence, facts.standing.protected)


def _is_done(facts: Facts, found: Unwanted) -> bool:
    """Tell whether words and meaning agree that a mail reports something as done: its ticket is looked for."""
    return found.label == "done" and facts.cues.fixed.value == "yes"


def _chats(message: Message, found: Unwanted) -> bool:
    """Tell whether a mail is surely talk although it has a listed word of a fault: `a round on error messages`."""
    return found.probability >= CHATTED and not _tells_fault(message)


def _tells_fault(message: Message) -> bool:
    """Tell whether a sentence with a listed word of a fault reads by itself like one for us."""
    text = f"{message.subject}.\n{message.reply or message.text}"
    symptoms = [levelled(words) for words in symptoms_in(text)]
    sentences = (one for one in sentences_of(text) if any(words in levelled(one) for words in symptoms))
    return any(for_us(one) >= DOUBT for one in islice(sentences, MOST_TOLD))


def _by_words(facts: Facts) -> DispositionFinding:
    found = _unwanted(facts)
    judged = (
        _taught(facts, found)
        or _set_aside(facts, found)
        or _doubted(facts, found)
        or _imitated(facts, found)
        or _delicate(facts)
        or _wanted(facts, found.probability)
    )
    return judged if facts.standing.claimed else replace(judged, unwanted=round(found.probability, 3))


def _absent(message: Message) -> str:
    """Return the words of a vacation notice whose subject is one, too; a person decides, since no header proves it."""
    subject = str(message.subject)
    if not (automatic_subject(subject) or absent_subject(subject)):
        return ""
    return absent_text(str(message.reply or message.text))


def _unwanted(facts: Facts) -> Unwanted:
    return unwanted(facts.message, facts.kind.kind, facts.server)


def _taught(facts: Facts, found: Unwanted) -> DispositionFinding | None:
    """Return a person's correction of another mail of the sender, or of one with the same words; None if there is none."""
    hint = facts.hint
    if hint is None:
        return None
    if hint.same_sender and (hint.alike or found.by_words >= TAUGHT) and not facts.standing.claimed:
        return _finding(hint.disposition, 0.95, hint.text, *found.evidence)
    if hint.aside or found.probability >= DOUBT:
        return _finding(Disposition.UNSURE, 0.5, hint.text, *found.evidence)
    return None


def _set_aside(facts: Facts, found: Unwanted) -> DispositionFinding | None:
    if facts.standing.claimed:
        return None
    if found.certain:
        return _finding(Disposition.SPAM, 0.99, *found.evidence)
    accused = facts.server if facts.server and facts.server.accuses else None
    if accused and not (found.enough and found.by_words < WORDS_DISAGREE):
        bulk = accused.says is Accusation.BULK and found.disposition is not Disposition.SPAM
        return _finding(found.disposition if bulk else Disposition.SPAM, 0.98, *found.evidence)
    agree = found.enough and found.signed and found.by_words >= WORDS_AGREE
    if found.probability < ASIDE or not agree or found.label == LETTER or _only_forwarded(facts.message):
        return None
    if found.disposition is Disposition.SPAM and (sentence := says_for_us(without_greeting(matter_of(facts.message)))):
        what = f"may be spam, but says: {sentence}"
        return _suspected(found, _finding(Disposition.UNSURE, found.probability, what, *found.evidence))
    return _finding(found.disposition, found.probability, *found.evidence)


def _doubted(facts: Facts, found: Unwanted) -> DispositionFinding | None:
    """Return UNSURE if words, signs or a server weakly indicate unwanted mail; None if they do not."""
    accused = facts.server is not None and facts.server.accuses
    harmless = found.label in HARMLESS
    least = DOUBT_OF_LETTER if found.label == LETTER else DOUBT_OF_HARMLESS if harmless else DOUBT
    doubtful = found.probability >= least
    forward = "forward" in facts.message.flags  # a forwarded text says nothing of its sender
    closes = _is_done(facts, found) or (facts.cues.keys and facts.cues.fixed.value == "yes")
    spared = harmless and (facts.ticket or forward or closes)
    if not accused and (not doubtful or spared or _reports(facts, found)):
        return None
    because = f"but {facts.standing.claimed}, unproven" if facts.standing.claimed else ""
    alone = "" if found.signed else ", but only its words say so"
    what = "a mail server accuses it, its words do not" if accused else f"may be {_in_words(found.disposition)}{alone}"
    return _suspected(found, _finding(Disposition.UNSURE, found.probability, what, *found.evidence, because))


def _in_words(disposition: Disposition) -> str:
    return disposition.replace("_", " ")


def _suspected(found: Unwanted, finding: DispositionFinding) -> DispositionFinding:
    return replace(finding, suspected=found.disposition)


def _imitated(facts: Facts, found: Unwanted) -> DispositionFinding | None:
    """Return UNSURE for a mail in the name of one of us from elsewhere: an order to pay, perhaps; None for any other."""
    if not facts.standing.imitates:
        return None
    return _finding(
        Disposition.UNSURE, max(0.5, found.probability), f"may imitate one of us: {facts.standing.imitates}"
    )


def _delicate(facts: Facts) -> DispositionFinding | None:
    """Return UNSURE for a fraud, or for a request that would hand somebody an account if nothing proves who asks; None for other mail."""
    found = delicate(facts.message)
    if found.fraud >= (DEFRAUDED_AND_BUG if facts.cues.type.value == "bug" else DEFRAUDED):
        return _finding(
            Disposition.UNSURE, found.fraud, "reads like an order to pay or to send data, as swindlers write it"
        )
    if facts.standing.unproven and found.account >= HANDED_OVER:
        return _finding(Disposition.UNSURE, found.account, "asks for an account, and nothing proves who asks")
    return None


def _reports(facts: Facts, found: Unwanted) -> bool:
    """Tell whether a mail reports a fault and only its words, with low certainty, resemble unwanted mail."""
    message = facts.message
    if found.signed or facts.cues.type.value != "bug" or (found.label in HARMLESS and announces(message)):
        return False
    listed = bool(symptoms_in(f"{message.subject}\n\n{message.text}"))
    harmless = not (message.attachments or URL.search(f"{message.text}"))
    if listed and found.label in HARMLESS and found.label != "auto":
        return not _chats(message, found)  # somebody chats, and tells a fault by the way
    bounds = {(True, True): ASIDE, (True, False): FAULT, (False, True): FAULT}
    return found.probability < bounds.get((listed, harmless), DOUBT)


def _wanted(facts: Facts, against: float, *why: str) -> DispositionFinding:
    sure = 1.0 - against
    if facts.cues.fixed.value == "yes":
        return _finding(Disposition.STATUS, 0.9 * sure, f"says: {', '.join(facts.cues.fixed.evidence[:3])}", *why)
    if facts.ticket:
        return _finding(Disposition.ADDITION, 0.95 * sure, f"in the thread of {facts.ticket}", *why)
    matters = matters_of(facts.message.subject, facts.message.reply or facts.message.text)
    if matters:
        lines = (f"{number}. {shortened(matter.title, 60)}" for number, matter in enumerate(matters, 1))
        return _finding(Disposition.SEVERAL, 0.8 * sure, *lines, *why)
    if facts.cues.question.value == "yes":
        asked = ", ".join(facts.cues.question.evidence[:3])
        return _finding(Disposition.QUESTION, 0.8 * sure, f"asks: {asked}" if asked else "asks", *why)
    if nothing := asks_nothing(facts.message):
        return _finding(Disposition.UNSURE, 0.5, f"asks for nothing: {nothing}", *why)
    return _finding(Disposition.WORK, sure, *why, *(["nothing speaks against it"] if not why else []))


def _only_forwarded(message: Message) -> bool:
    """Tell whether a mail is a forward without a comment, so that its text is not the sender's."""
    return "forward" in message.flags and message.reply == message.quoted


def _finding(disposition: Disposition, confidence: float, *evidence: str) -> DispositionFinding:
    return DispositionFinding(
        disposition=disposition, confidence=round(confidence, 3), evidence=tuple(filter(None, evidence))
    )
