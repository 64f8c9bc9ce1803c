"""The sender's name in a text: whole or in part, in alphabets with and without blanks."""

import pytest

from integrations.mime.reply.names import NO_NAMES, names_of

ADA = names_of("Ada Byron (Support) <ada.lovelace@example.com>")
TARO = names_of("山田 太郎 <taro@example.com>")


@pytest.mark.parametrize(
    ("line", "held", "begun"),
    [
        ("Ada Byron", True, True),
        ("Byron, Ada", True, True),
        ("Ada", True, False),
        ("Ada/Sales/Example", True, False),
        ("Dr. Ada Byron, Head of Analysis", False, True),
        ("i. A. Ada Lovelace", True, True),
        ("the byron of ada", False, False),
        ("Example Ltd", False, False),
        ("ada.lovelace@example.com", False, False),
        ("Ada Byron 2", False, True),
        ("I have told you that it was Ada Byron who did it", False, False),
        ("", False, False),
    ],
)
def test_line_is_compared_with_the_name(line: str, *, held: bool, begun: bool) -> None:
    """A line is a name alone, or it begins with the name in full; an address is neither."""
    assert (ADA.hold(line), ADA.begin(line)) == (held, begun)


@pytest.mark.parametrize(
    ("line", "held", "begun"),
    [
        ("山田太郎", True, True),
        ("山田 太郎", True, True),
        ("山田", True, False),
        ("ポンプ株式会社 山田太郎", False, True),
        ("鈴木", False, False),
    ],
)
def test_name_without_blanks_is_known(line: str, *, held: bool, begun: bool) -> None:
    """Japanese, Chinese and Korean names are written with and without a blank; the family's name alone is a name, too."""
    assert (TARO.hold(line), TARO.begin(line)) == (held, begun)
    assert TARO.are_in(line) is begun


def test_unknown_sender_has_no_name() -> None:
    """Where no sender is known nothing is one; a bare address gives the words of its mailbox."""
    assert not NO_NAMES
    assert not NO_NAMES.are_in("Ada Byron")
    assert names_of("") == NO_NAMES
    assert names_of("ada.byron@example.com").begin("Ada Byron")


def test_short_names_count_where_the_name_is_begun() -> None:
    """`Ek` has two letters and is half of the name; in the midst of a text it is a word like others."""
    gunnar = names_of("Gunnar Ek <gunnar@example.com>")

    assert gunnar.begin("Gunnar Ek, Example AB")
    assert not gunnar.begin("Gunnar")
    assert not gunnar.are_in("ek")


def test_own_address_is_known_in_any_case() -> None:
    """The address of From is the sender's own; another of his name is not, and without one there is none."""
    assert ADA.own(("T 030", "E Ada.Lovelace@Example.com."[:-1]))
    assert not ADA.own(("ada.lovelace@example.org",))
    assert not NO_NAMES.own(("ada.lovelace@example.com",))
