"""What kind of mail it is, with the evidence, and the two questions that follow: may it make a ticket, may we answer?

The rules stand in one table and the first that finds evidence decides. Automated mail may make a ticket (alerts are
the job); what only tells of other mail (bounces, reports, vacation notices, our own) and newsletters may not.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Kind, KindVerdict, Message
from triage.policy.kind_words import (
    AUTOMATIC_SUBJECT,
    BOUNCE_SUBJECT,
    BOUNCE_TEXT,
    COMPLAINT,
    DAEMONS,
    LIST_ROBOTS,
    LIST_SENDER,
    MACHINES,
    NO_REPLY,
    REFUSED_BY_LIST,
)

Evidence = Iterator[str]
READ: Final = 4000
"""Characters of the text that are looked at: notices say what they are at once."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of mail and how it is recognised."""

    kind: Kind
    reason: str
    """Why it may not make a ticket; empty where it may."""
    evidence: Callable[[Message], Evidence]


def kind_of(message: Message, *, own: bool = False) -> KindVerdict:
    """The verdict; `own` is whether the mail carries our signature, which the caller has checked."""
    if own:
        return KindVerdict(
            kind=Kind.OWN, evidence=("our own signature",), may_ticket=False, may_answer=False, reason="our own mail"
        )
    for rule in RULES:
        evidence = tuple(dict.fromkeys(rule.evidence(message)))
        if evidence:
            return KindVerdict(
                kind=rule.kind, evidence=evidence, may_ticket=not rule.reason, may_answer=False, reason=rule.reason
            )
    silent = tuple(_asks_for_silence(message))
    return KindVerdict(kind=Kind.HUMAN, evidence=silent, may_ticket=True, may_answer=not silent)


# --- reports about other mail ------------------------------------------------------------------


def _delivery_report(message: Message) -> Evidence:
    """RFC 3464, and the notices of servers that never read it."""
    content_type = message.header("content-type").lower()
    if "delivery-status" in content_type and content_type.startswith(("multipart/report", "message/")):
        yield "Content-Type: multipart/report; report-type=delivery-status"
    if any(one.content_type == "message/delivery-status" for one in message.attachments):
        yield "message/delivery-status attached"
    if message.header("x-failed-recipients"):
        yield "X-Failed-Recipients"
    if _local(message) in DAEMONS:
        yield f"From: {_local(message)}"
    yield from _bounce_words(message)


def _bounce_words(message: Message) -> Evidence:
    """Words of a bounce count where the sender or the envelope says so too, or where subject and text agree."""
    subject = BOUNCE_SUBJECT.search(message.subject)
    text = BOUNCE_TEXT.search(message.text[:READ])
    postmaster = re.sub(r"[._-]", "", _local(message)) == "postmaster"
    null_path = _null_path(message)
    if postmaster + null_path + bool(subject) + bool(text) < 2:  # noqa: PLR2004 - one sign alone proves nothing
        return
    if postmaster:
        yield "From: postmaster"
    if null_path:
        yield "Return-Path: <>"
    yield from (f"{place}: {found[0]}" for place, found in (("subject", subject), ("text", text)) if found)


def _list_robot(message: Message) -> Evidence:
    """A list server tells that it did not take a mail."""
    local = _local(message)
    refused = REFUSED_BY_LIST.search(f"{message.subject}\n{message.text[:READ]}")
    if refused and LIST_ROBOTS.search(local):
        yield f"From: {local}"
        yield f"text: {refused[0]}"


def _complaint(message: Message) -> Evidence:
    """RFC 5965, and complaints of providers in their own format."""
    content_type = message.header("content-type").lower()
    if content_type.startswith("multipart/report") and "feedback-report" in content_type:
        yield "Content-Type: multipart/report; report-type=feedback-report"
    if any(one.content_type == "message/feedback-report" for one in message.attachments):
        yield "message/feedback-report attached"
    told = COMPLAINT.search(message.subject)
    if told and any(one.content_type.startswith("message/") for one in message.attachments):
        yield f"subject: {told[0]}"


def _other_report(message: Message) -> Evidence:
    """Read receipts and whatever else reports about a mail (RFC 8098, RFC 6522)."""
    if message.header("content-type").lower().startswith("multipart/report"):
        yield "Content-Type: multipart/report"
    if any(one.content_type == "message/disposition-notification" for one in message.attachments):
        yield "message/disposition-notification attached"


def _cloud_notice(message: Message) -> Evidence:
    """Amazon sends bounces and complaints as JSON through a notification topic."""
    found = re.search(r"notificationType\W{1,8}(Bounce|Complaint)\b", message.text[:READ])
    if found:
        yield f"notificationType: {found[1]}"


# --- answers of machines -----------------------------------------------------------------------


def _automatic_reply(message: Message) -> Evidence:
    """Vacation notices and receipts: Auto-Submitted of RFC 3834 and the older ways to say it."""
    submitted = message.header("auto-submitted").lower()
    if submitted.startswith("auto-replied"):
        yield f"Auto-Submitted: {submitted}"
    for name in ("x-autoreply", "x-autorespond", "x-autoresponse", "x-auto-reply", "x-mail-autoreply", "auto-reply"):
        if message.header(name).lower() not in {"", "no"}:
            yield f"{_written(name)}: {message.header(name)}"
    if message.header("x-ms-exchange-inbox-rules-loop"):
        yield "X-MS-Exchange-Inbox-Rules-Loop"
    if "vacation" in message.header("x-apple-action").lower():
        yield "X-Apple-Action: VACATION"
    if message.header("precedence").lower().replace("-", "_") == "auto_reply":
        yield f"Precedence: {message.header('precedence')}"
    if AUTOMATIC_SUBJECT.match(message.subject):
        yield f"subject: {message.subject}"


def _automated(message: Message) -> Evidence:
    """Alerts, build results, notices: nobody reads an answer, but the matter may be a ticket."""
    submitted = message.header("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        yield f"Auto-Submitted: {submitted}"
    for name in ("x-fc-machinegenerated", "x-cron-env", "x-github-reason", "x-alert-id", "x-nagios-notification"):
        if message.header(name):
            yield _written(name)
    if MACHINES.fullmatch(_local(message)):
        yield f"From: {_local(message)}"


def _unattended(message: Message) -> Evidence:
    """Nobody stands behind the address, as its owner says."""
    if NO_REPLY.search(_local(message)):
        yield f"From: {_local(message)}"
    if message.header("precedence").lower() in {"bulk", "junk"}:
        yield f"Precedence: {message.header('precedence')}"
    if _null_path(message) and not message.reply_to:
        yield "Return-Path: <>"


# --- lists -------------------------------------------------------------------------------------


def _discussion(message: Message) -> Evidence:
    """A list on which people talk."""
    posting = message.header("list-post")
    if posting and not posting.strip().upper().startswith("NO"):
        yield "List-Post"
    for name in ("x-mailing-list", "mailing-list", "x-mailman-version", "x-beenthere", "x-ml-name"):
        if message.header(name):
            yield _written(name)
    if message.header("precedence").lower() == "list":
        yield "Precedence: list"
    if LIST_SENDER.search(message.header("sender").partition("@")[0]):
        yield f"Sender: {message.header('sender')}"
    if message.header("list-id") and (message.thread or not message.header("list-unsubscribe")):
        yield "List-Id"


def _newsletter(message: Message) -> Evidence:
    """Sent to many who can only leave (RFC 2369, RFC 8058)."""
    for name in ("list-unsubscribe", "list-unsubscribe-post", "list-id", "feedback-id", "x-campaign", "x-campaignid"):
        if message.header(name):
            yield _written(name)


RULES: Final = (
    Rule(Kind.BOUNCE, "complaint report", _complaint),
    Rule(Kind.BOUNCE, "delivery report", _delivery_report),
    Rule(Kind.BOUNCE, "delivery report", _cloud_notice),
    Rule(Kind.BOUNCE, "report about another mail", _other_report),
    Rule(Kind.BOUNCE, "refused by a mailing list", _list_robot),
    Rule(Kind.AUTOMATED, "automatic reply", _automatic_reply),
    Rule(Kind.LIST, "", _discussion),
    Rule(Kind.AUTOMATED, "", _automated),
    Rule(Kind.LIST, "newsletter", _newsletter),
    Rule(Kind.AUTOMATED, "", _unattended),
)
"""Read from the top; the first with evidence decides. No reason: it may make a ticket."""


# --- the second question -----------------------------------------------------------------------


def _asks_for_silence(message: Message) -> Evidence:
    """Signs that an answer is not wanted though a person may have written; they do not make the mail automatic."""
    suppress = message.header("x-auto-response-suppress").lower()
    if any(word in suppress for word in ("all", "oof", "autoreply")):
        yield f"X-Auto-Response-Suppress: {suppress}"
    if _null_path(message):
        yield "Return-Path: <>"
    if message.sender is None or "@" not in message.sender.address:
        yield "no sender address"


def _local(message: Message) -> str:
    """The part of the sender's address before the @; a From with neither is the daemon of old servers."""
    if message.sender is None:
        return ""
    return message.sender.address.partition("@")[0] or message.sender.name.strip().lower()


def _null_path(message: Message) -> bool:
    return message.header("return-path").strip() == "<>"


def _written(name: str) -> str:
    """A header's name as people write it."""
    return "-".join(word.capitalize() for word in name.split("-"))
