"""Errors of letters and of the mail server that takes them."""

from dataclasses import field

from triage.domain.errors import Denied, Permanent, Refused, Transient, WriteUnconfirmed


class OutboxDown(Transient):
    """The mail server takes no letter now; nothing was sent."""

    detail: str
    retry_after: float | None = field(default=None, kw_only=True)


class OutboxDenied(Denied):
    """The mail server does not let us send: check SMTP_USER, SMTP_PASSWORD or SMTP_TOKEN_COMMAND, then `triage doctor`."""

    detail: str


class LetterUnconfirmed(WriteUnconfirmed):
    """A letter was sent and the mail server's answer was lost: it may or may not have left."""


class LetterRefused(Permanent):
    """The mail server refused a letter."""

    detail: str
    recipients: tuple[str, ...] = ()


class LetterGone(Refused):
    """No letter waits under this number: `triage letters` lists them, and one that has left cannot be called back."""

    letter: int


class TooManyLetters(Refused):
    """This person has got as many automatic letters today as LETTERS_PER_PERSON_PER_DAY allows."""

    most: int
