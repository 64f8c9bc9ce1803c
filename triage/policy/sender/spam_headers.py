"""Reads what mail servers and providers wrote about spam into a mail's header, as far as it is to be believed.

An acquittal counts only above the Received lines of our own servers, where no sender can write. An accusation harms nobody
but the mail that carries it, so it is believed down to the next Received line as well, where milters and providers write;
further below it is hearsay.

"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from string import capwords
from typing import Final

from triage.domain.mail import Message
from triage.policy.sender.trust_verdict import Edge

LONGEST: Final = 400
"""Characters of a field that are read."""
MICROSOFT: Final = frozenset({"x-ms-exchange-organization-scl", "x-forefront-antispam-report"})
"""Fields that Microsoft 365 removes or renames in mail from outside, so that they are believed at any place there:
https://learn.microsoft.com/en-us/defender-office-365/message-headers-eop-mdo"""


class Accusation(StrEnum):
    """What a server's verdict says."""

    SPAM = "spam"
    PHISHING = "phishing"
    BULK = "bulk mail"
    HAM = "no spam"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVerdict:
    """The verdict of a mail server or provider."""

    says: Accusation
    believed: bool
    """It stands where our own servers or the provider write; else the sender may have written it."""
    evidence: str
    """The field, cut."""

    @property
    def accuses(self) -> bool:
        """It is believed, and says something against the mail."""
        return self.believed and self.says is not Accusation.HAM


_YES: Final = r"\s*(?:yes|true|1|spam)\b"
_NO: Final = r"\s*(?:no|false|0|ham|ok|innocent|not spam|good|pass)\b"
_S, _H, _P, _B = Accusation.SPAM, Accusation.HAM, Accusation.PHISHING, Accusation.BULK


def _rows(rows: Mapping[str, Mapping[Accusation, str]]) -> Mapping[str, tuple[tuple[Accusation, re.Pattern[str]], ...]]:
    return {
        name: tuple((says, re.compile(text, re.IGNORECASE)) for says, text in row.items()) for name, row in rows.items()
    }


FIELDS: Final = _rows({
    "x-spam-flag": {_S: _YES, _H: _NO},
    "x-spam-status": {_S: r"\s*yes\b", _H: r"\s*no\b"},
    "x-spam": {_S: _YES, _H: _NO},
    "x-spam-verdict": {_S: _YES, _H: _NO},
    "x-spam-level": {_S: r"\s*\*{8,}"},
    "x-spamd-result": {_S: r"\s*default:\s*true", _H: r"\s*default:\s*false"},
    "x-rspamd-action": {_S: r"\s*(?:reject|add header|rewrite subject|quarantine)", _H: r"\s*no action"},
    "x-spam-action": {_S: r"\s*(?:reject|add header|rewrite subject)", _H: r"\s*no action"},
    "x-barracuda-spam-status": {_S: r"\s*yes\b", _H: r"\s*no\b"},
    "x-barracuda-spam-flag": {_S: _YES, _H: _NO},
    "x-ms-exchange-organization-scl": {_S: r"\s*[5-9]\b", _H: r"\s*(?:-1|[01])\b"},
    "x-forefront-antispam-report": {
        _P: r".*\bCAT:(?:PHSH|HPHISH|HPHSH|MALW|SPOOF|UIMP|DIMP|GIMP)\b",
        _B: r".*\bCAT:BULK\b",
        _S: r".*\b(?:SFV:SP[MBO]|CAT:(?:SPM|HSPM)|SCL:[5-9])\b",
        _H: r".*\b(?:SFV:(?:NSPM|SKN|SKA|SKI|SFE)|SCL:(?:-1|[01]))\b",
    },
    "x-microsoft-antispam": {_B: r".*\bBCL:[7-9]\b"},
    "x-gm-phishy": {_P: _YES},
    "x-gm-spam": {_S: _YES, _H: _NO},
    "x-ses-spam-verdict": {_S: r"\s*fail\b", _H: r"\s*pass\b"},
    "x-ses-virus-verdict": {_P: r"\s*fail\b"},
    "x-mailgun-sflag": {_S: _YES, _H: _NO},
    "x-proofpoint-spam-details": {_S: r".*\brule=(?:spam|phish|malware)", _H: r".*\brule=notspam"},
    "x-mailscanner-spamcheck": {_H: r"\s*not spam", _S: r"\s*spam\b"},
    "x-dspam-result": {_S: r"\s*(?:spam|blacklisted)\b", _H: r"\s*(?:innocent|whitelisted)\b"},
    "x-bogosity": {_S: r"\s*(?:spam|yes)\b", _H: r"\s*(?:ham|no)\b"},
    "x-crm114-status": {_S: r"\s*spam\b", _H: r"\s*good\b"},
    "x-vr-spamstate": {_S: r"\s*(?:spam|phishing|scam|malware)", _H: r"\s*ok\b"},
    "x-vade-verdict": {_S: r"\s*(?:spam|phishing|scam|malware)", _H: r"\s*(?:clean|legit)"},
    "x-spampanel-class": {_S: r"\s*spam\b", _H: r"\s*(?:ham|whitelisted)\b"},
    "x-hmailserver-spam": {_S: _YES},
    "x-gmx-antispam": {_S: r"\s*[1-9]", _H: r"\s*0\b"},
    "x-antispam": {_S: _YES, _H: _NO},
    "x-suspected-spam": {_S: _YES},
    "x-zoho-antispam": {_S: _YES},
})  # fmt: skip
"""Field → what its value says; the first pattern that fits decides."""
SUBJECT: Final = re.compile(
    r"\s*(?:\[\s*spam\b[^\]]{0,20}\]|\{\s*spam\b[^}]{0,10}\}|\*{3,}\s*spam\s*\*{3,})", re.IGNORECASE
)
"""The mark that filters write before a subject: `[SPAM]`, `*****SPAM*****`."""


def server_verdict(message: Message, edge: Edge) -> ServerVerdict | None:
    """Return the verdict that counts: a believed accusation, else hearsay of one, else a believed acquittal."""
    verdicts = tuple(_verdicts(message, edge))
    accusations = [one for one in verdicts if one.says is not Accusation.HAM]
    return next(
        (one for one in (*(a for a in accusations if a.believed), *verdicts) if one.believed),
        accusations[0] if accusations else None,
    )


def _verdicts(message: Message, edge: Edge) -> Iterator[ServerVerdict]:
    """Yield each verdict in the header; an acquittal that is not believed is left out."""
    border, next_line = _border(message, edge)
    for place, (name, value) in enumerate(message.headers):
        says = next((says for says, pattern in FIELDS.get(name, ()) if pattern.match(value[:LONGEST])), None)
        if says is None:
            continue
        anywhere = edge.profile == "m365" and name in MICROSOFT
        believed = anywhere or place < (border if says is Accusation.HAM else next_line)
        if believed or says is not Accusation.HAM:
            shown = " ".join(value.split())[:80]
            yield ServerVerdict(says=says, believed=believed, evidence=f"{capwords(name, '-')}: {shown}")
    if marked := SUBJECT.match(message.subject):
        yield ServerVerdict(says=Accusation.SPAM, believed=False, evidence=f"subject marked {marked[0].strip()}")


def _border(message: Message, edge: Edge) -> tuple[int, int]:
    """Return the places of the lowest Received line of our servers, and of the line below it."""
    received = [place for place, (name, _) in enumerate(message.headers) if name == "received"]
    end = len(message.headers)
    if not 0 < edge.hops <= len(received):
        return 0, received[0] if received else end
    return received[edge.hops - 1], received[edge.hops] if edge.hops < len(received) else end
