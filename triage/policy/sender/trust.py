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
    """The result of one check by the provider."""

    PASS = "pass"  # noqa: S105 - a verdict
    FAIL = "fail"
    NONE = "none"
    """Not checked, no result, or a word that is not known."""

    @classmethod
    def of(cls, word: str) -> "Check":
        """Translate a provider's word; `softfail` proves nothing and counts as none."""
        word = word.strip().lower()
        return cls(word) if word in {"pass", "fail"} else cls.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The provider's checks, from its request and not from the mail, where the sender could write them."""

    sender: str
    """Domain of the From header; empty unless there is exactly one, see `sender_of`."""
    spf: Check = Check.NONE
    spf_domain: str = ""
    """Domain that SPF was checked for: that of the envelope."""
    dkim: Check = Check.NONE
    """DKIM without the domain of the signature, where the provider does not tell it."""
    dkim_domains: Mapping[str, Check] | None = None
    dmarc: Check = Check.NONE


def sender_of(raw: bytes) -> str:
    """Return the domain of the only address in the only From line, else nothing: an ambiguous header proves nothing."""
    end = _HEAD_END.search(raw, 0, LONGEST_HEAD)
    lines = _FROM.findall(raw, 0, end.start() if end else LONGEST_HEAD)
    address = _ADDRESS.fullmatch(lines[0]) if len(lines) == 1 else None
    return address[1].decode("ascii").lower() if address else ""


def trust_of(findings: Findings) -> Trust:
    """Return verified only for DMARC, or for a check of exactly the From domain.

    A related domain (mail.example.com for example.com) is weak: only the public suffix list could tell it from the domains
    of two customers of one host.
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
