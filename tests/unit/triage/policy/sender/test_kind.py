"""What kind of mail it is, and the two questions: each rule by its evidence, people left alone."""

from dataclasses import replace

import pytest

from triage.domain.mail import Address, Attachment, Kind, Message
from triage.domain.untrusted import Untrusted
from triage.policy.sender.kind import RULES, kind_of

ADA = "ada@example.com"


def mail(
    sender: str | None = ADA,
    subject: str = "Hello",
    text: str = "",
    attached: str = "",
    name: str = "",
    file: str = "",
    **headers: str,
) -> Message:
    """A mail with these traits; header names with underscores for dashes."""
    called = Untrusted(file)
    files = (Attachment(name=called, content_type=attached, size=1, inline=False, sha256=""),) if attached else ()
    return Message(
        sender=None if sender is None else Address(address=sender, name=Untrusted(name)),
        subject=Untrusted(subject),
        text=Untrusted(text),
        reply=Untrusted(text),
        attachments=files,
        headers=tuple((key.replace("_", "-"), value) for key, value in headers.items()),
        in_reply_to=("x@example.com",) if "in_reply_to" in headers else (),
        reply_to=(Address(address=headers["reply_to"]),) if "reply_to" in headers else (),
    )


BOUNCES = {
    "RFC 3464": mail(content_type="multipart/report; report-type=delivery-status; boundary=x"),
    "status alone": mail(content_type="message/delivery-status"),
    "status attached by a robot": mail("no-reply@example.com", attached="message/delivery-status"),
    "status attached, generated": mail(attached="message/delivery-status", auto_submitted="auto-generated"),
    "failed recipients": mail(x_failed_recipients="nobody@example.com"),
    "daemon": mail("mailer-daemon@mx.example.com"),
    "daemon without a domain": mail("mailer-daemon"),
    "daemon by name": mail("", name="Mailer-Daemon"),
    "exchange's daemon": mail("MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com".lower()),
    "postmaster and subject": mail("postmaster@example.com", "Undeliverable: Hello"),
    "postmaster with a dash, the mail returned": mail(
        "post_master@example.com", "Re: x", "550 no such user here", attached="message/rfc822"
    ),
    "postmaster, its head copied": mail(
        "postmaster@example.com", "x", "no such user\n> MAIL FROM: ada@example.com\n> RCPT TO: x@example.com"
    ),
    "path of a daemon": mail("postmaster@example.com", "x", return_path="<MAILER-DAEMON>"),
    "postmaster and null path": mail("postmaster@example.com", "x", return_path="<>"),
    "null path and text": mail(ADA, "Mail", "Could not be delivered. Their mailbox is full.", return_path="<>"),
    "null path, subject and text": mail("it@example.com", "failure notice", "unable to deliver", return_path="<>"),
    "null path, german": mail("x@example.com", "Unzustellbar: Hallo", "wurde nicht zugestellt", return_path="<>"),
    "notification topic": mail(ADA, "Notification", '{"notificationType":"Bounce"}', x_amz_sns_message_id="1"),
    "complaint topic": mail(ADA, "x", '{\\"notificationType\\":\\"Complaint\\"}', x_amz_sns_message_id="1"),
    "RFC 5965": mail(content_type="multipart/report; report-type=feedback-report"),
    "feedback attached": mail("feedback-noreply@example.com", attached="message/feedback-report"),
    "provider's complaint": mail("staff@hotmail.com", "complaint about message from 192.0.2.1"),
    "read receipt": mail(content_type="multipart/report; report-type=disposition-notification"),
    "read receipt attached": mail(attached="message/disposition-notification", return_path="<>"),
    "TLS report": mail(tls_report_domain="example.com"),
    "DMARC report": mail(
        subject="Report Domain: example.com Submitter: example.net Report-ID: <1>",
        attached="application/zip",
        file="example.net!example.com!1794700800!1794787199.zip",
    ),
    "list robot": mail("majordomo@example.com", "You are not a member", "You are not a member of this mailing list."),
    "list robot, marked": mail("team-owner@example.com", "Your post was rejected", x_mlserver="fml"),
    "list robot, bulk": mail("team-owner@example.com", "Your message", "message was rejected", precedence="bulk"),
}

ANSWERED = {"in_reply_to": "<x@example.com>"}
REPLIES = {
    "RFC 3834": mail(auto_submitted="auto-replied (vacation)"),
    "autoreply": mail(x_autoreply="yes"),
    "apple": mail(x_apple_action="VACATION"),
    "precedence": mail(precedence="auto_reply"),
    "exchange": mail(subject="Automatic reply: Hello", x_ms_exchange_inbox_rules_loop="ada@example.com"),
    "suppress": mail(subject="Automatische Antwort: Hallo", x_auto_response_suppress="All"),
    "generated": mail(subject="Re: Out of Office: back on Monday", auto_submitted="auto-generated"),
    "bulk": mail(subject="Abwesend bis 5. Mai", precedence="bulk"),
    "null path": mail(subject="Absence : Chloé", return_path="<>"),
    "null path, in the text": mail(text="Ich bin vom 3. bis 9. Mai im Urlaub.", return_path="<>", **ANSWERED),
    "bulk, in the text": mail(text="I am away from my mail.", precedence="junk", **ANSWERED),
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
    "null path, parcels": mail(subject="Undeliverable parcels: 12", return_path="<>"),
    "away, answers nothing": mail(text="I am on vacation.", precedence="bulk"),
    "generated, away in the text": mail(text="I am on vacation.", auto_submitted="auto-generated", **ANSWERED),
}

LISTS = {
    "post": mail(list_post="<mailto:list@example.com>", list_unsubscribe="<x>"),
    "mailing list": mail(x_mailing_list="list@example.com"),
    "precedence": mail(precedence="list"),
    "mailman": mail(x_beenthere="list@example.com"),
    "id, a reply": mail(list_id="<l.example.com>", list_unsubscribe="<x>", in_reply_to="<x@example.com>"),
    "id alone": mail(list_id="<l.example.com>"),
    "away on a list": mail(text="I am on vacation.", precedence="bulk", x_mailing_list="l", **ANSWERED),
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
    "subject and text of a bounce": mail(subject="failure notice", text="I was unable to deliver your message."),
    "automatic reply in a subject": mail(subject="Automatic reply: does not come"),
    "office as a whole subject": mail(subject="Out of office"),
    "status forwarded": mail(attached="message/delivery-status"),
    "feedback forwarded": mail(attached="message/feedback-report"),
    "receipt forwarded": mail(attached="message/disposition-notification"),
    "reported phish": mail(subject="Spam report", attached="message/rfc822"),
    "DMARC report forwarded": mail(
        subject="Fwd: Report Domain: example.com Submitter: example.net Report-ID: <1>",
        attached="application/zip",
        file="example.net!example.com!1794700800!1794787199.zip",
    ),
    "DMARC report asked about": mail(
        subject="Report Domain: example.com Submitter: example.net Report-ID: <1>", attached="application/zip"
    ),
    "notification pasted": mail(text='{"notificationType":"Bounce"}'),
    "redirected by a rule": mail(x_ms_exchange_inbox_rules_loop="ada@example.com"),
    "redirected, away": mail(subject="Out of office", x_ms_exchange_inbox_rules_loop="ada@example.com"),
    "delivered for an app": mail(feedback_id="1:AmazonSES"),
    "postmaster, by hand": mail(
        "postmaster@example.com", "Undeliverable: yours", "was not delivered", user_agent="Mutt"
    ),
    "postmaster with Outlook": mail(
        "postmaster@example.com", "Undeliverable: yours", attached="message/rfc822", x_mailer="Microsoft Outlook 16.0"
    ),
    "postmaster on bounces": mail("postmaster@example.com", "Your server", "answers 550 5.7.1"),
    "form about bounces": mail(
        subject="failure notice", text="unable to deliver", return_path="<>", reply_to="ada@example.com"
    ),
    "list role": mail("it-help@example.com", text="Ben is not a member"),
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


def test_vacation_notice_may_say_re_alone() -> None:
    """An empty envelope sender and the words of a notice prove it in an answer, which `Re:` says where no field does."""
    away = "Ich bin bis 20. November im Urlaub. Ihre E-Mail wird nicht weitergeleitet."

    assert not kind_of(mail(ADA, "Re: Export", away, return_path="<>")).may_ticket
    assert kind_of(mail(ADA, "Export", away, return_path="<>")).may_ticket


def test_list_server_that_asks_makes_no_ticket() -> None:
    """The question whether an address wants to join a list is nobody's matter; the same subject by a person is."""
    server = mail("users-request@lists.example", "confirm 7d1b2c9e04", precedence="bulk", x_mailman_version="2.1.39")

    cookie = mail("users-confirm+7d1b2c9e04@lists.example", "confirm 7d1b2c9e04", precedence="bulk")

    assert kind_of(server).reason == kind_of(cookie).reason == "question of a mailing list"
    assert kind_of(mail(ADA, "confirm 7d1b2c9e04")).may_ticket


def test_click_on_accept_makes_no_ticket() -> None:
    """A calendar that answers an invitation, without a word beside it, asks nothing."""
    verdict = kind_of(replace(mail(ADA, "Accepted: Handover"), flags=("calendar-answer",)))

    assert (verdict.reason, verdict.may_ticket) == ("answer to an invitation", False)


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
        (mail(subject="Re: AW: Abwesenheitsnotiz: x"), ("subject: Re: AW: Abwesenheitsnotiz: x",)),
        (mail(subject="Absent du 3 au 9 mai"), ("subject: Absent du 3 au 9 mai",)),
        (mail(subject="Out of Office Re: Offer"), ("subject: Out of Office Re: Offer",)),
        (mail(subject="Out of office tool is broken"), ()),
        (mail(text="Hello,\n\nI am currently out of the office."), ("text: out of the office",)),
        (mail(text="The out of office assistant is broken. I am angry."), ()),
        (mail(text="抱歉,我正在休假。"), ("text: 我正在休假",)),
        (mail(text="Merci.\n\nMerci de ne pas répondre."), ("text: Merci de ne pas répondre",)),
        (mail(text="Automated. Do not reply."), ("text: Do not reply",)),
        (mail(text="They do not reply."), ()),
        (mail(text='It says "this is an automated message". Why?'), ()),
        (mail(subject="Undeliverable: x", text="could not be delivered"), ("subject: Undeliverable: x",)),
        (mail(subject="Undeliverable: x", text="What is this? It could not be delivered"), ()),
        (mail(subject="Undeliverable parcels", text="could not be delivered"), ()),
        (mail(text="550 messages could wait"), ()),
    ],
)
def test_person_who_wants_no_answer_gets_none(message: Message, evidence: tuple[str, ...]) -> None:
    """Some headers restrict our answer without making the mail automatic."""
    verdict = kind_of(message)

    assert (verdict.kind, verdict.evidence, verdict.may_answer) == (Kind.HUMAN, evidence, not evidence)


def test_words_of_a_forwarded_mail_are_not_the_senders() -> None:
    """A forward without a word of its own is answered, whatever stands in the forwarded mail."""
    words = Untrusted("This is an automated message, please do not reply.")
    message = Message(sender=Address(address=ADA), text=words, reply=words, quoted=words, flags=("forward",))

    assert kind_of(message).may_answer
    assert not kind_of(replace(message, flags=())).may_answer


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


NOTICES = {
    "desk, english": mail(
        subject="[#12] Hello", text="Your request (12) has been received and is being reviewed by our team."
    ),
    "desk, opened": mail(text="A request for support has been created and assigned #12."),
    "service desk": mail(text="Just confirming that we got your request. Turn off this request's notifications."),
    "messenger": mail(subject="Re: Hello", text="Thanks for writing. The team typically replies in a few hours."),
    "read, outlook": mail(subject="Read: Hello", text="Your message was opened on Monday."),
    "read, german": mail(subject="Gelesen: Hallo", text="Ihre Nachricht vom Montag."),
    "read, french": mail(subject="Lu : Bonjour", text="Votre message de lundi."),
    "read, thunderbird": mail(text="This receipt only acknowledges that the message was displayed on a screen."),
    "unread": mail(subject="Not read: Hello", text="Your message is gone."),
    "recalled": mail(text='Ada would like to recall the message "Hello".'),
    "held by a list": mail(text="It is being held until the list moderator has seen it."),
    "guest list": mail(subject="Re: Hello", text="Please add yourself to my guest list so that your mails reach me."),
    "gone, french": mail(subject="RE: Bonjour", text="Bonjour, je ne fais plus partie de la maison."),
    "gone, spanish": mail(subject="RE: Hola", text="Ya no trabajo en esta casa."),
    "postmaster without a path": mail("postmaster@example.com", "Email delivery failure", "No such user."),
    "postmaster, korean": mail("postmaster@example.com", "안내", "메일 발송에 실패하였습니다."),
    "postmaster, chinese": mail("postmaster@example.com", "通知", "退信原因 550"),
}


@pytest.mark.parametrize("message", NOTICES.values(), ids=NOTICES.keys())
def test_notice_without_a_field_is_not_answered_and_not_lost(message: Message) -> None:
    """Receipts, acknowledgements and bounces that only words tell are left without an answer, and still reach somebody."""
    verdict = kind_of(message)
    assert (verdict.kind, verdict.may_ticket, verdict.may_answer) == (Kind.HUMAN, True, False)


@pytest.mark.parametrize(
    "message",
    [
        mail(subject="Read receipts", text="How do I switch them off?"),
        mail(subject="Reading list", text="Please print it."),
        mail("postmaster@example.com", "Your domain", "Your mails cannot be delivered to us. Could you add a record?"),
        mail(subject="Recall of batch 17", text="We want to recall the pumps."),
        mail(subject="Old colleague", text="Paul has left, please close his mailbox."),
    ],
)
def test_person_who_writes_about_notices_is_answered(message: Message) -> None:
    """Words of notices in a person's question keep nobody from an answer."""
    assert kind_of(message).may_answer
