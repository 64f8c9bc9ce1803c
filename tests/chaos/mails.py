"""What is sent in a chaos run: made-up mails, as many as wanted, or the mail files of a folder."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final, Self

THINGS: Final = (
    "barcode scanner",
    "invoice export",
    "delivery map",
    "tariff table",
    "audit log",
    "Größe",
    "zamówienie",
)
TROUBLES: Final = ("shows nothing", "answers 502", "prints twice", "loses a row", "needs a filter", "is down", "hangs")
PLACES: Final = (
    "in Rotterdam",
    "on tablets",
    "for guests",
    "behind the proxy",
    "at night",
    "w Gdańsku",
    "in test mode",
)
SYLLABLES: Final = (
    "ba",
    "ke",
    "lu",
    "mi",
    "no",
    "pa",
    "ra",
    "si",
    "to",
    "vu",
    "wen",
    "zar",
    "dol",
    "fir",
    "gam",
    "hib",
)


@dataclass(frozen=True, slots=True, eq=False)
class Mail:
    """One mail, and where a person finds it again."""

    name: str
    raw: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """The same for the same bytes."""
        return hashlib.sha256(self.raw).hexdigest()

    def on_the_wire(self) -> "Mail":
        """As IMAP carries it: every line ends in CRLF."""
        return Mail(self.name, self.raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


@dataclass(frozen=True, slots=True)
class Letters:
    """What is sent to one installation."""

    planned: Sequence[Mail]
    spare: Iterator[Mail]
    """For processes that wait for mail when all that was planned is sent."""

    @classmethod
    def made_up(cls, count: int, seed: int) -> Self:
        """As many as wanted, and no end of more."""
        mails = made_up(seed)
        return cls(list(islice(mails, count)), mails)


def made_up(seed: int) -> Iterator[Mail]:
    """Reports of many people about many things, without end; every fourth is an answer to an earlier one."""
    chance, earlier = Random(seed), list[EmailMessage]()
    for number in count():
        message = _report(number, chance)
        if earlier and number % 4 == 3:
            _answer(message, chance.choice(earlier[-20:]))
        else:
            earlier.append(message)
        yield Mail(f"made-up-{number}", message.as_bytes(policy=SMTP))


def of_folder(where: str, most: int, seed: int) -> list[Mail]:
    """Mail files below a folder, or below all that a pattern names, in an order of chance, none twice."""
    rest = Path(where).absolute().relative_to("/")
    paths = sorted(path for folder in Path("/").glob(str(rest)) for path in folder.rglob("*.eml"))
    Random(seed).shuffle(paths)
    found = {mail.on_the_wire().digest: mail for mail in (Mail(path.name, path.read_bytes()) for path in paths)}
    return list(found.values())[: most or None]


def _report(number: int, chance: Random) -> EmailMessage:
    person, firm = chance.randrange(8), chance.randrange(60)
    message = EmailMessage()
    message["From"] = f"Person {person} <person{person}@firm{firm}.example>"
    message["To"] = "Support <support@example.com>"
    message["Subject"] = " ".join((_word(chance), *map(chance.choice, (THINGS, TROUBLES, PLACES))))
    message["Message-ID"] = f"<{number}.{chance.randrange(10**9)}@firm{firm}.example>"
    message["Date"] = "Fri, 20 Nov 2026 09:00:00 +0000"
    sentences = (" ".join(_word(chance) for _ in range(9)) for _ in range(chance.randrange(2, 9)))
    message.set_content(f"Hello,\n\n{message['Subject']}: żółw, Größe.\n\n" + ".\n".join(sentences) + ".\n", cte="8bit")
    if number % 5 == 0:
        data = b64encode(chance.randbytes(chance.randrange(60_000)))
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=f"log-{number}.bin")
    return message


def _answer(message: EmailMessage, earlier: EmailMessage) -> None:
    """From the same person, in the same thread."""
    message.replace_header("From", earlier["From"])
    message.replace_header("Subject", f"Re: {earlier['Subject']}")
    message["In-Reply-To"] = message["References"] = earlier["Message-ID"]


def _word(chance: Random) -> str:
    return "".join(chance.choices(SYLLABLES, k=3))
