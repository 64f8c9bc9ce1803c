"""The newest comment in the notice of a help desk that asks for answers above its first line."""

import pytest

from integrations.mime.reply.desk_notice import newest_comment
from integrations.mime.reply.split import split

ASKED = "##- Please type your reply above this line -##"
STATE = "Your request (30917) has been updated. To add additional comments, reply to this email."
WORDS = "Hello Ben,\n\nit happens when Apply is pressed twice.\n\nKind regards,\nTilda"
OLD = "Ben Akers, Aug 21, 2024, 09:58 GMT+2:\n\nAll ports go back after a reboot."
RULE = "-" * 46


@pytest.mark.parametrize(
    "text",
    [
        f"{ASKED}\n\n{STATE}\n\n{RULE}\n\nTilda Ek, Aug 22, 2024, 13:17 GMT+2:\n\n{WORDS}\n\n{RULE}\n\n{OLD}",
        f"{ASKED}\n\n{STATE}\n\nTilda Ek (Routers)\n\nAug 22, 2024, 13:17 GMT+2\n\n{WORDS}\n\nBen Akers\n\nAug 21, 2024, 09:58\n\nAll ports",
        f"\n{ASKED}\n\nTilda Ek\nAug 22, 2024, 13:17\n\n{WORDS}\n\nThis email is a service from Routers. Delivered by Zendesk",
    ],
)
def test_newest_comment_is_what_was_written(text: str) -> None:
    """A desk quotes the whole conversation; what its agent wrote now stands below the first name and time."""
    for first in (True, False):
        parts = split(text, first=first)

        assert parts.reply == WORDS
        assert ASKED in parts.quoted


def test_answer_to_a_notice_is_not_the_notice() -> None:
    """What stands above the line is the answer."""
    quoted = f"> {ASKED}\n>\n> Tilda Ek, Aug 22, 2024, 13:17:\n>\n> Try this.\n\nIt works now."
    assert newest_comment(quoted.splitlines()) is None
    assert "It works now." in split(quoted).reply

    text = f"It works now.\n\n{ASKED}\n\nTilda Ek, Aug 22, 2024, 13:17 GMT+2:\n\n{WORDS}"

    assert split(text).reply == "It works now."
    assert newest_comment(text.splitlines()) is None


@pytest.mark.parametrize(
    "text", [f"{ASKED}\n\n{STATE}", "", f"{ASKED}\n\nI wrote on Aug 21, 2024 at 09:58 that it broke.\n\nWhen?"]
)
def test_notice_without_a_name_and_time_is_kept_whole(text: str) -> None:
    """Where it is not clear which lines a person wrote, nothing is left out."""
    assert newest_comment(text.splitlines()) is None
    assert split(text).reply == text


def test_comment_with_a_time_in_it_is_whole() -> None:
    """A sentence with a date and time begins no older comment."""
    words = "It ran until\n\nthe check at 09:58 on Aug 21, 2024 that failed\n\nand then stopped."

    assert split(f"{ASKED}\n\nTilda Ek, Aug 22, 2024, 13:17:\n\n{words}\n\n{RULE}\n\n{OLD}").reply == words
