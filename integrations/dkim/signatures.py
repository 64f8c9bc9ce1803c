"""Finds the DKIM signatures of a mail that may prove its sender's domain; verifies nothing."""

import re
from dataclasses import dataclass
from typing import Final

MOST: Final = 3
"""Signatures checked per mail."""
MAX_HEAD: Final = 100_000
MAX_FIELD: Final = 8_000

_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
# As dkimpy reads a field: no blank before the colon.
_FIELD: Final = re.compile(rb"([\x21-\x7e]+?):")
_NAME: Final = re.compile(r"(?=.{1,200}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureCandidate:
    """The unverified tags of a signature."""

    place: int
    """Index among the mail's signatures, from the top."""
    domain: str
    selector: str

    @property
    def name(self) -> str:
        """DNS name of the key's TXT record (RFC 6376, 3.6.2.1)."""
        return f"{self.selector}._domainkey.{self.domain}"


def candidates(raw: bytes, domain: str) -> tuple[SignatureCandidate, ...]:
    """Return up to `MOST` signatures by the domain, its parent domains or subdomains; the domain's own first."""
    found = (_candidate(place, value) for place, value in enumerate(_signatures(raw)))
    speaking = [one for one in found if one and _related(one.domain, domain)]
    return tuple(sorted(speaking, key=lambda one: one.domain != domain)[:MOST])


def _signatures(raw: bytes) -> list[bytes]:
    """Return the unfolded values of all signature fields; none if the head is over `MAX_HEAD` bytes or malformed."""
    end = _HEAD_END.search(raw, 0, MAX_HEAD)
    fields: list[tuple[bytes, list[bytes]]] = []
    for line in re.split(rb"\r?\n", raw[: end.start()]) if end else ():
        field = _FIELD.match(line)
        if line[:1] in {b" ", b"\t"} and fields:
            fields[-1][1].append(line)
        elif field:
            fields.append((field[1].lower(), [line[field.end() :]]))
        elif not line.startswith(b"From "):
            return []
    return [b"".join(value) for name, value in fields if name == b"dkim-signature"]


def _candidate(place: int, value: bytes) -> SignatureCandidate | None:
    """Read `d` and `s` of a field; None if it is too long or they are no valid DNS names."""
    if len(value) > MAX_FIELD:
        return None
    parts = (tag.partition("=") for tag in value.decode("ascii", "replace").split(";"))
    tags = {name.strip(): text.strip().lower() for name, _, text in parts}
    domain, selector = tags.get("d", ""), tags.get("s", "")
    if not (_NAME.fullmatch(domain) and _NAME.fullmatch(selector)):
        return None
    return SignatureCandidate(place=place, domain=domain, selector=selector)


def _related(signer: str, domain: str) -> bool:
    return "." in signer and (signer == domain or signer.endswith(f".{domain}") or domain.endswith(f".{signer}"))
