"""Classifies a mail as human, automated, list, bounce or own, and says whether it may make a ticket and be answered.

The rules stand in one table, and the first that finds evidence decides. Automated mail may make a ticket (alerts, build
results); bounces, reports, vacation notices, our own mail and newsletters may not. Words alone never take away the right
to a ticket (decision 029): that needs a field that no mail program of a person writes, an envelope without a sender, the
address of a mail server or a report as a part. Words alone only keep us from answering.

"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from string import capwords
from typing import Final

from triage.domain.mail import Kind, KindVerdict, Message
from triage.policy.alerts.alert import alert_of
from triage.policy.sender.automatic_reply import (
    ANSWER,
    absent_subject,
    absent_text,
    automatic_subject,
    automatic_submission,
    renamed_answer,
    unattended_text,
)
from triage.policy.sender.machine_patterns import (
    BOUNCE_SUBJECT,
    BOUNCE_TEXT,
    COMPLAINANTS,
    COMPLAINT,
    CONFIRM,
    DAEMONS,
    DMARC_FILE,
    DMARC_SUBJECT,
    LIST_ROBOTS,
    LIST_ROLES,
    LIST_SENDER,
    MACHINES,
    NO_REPLY,
    NOTICE,
    PROGRAMS,
    REFUSED_BY_LIST,
    RETURNED,
)

Evidence = Iterator[str]
READ: Final = 4000
"""Characters of the text that are searched."""
AUTOREPLY_FIELDS: Final = (
    "x-autoreply",
    "x-autoreply-from",
    "x-autorespond",
    "x-autoresponse",
    "x-auto-reply",
    "x-mail-autoreply",
    "auto-reply",
)


@dataclass(frozen=True, slots=True)
class KindRule:
    """A kind of mail and how it is recognised."""

    kind: Kind
    reason: str
    """Why it may not make a ticket; empty where it may."""
    evidence: Callable[[Message], Evidence]


def kind_of(message: Message, *, own: bool = False) -> KindVerdict:
    """Classify a mail; `own` says that it carries our signature, which the caller has checked."""
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


# --- proof -------------------------------------------------------------------------------------


def _generated(message: Message) -> Evidence:
    """Yield evidence that a program wrote the mail: Auto-Submitted, or signs that nobody shall answer."""
    if submitted := automatic_submission(message):
        yield f"Auto-Submitted: {submitted}"
    yield from _for_nobody(message)


def _for_nobody(message: Message) -> Evidence:
    """Yield the older signs of vacation programs: Precedence, and an empty Return-Path."""
    if message.header("precedence").lower() in {"bulk", "junk"}:
        yield f"Precedence: {message.header('precedence')}"
    if _null_path(message) and not _wants_an_answer(message):
        yield "Return-Path: <>"


def _passed_on(message: Message) -> Evidence:
    """Yield fields of programs that also redirect mail of people, such as the rules of an Exchange mailbox."""
    for name in ("x-auto-response-suppress", "x-ms-exchange-inbox-rules-loop"):
        if message.header(name):
            yield capwords(name, "-")


def _robot(message: Message) -> Evidence:
    """Yield evidence that the sender is a program: its address or the header."""
    local = _local(message)
    if DAEMONS.fullmatch(local) or NO_REPLY.search(local) or _postmaster(message):
        yield f"From: {local}"
    yield from _generated(message)


def _handwritten(message: Message) -> bool:
    """Tell whether a mail program of a person names itself."""
    return bool(message.header("user-agent") or PROGRAMS.search(message.header("x-mailer")))


# --- reports about other mail ------------------------------------------------------------------


def _attached(message: Message, content_type: str) -> Evidence:
    """Yield a part of this type if a program sent the mail; a person who forwards a report sends the same part."""
    if any(one.content_type == content_type for one in message.attachments) and (robot := tuple(_robot(message))):
        yield f"{content_type} attached"
        yield from robot


def _delivery_report(message: Message) -> Evidence:
    """Recognise delivery reports: RFC 3464, and the notices of servers that do not follow it."""
    content_type = message.header("content-type").lower()
    if "delivery-status" in content_type and content_type.startswith(("multipart/report", "message/")):
        yield "Content-Type: multipart/report; report-type=delivery-status"
    yield from _attached(message, "message/delivery-status")
    if message.header("x-failed-recipients"):
        yield "X-Failed-Recipients"
    if DAEMONS.fullmatch(_local(message)):
        yield f"From: {_local(message)}"
    yield from _notice(message)


def _notice(message: Message) -> Evidence:
    """Recognise a bounce without a report part: by words, and by an empty envelope sender or a postmaster."""
    postmaster, null_path = _postmaster(message), _null_path(message)
    if not (postmaster or null_path):
        return
    words, returned = tuple(_bounce_words(message)), _returned(message)
    if not (
        (postmaster and null_path)
        or (null_path and not _wants_an_answer(message) and len(words) + returned >= 2)  # noqa: PLR2004 - two signs
        or (postmaster and words and (returned or NOTICE.match(message.subject)) and not _handwritten(message))
    ):
        return
    if postmaster:
        yield f"From: {_local(message)}"
    if null_path:
        yield "Return-Path: <>"
    yield from words


def _bounce_words(message: Message) -> Evidence:
    """Yield the words of subject and text that bounces use, at most three of the text."""
    subject = BOUNCE_SUBJECT.search(message.subject)
    if subject:
        yield f"subject: {subject[0]}"
    yield from (f"text: {found[0]}" for found in islice(BOUNCE_TEXT.finditer(message.text[:READ]), 3))


def _returned(message: Message) -> bool:
    """Tell whether the returned mail is attached, or its header is copied into the text."""
    attached = any(one.content_type.startswith(("message/", "text/rfc822")) for one in message.attachments)
    return attached or len(tuple(islice(RETURNED.finditer(message.text[:READ]), 2))) == 2  # noqa: PLR2004 - one field may be a word


def _list_robot(message: Message) -> Evidence:
    """Recognise a list server that refused a mail."""
    local = _local(message)
    refused = REFUSED_BY_LIST.search(f"{message.subject}\n{message.text[:READ]}")
    fields = ("x-mlserver", "x-list-administrivia")
    proof = [capwords(name, "-") for name in fields if message.header(name)] or list(_generated(message))
    if refused and (LIST_ROBOTS.fullmatch(local) or (proof and LIST_ROLES.search(local))):
        yield f"From: {local}"
        yield from proof
        yield f"text: {refused[0]}"


def _list_question(message: Message) -> Evidence:
    """Recognise a list server that asks whether an address wants to join or leave: `confirm 7d1b2c9e04`."""
    asked = CONFIRM.fullmatch(message.subject.strip())
    if asked and LIST_ROLES.search(_local(message)) and (proof := tuple(_generated(message))):
        yield f"subject: {asked[0]}"
        yield from proof


def _complaint(message: Message) -> Evidence:
    """Recognise complaints: RFC 5965, and the formats of single providers."""
    content_type = message.header("content-type").lower()
    if content_type.startswith("multipart/report") and "feedback-report" in content_type:
        yield "Content-Type: multipart/report; report-type=feedback-report"
    yield from _attached(message, "message/feedback-report")
    complaint = COMPLAINT.match(message.subject.lstrip())
    if complaint and message.sender and message.sender.address in COMPLAINANTS:
        yield f"From: {message.sender.address}"
        yield f"subject: {complaint[0]}"


def _other_report(message: Message) -> Evidence:
    """Recognise read receipts, DMARC and TLS summaries and other reports (RFC 8098, 6522, 7489, 8460)."""
    if message.header("content-type").lower().startswith("multipart/report"):
        yield "Content-Type: multipart/report"
    if message.header("tls-report-domain"):
        yield "TLS-Report-Domain"
    yield from _attached(message, "message/disposition-notification")
    summary = next((one.name for one in message.attachments if DMARC_FILE.fullmatch(one.name)), "")
    if summary and DMARC_SUBJECT.match(message.subject.lstrip()):
        yield f"DMARC report: {summary}"


def _cloud_notice(message: Message) -> Evidence:
    """Recognise Amazon SNS notices, which report bounces and complaints as JSON."""
    found = re.search(r"notificationType\W{1,8}(Bounce|Complaint)\b", message.text[:READ])
    if found and message.header("x-amz-sns-message-id"):
        yield "X-Amz-Sns-Message-Id"
        yield f"notificationType: {found[1]}"


# --- answers of machines -----------------------------------------------------------------------


def _automatic_reply(message: Message) -> Evidence:
    """Recognise vacation notices and receipts: Auto-Submitted (RFC 3834) and older fields."""
    submitted = message.header("auto-submitted").lower()
    if submitted.startswith("auto-replied"):
        yield f"Auto-Submitted: {submitted}"
    for name in AUTOREPLY_FIELDS:
        if message.header(name).lower() not in {"", "no"}:
            yield f"{capwords(name, '-')}: {message.header(name)}"
    if "vacation" in message.header("x-apple-action").lower():
        yield "X-Apple-Action: VACATION"
    if message.header("precedence").lower().replace("-", "_") == "auto_reply":
        yield f"Precedence: {message.header('precedence')}"
    yield from _vacation_notice(message)


def _vacation_notice(message: Message) -> Evidence:
    """Recognise a vacation notice by words and a field: the clearer the words, the weaker the field may be."""
    generated, passed_on = tuple(_generated(message)), tuple(_passed_on(message))
    automatic = automatic_subject(message.subject)
    if (automatic and (generated or passed_on)) or (generated and absent_subject(message.subject)):
        yield from (*generated, *passed_on, f"subject: {message.subject}")
    elif _answers(message) and any(_for_nobody(message)) and not any(_discussion(message)):
        yield from (f"text: {away}" for away in (absent_text(_own_text(message)),) if away)


def _calendar_answer(message: Message) -> Evidence:
    """Recognise a click on Accept or Decline: the calendar is all that the mail has, and has no comment."""
    if "calendar-answer" in message.flags:
        yield "text/calendar; method=REPLY"


def _answers(message: Message) -> bool:
    """Tell whether a mail answers another one, by its header or by `Re:`, which is all that some programs write."""
    return bool(message.thread) or bool(ANSWER.match(message.subject))


def _alert(message: Message) -> Evidence:
    """Recognise mails of monitoring and tracking programs, also those that come over a list or can be unsubscribed."""
    if found := alert_of(message):
        yield f"alert of {found.source}"


def _automated(message: Message) -> Evidence:
    """Recognise alerts, build results and notices: nobody reads an answer, but they may make a ticket."""
    if submitted := automatic_submission(message):
        yield f"Auto-Submitted: {submitted}"
    for name in ("x-fc-machinegenerated", "x-cron-env", "x-github-reason", "x-alert-id", "x-nagios-notification"):
        if message.header(name):
            yield capwords(name, "-")
    if MACHINES.fullmatch(_local(message)):
        yield f"From: {_local(message)}"


def _unattended(message: Message) -> Evidence:
    """Recognise an address that nobody reads, by its name or the words of its owner."""
    if NO_REPLY.search(_local(message)):
        yield f"From: {_local(message)}"
    yield from _for_nobody(message)


# --- lists -------------------------------------------------------------------------------------


def _discussion(message: Message) -> Evidence:
    posting = message.header("list-post")
    if posting and not posting.strip().upper().startswith("NO"):
        yield "List-Post"
    for name in ("x-mailing-list", "mailing-list", "x-mailman-version", "x-beenthere", "x-ml-name"):
        if message.header(name):
            yield capwords(name, "-")
    if message.header("precedence").lower() == "list":
        yield "Precedence: list"
    if LIST_SENDER.search(message.header("sender").partition("@")[0]):
        yield f"Sender: {message.header('sender')}"
    if message.header("list-id") and (message.thread or not message.header("list-unsubscribe")):
        yield "List-Id"


def _newsletter(message: Message) -> Evidence:
    """Recognise mail to many who can only unsubscribe (RFC 2369, RFC 8058)."""
    for name in ("list-unsubscribe", "list-unsubscribe-post", "list-id", "x-campaign", "x-campaignid"):
        if message.header(name):
            yield capwords(name, "-")


RULES: Final = (
    KindRule(Kind.BOUNCE, "complaint report", _complaint),
    KindRule(Kind.BOUNCE, "delivery report", _delivery_report),
    KindRule(Kind.BOUNCE, "delivery report", _cloud_notice),
    KindRule(Kind.BOUNCE, "report about another mail", _other_report),
    KindRule(Kind.BOUNCE, "refused by a mailing list", _list_robot),
    KindRule(Kind.AUTOMATED, "question of a mailing list", _list_question),
    KindRule(Kind.AUTOMATED, "automatic reply", _automatic_reply),
    KindRule(Kind.AUTOMATED, "answer to an invitation", _calendar_answer),
    KindRule(Kind.AUTOMATED, "", _alert),
    KindRule(Kind.LIST, "", _discussion),
    KindRule(Kind.AUTOMATED, "", _automated),
    KindRule(Kind.LIST, "newsletter", _newsletter),
    KindRule(Kind.AUTOMATED, "", _unattended),
)
"""Read from the top; the first rule with evidence decides. An empty reason allows a ticket."""


# --- the second question -----------------------------------------------------------------------


def _asks_for_silence(message: Message) -> Evidence:
    """Yield signs that an answer is not wanted; a person may have written the mail all the same."""
    suppress = message.header("x-auto-response-suppress").lower()
    if any(word in suppress for word in ("all", "oof", "autoreply")):
        yield f"X-Auto-Response-Suppress: {suppress}"
    if _null_path(message):
        yield "Return-Path: <>"
    if message.sender is None or "@" not in message.sender.address:
        yield "no sender address"
    yield from _silencing_words(message)


def _silencing_words(message: Message) -> Evidence:
    """Yield words of programs; to answer a program that hides in a plain mail could start a loop."""
    if automatic_subject(message.subject) or absent_subject(message.subject) or renamed_answer(message):
        yield f"subject: {message.subject}"
    own = _own_text(message)
    yield from (f"text: {words}" for words in (absent_text(own), unattended_text(own)) if words)
    notice = _postmaster(message) or NOTICE.match(message.subject.lstrip())
    if notice and BOUNCE_TEXT.search(own) and "?" not in own:  # servers ask nothing
        yield f"subject: {message.subject}"


def _own_text(message: Message) -> str:
    """Return the text of the sender alone; empty for a forward without a word of his own."""
    passed_on = "forward" in message.flags and message.reply == message.quoted
    return "" if passed_on else message.reply[:READ]


def _local(message: Message) -> str:
    """Return the local part of the sender's address; old mail servers write a name alone."""
    if message.sender is None:
        return ""
    return message.sender.address.partition("@")[0] or message.sender.name.strip().lower()


def _postmaster(message: Message) -> bool:
    """Tell whether the address is postmaster, which both servers and administrators use."""
    return re.sub(r"[._-]", "", _local(message)) == "postmaster"


def _null_path(message: Message) -> bool:
    """Tell whether Return-Path is empty or names a mail server."""
    path = message.header("return-path").strip()
    return path == "<>" or bool(DAEMONS.fullmatch(path.strip("<>").partition("@")[0] or " "))


def _wants_an_answer(message: Message) -> bool:
    """Tell whether a web form sent the mail for a person: empty envelope sender, the person in Reply-To."""
    return any(not NO_REPLY.search(one.address.partition("@")[0]) for one in message.reply_to)
