"""Priorities of escalations in the project's own names."""

import pytest

from triage.domain.support.conversations import SupportPriority
from triage.policy.support.priority_names import jira_priority


@pytest.mark.parametrize(
    ("priorities", "names"),
    [
        (("Highest", "High", "Medium", "Low", "Lowest"), ["Highest", "High", "Medium", "Low"]),
        (("Blocker", "Critical", "Major", "Minor"), ["Critical", "Major", "Major", "Minor"]),
        (("Now", "Soon"), ["Now", "Now", "Soon", "Soon"]),
        ((), ["", "", "", ""]),
    ],
)
def test_by_name_else_by_place(priorities: tuple[str, ...], names: list[str]) -> None:
    """Usual names are taken as they are; other scales by their order."""
    assert [jira_priority(one, priorities) for one in SupportPriority] == names
