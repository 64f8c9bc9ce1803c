"""The words by which machines give themselves away: bounces, automatic replies, complaints, robots' addresses."""

import re
from typing import Final

DAEMONS: Final = re.compile(
    r"(?:mailer|mail)-?daemon|mdaemon|mail delivery (?:sub)?system|microsoftexchange[0-9a-f]{16,}|<>", re.IGNORECASE
)
"""Local parts that no person has, and the names of senders without an address."""

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

PROGRAMS: Final = re.compile(
    r"outlook|thunderbird|apple mail|i(?:phone|pad|pod) mail|evolution|kmail|mutt|roundcube|horde|squirrelmail|zimbra|the bat|"
    r"lotus notes|hcl notes|sylpheed|claws|mailspring|emclient|postbox|airmail|spark|gmail|yahoo|open-xchange|groupwise|sogo",
    re.IGNORECASE,
)
"""Mail programs that people write with, as they name themselves in X-Mailer."""

LIST_ROBOTS: Final = re.compile(r"(?:majordomo|listserv|mailman|sympa|ecartis|ezmlm)(?:[._+-].*)?", re.IGNORECASE)
"""List servers."""

LIST_ROLES: Final = re.compile(
    r"(?:-(?:admin|owner|request|bounces?|errors?|ctl|help|subscribe|return)$)|^(?:owner-|listmaster)", re.IGNORECASE
)
"""Addresses that list servers write from, and people too."""

LIST_SENDER: Final = re.compile(r"(?:^|<|\s)owner-|-(?:owner|bounces?|errors)(?:[+>]|$)", re.IGNORECASE)
"""The address in a Sender field by which list servers mark what they pass on."""

REFUSED_BY_LIST: Final = re.compile(
    r"\bnot (?:a )?members?\b|non-?members? (?:are|is) not allowed|not (?:allowed|authori[sz]ed) to (?:post|send)|"
    r"awaits moderator approval|loop alert|duplicated message-id|(?:post|message|request) (?:was|has been) (?:rejected|denied)|"
    r"only (?:subscribers|members) (?:may|can) post",
    re.IGNORECASE,
)

COMPLAINT: Final = re.compile(r"complaint about message from\b", re.IGNORECASE)
COMPLAINANTS: Final = frozenset({"staff@hotmail.com"})
"""Providers that report complaints in a format of their own (Microsoft's Junk Mail Reporting Program)."""

DMARC_SUBJECT: Final = re.compile(r"(?:\[preview\]\s*)?report[ -]domain:\s*\S+\s+submitter:", re.IGNORECASE)
DMARC_FILE: Final = re.compile(r"[^!\s]+![^!\s]+!\d{9,11}!\d{9,11}(?:![^.\s]+)?\.(?:xml|xml\.gz|zip|gz)", re.IGNORECASE)
"""RFC 7489, 7.2.1.1: who reports, about whom, from when to when."""

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
NOTICE: Final = re.compile(
    rf"(?:{BOUNCE_SUBJECT.pattern})(?: mail| message| returned| to sender)*\s*(?:[:(\[]|$)", re.IGNORECASE
)
"""A subject as notices have it: `Undeliverable: Hello`, `Delivery Status Notification (Failure)`."""

BOUNCE_TEXT: Final = re.compile(
    r"(?:could|can|was|has) ?not (?:be )?(?:delivered|able to deliver|been delivered)|delivery (?:has )?failed|delivery to the following|"
    r"unable to deliver|wasn't able to deliver|was not delivered|did not reach the following|"
    r"undeliver(?:able|ed)|returned (?:to sender|message)|permanent (?:error|failure|fatal errors)|"
    r"(?:following|these) (?:address|recipient|destination)\w*(?:\(?e?s\)?)?[^.]{0,40}(?:fail|reject|problem|error)|"
    r"following (?:recipient|address)\w* (?:could|can|did|was|were|had)|(?:user|mailbox|recipient|account|address|host|domain) (?:is )?(?:unknown|not found|unavailable|does not exist|full|disabled|over quota)|"
    r"no such (?:user|recipient|mailbox|address)|unknown (?:user|recipient|address|local part)|mailbox (?:is full|exceeds|unavailable)|over quota|"
    r"(?:smtp|remote) (?:error|server|host)[^.]{0,60}(?:reject|said|error|respond)|"
    r"(?:\b[45]\d\d[ -]|#|dsn code |status: ?)[45]\.\d{1,2}\.\d{1,3}\b|"
    r"\b55[0-4][ -](?:- )?(?:<|error|unknown|invalid|requested|sorry|permanent|unroutable|relay(?:ing)? |mail ?box|rejected|blocked)|"
    r"rejected recipient|failure reasons?|original message follows|non-delivered information|transcript of session|"
    r"could ?n[o']t (?:be )?(?:sent|delivered)|mail system at host|mail delivery (?:software|system|agent)|maximum hop count|"
    r"nicht (?:zugestellt|übermittelt)|n'a pas (?:pu être|été) (?:remis|distribué|livré)|no (?:se pudo|ha podido) entregar|"
    r"não (?:pôde|foi) (?:ser )?entregue|non è stato (?:possibile )?(?:recapita|consegna)|kon niet worden (?:bezorgd|afgeleverd)|"
    r"не может быть доставлено|не удалось доставить|送信できませんでした|配信(?:できません|に失敗)|送信に失敗|无法(?:投递|送达)",
    re.IGNORECASE,
)
RETURNED: Final = re.compile(r"(?im)^[ \t>]*(?:received|return-path|message-id|mail from|rcpt to)[ \t]*:")
"""Fields of the returned mail as they are copied into the text of a notice."""
