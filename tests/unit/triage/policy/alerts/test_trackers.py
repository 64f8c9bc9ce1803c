"""Forms of Jira, GitHub and GitLab beside those of the corpus."""

from collections.abc import Mapping, Sequence

import pytest

from tests.unit.triage.policy.alerts.forms import CRITICAL, FIRING, HIGH, INFO, RESOLVED, UNKNOWN, Form, told

GITHUB: Mapping[str, str] = {"x-github-reason": "subscribed"}
GITLAB: Mapping[str, str] = {"x-gitlab-project": "tracking"}
JIRA: Mapping[str, str] = {"x-jira-fingerprint": "0f1e2d3c"}
CASES: Sequence[Form] = (
    (
        "jira@acme.example",
        JIRA,
        "[Jira] Updates for OPS-1: Belt",
        "Changes by Ada\n\nStatus\nIn Progress → Done\n",
        ("jira", UNKNOWN, "OPS-1", RESOLVED),
    ),
    ("jira@acme.example", JIRA, "Your weekly digest", "", None),
    ("jira@acme.example", {}, "[JIRA] (OPS-1) Belt", "Ada resolved OPS-1\n", ("jira", UNKNOWN, "OPS-1", RESOLVED)),
    ("jira@acme.example", {}, "[JIRA] Resolved: (OPS-1) Belt", "", ("jira", UNKNOWN, "OPS-1", RESOLVED)),
    ("jira@acme.example", {}, "[JIRA] (OPS-1) Belt", "Ada reopened OPS-1\n", ("jira", UNKNOWN, "OPS-1", FIRING)),
    (
        "jira@acme.example",
        JIRA,
        "[JIRA] (OPS-1) Belt",
        "Ada changed the status from Open to Done.\nPriority: Medium > Highest\n",
        ("jira", CRITICAL, "OPS-1", RESOLVED),
    ),
    (
        "n@code.example",
        {**GITHUB, "x-github-severity": "critical"},
        "[acme/shop] Vulnerability in left-pad",
        "",
        ("github", CRITICAL, "acme/shop: Vulnerability in left-pad", FIRING),
    ),
    (
        "n@code.example",
        GITHUB,
        "[acme/shop] Vulnerability in left-pad",
        "A low severity one.",
        ("github", INFO, "acme/shop: Vulnerability in left-pad", FIRING),
    ),
    (
        "n@code.example",
        GITHUB,
        "Re: [acme/shop] Belt (PR #4)",
        "Reopened #4.\nClosed #3.",
        ("github", UNKNOWN, "acme/shop#4", FIRING),
    ),
    (
        "n@code.example",
        GITHUB,
        "[acme/shop] PR run cancelled: CI - fix (0a1b2c3)",
        "",
        ("github", HIGH, "acme/shop: CI - fix", FIRING),
    ),
    (
        "g@code.example",
        {**GITLAB, "x-gitlab-pipeline-status": "failed"},
        "tracking | Failed pipeline",
        "Branch: main\n",
        ("gitlab", HIGH, "tracking: pipeline (main)", FIRING),
    ),
    (
        "g@code.example",
        {**GITLAB, "x-gitlab-mergerequest-iid": "7"},
        "Re: tracking | Map (!7)",
        "Merge request !7 was merged\n",
        ("gitlab", UNKNOWN, "tracking!7", RESOLVED),
    ),
    (
        "g@code.example",
        {**GITLAB, "x-gitlab-issue-iid": "8"},
        "tracking | Map (#8)",
        "Ada opened it.",
        ("gitlab", UNKNOWN, "tracking#8", FIRING),
    ),
    (
        "g@code.example",
        GITLAB,
        "tracking | Alert: Map is down",
        "Severity: Critical\n",
        ("gitlab", CRITICAL, "tracking: Map is down", FIRING),
    ),
    (
        "g@code.example",
        GITLAB,
        "tracking | Alert: Map is down",
        "An alert has been resolved.\n",
        ("gitlab", UNKNOWN, "tracking: Map is down", RESOLVED),
    ),
)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form[2])
def test_other_forms_are_read(form: Form) -> None:
    """Source, severity, object and state come out; a mail of the program that is no alert is none."""
    assert told(form) == form[4]
