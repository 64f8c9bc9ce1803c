"""What automatic answers say, in the usual languages: before the subject they answer, and in their first words.

Lists are written as in `lexicon`, a language per line or two; scripts without blanks between words have lists of their own.
"""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import re
from typing import Final

from triage.policy.text.phrase_matcher import Phrases, phrases
from triage.policy.text.words import plain, read, split

# --- subjects ----------------------------------------------------------------------------------

_PREFIX: Final = re.compile(
    r"\s*(?:re|aw|antw|sv|vs|fwd?|wg|tr|rv|res|rif|r|odp|ynt|vl|ответ|回复|答复|回覆|답장)\s{0,3}(?:\[\d{1,3}\])?\s{0,3}[:\uff1a]",
    re.IGNORECASE,
)
_MARK: Final = re.compile(r"[:\uff1a\[\](){}|/*.!,\u3010\u3011]|\s[-\u2013\u2014]")
_WORD: Final = re.compile(r"[\w']+")
_TIMES: Final = frozenset(
    split("until, till, from, through, bis, vom, ab, jusqu'au, du, hasta, ate, al, fino, tot, do, od, до, с")
)

AUTOMATIC: Final = frozenset(
    split("""
auto, auto reply, auto response, autoreply, autoresponse, automatic reply, automatic response, automatic e mail reply
automated reply, automated response, automatically generated reply, out of office autoreply, out of office auto reply
out of office reply, out of the office reply, out of office notification, out of office message, vacation reply
vacation notice, vacation message, vacation response, holiday notice, holiday reply, absence notice, absence notification
away notice, away message, away notification
auto antwort, automatische antwort, automatische e mail antwort, automatische abwesenheitsnotiz, abwesenheitsnotiz
automatische abwesenheitsmeldung, abwesenheitsnachricht, abwesenheitsmeldung, abwesenheitsbenachrichtigung, urlaubsnotiz
abwesenheitsassistent, urlaubsmeldung, urlaubsbenachrichtigung
réponse automatique, message d'absence, notification d'absence, avis d'absence
respuesta automática, respuesta de ausencia, mensaje de ausencia
resposta automática, mensagem de ausência
risposta automatica, messaggio di assenza
automatisch antwoord, automatische beantwoording, automatische reactie, afwezigheidsbericht, afwezigheidsmelding
autosvar, automatiskt svar, automatisk svar, frånvaromeddelande, fraværsmelding, fraværsbesked
automaattinen vastaus, poissaoloilmoitus
automatyczna odpowiedź, odpowiedź automatyczna
automatická odpověď, automatická odpoveď
automatikus válasz, răspuns automat, αυτόματη απάντηση, otomatik yanıt, otomatik cevap
автоматический ответ, автоматическое уведомление, автоматическое сообщение, автоответ, автоматична відповідь
автоматичен отговор
自动回复, 自动答复, 自動回覆, 自動回复, 自動応答, 自動返信, 不在通知, 不在のお知らせ, 자동 회신, 자동회신, 자동 응답, 자동응답, 부재중
부재중 알림, תשובה אוטומטית, מענה אוטומטי, رد تلقائي, الرد التلقائي, ตอบกลับอัตโนมัติ, trả lời tự động, balasan otomatis
""")
)
"""Programs write these before the subject they answer."""

ABSENT: Final = frozenset(
    split("""
out of office, out of the office, i am out of office, i am out of the office, i'm out of the office, away from the office
currently out of office, currently out of the office, on vacation, on leave, on annual leave, on holiday, on holidays
abwesend, abwesenheit, nicht im büro, nicht im haus, ich bin nicht im büro, außer haus, im urlaub
absence, absent, absente, absence du bureau, absent du bureau, absente du bureau, en congé, en congés, en vacances
fuera de la oficina, fuera de oficina, ausencia, ausencia temporal, ausencia de la oficina, ausente, de vacaciones
fora do escritório, ausência, ausência temporária, ausência do escritório, de férias
fuori sede, fuori ufficio, assenza, assente, in ferie
afwezig, afwezigheid, niet aanwezig, niet op kantoor, buiten kantoor, met vakantie
frånvaro, frånvarande, inte på kontoret, på semester, fravær, fraværende, ikke på kontoret, på ferie, poissa, lomalla
poza biurem, nieobecność, nieobecny, nieobecna, na urlopie, mimo kancelář, nepřítomnost, dovolená, neprítomnosť, dovolenka
házon kívül, szabadságon, în concediu, absent din birou, εκτός γραφείου, ofis dışında, izinde
вне офиса, отсутствую, в отпуске, поза офісом, у відпустці
休假, 休假中, 不在办公室, 休暇, 休暇中, 不在, 휴가, 휴가 중, מחוץ למשרד, בחופשה, خارج المكتب, في إجازة
""")
)
"""Vacation notices have these there, and a person may."""


def automatic_subject(subject: str) -> bool:
    """A program's words, then a colon, a dash or nothing: `Automatic reply does not work` is somebody's sentence."""
    return _head(subject) in AUTOMATIC


def absent_subject(subject: str) -> bool:
    """`Out of office`, `Absence : Marie`, `Abwesend bis 5. Mai`."""
    words = _head(subject).split()
    ends = [at for at, word in enumerate(words) if at and (word in _TIMES or word[0].isdigit())]
    return any(" ".join(words[:end]) in ABSENT for end in (len(words), *ends))


def _head(subject: str) -> str:
    """The folded words up to the first sign that parts, without `Re:` and its like before and behind them."""
    rest = subject[:200]
    while found := _PREFIX.match(rest):
        rest = rest[found.end() :]
    rest = rest.lstrip(" \t*[(\u3010")
    mark = _MARK.search(rest)
    words = _WORD.findall(plain(rest[: mark.start()] if mark else rest))
    return " ".join(words[:-1] if mark and words[1:] and _PREFIX.match(f"{words[-1]}:") else words)


# --- texts -------------------------------------------------------------------------------------

_WHO: Final = """
i am, i'm, i will be, i'll be, we are currently, currently
ich bin, bin ich, ich befinde mich, ich werde, derzeit, zurzeit, zur zeit, je suis, je serai, actuellement
estoy, estaré, me encuentro, actualmente, estou, estarei, encontro me, sono, sarò, mi trovo, ik ben, ben ik
jag är, är jag, jag har, jeg er, er jeg, jeg har, jeg holder, olen, jestem, będę, przebywam, jsem, budu, som, budem
sunt, voi fi, я, нахожусь, меня, я буду, перебуваю, βρίσκομαι, είμαι, אני, أنا
"""
_AWAY: Final = """
out of office, out of the office, away, on leave, on annual leave, on parental leave, on maternity leave, on vacation
on holiday, on holidays, nicht im büro, nicht im haus, außer haus, im urlaub, abwesend, nicht am arbeitsplatz
absent*, en congé*, en vacances, fuera de la oficina, fuera de oficina, de vacaciones, ausente, fora do escritório
de férias, fuori ufficio, fuori sede, assente, in ferie, afwezig, niet op kantoor, niet aanwezig, met vakantie, met verlof
inte på kontoret, semester, ledig, ikke på kontoret, ute av kontoret, ikke til stede, ferie, fraværende, lomalla, poissa, na urlopie, poza biurem
nieobecn*, dovolené, dovolenke, mimo kancelář, mimo kanceláře, mimo kancelárie, concediu, в отпуске, вне офиса, не в офисе
не будет, у відпустці, поза офісом, άδεια, εκτός γραφείου, בחופשה, إجازة
"""
_WHOLE: Final = """
away from my desk, away from my mail, away from my e mail, en ole … toimistolla, nejsem … kanceláři, čerpám dovolenou
szabadságon vagyok, szabadságon leszek, házon kívül vagyok, nem vagyok … irodában, nu sunt … birou
izindeyim, yıllık izin*, ofis dışındayım, ofiste değilim, απουσιάζω, איני במשרד, لست في المكتب
"""
_ABSENT_RUNS: Final = split("""
我正在休假, 我目前休假, 休假中, 不在办公室, 不在辦公室, 不在にして, 不在としております, 休暇をいただ, 休暇を頂, 휴가 중, 휴가중, 부재중입니다
""")
ABSENT_TEXT: Final = phrases(who=_WHO, away=_AWAY, whole=_WHOLE)

_UNATTENDED_TEXT: Final = """
this is an auto* … message, this is an auto* … email, this is an auto* … mail, this is an auto* … reply
this is an auto* … response, this is an auto* … notification, this is an auto* … acknowledg*, this is a system generated
this message … automatically, this email … automatically, this e mail … automatically, this mail … automatically
this reply … automatically, this notification … automatically, this message … auto generated, this email … auto generated
please do not reply, please don't reply, please do not respond, do not reply to this, do not respond to this
do not reply directly, replies to this … not monitored, replies to this … not read, mailbox is not monitored
inbox is not monitored, address is not monitored, mailbox is unmonitored, unmonitored mailbox, unattended mailbox
cannot receive replies, your request has been received, we have received your request, we have received your message
we have received your email, we have received your e mail, we have received your inquiry
diese e mail … automatisch, diese mail … automatisch, diese nachricht … automatisch, dies ist eine automat*
das ist eine automat*, handelt es sich … automat*, es handelt sich … automat*, bitte antworten sie nicht, bitte antworte nicht
bitte nicht antworten, bitte nicht auf diese, nicht auf diese e mail … antworten, nicht auf diese mail … antworten
antworten sie nicht auf diese, ihre anfrage ist … eingegangen, wir haben ihre anfrage … erhalten
wir haben ihre e mail erhalten, wir haben ihre nachricht erhalten
ceci est un message automatique, ceci est un mail automatique, ceci est un e mail automatique
ceci est un courriel automatique, ceci est une réponse automatique, ce message … automatiquement, ce mail … automatiquement
ce courriel … automatiquement, cet e mail … automatiquement, message généré automatiquement, merci de ne pas répondre
merci de ne pas y répondre, prière de ne pas répondre, veuillez ne pas répondre, veuillez ne pas y répondre
ne pas répondre à ce, ne pas répondre à cet, ne répondez pas à ce, ne répondez pas à cet, nous avons bien reçu votre
este es un mensaje auto*, este es un correo … auto*, este mensaje … automáticamente, este correo … automáticamente
mensaje generado automáticamente, por favor no responda, por favor no conteste, no responda a este, no responda este
no responder a este, no conteste a este, hemos recibido su
esta é uma mensagem auto*, esta é uma resposta auto*, este é um e mail auto*, esta mensagem … automaticamente
este e mail … automaticamente, por favor não responda, favor não responder, não responda a esta, não responda a este
não responder a este, não responder a esta, recebemos a sua, recebemos sua
questo è un messaggio … auto*, questa è una risposta auto*, questa è una mail auto*, questo messaggio … automaticamente
questa e mail … automaticamente, questa email … automaticamente, si prega di non rispondere, la preghiamo di non rispondere
non rispondere a questa, non rispondere a questo, abbiamo ricevuto la sua
dit is een automatisch*, dit is een geautomatiseerd*, deze e mail … automatisch, deze mail … automatisch
dit bericht … automatisch, gelieve niet te antwoorden, gelieve niet te beantwoorden, niet te beantwoorden
niet reageren op deze, niet reageren op dit, antwoord niet op, wij hebben uw … ontvangen
detta är ett auto*, det här är ett auto*, detta meddelande … automatiskt, detta mejl … automatiskt, svara inte på
går inte att svara, går ej att svara
dette er en auto*, dette er et auto*, denne e post* … automatisk, denne mail … automatisk, denne besked … automatisk
denne meldingen … automatisk, svar ikke på denne, ikke svar på denne, besvar ikke denne, kan ikke besvares
tämä on auto*, tämä viesti … automaattisesti, älä vastaa tähän, älkää vastatko
ta wiadomość … automatycznie, to jest automat*, to jest wiadomość automat*, wiadomość … wygenerowana automatycznie
prosimy … nie odpowiadać, proszę … nie odpowiadać, nie odpowiadaj na
toto je auto*, tato zpráva … automaticky, tento e mail … automaticky, táto správa … automaticky, neodpovídejte na
neodpovídejte prosím, prosíme neodpovídejte, neodpovedajte na
ez egy auto*, ez az üzenet … automatikus*, ez az e mail … automatikus*, ne válaszoljon
acesta este un mesaj … auto*, acest mesaj … automat, acest e mail … automat, nu răspundeți
это автоматическ*, это письмо … автоматически, данное письмо … автоматически, это сообщение … автоматически
данное сообщение … автоматически, сообщение создано автоматически, письмо … сформировано автоматически, не отвечайте на
пожалуйста не отвечайте, отвечать на него не нужно, не нужно на него отвечать
це автоматичн*, цей лист … автоматично, це повідомлення … автоматично, не відповідайте на, това е автоматич*
не отговаряйте на
bu otomatik, bu e posta … otomatik, bu mesaj … otomatik, bu ileti … otomatik, lütfen bu … yanıtlamayın*, yanıtlamayınız
cevaplamayınız, αυτό είναι ένα αυτόματο*, αυτό είναι ένα αυτοματοποιημένο, μην απαντ*, μην απαντήσετε, μην απαντάτε
זוהי הודעה אוטומטית, הודעה זו נשלחה … אוטומטי*, אין להשיב, נא לא להשיב
هذه رسالة تلقائية, هذه رسالة آلية, هذا رد تلقائي, يرجى عدم الرد, الرجاء عدم الرد
đây là email tự động, đây là thư tự động, vui lòng không trả lời, ini adalah email otomatis, ini adalah pesan otomatis
jangan membalas, mohon tidak membalas
"""
_UNATTENDED_RUNS: Final = split("""
请勿回复, 请勿直接回复, 请不要回复, 此邮件由系统, 本邮件由系统, 此邮件为系统, 这是一封自动, 系统自动发送, 請勿回覆, 請勿直接回覆, 此郵件由系統, 本郵件由系統
系統自動發送, このメールは自動, このメールはシステム, 本メールは自動, 本メールはシステム, 本メールは、自動, このメールは、自動, 自動返信です, 自動返信しており
自動送信しており, 自動送信されて, 送信専用, 返信しないで, 返信なさらない, ご返信いただいても, ご返信いただきましても
이 메일은 자동, 본 메일은 자동, 본 메일은 발신, 이 메일은 발신, 발신전용, 발신 전용, 회신하지 마, 회신이 되지 않, 자동으로 발송된 메일, 자동 회신입니다
자동 응답입니다, อีเมลอัตโนมัติ, ข้อความอัตโนมัติ, กรุณาอย่าตอบกลับ, โปรดอย่าตอบกลับ, यह एक स्वचालित, कृपया उत्तर न दें
""")
UNATTENDED_TEXT: Final = phrases(whole=_UNATTENDED_TEXT)

_TOLD: Final = re.compile('["\u201c\u201e\u00ab\u300c][^"\u201c\u201d\u00bb\u300d]{1,300}["\u201c\u201d\u00bb\u300d]')
"""What stands in quotation marks, somebody tells of."""
_ORDER: Final = re.compile(r"(?:^|[.,;:!(*|\u2013\u2014-])[ \t]*do not reply\b", re.IGNORECASE | re.MULTILINE)
"""An order; `they do not reply` is a complaint."""
BEGINNING: Final = 400
"""Characters within which a vacation notice says so."""
BETWEEN: Final = 10
"""Words: `Ich bin vom 3. bis einschließlich 14. August nicht im Büro`."""


def absent_text(text: str) -> str:
    """The first words by which the writer is away, empty where nothing says so."""
    return _found(ABSENT_TEXT, _ABSENT_RUNS, text[:BEGINNING])


def unattended_text(text: str) -> str:
    """The sentence that says that a program wrote this, or that nobody reads an answer."""
    spoken = _TOLD.sub("", text)
    order = _ORDER.search(spoken)
    return order[0].strip(" \t.,;:!(*|\u2013\u2014-") if order else _found(UNATTENDED_TEXT, _UNATTENDED_RUNS, spoken)


def _found(listed: Phrases, runs: tuple[str, ...], text: str) -> str:
    words, who = read(text).words, -BETWEEN
    for found in listed.find(words):
        if found.label == "who":
            who = found.end
        elif found.label == "whole" or found.start - who < BETWEEN:
            return " ".join(word.shown for word in words[found.start : found.end])
    return "" if text.isascii() else next((run for run in runs if run in plain(text)), "")
