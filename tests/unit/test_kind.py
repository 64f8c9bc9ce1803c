"""What kind of mail it is, and the two questions: each rule by its evidence, people left alone."""

import pytest

from triage.domain.mail import Address, Attachment, Kind, Message
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.kind import RULES, kind_of

ADA = "ada@example.com"


def mail(
    sender: str | None = ADA, subject: str = "Hello", text: str = "", attached: str = "", name: str = "", **headers: str
) -> Message:
    """A mail with these traits; header names with underscores for dashes."""
    files = (Attachment(name=NOTHING, content_type=attached, size=1, inline=False, sha256=""),) if attached else ()
    return Message(
        sender=None if sender is None else Address(address=sender, name=Untrusted(name)),
        subject=Untrusted(subject),
        text=Untrusted(text),
        attachments=files,
        headers=tuple((key.replace("_", "-"), value) for key, value in headers.items()),
        in_reply_to=("x@example.com",) if "in_reply_to" in headers else (),
        reply_to=(Address(address=headers["reply_to"]),) if "reply_to" in headers else (),
    )


BOUNCES = {
    "RFC 3464": mail(content_type="multipart/report; report-type=delivery-status; boundary=x"),
    "status alone": mail(content_type="message/delivery-status"),
    "status attached": mail(attached="message/delivery-status"),
    "failed recipients": mail(x_failed_recipients="nobody@example.com"),
    "daemon": mail("mailer-daemon@mx.example.com"),
    "daemon without a domain": mail("mailer-daemon"),
    "daemon by name": mail("", name="Mailer-Daemon"),
    "postmaster and subject": mail("postmaster@example.com", "Undeliverable: Hello"),
    "postmaster with a dash and text": mail("post_master@example.com", "Re: x", "550 no such user here"),
    "postmaster and null path": mail("postmaster@example.com", "x", return_path="<>"),
    "null path and text": mail(ADA, "Mail", "Could not be delivered. Their mailbox is full.", return_path="<>"),
    "subject and text": mail("it@example.com", "failure notice", "I was unable to deliver your message."),
    "german": mail("x@example.com", "Unzustellbar: Hallo", "konnte nicht zugestellt werden"),
    "notification topic": mail("no-reply@sns.example.com", "Notification", '{"notificationType":"Bounce"}'),
    "complaint topic": mail("no-reply@sns.example.com", "Notification", '{\\"notificationType\\":\\"Complaint\\"}'),
    "RFC 5965": mail(content_type="multipart/report; report-type=feedback-report"),
    "feedback attached": mail(attached="message/feedback-report"),
    "provider's complaint": mail(
        "staff@example.com", "complaint about message from 192.0.2.1", attached="message/rfc822"
    ),
    "read receipt": mail(content_type="multipart/report; report-type=disposition-notification"),
    "read receipt attached": mail(attached="message/disposition-notification"),
    "list robot": mail("team-admin@example.com", "You are not a member", "You are not a member of this mailing list."),
    "list robot, moderation": mail("team-owner@example.com", "Your message", "Your message was rejected"),
}

REPLIES = {
    "RFC 3834": mail(auto_submitted="auto-replied (vacation)"),
    "autoreply": mail(x_autoreply="yes"),
    "exchange": mail(x_ms_exchange_inbox_rules_loop="ada@example.com"),
    "apple": mail(x_apple_action="VACATION"),
    "precedence": mail(precedence="auto_reply"),
    "english": mail(subject="Automatic reply: Hello"),
    "re": mail(subject="Re: Out of Office: back on Monday"),
    "office": mail(subject="Out of office"),
    "german": mail(subject="Abwesenheitsnotiz: Urlaub"),
    "german, long": mail(subject="Automatische Antwort: Hallo"),
    "french": mail(subject="Réponse automatique : Bonjour"),
    "spanish": mail(subject="Respuesta automática: Hola"),
    "portuguese": mail(subject="Resposta automática: Olá"),
    "dutch": mail(subject="Automatisch antwoord: Hallo"),
    "swedish": mail(subject="Autosvar: Hej"),
    "polish": mail(subject="Odpowiedź automatyczna: x"),
    "czech": mail(subject="Automatická odpověď: x"),
    "russian": mail(subject="Автоответ: x"),
    "chinese": mail(subject="自动回复: x"),
    "japanese": mail(subject="自動応答: x"),
}

ALERTS = {
    "RFC 3834": mail(auto_submitted="auto-generated"),
    "notified": mail(auto_submitted="auto-notified; owner-email=x"),
    "machine": mail(x_fc_machinegenerated="true"),
    "cron": mail(x_cron_env="<SHELL=/bin/sh>"),
    "nagios": mail("nagios@mon.example.com", "PROBLEM: disk full"),
    "alerts": mail("alerts+disk@mon.example.com"),
    "no-reply": mail("no-reply@example.com"),
    "do not reply": mail("donotreply@example.com"),
    "german": mail("keine-antwort@example.com"),
    "notifications": mail("notifications@example.com"),
    "bulk": mail(precedence="bulk"),
    "null path": mail(return_path="<>"),
}

LISTS = {
    "post": mail(list_post="<mailto:list@example.com>", list_unsubscribe="<x>"),
    "mailing list": mail(x_mailing_list="list@example.com"),
    "precedence": mail(precedence="list"),
    "mailman": mail(x_beenthere="list@example.com"),
    "id, a reply": mail(list_id="<l.example.com>", list_unsubscribe="<x>", in_reply_to="<x@example.com>"),
    "id alone": mail(list_id="<l.example.com>"),
}

NEWSLETTERS = {
    "unsubscribe": mail(list_unsubscribe="<https://example.com/u>"),
    "one click": mail(list_unsubscribe="<https://example.com/u>", list_unsubscribe_post="List-Unsubscribe=One-Click"),
    "id": mail(list_id="<l.example.com>", list_unsubscribe="<x>", list_post="NO"),
    "campaign": mail(x_campaign="spring"),
}

PEOPLE = {
    "plain": mail(),
    "office in a subject": mail(subject="The out of office tool is broken"),
    "vacation in a subject": mail(subject="Question about my vacation days"),
    "word of a bounce": mail(subject="Undeliverable parcels are not shown"),
    "words in the text alone": mail(text="The customer says: user unknown, 550 5.1.1"),
    "postmaster writes": mail("postmaster@example.com", "Question about our MX"),
    "admin writes": mail("list-admin@example.com", "The archive is broken", "Please have a look."),
    "complaint of a person": mail(subject="Abuse report for user 17"),
    "null path, wants an answer": mail(return_path="<>", reply_to="ada@example.com"),
    "auto-submitted no": mail(auto_submitted="no"),
    "autoreply no": mail(x_autoreply="no"),
    "mixed": mail(content_type="multipart/mixed; boundary=delivery-status"),
}


@pytest.mark.parametrize("message", BOUNCES.values(), ids=BOUNCES.keys())
def test_report_about_other_mail_is_no_ticket(message: Message) -> None:
    """Bounces, complaints and receipts make no ticket and get no answer."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.BOUNCE, False, False)
    assert verdict.reason
    assert verdict.evidence


@pytest.mark.parametrize("message", REPLIES.values(), ids=REPLIES.keys())
def test_automatic_reply_is_no_ticket(message: Message) -> None:
    """Vacation notices and their like make no ticket and get no answer."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.AUTOMATED, False, False)
    assert verdict.reason == "automatic reply"


@pytest.mark.parametrize("message", ALERTS.values(), ids=ALERTS.keys())
def test_alert_may_be_a_ticket(message: Message) -> None:
    """Machines that report something are heard, and not answered."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.AUTOMATED, True, False)
    assert verdict.reason == ""


@pytest.mark.parametrize("message", LISTS.values(), ids=LISTS.keys())
def test_discussion_may_be_a_ticket(message: Message) -> None:
    """A person behind a list is heard, the list is not answered."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.LIST, True, False)


@pytest.mark.parametrize("message", NEWSLETTERS.values(), ids=NEWSLETTERS.keys())
def test_newsletter_is_no_ticket(message: Message) -> None:
    """What goes to many who can only leave is nobody's request."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.LIST, False, False)
    assert verdict.reason == "newsletter"


@pytest.mark.parametrize("message", PEOPLE.values(), ids=PEOPLE.keys())
def test_person_is_not_taken_for_a_machine(message: Message) -> None:
    """Words that machines use too prove nothing alone."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.may_ticket, verdict.reason) == (Kind.HUMAN, True, "")


@pytest.mark.parametrize(
    ("message", "evidence"),
    [
        (mail(), ()),
        (mail(x_auto_response_suppress="OOF, AutoReply"), ("X-Auto-Response-Suppress: oof, autoreply",)),
        (mail(x_auto_response_suppress="DR, RN"), ()),
        (mail(return_path="<>", reply_to=ADA), ("Return-Path: <>",)),
        (mail(None), ("no sender address",)),
        (mail("root"), ("no sender address",)),
    ],
)
def test_person_who_wants_no_answer_gets_none(message: Message, evidence: tuple[str, ...]) -> None:
    """Some headers restrict our answer without making the mail automatic."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.evidence, verdict.may_answer) == (Kind.HUMAN, evidence, not evidence)


def test_list_server_is_known_by_its_sender() -> None:
    """`Sender: owner-…` marks a discussion even where Precedence says bulk."""
    verdict = kind_of(Message(headers=(("sender", "owner-list@example.com"), ("precedence", "bulk"))))

    assert (verdict.kind, verdict.may_ticket) == (Kind.LIST, True)


def test_own_mail_is_ours_whatever_it_looks_like() -> None:
    """Our signature goes before all rules."""
    verdict = kind_of(mail(auto_submitted="auto-generated"), own=True)

    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.OWN, False, False)


def test_each_rule_says_why_or_lets_pass() -> None:
    """Only automated mail and lists may be let through by a rule."""
    assert {rule.kind for rule in RULES if not rule.reason} == {Kind.AUTOMATED, Kind.LIST}
