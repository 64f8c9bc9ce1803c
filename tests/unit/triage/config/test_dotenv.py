"""The `.env` file: values survive both of its readers, and everything else in it stays as it is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.config.dotenv import HEADER, merged, quoted, values_in
from triage.config.settings import FromFile, read

VALUES = (
    "plain-Value_1.0:/@%+,=~",
    "two words",
    " leading and trailing ",
    "a#b",
    "a #b",
    "#first",
    "$HOME",
    "${HOME}",
    "pa${HOME}ss",
    "$$",
    'say "yes"',
    "it's",
    'it\'s "both"',
    "it's $5 #1",
    "back\\slash",
    "two\\\\backslashes",
    "ends in\\",
    "back\\slash and $",
    "sésame öffne dich",
    "=",
    "`id`",
)


def compose(line: str) -> str:
    """The value as compose-go reads it (dotenv/parser.go and expandEscapes, 2.x), for one line without newline."""
    value = line.partition("=")[2].strip(" \t")
    if value[:1] not in {"'", '"'}:
        bare = value.partition(" #")[0].rstrip()
        assert not {"$", "#"} & set(bare), "it would be replaced, or cut by older releases"
        return bare
    quote, out, escape = value[0], "", False
    for char in value[1:]:
        if char != quote:
            if not escape and char == "\\":
                escape = True
                continue
            out += ("\\" if escape else "") + char
        elif escape:
            out += char
        else:
            break
        escape = False
    if quote == "'":
        return out
    assert "$" not in out, "it would be replaced"
    return out.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")


@pytest.mark.parametrize("value", VALUES)
def test_a_value_survives_both_readers(value: str, tmp_path: Path) -> None:
    """Triage's settings and Docker Compose get back what was written, whatever quotes and signs are in it."""
    line = merged("", {"IMAP_PASSWORD": value, "IMAP_USER": "me", "IMAP_HOST": "mail.example"})
    (tmp_path / ".env").write_text(line, encoding="utf-8")
    settings = read(FromFile, _env_file=tmp_path / ".env")

    assert value == settings.imap_password.get_secret_value()
    assert value == compose(f"X={quoted(value)}")


@given(st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" \\'\"$#{}"), min_size=1))
def test_any_printable_value_survives_or_is_refused(value: str) -> None:
    """No value is written that a reader would change in silence."""
    try:
        line = f"X={quoted(value)}"
    except ValueError:
        return

    assert values_in(line) == {"X": value}
    assert value == compose(line)


@pytest.mark.parametrize("value", ["two\nlines", "a\x1b[2J", "$ and \\'", "$ at the end\\"])
def test_what_no_quotes_carry_is_refused(value: str) -> None:
    """A line break, a control character, and the few mixtures of $ and backslash are an error and no guess."""
    with pytest.raises(ValueError, match="it has a"):
        quoted(value)


def test_everything_else_stays() -> None:
    """Comments, blank lines, unknown and broken lines, order and other values survive a change."""
    before = "# mine\n\nLOG_LEVEL=DEBUG # loud\nJIRA_TOKEN=old  # till June\nexport UNKNOWN='x'\nbroken line\n\n# JIRA_EMAIL=\nIMAP_HOST=h"
    after = merged(before, {"JIRA_TOKEN": "new one", "JIRA_EMAIL": "a@b.example", "PORT": "81", "IMAP_HOST": None})

    assert after == (
        "# mine\n\nLOG_LEVEL=DEBUG # loud\nJIRA_TOKEN='new one'  # till June\nexport UNKNOWN='x'\nbroken line\n\n# JIRA_EMAIL=\n"
        "JIRA_EMAIL=a@b.example\nPORT=81\n"
    )


def test_a_name_that_stands_twice_stands_once() -> None:
    """The last line of a name wins for its readers: after a change none is left that could win over it."""
    assert merged("PORT=1\n# and\nport=2\n", {"PORT": "3"}) == "PORT=3\n# and\n"


def test_a_new_file_says_where_it_is_from() -> None:
    """A file that was empty or absent opens with what made it."""
    assert merged("", {"PORT": "3"}) == HEADER + "PORT=3\n"


def test_nothing_changes_where_nothing_is_new() -> None:
    """The same values again leave the same bytes."""
    once = merged("# c\n", {"PORT": "3", "JIRA_EMAIL": "it's"})

    assert once == merged(once, {"PORT": "3", "JIRA_EMAIL": "it's"})
