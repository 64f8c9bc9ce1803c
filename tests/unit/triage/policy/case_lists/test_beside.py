"""The reason of a case where its state and ticket stand beside it."""

import pytest

from triage.policy.case_lists.beside import beside


@pytest.mark.parametrize(
    ("state", "reason", "shown"),
    [
        ("ticketed", "Created OPS-9 (Bug, High). Read as a bug.", "Bug, High. Read as a bug."),
        ("ticketed", "Created OPS-9 (Bug, for Ada (Hamburg)).", "Bug, for Ada (Hamburg)."),
        ("ticketed", "Created OPS-9. Read as a bug.", "Read as a bug."),
        ("ticketed", "Created OPS-9.", ""),
        ("commented", "OPS-9: commented. Same thread.", "Same thread."),
        ("commented", "OPS-9: commented. OPS-9: moved to Done. Ada did.", "Moved to Done. Ada did."),
        ("updated", "OPS-9: commented, moved to v1.2. Same thread.", "Commented, moved to v1.2. Same thread."),
        ("waiting", "OPS-9: commented. Waiting: OPS-9 is done.", "Commented. Waiting: OPS-9 is done."),
        ("ticketed", "Created OPS-90 (Bug). Created OPS-9 (Bug).", "Created OPS-90 (Bug). Created OPS-9 (Bug)."),
        (
            "waiting",
            "unsure: may be spam. A person decides: triage correct case-5 --ticket, or --ignore",
            "unsure: may be spam.",
        ),
        ("ticketed", "ada accepted this: OPS-9 would move to Done.", "ada accepted this: OPS-9 would move to Done."),
    ],
)
def test_what_stands_beside_it_is_left_out(state: str, reason: str, shown: str) -> None:
    """The ticket that was made and its state are not told twice, nor is the command of a shell; other tickets and all reasons are."""
    assert beside(reason, state, "OPS-9") == shown


def test_nothing_beside_it() -> None:
    """Without a ticket the reason stands whole."""
    assert beside("Would create: the export stops.", "shadowed", "") == "Would create: the export stops."
