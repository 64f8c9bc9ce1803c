"""Trust in a sender from the checks of a webhook provider."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from triage.domain.mail import Trust

_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_FROM: Final = re.compile(rb"(?im)^from[ \t]*:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)")
_ADDRESS: Final = re.compile(rb"\s*(?:[^<>@,]*<)?[^<>@,\s]+@([A-Za-z0-9.-]+)>?\s*")
LONGEST_HEAD: Final = 256 * 1024


class Check(StrEnum):
    """What came of one check."""

    PASS = "pass"  # noqa: S105 - a verdict
    FAIL = "fail"
    NONE = "none"
    """Not made, not conclusive, or in a word that we do not know."""

    @classmethod
    def of(cls, word: str) -> "Check":
        """A provider's word; a soft fail is no proof of anything."""
        word = word.strip().lower()
        return cls(word) if word in {"pass", "fail"} else cls.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a provider says, outside the mail, where the sender cannot write."""

    sender: str
    """The domain of the From header, empty where there is not exactly one; see `sender_of`."""
    spf: Check = Check.NONE
    spf_domain: str = ""
    """The domain that it was checked for, that of the envelope."""
    dkim: Check = Check.NONE
    """Where the provider does not say whose signature it was."""
    dkim_domains: Mapping[str, Check] | None = None
    dmarc: Check = Check.NONE


def sender_of(raw: bytes) -> str:
    """The domain of the one address in the one From line of a mail, else nothing: what is read in two ways is no proof."""
    end = _HEAD_END.search(raw, 0, LONGEST_HEAD)
    lines = _FROM.findall(raw, 0, end.start() if end else LONGEST_HEAD)
    address = _ADDRESS.fullmatch(lines[0]) if len(lines) == 1 else None
    return address[1].decode("ascii").lower() if address else ""


def trust_of(findings: Findings) -> Trust:
    """Verified only by DMARC, or by a check for exactly the domain of the From header.

    Domains that are merely related (mail.example.com for example.com) are a weak proof: telling them from those of two
    customers of one host takes the public suffix list.
    """
    signed = findings.dkim_domains or {}
    passed = {domain.lower().rstrip(".") for domain, check in signed.items() if check is Check.PASS}
    if findings.spf is Check.PASS:
        passed.add(findings.spf_domain.lower().rstrip("."))
    if findings.dmarc is Check.FAIL:
        return Trust.FAILED
    aligned = findings.dmarc is Check.PASS or findings.sender.lower() in passed
    if aligned and findings.sender:
        return Trust.VERIFIED
    if passed or Check.PASS in {findings.dkim, findings.dmarc}:
        return Trust.WEAK
    return Trust.FAILED if findings.spf is Check.FAIL else Trust.UNVERIFIED
