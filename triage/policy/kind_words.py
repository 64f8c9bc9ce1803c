"""The words by which machines give themselves away: bounces, automatic replies, complaints, robots' addresses."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import re
from typing import Final

DAEMONS: Final = frozenset({"mailer-daemon", "mailerdaemon", "mail-daemon", "mdaemon", "mail delivery subsystem", "<>"})
"""Local parts that no person has."""

NO_REPLY: Final = re.compile(
    r"(?:^|[._+-])(?:no|not|do-?not|donot|never|ne-?pas|keine|nicht)[._-]?(?:reply|respond|answer|repondre|antwort(?:en)?)|"
    r"^(?:noreply|donotreply|unattended|unmonitored|auto(?:mated|confirm|mailer)?|notifications?|notify|bounces?)(?:$|[._+-])",
    re.IGNORECASE,
)

MACHINES: Final = re.compile(
    r"(?:nagios|icinga2?|zabbix|prometheus|alertmanager|grafana|munin|monit|cron|crond|sensu|checkmk|check_mk|"
    r"pagerduty|opsgenie|pingdom|uptimerobot|jenkins|gitlab-ci|buildbot|logwatch|smartd|monitoring|alerts?|alerting)"
    r"(?:[._+-].*)?",
    re.IGNORECASE,
)
"""Programs that write when something happens."""

LIST_ROBOTS: Final = re.compile(
    r"(?:-(?:admin|owner|request|bounces?|errors?|ctl|help|subscribe|return)$)|^(?:owner-|majordomo|listserv|listmaster|mailman|sympa|ecartis|ezmlm)",
    re.IGNORECASE,
)

LIST_SENDER: Final = re.compile(r"(?:^|<|\s)owner-|-(?:owner|bounces?|errors)(?:[+>]|$)", re.IGNORECASE)
"""The address in a Sender field by which list servers mark what they pass on."""

REFUSED_BY_LIST: Final = re.compile(
    r"\bnot (?:a )?members?\b|non-?members? (?:are|is) not allowed|not (?:allowed|authori[sz]ed) to (?:post|send)|"
    r"awaits moderator approval|loop alert|duplicated message-id|(?:post|message|request) (?:was|has been) (?:rejected|denied)|"
    r"only (?:subscribers|members) (?:may|can) post",
    re.IGNORECASE,
)

COMPLAINT: Final = re.compile(
    r"complaint about (?:message|e-?mail)|(?:abuse|spam|feedback|complaint)[ -](?:report|notification|complaint)|"
    r"feedback loop|e-?mail feedback report",
    re.IGNORECASE,
)

AUTOMATIC_SUBJECT: Final = re.compile(
    r"\s*(?:(?:re|aw|antw|sv|vs|fw|fwd|res|rif|r)\s*:\s*)?[\[(*]?\s*(?:"
    r"auto(?:matic(?:ally generated)?|mated)?[ -]?(?:reply|response|antwort|svar|respuesta|generated reply)|autoreply|auto:|"
    r"(?:i am |i'm |currently )?out[ -]of[ -](?:the[ -])?office(?: auto-?reply| reply| message| notice)?\s*(?:[:\])\-–]|$)|"
    r"(?:vacation|holiday|absence|away)[ -](?:notice|reply|message|notification|autoreply|auto-reply|response)|"
    r"on (?:annual )?(?:vacation|leave|holiday)s?\s*[:\-–]|"
    r"abwesenheits(?:notiz|nachricht|meldung|benachrichtigung|assistent)|automatische (?:antwort|abwesenheit\w*|e-?mail-antwort)|"
    r"abwesend\s*[:\-–]|(?:ich bin )?nicht im (?:büro|haus)\s*(?:[:\-–]|$)|urlaubs(?:notiz|meldung|benachrichtigung)|"
    r"r[ée]ponse automatique|message d'absence|absence du bureau|absent\(?e?\)?\s*du bureau|notification d'absence|"
    r"respuesta autom[áa]tica|respuesta de ausencia|fuera de (?:la )?oficina\s*(?:[:\-–]|$)|ausencia (?:temporal|de la oficina)|"
    r"resposta autom[áa]tica|fora do escrit[óo]rio|aus[êe]ncia (?:tempor[áa]ria|do escrit[óo]rio)|"
    r"risposta automatica|fuori (?:sede|ufficio)\s*(?:[:\-–]|$)|messaggio di assenza|"
    r"automatisch antwoord|automatische (?:beantwoording|reactie)|afwezigheids\w+|afwezig\s*[:\-–]|niet aanwezig\s*[:\-–]|"
    r"autosvar|automatisk svar|automatiskt svar|fraværs\w+|frånvaro\w*|ikke på kontoret|"
    r"automaattinen vastaus|poissa(?:olo)?\w*\s*[:\-–]|automatyczna odpowied[źz]|odpowied[źz] automatyczna|poza biurem|"
    r"automatick[áa] odpov[ěe][ďd]|mimo kancel[áa][řr]|automatikus v[áa]lasz|h[áa]zon k[íi]v[üu]l|r[ăa]spuns automat|"
    r"автоматическ(?:ий|ое) (?:ответ|уведомление|сообщение)|автоответ|вне офиса|автоматична відповідь|"
    r"otomatik (?:yan[ıi]t|cevap)|αυτόματη απάντηση|自动(?:回复|答复)|自動(?:回覆|応答|返信)|不在(?:通知|のお知らせ)|"
    r"부재중|자동 ?(?:회신|응답)|תשובה אוטומטית|رد تلقائي"
    r")",
    re.IGNORECASE,
)
"""The first words of vacation notices; a person may write of an office further back in a subject."""

BOUNCE_SUBJECT: Final = re.compile(
    r"undeliver(?:able|ed)|non-?deliver(?:y|able)|delivery (?:status notification|failure|failed|has failed|report|notification|error|delayed|problem)|"
    r"returned (?:mail|message|to sender)|return(?:ing)? message to sender|failure notice|failed delivery|"
    r"mail (?:delivery (?:failed|failure|system|error)|could not be delivered|system error|failure|not delivered)|"
    r"(?:could|can) ?not (?:be )?(?:delivered|deliver|send message)|message (?:not delivered|delivery failure|undeliverable|blocked)|"
    r"delayed mail|warning: (?:could not send|message)|error sending your mail|nondeliverable|address not found|"
    r"unzustellbar|nicht zugestellt|zustellung fehlgeschlagen|[üu]bermittlung fehlgeschlagen|"
    r"non remis|non distribu[ée]|[ée]chec de (?:la )?(?:remise|distribution|livraison)|"
    r"no se pudo entregar|no entregado|error de entrega|n[ãa]o (?:entregue|foi poss[íi]vel entregar)|falha na entrega|"
    r"mancato recapito|non recapitabile|impossibile recapitare|onbestelbaar|niet bezorgd|kunne ikke leveres|"
    r"kan inte levereras|niedostarczon|nedoručiteln|nelze doručit|не доставлен|недоставлен|"
    r"配信(?:不能|エラー|できません)|送信(?:エラー|できません)|退信|无法(?:投递|送达)|未送达",
    re.IGNORECASE,
)

BOUNCE_TEXT: Final = re.compile(
    r"(?:could|can|was|has) ?not (?:be )?(?:delivered|able to deliver|been delivered)|delivery (?:has )?failed|delivery to the following|"
    r"unable to deliver|wasn't able to deliver|was not delivered|did not reach the following|"
    r"undeliver(?:able|ed)|returned (?:to sender|message)|permanent (?:error|failure|fatal errors)|"
    r"(?:following|these) (?:address|recipient|destination)\w*(?:\(?e?s\)?)?[^.]{0,40}(?:fail|reject|problem|error)|"
    r"following (?:recipient|address)\w* (?:could|can|did|was|were|had)|(?:user|mailbox|recipient|account|address|host|domain) (?:is )?(?:unknown|not found|unavailable|does not exist|full|disabled|over quota)|"
    r"no such (?:user|recipient|mailbox|address)|unknown (?:user|recipient|address|local part)|mailbox (?:is full|exceeds|unavailable)|over quota|"
    r"(?:smtp|remote) (?:error|server|host)[^.]{0,60}(?:reject|said|error|respond)|\b5\.\d{1,2}\.\d{1,3}\b|\b55[0-4][ -]\S|"
    r"rejected recipient|failure reasons?|original message follows|non-delivered information|transcript of session|"
    r"could ?n[o']t (?:be )?(?:sent|delivered)|mail system at host|mail delivery (?:software|system|agent)|maximum hop count|"
    r"nicht (?:zugestellt|übermittelt)|n'a pas (?:pu être|été) (?:remis|distribué|livré)|no (?:se pudo|ha podido) entregar|"
    r"não (?:pôde|foi) (?:ser )?entregue|non è stato (?:possibile )?(?:recapita|consegna)|kon niet worden (?:bezorgd|afgeleverd)|"
    r"не может быть доставлено|не удалось доставить|送信できませんでした|配信(?:できません|に失敗)|送信に失敗|无法(?:投递|送达)",
    re.IGNORECASE,
)
