"""Splits JQL text into tokens, each with its position for error messages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage_sandbox.jira.jql.syntax import JqlError

_TOKEN: Final = re.compile(
    r"""
      \s+
    | (?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<place>(?:cf\[[0-9]+\]|issue\.property\[[^\]\n]*\](?:\.[\w.\-]+)?))
    | (?P<operator>!=|!~|<=|>=|&&|\|\||[=~<>!&|(),])
    | (?P<word>(?:[^\s"'\\=!<>~()&|,\[\]{}?@\#%^$*;/]|\\.)+)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\", "'": "'", '"': '"', " ": " "}

# As in Jira: words of its grammar and of SQL, kept from being values so that the language may grow.
_RESERVED: Final = """
abort access add after alias all alter and any are as asc audit avg before begin between boolean break by byte catch
cf char character check checkpoint collate collation column commit connect continue count create current date
decimal declare decrement default defaults define delete delimiter desc difference distinct divide do double drop
else empty encoding end equals escape exclusive exec execute exists explain false fetch file field first float for
from function go goto grant greater group having identified if immediate in increment index initial inner inout
input insert int integer intersect intersection into is isempty isnull join last left less like limit lock long max
min minus mode modify modulo more multiply next noaudit not notin nowait null number object of on option or order
outer output power previous prior privileges public raise raw remainder rename resource return returns revoke right
row rowid rownum rows select session set share size sqrt start strict string subtract sum synonym table then to
trans transaction trigger true uid union unique update user validate values view when whenever where while with
"""
RESERVED: Final = frozenset(_RESERVED.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a query."""

    kind: str
    """word, quoted, operator or end."""
    text: str
    """Unescaped, as written otherwise."""
    source: str
    position: int

    @property
    def place(self) -> str:
        """Its position, as Jira's messages give it."""
        return _place(self.source, self.position)

    @property
    def keyword(self) -> str:
        """Its text in capitals if it can be a keyword."""
        return self.text.upper() if self.kind in {"word", "operator"} else ""


def tokens(source: str) -> Iterator[Token]:
    """Return all tokens and an end token. Raises `JqlError` for invalid text."""
    source, position = _whole(source), 0
    while position < len(source):
        found = _TOKEN.match(source, position)
        if found is None:
            raise _unreadable(source, position)
        if found.lastgroup is not None:
            yield _token(source, found)
        position = found.end()
    yield Token("end", "", source, position)


def bare(source: str) -> bool:
    """Tell whether the text is plain words: no operator, quote or bracket."""
    return bool(re.fullmatch(r"\s*\w+(?:\s+\w+)+\s*", source))


def _token(source: str, found: re.Match[str]) -> Token:
    kind, text = found.lastgroup or "", found[0]
    if kind == "place":
        return Token("word", text, source, found.start())
    if kind == "quoted":
        text = text[1:-1]
    if kind != "operator":
        text = _whole(_ESCAPE.sub(lambda escape: _unescaped(escape, source, found.start()), text))
    return Token(kind, text, source, found.start())


def _unescaped(escape: re.Match[str], source: str, position: int) -> str:
    sign = escape[1]
    if len(sign) == 5:
        return chr(int(sign[1:], 16))
    if sign not in _ESCAPES:
        raise JqlError(
            f"Error in the JQL Query: '\\{sign}' is an illegal JQL escape sequence. The valid escape sequences are"
            rf""" \', \", \t, \n, \r, \\, '\ ' and \uXXXX. {_place(source, position)}"""
        )
    return _ESCAPES[sign]


def _whole(text: str) -> str:
    """Two halves of a character, as escapes give them, are one; a lone half is none."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unreadable(source: str, position: int) -> JqlError:
    sign, place = source[position], _place(source, position)
    if sign in "\"'":
        return JqlError(
            f"Error in the JQL Query: The quoted string '{source[position + 1 :]}' has not been completed. {place}"
        )
    return JqlError(
        f"Error in the JQL Query: The character '{sign}' is a reserved JQL character. You must enclose it in a string"
        f" or use the escape '\\u{ord(sign):04x}' instead. {place}"
    )


def _place(source: str, position: int) -> str:
    before = source[:position].split("\n")
    return f"(line {len(before)}, character {len(before[-1]) + 1})"
