"""What mail programs write around quoted mail, in the languages they speak; one row per kind of phrase."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import re
from collections.abc import Mapping
from typing import Final

WROTE: Final = re.compile(
    r"\b(?:wrote|writes|schrieb|schreibt|[ée]crit|escribi[óo]|escribe|escreveu|va escriure|ha scritto|scrive|"
    r"schreef|geschreven|skrev|skreiv|kirjoitti|kirjutas|napisał[ao]?|pisze|napsala?|napísala?|írta|a scris|"
    r"je napisao|je napisala|yazdı|yazmış|rašė|rakstīja|menulis|đã viết|написала?|написав|пишет|пише|έγραψε)\b"
    r"|写道|寫道|写到|작성|님이 쓴|のメール|さんは書きました|כתב|كتب|نوشت|เขียนว่า",
    re.IGNORECASE,
)
"""The verb of `On Monday Ada wrote:`."""

ROLES: Final[Mapping[str, str]] = {
    word: role
    for role, words in {
        "from": "from|von|de|da|van|fra|från|od|lähettäjä|от|від|kimden|gönderen|feladó|expéditeur|remitente|mittente|"
        "afzender|nadawca|odesílatel|odosielateľ|avsändare|afsender|avsender|remetente|de la|από|מאת|من|发件人|寄件者|寄件人|"
        "差出人|送信元|보낸 사람|보낸사람|từ|dari|saatja",
        "date": "date|sent|sent at|sent on|datum|gesendet|gesendet am|envoyé|envoyé le|date d'envoi|enviado|enviado el|"
        "enviado em|enviada em|enviada|fecha|data|data invio|inviato|inviato il|verzonden|verstuurd|verzonden op|sendt|"
        "dato|skickat|skickades|lähetetty|päivämäärä|päiväys|wysłano|odesláno|odoslané|dátum|dne|küldve|elküldve|trimis|"
        "tarih|gönderme tarihi|gönderildi|отправлено|дата|надіслано|ημερομηνία|στάλθηκε|נשלח|תאריך|تاريخ|发送时间|发送日期|日期|"
        "送信日時|日時|寄件日期|傳送時間|날짜|보낸 날짜|받은 날짜|đã gửi|ngày|terkirim|tanggal|saadetud|time",
        "to": "to|an|à|a|para|per|til|till|aan|do|komu|vastaanottaja|кому|kime|alıcı|címzett|către|destinataire|"
        "destinatario|empfänger|pour|naar|προς|אל|إلى|收件人|收件者|宛先|받는 사람|받는사람|đến|tới|kepada|saaja|delivered-to",
        "subject": "subject|betreff|betr|objet|oggetto|asunto|assunto|emne|ämne|onderwerp|temat|předmět|predmet|aihe|тема|"
        "konu|tárgy|subiect|θέμα|נושא|الموضوع|主题|主旨|主題|件名|제목|chủ đề|subjek|perihal|teema|re",
        "other": "cc|bcc|kopie|kopia|copie|copia|copy|kopi|dw|kopio|másolat|копия|копія|bilgi|抄送|副本|参照|참조|cópia|"
        "reply-to|reply to|antwort an|répondre à|responder a|rispondi a|risposta|antwoord aan|svar til|svara till|"
        "importance|priority|priorität|wichtigkeit|organization|organisation|attachments|attachment|anlagen|anhänge|"
        "pièces jointes|datos adjuntos|allegati|bijlagen|message-id|resent-from|list-id|conversation",
    }.items()
    for word in words.split("|")
}
"""The name of a header field as shown above quoted mail, and its role."""

ORIGINAL: Final = re.compile(
    r"original message|original e-?mail|original appointment|originalnachricht|original nachricht|"
    r"urspr(?:ü|ue?)ngliche (?:nachricht|e-?mail|mail)|message d.origine|message original|message initial|"
    r"mensaje original|correo original|mensagem original|messaggio originale|messaggio d.origine|"
    r"oorspronkelijk bericht|origineel bericht|oprindelig (?:besked|meddelelse|mail)|original melding|"
    r"opprinnelig melding|ursprungligt meddelande|originalmeddelande|alkuperäinen viesti|"
    r"oryginalna wiadomość|wiadomość oryginalna|původní (?:zpráva|e-?mail)|pôvodná správa|eredeti üzenet|"
    r"mesaj original|mesajul original|исходное сообщение|оригинальное сообщение|пересылаемое сообщение|"
    r"оригінальне повідомлення|orijinal (?:mesaj|ileti)|αρχικό μήνυμα|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지|"
    r"(?:please )?(?:type |write |enter |add )?(?:your )?reply above|(?:bitte )?antwort\w* (?:bitte )?(?:oberhalb|über) dieser|"
    r"r[ée]pon\w+ au-dessus de cette|(?:escriba su )?respuesta (?:por )?encima de esta|"
    r"ursprüngl\. mitteilung|previous message|reply message|quoted message",
    re.IGNORECASE,
)
"""Between dashes, above the mail that is answered."""

FORWARDED: Final = re.compile(
    r"forwarded (?:message|mail|e-?mail|by)|begin forwarded message|weitergeleitete (?:nachricht|e-?mail|mail)|"
    r"beginn der weitergeleiteten nachricht|anfang der weitergeleiteten|message (?:transféré|réexpédié)|"
    r"début du message (?:transféré|réexpédié)|mensaje reenviado|inicio del mensaje reenviado|"
    r"mensagem (?:encaminhada|reencaminhada)|início da mensagem (?:encaminhada|reencaminhada)|"
    r"messaggio inoltrato|inizio messaggio inoltrato|doorgestuurd bericht|begin doorgestuurd bericht|"
    r"videresendt (?:besked|meddelelse|melding)|vidarebefordrat (?:meddelande|brev)|"
    r"vidarebefordrat mail|edelleenlähetetty viesti|välitetty viesti|wiadomość przekazana|przekazana wiadomość|"
    r"přeposlaná zpráva|preposlaná správa|továbbított (?:üzenet|levél)|mesaj redirecționat|"
    r"пересланное сообщение|переслане повідомлення|iletilen (?:mesaj|ileti)|προωθημένο μήνυμα|"
    r"转发的邮件|转发邮件|轉寄郵件|轉寄的郵件|転送メッセージ|전달된 메시지",
    re.IGNORECASE,
)
"""Above the mail that is passed on."""

FORWARD_SUBJECT: Final = re.compile(
    r"\s*(?:fwd?|wg|tr|rv|enc|i|vl|vs|doorst|pd|továbbítás|转发|轉寄|転送)\s*:", re.IGNORECASE
)

DEVICE: Final = re.compile(
    r"[<(\[*_-]{0,4}(?:"
    r"sent (?:from|via|with|by|using)\b.{0,70}|(?:sent|written|typed) (?:on|from) (?:my|a) .{0,60}|from my \w+.{0,30}|"
    r"(?:get|download) \[?outlook for .{0,80}|\w+ from mobile|"
    r"(?:von|aus) mein\w{0,2} .{0,50}\b(?:gesendet|geschickt|versendet)|gesendet (?:von|mit|über|aus)\b.{0,70}|"
    r"(?:diese )?nachricht wurde (?:von|mit) .{0,70}gesendet|(?:holen sie sich|hol dir|laden sie) outlook für .{0,60}|"
    r"(?:envoyé|envoyée|télécharge[rz]|obtenez) (?:depuis|de|à partir|avec|via|outlook)\b.{0,70}|provenance : .{0,50}|"
    r"(?:enviado|enviada) (?:desde|de|do|da|con|com|a partir|por|pelo)\b.{0,70}|(?:obtener|obter|baixe) (?:el )?outlook .{0,60}|"
    r"(?:inviato|inviata) (?:da|dal|con|tramite)\b.{0,70}|(?:scarica|ottieni) outlook per .{0,60}|"
    r"(?:verzonden|verstuurd|gestuurd) (?:vanaf|vanuit|van|met|via)\b.{0,70}|(?:download|haal) outlook voor .{0,60}|"
    r"(?:sendt|sent) (?:fra|via|med)\b.{0,70}|(?:skickat|skickades) (?:från|med|via)\b.{0,70}|"
    r"(?:hent|hämta|skaffa) outlook (?:til|för|for) .{0,60}|"
    r"(?:lähetetty|lähetettiin) .{0,60}|wysłan[eoay] (?:z|ze|za pomocą|przez)\b.{0,70}|pobierz outlook .{0,60}|"
    r"odesl[áa]no (?:z|ze|pomocí)\b.{0,70}|odoslané (?:z|zo)\b.{0,70}|elküldve .{0,60}|küldve .{0,50}-r[óő]l|"
    r"trimis (?:de pe|din)\b.{0,70}|.{0,40}(?:cihazımdan|'?den|'?dan) gönderildi|"
    r"отправлен[оа]? (?:с|из|от|через)\b.{0,70}|надіслано (?:з|із)\b.{0,70}|στάλθηκε από .{0,60}|"
    r"从我的.{0,30}发送|發自我的.{0,30}|发自我的.{0,30}|從我的.{0,30}傳送|.{0,30}から送信(?:されました)?|나의 .{0,30}에서 보냄"
    r")[>)\]*_.!]{0,4}",
    re.IGNORECASE,
)
"""The line a telephone or an app puts under a mail."""

CLOSING: Final = re.compile(
    r"(?:(?:with )?(?:best|kind|kindest|warm|warmest|many)?\s*(?:regards|wishes)|sincerely(?: yours)?|yours (?:sincerely|truly|faithfully)|"
    r"(?:mit )?(?:freundlichen?|besten?|herzlichen?|liebe|lieben|viele|schöne|sonnige)[ \w]{0,20} gr(?:ü|ue)(?:ß|ss)e?n?|mfg|"
    r"cordialement|bien cordialement|bien à vous|salutations(?: distinguées)?|"
    r"(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|atenciosamente|att|cumprimentos|com os melhores cumprimentos|"
    r"(?:cordiali|distinti) saluti|met vriendelijke groet(?:en)?|mvg|med venlig hilsen|mvh|med vänliga hälsningar|"
    r"vänliga hälsningar|ystävällisin terveisin|z poważaniem|pozdrawiam|s pozdravem|с уважением|üdvözlettel|saygılarımla)"
    r"\s*[,.!]?\s*",
    re.IGNORECASE,
)
"""The formula above a name, on a line of its own."""

FOOTER: Final = re.compile(
    r"to unsubscribe|unsubscribe from|you (?:are receiving|received) this (?:message|e-?mail|mail)|mailing list|"
    r"reply to this e-?mail directly|view (?:it|this e-?mail) (?:on|in)|"
    r"(?:this|the) (?:e-?mail|message|communication)[^.]{0,60}(?:confidential|privileged|intended (?:only|solely|for))|"
    r"confidentiality (?:notice|note)|disclaimer\s*:|virus-?free|(?:checked|scanned|protected)[^.]{0,40}(?:virus|spam|avast|avg)|"
    r"please consider the environment|diese e-?mail (?:enthält|ist|wurde)|vertrauliche|"
    r"ce (?:message|courriel|mail)[^.]{0,60}confidentiel|este (?:mensaje|correo|mensagem|e-?mail)[^.]{0,60}confidencia|"
    r"questo messaggio|deze e-?mail is|dit bericht is|registered (?:in|office)|company (?:number|registration)|geschäftsführer",
    re.IGNORECASE,
)
"""Somewhere in what servers and companies append to every mail."""
