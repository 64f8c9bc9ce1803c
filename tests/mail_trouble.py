"""Our own mails about mail: people with trouble, programs that answer, and programs that answer without saying so.

`python -m tests.mail_trouble FOLDER` writes them as raw mails with a manifest for `triage eval mail`.
"""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Final

DESK: Final = "helpdesk@harbour.example"
STATUS: Final = (
    "Reporting-MTA: dns; mx.harbour.example\n\n"
    "Final-Recipient: rfc822; nobody@kunde.example\nAction: failed\nStatus: 5.1.1\n"
    "Diagnostic-Code: smtp; 550 5.1.1 User unknown\n"
)
RETURNED: Final = (
    "Received: from ws12.harbour.example by mx.harbour.example; Mon, 16 Nov 2026 08:12:01 +0000\n"
    "Message-ID: <offer-17@harbour.example>\nFrom: ina@harbour.example\nTo: nobody@kunde.example\n"
    "Subject: Offer 17\n\nPlease find our offer attached.\n"
)
PASTED: Final = (
    "This is the mail system at host mx.harbour.example.\n\n"
    "I'm sorry to have to inform you that your message could not\n"
    "be delivered to one or more recipients.\n\n"
    "<nobody@kunde.example>: host mail.kunde.example said: 550 5.1.1 User unknown\n"
)
PHISH: Final = (
    "Return-Path: <>\nAuto-Submitted: auto-generated\nFrom: IT <no-reply@harb0ur.example>\nTo: ina@harbour.example\n"
    "Message-ID: <p1@harb0ur.example>\nSubject: Your mailbox is full\n\n"
    "This is an automated message, do not reply. Confirm your password: https://harb0ur.example/login\n"
)

Part = Callable[[EmailMessage], None]
"""Hangs something on a mail."""


@dataclass(frozen=True)
class Letter:
    """One mail of the table."""

    name: str
    sender: str
    subject: str
    text: str
    header: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    report: str = ""
    """`multipart/report` of this type instead of `multipart/mixed`."""

    @property
    def raw(self) -> bytes:
        """As it comes in."""
        mail = EmailMessage(policy=SMTP)
        more = {
            "To": DESK,
            "Date": "Mon, 16 Nov 2026 09:00:00 +0000",
            "Message-ID": f"<{_number(self.name)}@mail.example>",
        }
        for name, value in {"From": self.sender, "Subject": self.subject, **more, **self.header}.items():
            if value:
                mail[name] = value
        mail.set_content(self.text.rstrip() + "\n")
        for hang in self.parts:
            hang(mail)
        if self.report:
            if not mail.is_multipart():
                mail.make_mixed()
            mail.set_type("multipart/report")
            mail.set_param("report-type", self.report)
        return mail.as_bytes()


def _number(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def status(mail: EmailMessage) -> None:
    """A delivery report of RFC 3464, as bounces have it and as mail programs forward it."""
    part = EmailMessage(policy=SMTP)
    part["Content-Type"] = "message/delivery-status"
    part.set_payload([_fields(block) for block in STATUS.strip().split("\n\n")])
    _hang(mail, part)


def _fields(block: str) -> EmailMessage:
    made = EmailMessage(policy=SMTP)
    for line in block.splitlines():
        name, _, value = line.partition(": ")
        made[name] = value
    return made


def _hang(mail: EmailMessage, part: EmailMessage) -> None:
    if not mail.is_multipart():
        mail.make_mixed()
    mail.attach(part)


def a_mail(raw: str) -> Part:
    """This mail as message/rfc822."""

    def hang(mail: EmailMessage) -> None:
        inner = EmailMessage(policy=SMTP)
        head, _, body = raw.partition("\n\n")
        for line in head.splitlines():
            name, _, value = line.partition(": ")
            inner[name] = value
        inner.set_content(body)
        mail.add_attachment(inner)

    return hang


def a_bounce(mail: EmailMessage) -> None:
    """A whole bounce as message/rfc822."""
    bounce = EmailMessage(policy=SMTP)
    bounce["From"] = "MAILER-DAEMON@mx.harbour.example"
    bounce["Subject"] = "Undelivered Mail Returned to Sender"
    bounce["Auto-Submitted"] = "auto-replied"
    bounce.set_content(PASTED)
    status(bounce)
    bounce.set_type("multipart/report")
    bounce.set_param("report-type", "delivery-status")
    mail.add_attachment(bounce)


def a_file(name: str, content_type: str, content: bytes = b"content") -> Part:
    """An ordinary attachment."""
    main, _, sub = content_type.partition("/")
    return lambda mail: mail.add_attachment(content, maintype=main, subtype=sub, filename=name)


def fields(content_type: str, text: str) -> Part:
    """A part of fields, as receipts and complaints have it."""

    def hang(mail: EmailMessage) -> None:
        part = EmailMessage(policy=SMTP)
        part["Content-Type"] = content_type
        part.set_payload(text)
        _hang(mail, part)

    return hang


INA: Final = "Ina Berg <ina.berg@harbour.example>"
PHISHED: Final = a_mail(PHISH)
BACK: Final = a_mail(RETURNED)
NULL: Final = {"Return-Path": "<>"}
REPLIED: Final = {"Auto-Submitted": "auto-replied"}
ANSWERS: Final = {"In-Reply-To": "<offer-17@harbour.example>", "References": "<offer-17@harbour.example>"}
DMARC_FILE: Final = "mail.example!harbour.example!1794700800!1794787199.xml.gz"

PEOPLE: Final = (
    Letter("en-autoreply", INA, "Automatic reply does not work", "Hi,\n\nmy automatic reply is on since Friday, but nobody gets it.\n\nIna"),
    Letter("en-550", INA, "Mails to our customer are undeliverable", "Hello,\n\nsince Monday all mails to kunde.example come back: 550 5.7.1 Message rejected.\nCan you look?\n\nIna"),
    Letter("en-550-many", INA, "Delivery failed", "The nightly run could not be delivered to the queue: 550 messages are waiting."),
    Letter("en-pasted", INA, "Undelivered Mail Returned to Sender", f"What does this mean?\n\n{PASTED}"),
    Letter("en-pasted-first", INA, "failure notice", f"{PASTED}\nWhat can I do about it?"),
    Letter("en-forward", INA, "Fwd: Undelivered Mail Returned to Sender", f"Please help.\n\n---------- Forwarded message ---------\nFrom: Mail Delivery System <MAILER-DAEMON@mx.harbour.example>\nDate: Mon, 16 Nov 2026 at 08:12\nSubject: Undelivered Mail Returned to Sender\nTo: <ina.berg@harbour.example>\n\n{PASTED}"),
    Letter("en-forward-mute", INA, "Fwd: failure notice", f"\n---------- Forwarded message ---------\nFrom: Mail Delivery System <MAILER-DAEMON@mx.harbour.example>\nDate: Mon, 16 Nov 2026 at 08:12\nSubject: failure notice\nTo: <ina.berg@harbour.example>\n\n{PASTED}"),
    Letter("en-bounce-attached", INA, "Mail comes back", "The attached mail came back to me.", parts=(a_bounce,)),
    Letter("en-bounce-attached-mute", INA, "FW: Undelivered Mail Returned to Sender", "", parts=(a_bounce,)),
    Letter("en-report-forwarded", INA, "Fwd: Undelivered Mail Returned to Sender", f"Why?\n\n{PASTED}", {"User-Agent": "Mozilla Thunderbird"}, (status, BACK)),
    Letter("en-phish", INA, "Phishing?", "I got the attached mail and clicked on it. What now?", parts=(PHISHED,)),
    Letter("en-phish-mute", INA, "Spam report", "", parts=(PHISHED,)),
    Letter("en-abuse", "Abuse Desk <abuse@provider.example>", "Abuse report: spam from 192.0.2.17", "Dear team,\n\nwe received the attached spam from your server 192.0.2.17. Please stop it.", parts=(PHISHED,)),
    Letter("en-complaint", INA, "Complaint about message from the shop", "A customer complains about the attached message.", parts=(BACK,)),
    Letter("en-vacation", INA, "Out of office tool is broken", "I cannot set an out of office message for my team."),
    Letter("en-ooo-question", INA, "Out of office: how do I set it for a shared mailbox?", "See subject."),
    Letter("en-vacation-days", INA, "Vacation message without umlauts", "The text of my vacation reply arrives with question marks."),
    Letter("en-not-reply", INA, "Wrong footer", 'Our order mails say "This is an automated message, do not reply". Customers shall be able to reply. Please change it.'),
    Letter("en-they-do-not-reply", INA, "Support of the provider", "I wrote three times, they do not reply. Can you call them?"),
    Letter("en-mailbox-full", INA, "Mailbox is full", "My mailbox is full, over quota says the server. Please give me more space."),
    Letter("en-user-unknown", INA, "User unknown", "The new colleague's address answers: user unknown. Has the account been made?"),
    Letter("en-daemon-question", INA, "Who is MAILER-DAEMON?", "I get mails from MAILER-DAEMON@mx.harbour.example all day. Can you stop that?"),
    Letter("en-postmaster", "Hans Vogel <postmaster@kunde.example>", "Your server rejects our mails", "Hello,\n\nI look after the mail of kunde.example. Your gateway answers 550 5.7.1 to all our mails since 3 o'clock.\n\nHans Vogel"),
    Letter("en-postmaster-log", "postmaster@kunde.example", "Undeliverable mails from harbour.example", "Dear colleagues,\n\nmails from your domain could not be delivered, the SPF record is wrong.\nPlease correct it.", {"User-Agent": "Mutt/2.2"}),
    Letter("en-list-owner", "crew-owner@harbour.example", "Request", "Ben is not a member of the list and his post was rejected. Please add him."),
    Letter("en-group", "it-help@kunde.example", "Access to the list", "Ben is not a member, his message was rejected.", {"List-Id": "<helpdesk.harbour.example>", "List-Post": "<mailto:helpdesk@harbour.example>", "Precedence": "list"}),
    Letter("en-form", "Web form <www@harbour.example>", "Contact: mails undeliverable", "Our mails to you are undeliverable, delivery failed three times.", {"Return-Path": "<>", "Reply-To": "carl@kunde.example"}),
    Letter("en-redirected", INA, "Out of office assistant", "The out of office assistant answers every mail twice.", {"X-MS-Exchange-Inbox-Rules-Loop": "chief@harbour.example"}),
    Letter("en-redirected-away", INA, "Re: Login", "I am out of the office until Monday, please reset my password before.", {"X-MS-Exchange-Inbox-Rules-Loop": "chief@harbour.example", **ANSWERS}),
    Letter("en-suppressed", INA, "Auto-reply missing", "The auto-reply of sales@ is missing since the update.", {"X-Auto-Response-Suppress": "All"}),
    Letter("en-cloud", INA, "Webhook fails", 'Our handler fails on {"notificationType":"Bounce","bounce":{"bounceType":"Permanent"}} since the update.'),
    Letter("en-ses", INA, "Newsletter signup broken", "The form answers with an error.", {"Feedback-ID": "1.eu-west-1.x:AmazonSES"}),
    Letter("en-dmarc", INA, "Fwd: Report domain: harbour.example Submitter: mail.example Report-ID: 17", "What shall I do with these reports?", parts=(a_file(DMARC_FILE, "application/gzip"),)),
    Letter("en-receipt", INA, "Read receipts", "Please switch off read receipts (disposition notification) for all of us."),
    Letter("en-return-receipt-attached", INA, "What is this attachment?", "See attached.", parts=(fields("message/disposition-notification", "Reporting-UA: x\nDisposition: manual-action/MDN-sent-manually; displayed\n"),)),
    Letter("de-abwesenheit", "Jörg Maß <j.mass@hafen.example>", "Abwesenheitsnotiz funktioniert nicht", "Hallo,\n\nmeine Abwesenheitsnotiz wird seit gestern nicht mehr verschickt.\n\nGruß, Jörg"),
    Letter("de-unzustellbar", "Jörg Maß <j.mass@hafen.example>", "Mails an Kunden unzustellbar", "Hallo,\n\nalle Mails an kunde.example kommen als unzustellbar zurück, sie konnten nicht zugestellt werden (550 5.1.1).\n\nJörg"),
    Letter("de-automatisch", "Jörg Maß <j.mass@hafen.example>", "Automatische Antwort einrichten", "Bitte richtet für info@ eine automatische Antwort ein: „Diese Nachricht wurde automatisch erzeugt.“"),
    Letter("de-weiter", "Jörg Maß <j.mass@hafen.example>", "WG: Unzustellbar: Angebot", f"Bitte prüfen!\n\n-----Ursprüngliche Nachricht-----\nVon: Microsoft Outlook <postmaster@hafen.example>\nGesendet: Montag, 16. November 2026 09:00\nAn: Jörg Maß\nBetreff: Unzustellbar: Angebot\n\n{PASTED}"),
    Letter("fr-absence", "Chloé Roy <c.roy@port.example>", "Réponse automatique en double", "Bonjour,\n\nla réponse automatique part deux fois. Pouvez-vous regarder ?\n\nChloé"),
    Letter("fr-non-remis", "Chloé Roy <c.roy@port.example>", "Messages non remis", "Nos messages n'ont pas été remis à client.example depuis lundi, échec de remise partout."),
    Letter("es-entregado", "Inés Gil <i.gil@puerto.example>", "Correo no entregado a un cliente", "No se pudo entregar ningún correo a cliente.example. ¿Pueden revisarlo?"),
    Letter("es-fuera", "Inés Gil <i.gil@puerto.example>", "Fuera de la oficina no se activa", "El aviso de fuera de la oficina no se activa en mi cuenta."),
    Letter("it-risposta", "Ugo Neri <u.neri@porto.example>", "Risposta automatica da cambiare", "Buongiorno, la risposta automatica di vendite@ cita ancora il vecchio orario."),
    Letter("it-recapito", "Ugo Neri <u.neri@porto.example>", "Mancato recapito verso cliente.example", "Tutte le mail tornano indietro con mancato recapito. Non è stato possibile consegnarle."),
    Letter("pt-entrega", "Rui Luz <r.luz@cais.example>", "Falha na entrega de e-mails", "Os e-mails para cliente.example não foram entregues desde segunda-feira."),
    Letter("nl-onbestelbaar", "Jan Vos <j.vos@haven.example>", "Onbestelbaar bij klant", "Alle mails naar klant.example komen onbestelbaar terug, kon niet worden bezorgd."),
    Letter("nl-afwezig", "Jan Vos <j.vos@haven.example>", "Afwezigheidsbericht werkt niet", "Mijn afwezigheidsbericht wordt niet verstuurd."),
    Letter("sv-autosvar", "Åsa Ek <a.ek@hamn.example>", "Autosvar fungerar inte", "Hej! Mitt autosvar skickas inte längre."),
    Letter("da-svar", "Bo Krag <b.krag@havn.example>", "Automatisk svar sendes to gange", "Hej, vores automatiske svar sendes to gange til kunderne."),
    Letter("no-leveres", "Liv Dal <l.dal@kai.example>", "E-post kunne ikke leveres", "E-posten til kunden kunne ikke leveres i dag."),
    Letter("fi-vastaus", "Aino Salo <a.salo@satama.example>", "Automaattinen vastaus puuttuu", "Automaattinen vastaus ei lähde asiakkaille."),
    Letter("pl-odpowiedz", "Ewa Lis <e.lis@port-pl.example>", "Automatyczna odpowiedź nie działa", "Dzień dobry, automatyczna odpowiedź nie jest wysyłana."),
    Letter("cs-odpoved", "Jan Dub <j.dub@pristav.example>", "Automatická odpověď se neodesílá", "Dobrý den, automatická odpověď se neodesílá a pošta je nedoručitelná."),
    Letter("hu-valasz", "Éva Kis <e.kis@kikoto.example>", "Automatikus válasz nem megy", "Az automatikus válasz nem megy ki az ügyfeleknek."),
    Letter("ro-raspuns", "Ana Pop <a.pop@port-ro.example>", "Răspuns automat greșit", "Textul pentru răspuns automat este greșit."),
    Letter("ru-dostavlen", "Олег Ли <o.li@port-ru.example>", "Письма не доставлены клиенту", "Письмо не может быть доставлено, ошибка 550 5.1.1. Проверьте, пожалуйста."),
    Letter("uk-lyst", "Оля Кіт <o.kit@port-ua.example>", "Автоматична відповідь не працює", "Автоматична відповідь не надсилається з понеділка."),
    Letter("el-apantisi", "Νίκος Ράλλης <n.rallis@limani.example>", "Η αυτόματη απάντηση δεν δουλεύει", "Η αυτόματη απάντηση δεν στέλνεται."),
    Letter("tr-yanit", "Ece Ak <e.ak@liman.example>", "Otomatik yanıt gitmiyor", "Otomatik yanıt müşterilere gitmiyor."),
    Letter("zh-tuixin", "王芳 <wang@gangkou.example>", "客户邮件退信", "发给客户的邮件都被退信,无法投递。请检查。"),
    Letter("zh-zidong", "王芳 <wang@gangkou.example>", "自动回复不工作", "我的自动回复从昨天起没有发送。"),
    Letter("ja-jidou", "森 愛 <mori@minato.example>", "自動返信メールが届きません", "お客様に自動返信メールが届きません。配信できませんと表示されます。"),
    Letter("ko-jadong", "김하나 <kim@hanggu.example>", "자동 회신이 안 됩니다", "자동 회신이 어제부터 발송되지 않습니다."),
    Letter("he-otomati", "דנה כץ <dana@namal.example>", "תשובה אוטומטית לא עובדת", "התשובה האוטומטית לא נשלחת ללקוחות."),
    Letter("ar-tilqai", "ليلى <layla@mina.example>", "الرد التلقائي لا يعمل", "الرد التلقائي لا يصل إلى العملاء."),
    Letter("en-transcript", INA, "Returned mail: see transcript for details", f"I keep getting these. What do I do?\n\n{PASTED}\n{RETURNED}"),
    Letter("en-loop", INA, "Vacation auto-reply loop between sales@ and info@", "They answer each other: 4,000 mails since noon."),
    Letter("en-outlook-forward", INA, "FW: Undeliverable: Invoice 17", "Can you please resend to our new address?", {"Thread-Topic": "Undeliverable: Invoice 17"}, (a_bounce,)),
    Letter("en-postmaster-answers", "postmaster@kunde.example", "Re: Your abuse report", "We have closed the relay. Mails still come back with 550 5.7.1, could you unblock us?"),
    Letter("en-parser", INA, "DSN parser crashes", f"multipart/report; report-type=delivery-status makes the import crash:\n\n{STATUS}"),
    Letter("en-unsubscribed", INA, "You have been unsubscribed from the crew mailing list", "This came today and I did not ask for it. Please add me again."),
    Letter("en-loop", INA, "Mail loop", "Two mailboxes answer each other, 400 mails since noon. Please stop it."),
    Letter("en-greylisting", INA, "Mails come two hours late", "The header says 451 4.7.1 delayed by greylisting. What is wrong?"),
    Letter("en-size", INA, "552 5.3.4 message too large", "I cannot send the drawing, 30 MB. What is the limit?"),
    Letter("en-forward-off", INA, "Forwarding", "My mail is not forwarded any more and the mailbox of Ben, who left, is still monitored by nobody."),
    Letter("de-forward-off", INA, "Weiterleitung", "Meine E-Mail wird nicht weitergeleitet, obwohl die Regel an ist. Ich habe keinen Zugriff auf meine Mails."),
    Letter("fr-access", INA, "Messagerie", "Bonjour, je n'ai pas accès à ma messagerie depuis ce matin."),
    Letter("cs-undelivered", INA, "Nedoručitelné: nabídka", "E-maily se mi vracejí s chybou 550. Můžete to prověřit?"),
    Letter("ko-returned", INA, "반송 메일", "고객에게 보낸 메일이 모두 반송됩니다. 확인 부탁드립니다."),
    Letter("da-undelivered", INA, "Kan ikke leveres", "Mine mails kommer retur. Kan I hjælpe?"),
)  # fmt: skip
"""Each has a request: none may be swallowed."""

PROGRAMS: Final = (
    Letter("dsn-postfix", "MAILER-DAEMON@mx.kunde.example (Mail Delivery System)", "Undelivered Mail Returned to Sender", PASTED, NULL, (status, BACK), "delivery-status"),
    Letter("dsn-exchange", "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@kunde.example>", "Undeliverable: Offer 17", "Delivery has failed to these recipients or groups:", {}, (status, BACK), "delivery-status"),
    Letter("dsn-plain-sender", "Zustelldienst <info@kunde.example>", "Zustellstatus", "Ihre Nachricht wurde verspätet.", {}, (status,), "delivery-status"),
    Letter("dsn-gmail", "Mail Delivery Subsystem <mailer-daemon@googlemail.example>", "Delivery Status Notification (Failure)", "Address not found", {"Auto-Submitted": "auto-replied", "X-Failed-Recipients": "nobody@kunde.example"}, (status, BACK), "delivery-status"),
    Letter("bounce-exim", "Mail Delivery System <Mailer-Daemon@kunde.example>", "Mail delivery failed: returning message to sender", "This message was created automatically by mail delivery software.", {"X-Failed-Recipients": "nobody@kunde.example"}),
    Letter("bounce-exim-role", "mail@kunde.example", "Warning: message 1x delayed 24 hours", "It has not yet been delivered.", {"X-Failed-Recipients": "nobody@kunde.example", "Auto-Submitted": "auto-replied"}),
    Letter("bounce-qmail", "MAILER-DAEMON@kunde.example", "failure notice", "Hi. This is the qmail-send program at kunde.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.", NULL),
    Letter("bounce-sendmail", "Mail Delivery Subsystem <MAILER-DAEMON@kunde.example>", "Returned mail: see transcript for details", "   ----- The following addresses had permanent fatal errors -----", {"Return-Path": "<MAILER-DAEMON@kunde.example>"}),
    Letter("bounce-domino", "postmaster@kunde.example", "DELIVERY FAILURE: User nobody not listed", "Your message was not delivered to nobody@kunde.example because: no such user", {"Return-Path": "<MAILER-DAEMON@kunde.example>"}),
    Letter("bounce-o365", "postmaster@kunde.example", "Undeliverable: Offer 17", "Delivery has failed to these recipients or groups:\n\nnobody@kunde.example\nThe email address you entered couldn't be found."),
    Letter("bounce-scanner", "postmaster@kunde.example", "Mail could not be delivered", "Unable to deliver message to <nobody@kunde.example>.", {}, (BACK,)),
    Letter("bounce-filter", "POSTMASTER <post.master@kunde.example>", "Hinweis", f"Ihre Nachricht wurde nicht zugestellt.\n\n----- Ursprüngliche Nachricht -----\n{RETURNED}", {"X-Mailer": "MailFilter 4"}),
    Letter("bounce-null-path", "noreply@kunde.example", "Mail", "Your mail could not be delivered to nobody@kunde.example as their mailbox is full.", NULL, (BACK,)),
    Letter("bounce-no-from", "", "failure notice", "送信できませんでした。\n550 unknown user <nobody@kunde.example>", NULL),
    Letter("bounce-mixed-status", "Mail System <no-reply@kunde.example>", "Status", "See the report.", {}, (status,)),
    Letter("bounce-de", "postmaster@kunde.example", "Unzustellbar: Angebot 17", "Die Nachricht konnte nicht zugestellt werden.", NULL),
    Letter("bounce-fr", "MAILER-DAEMON@client.example", "Échec de remise", "Votre message n'a pas pu être remis.", NULL),
    Letter("bounce-ja", "MAILER-DAEMON@kyaku.example", "配信エラー", "メールを配信できませんでした。", NULL),
    Letter("bounce-cloud", "Topic <no-reply@sns.example>", "Notification", '{"notificationType":"Bounce","bounce":{"bounceType":"Permanent"}}', {"X-Amz-Sns-Message-Id": "17"}),
    Letter("complaint-arf", "feedback@provider.example", "FW: Newsletter", "This is an abuse report.", {}, (fields("message/feedback-report", "Feedback-Type: abuse\nVersion: 1\n"), BACK), "feedback-report"),
    Letter("complaint-provider", "staff@hotmail.com", "complaint about message from 192.0.2.17", "", {}, (BACK,)),
    Letter("receipt", "Carl <carl@kunde.example>", "Read: Offer 17", "Your message was read.", {}, (fields("message/disposition-notification", "Reporting-UA: x\n"),), "disposition-notification"),
    Letter("dmarc-gz", "noreply-dmarc@mail.example", "Report Domain: harbour.example Submitter: mail.example Report-ID: <17>", "", {}, (a_file(DMARC_FILE, "application/gzip"),)),
    Letter("dmarc-zip", "DMARC <dmarc-reports@post.example>", "Report domain: harbour.example Submitter: post.example Report-ID: 9", "This is a DMARC report.", {}, (a_file("post.example!harbour.example!1794700800!1794787199!9.zip", "application/zip"),)),
    Letter("tls-report", "tls-reports@mail.example", "Report Domain: harbour.example Submitter: mail.example Report-ID: <5>", "", {"TLS-Report-Domain": "harbour.example"}, (a_file("r.json.gz", "application/gzip"),)),
    Letter("list-mailman", "crew-bounces@lists.example", "Your message to Crew awaits moderator approval", "Post by non-member to a members-only list", {"X-List-Administrivia": "yes"}),
    Letter("list-majordomo", "Majordomo@lists.example", "Majordomo results", "You are not a member of crew."),
    Letter("list-fml", "crew-admin@lists.example", "You are not member (crew ML)", "You are not a member of this mailing list.", {"X-MLServer": "fml [fml 4]"}),
    Letter("newsletter", "News <news@shop.example>", "Everything must go", "Only today.", {"List-Unsubscribe": "<https://shop.example/u>", "List-Id": "<news.shop.example>"}),
    Letter("away-en", "Carl <carl@kunde.example>", "Automatic reply: Offer 17", "I am out of the office until Monday.", {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}),
    Letter("away-exchange", "Carl <carl@kunde.example>", "Automatic reply: Offer 17", "Thank you.", {"X-MS-Exchange-Inbox-Rules-Loop": "carl@kunde.example"}),
    Letter("away-suppress", "Carl <carl@kunde.example>", "Out of Office AutoReply: Offer 17", "Thank you.", {"X-Auto-Response-Suppress": "All"}),
    Letter("away-bsd", "Carl <carl@kunde.example>", "Re: Offer 17", "I am on vacation and will read your mail when I am back.", {"Precedence": "bulk", **ANSWERS}),
    Letter("away-de", "Karl <karl@kunde.example>", "Abwesenheitsnotiz: Angebot", "Ich bin bis Montag nicht im Büro.", REPLIED),
    Letter("away-de-null", "Karl <karl@kunde.example>", "AW: Angebot", "Ich bin vom 3. bis 14. August im Urlaub.", NULL | ANSWERS),
    Letter("away-fr", "Luc <luc@client.example>", "Absence : Re: offre", "Je suis absent jusqu'au 3 août.", REPLIED),
    Letter("away-es", "Eva <eva@cliente.example>", "Respuesta automática: Oferta", "Estoy fuera de la oficina.", {"X-Autoreply": "yes"}),
    Letter("away-it", "Leo <leo@cliente-it.example>", "Risposta automatica: Offerta", "Sono fuori ufficio.", {"X-Autorespond": "Offerta"}),
    Letter("away-pt", "Rita <rita@cliente-pt.example>", "Resposta automática: Oferta", "Estou de férias.", {"Precedence": "junk"}),
    Letter("away-nl", "Piet <piet@klant.example>", "Automatisch antwoord: Offerte", "Ik ben afwezig.", {"Auto-Submitted": "auto-generated"}),
    Letter("away-sv", "Ulf <ulf@kund.example>", "Autosvar: Offert", "Jag är på semester.", NULL),
    Letter("away-pl", "Jan <jan@klient.example>", "Odpowiedź automatyczna: Oferta", "Jestem na urlopie.", {"Precedence": "auto_reply"}),
    Letter("away-cs", "Petr <petr@zakaznik.example>", "Mimo kancelář: Re: Nabídka", "Jsem na dovolené.", REPLIED),
    Letter("away-ru", "Иван <ivan@klient-ru.example>", "Автоответ: Предложение", "Я в отпуске.", {"X-Autoresponse": "yes"}),
    Letter("away-tr", "Can <can@musteri.example>", "Otomatik yanıt: Teklif", "Ofis dışındayım.", {"Auto-Submitted": "auto-generated"}),
    Letter("away-zh", "李雷 <li@kehu.example>", "自动回复: 报价", "我正在休假。", {"Auto-Submitted": "auto-replied"}),
    Letter("away-ja", "佐藤 <sato@kyaku.example>", "自動応答: 見積もり", "休暇をいただいております。", {"X-Auto-Response-Suppress": "OOF"}),
    Letter("away-ko", "이준 <lee@gogaek.example>", "부재중: 견적", "휴가 중입니다.", NULL),
    Letter("away-apple", "Carl <carl@kunde.example>", "Re: Offer 17", "On the road.", {"X-Apple-Action": "VACATION"}),
)  # fmt: skip
"""Each shows by its header, its envelope, its sender or its parts what it is: none may make a ticket."""

IN_DISGUISE: Final = (
    Letter("mute-en", "Shop <service@shop.example>", "Your question", "Thank you for your mail.\n\nThis is an automated message, please do not reply."),
    Letter("mute-en-short", "Shop <service@shop.example>", "Your question", "Automated notification - do not reply."),
    Letter("mute-en-ticket", "Support <support@shop.example>", "[#123] Your question", "Your request has been received and a ticket has been created."),
    Letter("mute-en-box", "Shop <service@shop.example>", "Re: Offer", "Thanks.\n\nThis mailbox is not monitored."),
    Letter("mute-away-re", "Carl <carl@kunde.example>", "Re: Out of Office", "Back on Monday.", ANSWERS),
    Letter("mute-away-text", "Carl <carl@kunde.example>", "Re: Offer 17", "Hello,\n\nI am out of the office until 12 May. In urgent cases call Ben.", ANSWERS),
    Letter("mute-auto", "Carl <carl@kunde.example>", "Automatic reply: Offer 17", "Thank you for your mail."),
    Letter("mute-bounce", "Carl <carl@kunde.example>", "Undeliverable: Offer 17", "Delivery has failed to these recipients."),
    Letter("mute-de", "Laden <info@laden.example>", "Ihre Anfrage", "Dies ist eine automatisch erzeugte Nachricht. Bitte antworten Sie nicht auf diese E-Mail."),
    Letter("mute-de-away", "Karl <karl@kunde.example>", "AW: Abwesend bis 5. Mai", "Danke für Ihre Nachricht."),
    Letter("mute-fr", "Luc <luc@client.example>", "Absence : Luc Martin", "Bonjour, merci de votre message."),
    Letter("mute-fr-auto", "Service <info@boutique.example>", "Votre demande", "Ceci est un message automatique, merci de ne pas y répondre."),
    Letter("mute-es", "Tienda <info@tienda.example>", "Su consulta", "Este es un mensaje automático. Por favor, no responda a este correo."),
    Letter("mute-es-away", "Eva <eva@cliente.example>", "RE: Fuera de la oficina", "Gracias."),
    Letter("mute-it", "Negozio <info@negozio.example>", "La sua richiesta", "Questo è un messaggio automatico, si prega di non rispondere."),
    Letter("mute-pt", "Loja <info@loja.example>", "Seu pedido", "Esta é uma mensagem automática. Por favor, não responda."),
    Letter("mute-nl", "Winkel <info@winkel.example>", "Uw vraag", "Dit is een automatisch gegenereerd bericht. Gelieve niet te antwoorden."),
    Letter("mute-sv", "Butik <info@butik.example>", "Din fråga", "Detta är ett automatiskt meddelande. Svara inte på detta mejl."),
    Letter("mute-no-away", "Ola <ola@kunde-no.example>", "Sv: Tilbud", "Takk for din e-post. Jeg er dessverre ute av kontoret til mandag.", ANSWERS),
    Letter("mute-da", "Butik <info@butik-dk.example>", "Dit spørgsmål", "Dette er en automatisk besked. Svar ikke på denne mail."),
    Letter("mute-fi", "Kauppa <info@kauppa.example>", "Kysymyksesi", "Tämä on automaattinen viesti. Älä vastaa tähän viestiin."),
    Letter("mute-pl", "Sklep <info@sklep.example>", "Twoje pytanie", "Ta wiadomość została wygenerowana automatycznie. Prosimy na nią nie odpowiadać."),
    Letter("mute-cs", "Obchod <info@obchod.example>", "Váš dotaz", "Toto je automatická zpráva, neodpovídejte na ni."),
    Letter("mute-hu", "Bolt <info@bolt.example>", "Kérdése", "Ez egy automatikus üzenet, kérjük, ne válaszoljon rá."),
    Letter("mute-ru", "Магазин <info@magazin.example>", "Ваш вопрос", "Это письмо сформировано автоматически, отвечать на него не нужно."),
    Letter("mute-uk", "Крамниця <info@kram.example>", "Ваше питання", "Це автоматичне повідомлення, не відповідайте на нього."),
    Letter("mute-tr", "Mağaza <info@magaza.example>", "Sorunuz", "Bu otomatik bir mesajdır, lütfen yanıtlamayınız."),
    Letter("mute-zh", "商店 <info@shangdian.example>", "您的问题", "此邮件由系统自动发送,请勿回复。"),
    Letter("mute-ja", "店 <info@mise.example>", "お問い合わせ", "本メールは自動送信されています。このメールに返信しないでください。"),
    Letter("mute-ko", "가게 <info@gage.example>", "문의", "본 메일은 발신 전용입니다."),
    Letter("mute-he", "חנות <info@hanut.example>", "פנייתך", "זוהי הודעה אוטומטית, נא לא להשיב."),
    Letter("mute-ar", "متجر <info@matjar.example>", "سؤالك", "هذه رسالة تلقائية، يرجى عدم الرد عليها."),
    Letter("mute-en-access", "Carl <carl@kunde.example>", "Re: Offer 17", "Hi, I'm travelling with limited access to my email and will respond when I return.", ANSWERS),
    Letter("mute-en-left", "Carl <carl@kunde.example>", "Re: Offer 17", "I have left the company. This mailbox is no longer monitored.", ANSWERS),
    Letter("mute-en-human", "Carl <carl@kunde.example>", "Re: Offer 17", "Please confirm that you are human to have your message delivered.", ANSWERS),
    Letter("mute-de-forward", "Karl <karl@kunde.example>", "AW: Angebot 17", "Ich bin nicht erreichbar. Ihre E-Mail wird nicht weitergeleitet.", ANSWERS),
    Letter("mute-de-parent", "Karl <karl@kunde.example>", "AW: Angebot 17", "Guten Tag, ich befinde mich derzeit in Elternzeit.", ANSWERS),
    Letter("mute-de-closed", "Karl <karl@kunde.example>", "AW: Angebot 17", "Diese E-Mail-Adresse wird nicht mehr verwendet, Ihre Nachricht wurde nicht gelesen.", ANSWERS),
    Letter("mute-fr-unread", "Luc <luc@client.example>", "RE: Devis 17", "Votre message ne sera pas lu. Écrivez à info@client.example.", ANSWERS),
    Letter("mute-nl-forward", "Jan <jan@klant.example>", "RE: Offerte 17", "Uw e-mail wordt niet doorgestuurd.", ANSWERS),
    Letter("mute-sv-parent", "Liv <liv@kund.example>", "SV: Offert 17", "Hej, jag är föräldraledig till augusti.", ANSWERS),
    Letter("mute-pl-sick", "Ewa <ewa@klient.example>", "Odp: Oferta 17", "Jestem na zwolnieniu lekarskim do 12 maja.", ANSWERS),
)  # fmt: skip
"""Nothing but words says that a program wrote: they go on, and get no answer."""


def written(folder: Path) -> Path:
    """The mails of people and of programs as files beside a manifest for `triage eval mail`."""
    (folder / "files").mkdir(parents=True, exist_ok=True)
    rows = []
    for kind, letters in (("ticket", PEOPLE), ("autoreply", PROGRAMS)):
        for letter in letters:
            (folder / "files" / f"{letter.name}.eml").write_bytes(letter.raw)
            rows.append({"file": f"{letter.name}.eml", "kind": kind, "signals": [], "expect": {}})
    path = folder / "manifest.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


if __name__ == "__main__":
    print(written(Path(sys.argv[1])))
