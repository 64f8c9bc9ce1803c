"""Removes the armour of OpenPGP clear-signed text (RFC 9580, 7), and flags encrypted text."""

import re
from typing import Final

_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_ENCRYPTED: Final = re.compile(r"^-----BEGIN PGP MESSAGE-----$", re.MULTILINE)
_OPENING: Final = re.compile(
    rf"^{_SIGNED}[ \t]*\n(?:[A-Za-z-]{{1,30}}: [^\n]{{0,200}}\n){{0,10}}[ \t]*\n", re.MULTILINE
)
_SIGNATURE: Final = re.compile(r"^-----BEGIN PGP SIGNATURE-----[ \t]*$", re.MULTILINE)
_END: Final = re.compile(r"^-----END PGP SIGNATURE-----[ \t]*(?:\n|\Z)", re.MULTILINE)


def unarmoured(text: str, odd: set[str]) -> str:
    """Return the signed text, with the text above and below it."""
    if "-----BEGIN PGP " not in text:
        return text
    if _ENCRYPTED.search(text):
        odd.add("encrypted")
    opening = _OPENING.search(text)
    signature = _SIGNATURE.search(text, opening.end()) if opening else None
    if not opening or not signature:
        return text
    odd.add("pgp-signed")
    end = _END.search(text, signature.end())
    signed = re.sub(r"^- ", "", text[opening.end() : signature.start()], flags=re.MULTILINE)
    return f"{text[: opening.start()]}{signed}{text[end.end() :] if end else ''}"
