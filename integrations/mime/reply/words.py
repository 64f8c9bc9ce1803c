"""What mail programs write around quoted mail, in the languages they speak; one row per kind of phrase."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import re
from collections.abc import Mapping
from typing import Final

WROTE: Final = re.compile(
    r"\b(?:wrote|writes|schrieb|schreibt|[ée]crit|escribi[óo]|escribe|escreveu|va escriure|ha scritto|scrive|"
    r"geschrieben|schreef|geschreven|skrev|skreiv|kirjoitti|kirjutas|napisał[ao]?|pisze|napsala?|napísala?|píše|írta|a scris|"
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

LEADS: Final = (
    r"on|at|am|le|el|em|il|op|den|w dniu|dnia|dne|dňa|dana|în|in a message dated|στις|pada|vào|tarih|la|sobre|på"
)
"""What stands in front of the date in `On Monday, Ada wrote:`."""

MONTHS: Final = (
    r"(?:jan(?:uar[yi]?|vier|v|eiro|uára|uár)?|jänner|feb(?:ruar[yi]?|brero|braio|ruára|ruár)?|f[ée]v(?:rier|r|ereiro)?|"
    r"mar(?:ch|s|zo|ts|ço|ca|tie|t|et)?|märz|mär|mrz|maart|mrt|márc(?:ius)?|apr(?:il|ile|ilie|íla)?|avr(?:il)?|abr(?:il)?|"
    r"ápr(?:ilis)?|may|mai|maio|mayo|maj|maja|mag(?:gio)?|mei|máj(?:a|us)?|june?|juni|juin|junio|junho|giu(?:gno)?|jún(?:a|ius)?|"
    r"jul[yi]?|juil(?:let)?|julio|julho|lug(?:lio)?|júl(?:a|ius)?|aug(?:ust|usti|ustus|usta|usztus)?|août|ago(?:sto)?|agustus|"
    r"sept?(?:ember|embre|iembre|tembre|embra|embrie)?|settembre|setembro|szept(?:ember)?|oct(?:ober|obre|ubre|ombrie)?|"
    r"okt(?:ober|óber|óbra)?|október|outubro|ott(?:obre)?|nov(?:ember|embre|iembre|embro|embra)?|noi(?:embrie)?|"
    r"dec(?:ember|embre|embra|embrie)?|d[ée]c(?:embre)?|dez(?:ember|embro)?|dic(?:iembre|embre)?|des(?:ember)?|"
    r"ene(?:ro)?|gen(?:naio)?|ian(?:uarie)?|iun(?:ie)?|iul(?:ie)?|"
    r"(?:tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu)(?:k\w*)?|"
    r"sty(?:cznia)?|lut(?:ego)?|kwi(?:etnia)?|cze(?:rwca)?|lip(?:ca)?|sierpnia|wrz(?:eśnia)?|paź(?:dziernika)?|listopada|gru(?:dnia)?|"
    r"ledna|úno(?:ra)?|bře(?:zna)?|dubna|kvě(?:tna)?|června|července|srpna|zář[íi]|říj(?:na)?|listopadu|prosince|"
    r"oca(?:k)?|şub(?:at)?|nis(?:an)?|mayıs|haz(?:iran)?|temmuz|ağu(?:stos)?|eyl(?:ül)?|eki(?:m)?|kas(?:ım)?|aralık|"
    r"янв(?:аря)?|фев(?:р|раля)?|мар(?:та)?|апр(?:еля)?|мая|июня?|июля?|авг(?:уста)?|сент?(?:ября)?|окт(?:ября)?|нояб?(?:ря)?|"
    r"дек(?:абря)?|січ(?:ня)?|лют(?:ого)?|бер(?:езня)?|квіт?(?:ня)?|трав(?:ня)?|черв(?:ня)?|лип(?:ня)?|серп(?:ня)?|вер(?:есня)?|"
    r"жов(?:т|тня)?|лист(?:опада)?|груд?(?:ня)?|(?:ιαν|φεβ|μαρ|απρ|μα[ΐϊί]|ιο[υύ][νλ]|αυγ|σεπ|οκτ|νοε|δεκ)\w*)\b"
)
"""Names of months, in full and cut, where no other word is spelt the same."""

SELF: Final = re.compile(
    r"\b(?:I|[Ww]e|[Ii]ch|[Ww]ir|[Jj]['’]ai|[Nn]ous|[Ii]k|[Ww]ij|[Jj]eg|[Jj]ag|[Yy]o|[Ee]u|[Ii]o|[Яя]|[Мм]ы)(?:\s+\w+){0,2}\s*$"
)
"""Who writes about his own writing: `I wrote to ada@example.com:` opens no history."""

_MESSAGE: Final = (
    r"messages?|nachricht|e-?mail|mail|courriel|correo|mensa[jg]em?|messaggio|bericht|meddelelse|meddelande|melding|besked|brev|"
    r"viesti|wiadomość|zpráva|správa|üzenet|levél|mesaj(?:ul)?|ileti|сообщение|повідомлення|письмо|лист|μήνυμα|"
    r"邮件|郵件|メッセージ|메시지|appointment|termin|mitteilung"
)
_BEFORE: Final = (
    r"original\w*|origin(?:e|ale)|ursprünglich\w*|ursprungl\w*|urspruengl\w*|initial|oorspronkelijke?|origineel|oprindelig|opprinnelig|"
    r"alkuperäinen|oryginalna|původní|pôvodná|eredeti|исходное|оригинальное|пересылаемое|оригінальне|orijinal|αρχικό|"
    r"原始|元の|원본|previous|quoted|reply"
)
_PASSED_ON: Final = (
    r"forwarded|weitergeleitete\w*|transféré|réexpédié|reenviado|encaminhada|reencaminhada|inoltrato|doorgestuurd|videresendt|"
    r"vidarebefordra[td]|edelleenlähetetty|välitetty|przekazana|przeposłana|přeposlaná|preposlaná|továbbított|redirecționat|"
    r"пересланное|пересылаемое|переслане|iletilen|προωθημένο|转发的?|轉寄的?|転送|전달된"
)


def _about(what: str) -> str:
    """A message that is something: both words in either order, with little between."""
    return rf"(?=.{{0,40}}(?:{what}))(?=.{{0,40}}(?:{_MESSAGE}))"


ORIGINAL: Final = re.compile(
    rf"{_about(_BEFORE)}.{{4,45}}$|邮件原件|"
    r"(?:please )?(?:type |write |enter |add )?(?:your )?reply above|(?:bitte )?antwort\w* (?:sie )?(?:bitte )?(?:oberhalb|über) dieser|"
    r".{0,30}r[ée]pon\w+ au-dessus de cette|(?:escriba su )?respuesta (?:por )?encima de esta",
    re.IGNORECASE,
)
"""Between dashes, above the mail that is answered."""

FORWARDED: Final = re.compile(rf"{_about(_PASSED_ON)}.{{4,45}}$|forwarded by", re.IGNORECASE)
"""Above the mail that is passed on."""

ANSWER_SUBJECT: Final = re.compile(
    r"\s*(?:\[[^\]]{1,40}\]\s*)?(?:re|aw|antw|antwort|sv|vs|odp|odg|res|rif|r|ynt|yanıt|vá|atb|bls|απ|отв|на|回复|回覆|答复|答覆|返信|답장)"
    r"(?:\s?[\[(]\d{1,3}[\])]|\^\d+)?\s?[:：]",
    re.IGNORECASE,
)
"""The subject of a mail that answers one."""

FORWARD_SUBJECT: Final = re.compile(
    r"\s*(?:fwd?|wg|tr|rv|enc|i|vl|doorst|pd|továbbítás|转发|轉寄|転送)\s?[:：]", re.IGNORECASE
)

_SENT: Final = (
    r"sent|written|typed|gesendet|geschickt|versendet|verschickt|verfasst|geschrieben|envoyée?|enviad[oa]|escrito|inviat[oa]|"
    r"verzonden|verstuurd|gestuurd|sendt|skickat|skickades|lähetett[yi]\w*|wysłan[eoay]|napisane|odesl[áa]no|odoslan[éo]|"
    r"elküldve|küldve|trimis|gönderildi|отправлен[оа]?|надіслано|στάλθηκε|发送|發送|发自|發自|傳送|送信|보냄|보낸"
)
_DEVICES: Final = (
    r"ip(?:hon|ad|od)\w*|mac(?:book)?|apple watch|android\w*|galaxy|samsung|huawei|honor|xiaomi|redmi|oppo|oneplus|pixel|nokia|"
    r"xperia|sony|motorola|htc|blackberry|windows phone|chromebook|(?:smart|mobil)(?:e|tele)?(?:ph|f)on\w*|smartphone|handy|handheld|"
    r"mobile|cell ?phone|phone|tablet|t[ée]l[ée](?:ph|f)on\w*|teléfono|telefoon|telefon\w*|m[óo]vil|celular|telem[óo]vel|cellulare|mobiel\w*|"
    r"mobil\w*|puhelim\w*|matkapuhelim\w*|komórk\w*|смартфон\w*|телефон\w*|手机|手機|携帯\w*|スマホ|휴대\w*|"
    r"outlook|gmail|yahoo|thunderbird|spark|proton ?mail|k-9|blue ?mail|airmail|mailspring|superhuman|missive|polymail|"
    r"mailbird|em client|edison mail|newton mail|mymail|mail\.ru|yandex|qq|web\.de|gmx|t-online|freenet|zimbra|roundcube|boxer|touchdown|"
    r"tutanota|tuta|posteo|fastmail|aqua ?mail|fairemail|sparrow|canary|postbox|mail for windows|windows mail|mailbox|nine|aol|"
    r"apple mail|icloud|zoho mail|mail app|hey|wiko|alcatel|ti-\d+|pc|laptop|cell|device|gerät|appareil|dispositivo|\[mail\]"
)
_LITTLE: Final = r"(?:(?!our |unser|notre |nuestr|nostr|onze |vår|nasz|the \w+ \w+ )[^\s.,:;!?]{1,20}[ \-]){0,4}?"
"""A few words without an end between them; a company's warehouse is no telephone."""
_TAIL: Final = r"(?:['’]?[^\s:;!?]{0,12}){0,1}(?:[ ,(\[</+-][^:;!?]{0,60})?(?:<?\(?https?://\S{1,200})?"

DEVICE: Final = re.compile(
    r"[<(\[*_-]{0,4}(?:"
    rf"(?:(?:this|diese|diesen|cet?|este|questo|deze|dette)\s)?(?:(?:e-?mail|mail|message|nachricht|mensaje|messaggio|bericht)\s)?"
    rf"(?:(?:was|wurde|a été|fue|foi|è stato|werd|is)\s)?(?:{_SENT}),?\s{_LITTLE}(?:{_DEVICES}){_TAIL}|"
    rf"(?:diese )?(?:(?:nachricht|e-?mail|mail) wurde )?(?:von|vom|mit|aus|über|from|via) {_LITTLE}(?:{_DEVICES}){_LITTLE}[^.:;!?]{{0,30}}?(?:{_SENT})|"
    rf"(?:get|download|holen sie sich|hol dir|laden sie|télécharge[rz]|obtenez|obtener|obter|obtenha|baixe|scarica|ottieni|haal|"
    rf"hent|hämta|skaffa|pobierz|stáhněte|hanki|скачать) (?:el |o )?\[?(?:outlook|bluemail|spark|aqua mail|yahoo mail|proton mail)\b.{{0,120}}|"
    rf"\[?outlook (?:für|for|pour|para|per|voor|til|för|dla|pro) .{{0,60}}https?://\S{{1,80}}[\w ]{{0,20}}|"
    rf"from my (?:{_DEVICES})\b[^:;!?]{{0,40}}|provenance ?: .{{0,50}}|\w+ from mobile|"
    rf"(?=.{{0,60}}gönderildi).{{0,40}}(?:{_DEVICES})\S{{0,8}} gönderildi|"
    rf"(?:从我的|從我的|发自我的|發自我的|發送自我的).{{0,30}}|(?=.{{0,31}}から送信).{{0,30}}から送信(?:されました)?|(?:나의|내) .{{0,30}}에서 보냄"
    r")[>)\]*_.!]{0,4}",
    re.IGNORECASE,
)
"""The line a telephone or an app puts under a mail: a word for sending and a device or an app that we know."""

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
