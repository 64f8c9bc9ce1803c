"""Forms of build servers: one name, whatever run, commit and state."""

from collections.abc import Sequence

import pytest

from tests.unit.triage.policy.alerts.forms import FIRING, RESOLVED, UNKNOWN, Form, told

ROBOT = {"auto-submitted": "auto-generated"}
CASES: Sequence[Form] = (
    (
        "ci@forge.example",
        {},
        "Failed: harbour/core nightly #2291 (main, 4e1c9d0)",
        "",
        ("build", UNKNOWN, "harbour/core nightly main", FIRING),
    ),
    (
        "ci@forge.example",
        {},
        "Fixed: harbour/core nightly #2292 (main, 5a1c9d7)",
        "",
        ("build", UNKNOWN, "harbour/core nightly main", RESOLVED),
    ),
    (
        "robot@forge.example",
        ROBOT,
        "FAILED -> FIXED: kiosk-5 / nightly #1188",
        "",
        ("build", UNKNOWN, "kiosk-5 nightly", RESOLVED),
    ),
    (
        "noreply@forge.example",
        {},
        "web/app | Pipeline #48812 has failed for main | 3f09ad2e",
        "",
        ("build", UNKNOWN, "web/app main", FIRING),
    ),
    (
        "builds@forge.example",
        {},
        "shop-web - Build # 233 - Still Failing!",
        "",
        ("build", UNKNOWN, "shop-web", FIRING),
    ),
    (
        "teamcity@forge.example",
        {},
        "[TeamCity, FAILED] Build Harbour :: Deploy #88",
        "",
        ("build", UNKNOWN, "TeamCity Harbour Deploy", FIRING),
    ),
    (
        "noreply@forge.example",
        {},
        "[Build succeeded] shop - CI:main - abcdef0",
        "",
        ("build", UNKNOWN, "shop CI main", RESOLVED),
    ),
    ("ada@harbour.example", {}, "Failed: harbour/core nightly #2291", "The build is red.", None),
    ("ada@harbour.example", {"auto-submitted": "no"}, "Pipeline #7 failed", "", None),
    ("noreply@bank.example", {}, "Payment #2291 failed", "Your card was refused.", None),
    ("ci@forge.example", {}, "Build #2291 has begun", "", None),
    ("ci@forge.example", {}, "Nightly backup failed", "", None),
)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form[2])
def test_builds_are_read(form: Form) -> None:
    """A state, a number or commit, words of a build, and a robot as sender; anything less is no alert."""
    assert told(form) == form[4]
