"""Replaces names of people and firms in a mail consistently, so that it can be kept and shown as a test."""

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from triage.domain.text.stand_ins import StandIns

NAMES: Final = (
    *("Alex", "Bela", "Chris", "Dana", "Elis", "Fran", "Gale", "Hollis", "Indra", "Jamie", "Kim", "Lou", "Mika", "Noa"),
    *("Oli", "Pat", "Quinn", "Robin", "Sam", "Toni", "Uli", "Val", "Wren", "Xen", "Yael", "Zoe"),
)
SANDBOX: Final = "harbourline.example"
"""Domain of the demo company, whose senders are colleagues in the sandbox, too."""
KEPT: Final = frozenset(
    {"support", "info", "noreply", "no-reply", "postmaster", "mailer-daemon", "bounce", "sales", "help"}
)
"""Local parts of addresses that name no person, and by which programs are known."""
_ADDRESS: Final = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
_URL: Final = re.compile(r"(https?://)([A-Za-z0-9.-]{1,255})[^\s<>\"')\]}]{0,2000}(?<![.,;:!?])", re.IGNORECASE)
_PHONE: Final = re.compile(r"(?<![\w.])(?:\+|00?)[\d][\d ()/.-]{5,20}\d(?!\w)")
_LONG_NUMBER: Final = re.compile(r"(?<![\d-])\d{5,}(?![\d-])|(?<=[A-Z]{2})\d{2}(?: ?\d{4}){3,7}(?: ?\d{1,4})?\b")
_NAME: Final = re.compile(r"[^\W\d_]{3,}")
_COMMON: Final = frozenset(
    {
        *("the", "and", "for", "support", "team", "service", "help", "desk", "von", "van", "der", "del"),
        *("mail", "com", "net"),
    }
    | {"org", "example", "gmail", "outlook", "hotmail", "yahoo", "gmx", "web"}
)
"""Parts of names that are also ordinary words."""


@dataclass(slots=True)
class MailAnonymiser:
    """The replacements of one test case; equal texts get equal ones in all its mails."""

    project: str = ""
    """Key of the project, which becomes HARB."""
    own: frozenset[str] = frozenset()
    """Our own domains, which become that of the sandbox."""
    _stand_ins: StandIns = field(default_factory=StandIns)

    def know(self, name: str, address: str) -> None:
        """Register a person of the mail: parts of the name and of the firm's domain are replaced everywhere."""
        local, _, domain = address.partition("@")
        firm = [] if domain.casefold() in self.own else _NAME.findall(domain.rpartition(".")[0])
        for word in map(_folded, (*_NAME.findall(name), *_NAME.findall(local), *firm)):
            if word not in _COMMON | KEPT:
                self._stand_ins.of("name", word, _nth_name)
        if address:
            self.address(address)

    def address(self, text: str) -> str:
        local, _, domain = text.casefold().rpartition("@")
        if local in KEPT:
            return f"{local}@{self.domain(domain)}"
        person = self._stand_ins.of("address", f"{local}@{domain}", "person{}".format)
        return f"{person}@{self.domain(domain)}"

    def domain(self, text: str) -> str:
        text = text.casefold()
        return self._stand_ins.of("domain", text, (SANDBOX if text in self.own else "site{}.example").format)

    def message_id(self, text: str) -> str:
        """Return a Message-ID without angle brackets."""
        return self._stand_ins.of("id", text, "mail{}@site.example".format)

    def text(self, text: str) -> str:
        """Return a text of the mail without names, addresses, domains, long numbers and what follows a host in links."""
        text = _URL.sub(lambda found: f"{found[1]}{self.domain(found[2])}/", text)
        text = _ADDRESS.sub(lambda found: self.address(found[0]), text)
        for domain, other in sorted(self._stand_ins.all("domain").items(), key=lambda one: -len(one[0])):
            named = rf"(?<![\w@.-])(?:[\w-]{{1,63}}\.){{0,8}}{re.escape(domain)}(?![\w-])"
            text = re.sub(named, other, text, flags=re.IGNORECASE)
        text = _NAME.sub(self._name, text)
        text = _PHONE.sub(lambda found: _other_digits(found[0]), text)
        text = _LONG_NUMBER.sub(lambda found: _other_digits(found[0]), text)
        return re.sub(rf"\b{re.escape(self.project)}-(?=\d)", "HARB-", text) if self.project else text

    def _name(self, found: re.Match[str]) -> str:
        other = self._stand_ins.all("name").get(_folded(found[0]))
        if other is None:
            return found[0]
        return other.upper() if found[0].isupper() else other if found[0][0].isupper() else other.casefold()


def _folded(word: str) -> str:
    """Return a word in small letters without accents, as addresses spell names."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


def _nth_name(number: int) -> str:
    rounds, place = divmod(number - 1, len(NAMES))
    return NAMES[place] + ("" if not rounds else "abcdefgh"[rounds % 8])


def _other_digits(text: str) -> str:
    """Return the text with digits that count up, so that its shape stays."""
    digits = count(1)
    return re.sub(r"\d", lambda _: str(next(digits) % 10), text)
