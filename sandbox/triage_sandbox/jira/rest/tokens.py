"""Makes opaque page tokens that are valid only for the query they were made for."""

import base64
import binascii
import hashlib

from triage_sandbox.jira.call import JiraError


def token_of(asked: str, offset: int) -> str:
    return base64.urlsafe_b64encode(f"{offset}:{_fingerprint(asked)}".encode()).decode()


def offset_of(asked: str, token: str) -> int:
    """Return the offset of a page token; 0 without a token."""
    if not token:
        return 0
    try:
        offset, _, fingerprint = base64.urlsafe_b64decode(token).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        offset, fingerprint = "", ""
    if not offset.isdecimal() or fingerprint != _fingerprint(asked):
        raise JiraError(400, "The provided next page token is invalid. Use the token that the last page came with.")
    return int(offset[:9])


def _fingerprint(asked: str) -> str:
    return hashlib.sha256(asked.encode(errors="replace")).hexdigest()[:16]
