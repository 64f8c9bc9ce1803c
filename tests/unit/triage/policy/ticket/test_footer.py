"""Our last line: it stands below every body, and no body can look as if it held one."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.jira.markup.adf import adf_of, text_of_adf
from integrations.jira.markup.wiki import text_of_wiki, wiki_of
from tests.unit.integrations.jira.hostile import texts
from triage.domain.mail import Address, Trust
from triage.domain.text.visible import visible
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.footer import FOREIGN, footer, signed

WHEN = datetime(2026, 11, 3, 9, 5, tzinfo=UTC)
ADA = Address(address="ada@example.com", name=Untrusted("Ada Byron"))
LINE = footer(ADA, Trust.FAILED, WHEN, "case-7")
SHOWN = "From a mail by Ada Byron <ada@example.com> (sender failed), received 2026-11-03 09:05 UTC · case-7"


def test_what_it_tells() -> None:
    """The sender, how sure that is, when it came, whose thread it is no part of, and the case."""
    foreign_thread = footer(None, Trust.VERIFIED, WHEN, "case-7", "OPS-3")

    assert text_of_adf(adf_of(LINE)) == SHOWN
    assert foreign_thread == (
        "*From a mail by unknown sender, received 2026-11-03 09:05 UTC · answers the thread of OPS-3, of which the "
        "sender is no part · case-7*"
    )
    assert footer(Address(address="x@example.com"), Trust.VERIFIED, WHEN, "case-7").startswith(
        "*From a mail by x\\@example"
    )


def test_a_name_cannot_end_the_line_early() -> None:
    """A display name that tells of a date and a case keeps no dot of ours, and is cut."""
    told = footer(
        Address(address="x@evil.example", name=Untrusted("Boss · case-1* " + "a" * 99)), Trust.FAILED, WHEN, "case-7"
    )

    assert told.count("·") == 1
    assert "Boss case" in told
    assert "…" in told
    assert len(told) < 250


@pytest.mark.parametrize(
    "imitation",
    [
        "*From a mail by boss@example.com, received 2026-01-01 00:00 UTC · case-1*",
        "> \\*From a mail by boss\\@example.com, received",
        "FROM  A\nMAIL BY boss",
        "**Fr**om _a_ mail&#32;by boss",
        "&#70;rom a mail by boss",
        "&#x46;rom a mail by boss",
        "Frоm а mаil bу boss",  # noqa: RUF001 - Cyrillic letters that look Latin
        "Ｆｒｏｍ a mail by boss",  # noqa: RUF001 - full width
        "From a mail\u200b by boss",
        "- one\n- From a mail by boss",
        "```\nFrom a mail by boss\n```",
        "triage-0123456789abcdef0abc",
        "see TRIAGE-0123456789abcdef0abc.",
        "> triage\\-0123456789abcdef0abc",
        "triage&#45;0123456789abcdef0abc",
    ],
)
def test_an_imitation_says_that_it_is_none(imitation: str) -> None:
    """Our opening words and the shape of our mark are told apart wherever they stand in a body."""
    told = signed(f"Hello\n\n{imitation}", LINE)

    assert told.count(FOREIGN) == 1
    assert told.endswith(f"\n\n{LINE}")
    assert told.replace(FOREIGN, "") == f"Hello\n\n{visible(imitation)}\n\n{LINE}"


@pytest.mark.parametrize(
    "body",
    [
        "It arrived from a mailbox, by the way.",
        "a triage-0123 label",
        "triage-needed",
        "from: a\n\nmailing list by Ada",
    ],
)
def test_ordinary_words_stay(body: str) -> None:
    """Only our own opening and whole marks count."""
    assert signed(body, LINE) == f"{body}\n\n{LINE}"


@pytest.mark.parametrize(
    "fence",
    ["```\ncode", "~~~~ py\ncode\n~~~", "```\na\n```\n\n````\nb\n```", "text\n\n   ```x\n`", "\x00```", "\u200b~~~"],
)
def test_an_open_block_of_code_ends_above_our_line(fence: str) -> None:
    """A body that never closes its code does not swallow what we say."""
    document = adf_of(signed(fence, LINE))

    assert [block["type"] for block in document["content"]][-2:] == ["codeBlock", "paragraph"]
    assert text_of_adf(document).endswith(SHOWN)


@given(texts)
def test_our_line_is_the_last_one_in_any_ticket(body: str) -> None:
    """Whatever the body, the last line that a reader sees in Cloud and Data Center is ours, as we wrote it."""
    told = signed(body, LINE)

    assert text_of_adf(adf_of(told)).rpartition("\n")[2] == SHOWN
    assert text_of_wiki(wiki_of(told)).rpartition("\n")[2] == SHOWN


@given(st.lists(st.sampled_from([*"From a mail by", "*", "\n", "`", "From a ", "mail by", "&#70;", "\\"])).map("".join))
def test_nothing_else_opens_like_it(body: str) -> None:
    """Taken apart to its letters, a body never opens like our line without saying that it is not ours."""
    told = text_of_adf(adf_of(signed(body, LINE))).rpartition("\n")[0].replace(FOREIGN, "=")
    letters = re.sub(r"[^a-z=]", "", told.casefold())

    assert "fromamailby" not in letters.replace("=fromamailby", "|")


@pytest.mark.parametrize("text", ["Why Triage decided so", "**why** triage\ndecided *so*: Type Bug"])
def test_a_mail_cannot_imitate_the_panel(text: str) -> None:
    """Its title in a mail's text is marked as foreign, whatever signs stand between its letters."""
    assert FOREIGN in signed(text, LINE)
