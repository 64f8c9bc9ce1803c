"""Recognises what servers and companies add to a mail: legal text, advertising, warnings above mails from outside."""

import re
from typing import Final

from integrations.mime.reply.quote_patterns import FOOTER
from triage.config.word_lists import word_lists

_any_of: Final = word_lists().alternatives

LEAST: Final = 100
"""Octets of a legal paragraph; `this message is confidential, tell no recipient` may be the author's."""
HEADING: Final = 40
"""Most characters of a heading above legal text, and of the words before the colon that begins it."""
MOST: Final = 600
"""Characters of a warning, and of a sentence about answers."""

_SECRET: Final = re.compile(_any_of("reply.secret_patterns"), re.IGNORECASE)
_READER: Final = re.compile(_any_of("reply.reader_patterns"), re.IGNORECASE)
_MAIL: Final = re.compile(_any_of("reply.message", "device.mail", "reply.mail_patterns"), re.IGNORECASE)
_SUBJECT: Final = re.compile(
    rf"{_any_of('device.this')}\s(?:[\w-]+\s)?{_any_of('reply.message', 'device.mail', 'reply.mail_patterns')}",
    re.IGNORECASE,
)
"""A sentence about the mail itself: `This message`, `This e-mail`."""
_HEADED: Final = re.compile(rf"([^:.!?\n]{{1,{HEADING}}}):\s*(?=\S)")
_SECRECY: Final = re.compile(rf"{_any_of('reply.secret_patterns')}.*\s\S", re.IGNORECASE)
"""`Confidentiality notice`; `Confidential:` may be the author's."""
_APPENDED: Final = re.compile(rf"(?:P\s)?{_any_of('reply.appended_patterns')}", re.IGNORECASE)
_BANNER: Final = re.compile(_any_of("reply.banner_patterns"), re.IGNORECASE)
_LOUD: Final = re.compile(r"[\W_]*(?:\[[^\]]{3,40}\]|[^\W\d_a-zß-öø-ÿа-я]{3,}\b)")
"""Capitals or brackets, with which a warning begins."""
_TOLD_BY: Final = re.compile(r"https?://aka\.ms/LearnAboutSenderIdentification", re.IGNORECASE)
_TAG: Final = re.compile(
    r"[*_\s]*\[(?:extern\w*|external[ \w:-]{0,20}|externe|esterno|externo)\][*_\s]*", re.IGNORECASE
)
_LINK: Final = re.compile(r"[<(\[]\s?(?:https?:|mailto:)[^\s<>()\[\]]*\s?[>)\]]")
_LEADING_LINK: Final = re.compile(r"\A\s*[<(\[]https?:[^\s<>()\[\]]*[>)\]]\s*")
_ASKED: Final = re.compile(_any_of("reply.contact_patterns"), re.IGNORECASE)


def is_appended(paragraph: str, *, closed: bool = False) -> bool:
    """Tell whether a company or a program appended a paragraph: legal text names secrecy, a reader and the mail.

    `closed`: the author had ended his letter above it.
    """
    text = _LEADING_LINK.sub("", paragraph).strip(" *_|\n")
    if text.endswith("?") or text[:1] in {'"', "\u201c", "\u201e", "\u00ab"}:
        return False
    return bool(_APPENDED.match(text)) or is_legal(text) or _is_short_notice(text, closed=closed)


def is_legal(paragraph: str) -> bool:
    """Tell whether a paragraph is legal text about the mail itself, in any listed language."""
    return (
        len(paragraph.encode("utf-8", "replace")) >= LEAST
        and bool(_SECRET.search(paragraph))
        and bool(_READER.search(paragraph))
        and bool(_MAIL.search(paragraph))
    )


def _is_short_notice(text: str, *, closed: bool) -> bool:
    """Tell whether a text says of the mail that it is confidential, under a heading or below the letter's end.

    Below the end a heading alone, in capitals, is one, too: `CONFIDENTIAL AND PRIVILEGED`.
    """
    if closed and len(text) <= HEADING and text.isupper() and _SECRET.search(text):
        return True
    heading = _HEADED.match(text)
    headed = bool(heading and (_SECRECY.search(heading[1]) or FOOTER.search(heading[0])))
    notice = text[heading.end() :] if heading and headed else text
    return (headed or closed) and bool(_SUBJECT.match(notice) and _SECRET.search(notice))


def is_secret(line: str) -> bool:
    """Tell whether a line says that the mail is confidential; within a signature that is enough to be legal text."""
    return bool(_SECRET.search(line) and _MAIL.search(line))


def is_banner(paragraph: str) -> bool:
    """Tell whether a mail server wrote a first paragraph to warn of a sender outside."""
    if len(paragraph) > MOST:
        return False
    if _TAG.fullmatch(paragraph) or _TOLD_BY.search(paragraph):
        return True
    loud = _LOUD.match(paragraph) or not paragraph.lstrip("[*_ ").isascii()
    return bool(loud and _BANNER.search(paragraph))


def shows_contact(text: str) -> bool:
    """Tell whether a text is about addresses or numbers, so that those below it are its matter."""
    return bool(_ASKED.search(text[:MOST]))


def words_of(line: str) -> str:
    """Return the letters and digits of a line without its links: plain text and HTML show them alike."""
    return "".join(filter(str.isalnum, _LINK.sub("", line))).casefold()
