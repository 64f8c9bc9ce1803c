"""An agent's file: what is wrong with it is told with its place and its cure."""

import pytest

from triage.agent.profiles import profile_of
from triage.domain.errors import SettingsInvalid


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("no front matter", "front matter"),
        ("---\ntools: []\n", "front matter"),
        ("---\n- a\n---\nhello", "key: value"),
        ("---\ntools: []\nright: all\n---\nhello", "mine.md:3: unknown key 'right'"),
        ("---\ntools: [\n---\nhello", "the front matter is no YAML"),
        ("---\ntools: read\n---\nhello", r"mine.md:2: tools: input should be a valid tuple"),
        (
            "---\n\nmax_iterations: many\ntools: []\n---\nhello",
            r"mine.md:3: max_iterations: input should be a valid integer",
        ),
        ("---\ntools: [read, 3]\n---\nhello", r"mine.md:2: tools.1: input should be a valid string"),
        ("---\ngrants: {read: everything}\n---\nhello", r"mine.md:2: grants.read: input should be"),
        ("---\n7: x\n---\nhello", "mine.md:2: unknown key 7"),
    ],
)
def test_a_broken_profile_names_file_and_cure(text: str, hint: str) -> None:
    """A profile that cannot be read is refused with its name and what is wrong."""
    with pytest.raises(SettingsInvalid, match=hint) as refused:
        profile_of("mine", text)

    assert "mine.md" in str(refused.value)


def test_all_that_is_wrong_with_a_profile_is_told_at_once() -> None:
    """Each with its line, in the order of the file; an empty front matter is a profile without tools."""
    with pytest.raises(SettingsInvalid) as refused:
        profile_of("mine", "---\nmodel: 3\nright: all\ntemperature: hot\n---\nhello")

    assert [problem.partition(" ")[0] for problem in refused.value.problems] == [
        "mine.md:2:",
        "mine.md:3:",
        "mine.md:4:",
    ]
    assert profile_of("mine", "---\n# nothing\n---\nhello").tools == ()
