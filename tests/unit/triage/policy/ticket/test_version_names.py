"""Numbers in texts, and the names of a project's versions."""

import pytest

from triage.policy.ticket.version_names import known_versions, meant, meant_surely, named_anywhere, normal


@pytest.mark.parametrize(
    ("number", "version", "same"),
    [
        ("4.2.1", "v4.2.1", True),
        ("4.2.1", "Release 4.2.1", True),
        ("v4.2.1-RC1", "4.2.1 rc1", True),
        ("4.2.1", "4.2.1-rc1", False),
        ("2.3.0", "2.3", True),
        ("2.3", "2.3.0", True),
        ("2.30", "2.3", False),
        ("3.0.0.GA", "3.0.0", True),
        ("04.2.1", "4.2.1", True),
    ],
)
def test_the_same_number(number: str, version: str, *, same: bool) -> None:
    """Signs, a `v`, words for a version and zeros at the end make no difference; what follows the number does."""
    assert meant(normal(number.lower()), known_versions((version,)), frozenset()) == ((version,) if same else ())


def test_a_series_is_no_version() -> None:
    """Of 2.3.0 and 2.3.1 the mail that says 2.3 means neither."""
    assert meant("2.3", known_versions(("2.3.0", "2.3.1")), frozenset()) == ()


def test_a_name_of_several_words_has_to_be_said() -> None:
    """Another product may have the number, too."""
    known = known_versions(("Mobile 4.2",))

    assert meant_surely(("Mobile 4.2",), known, {"mobile"})
    assert not meant_surely(("Mobile 4.2",), known, {"web"})
    assert not meant_surely(("1.5.1 M01",), known_versions(("1.5.1 M01",)), {"m"})


def test_a_name_without_one_number_is_never_meant() -> None:
    """`Next` and a range cannot be told by a number."""
    assert known_versions(("Next", "2024 to 2026")) == ()


def test_what_a_mail_names_anywhere() -> None:
    """By number or name as whole words, whatever the mail says about it."""
    versions = ("4.2.1", "Mobile 4.2", "Next", "9.9", "1")

    assert named_anywhere("v4.2.1 on Mobile 4.2.0; Next is fine at 10:15", versions) == {"4.2.1", "Mobile 4.2", "Next"}
