"""Forms of Sentry and PagerDuty beside those of the corpus."""

from collections.abc import Mapping, Sequence

import pytest

from tests.unit.triage.policy.alerts.forms import CRITICAL, FIRING, HIGH, INFO, RESOLVED, UNKNOWN, Form, told

SENTRY: Mapping[str, str] = {"x-sentry-project": "label-api"}
CASES: Sequence[Form] = (
    (
        "no-reply@pagerduty.com",
        {},
        "[PagerDuty Status] Resolved: Queue is long",
        'Ada updated incident "Queue is long"',
        ("pagerduty", UNKNOWN, "Queue is long", RESOLVED),
    ),
    (
        "no-reply@acme.pagerduty.com",
        {},
        "[#88] ACKNOWLEDGED: Queue is long",
        "Priority: P1 Major\n",
        ("pagerduty", CRITICAL, "Queue is long", FIRING),
    ),
    (
        "no-reply@pagerduty.com",
        {},
        "[PagerDuty ALERT] You have 1 TRIGGERED Incident (a1)",
        "Incident #88\nQueue is long\nUrgency: low\n",
        ("pagerduty", INFO, "Queue is long", FIRING),
    ),
    (
        "no-reply@pagerduty.com",
        {},
        "[PagerDuty ALERT] You have 1 TRIGGERED Incident (a1)",
        "You are assigned an incident:\n[#88] Queue is long\n",
        ("pagerduty", UNKNOWN, "Queue is long", FIRING),
    ),
    ("no-reply@pagerduty.com", {}, "Your on-call shift begins", "It begins at 9.", None),
    (
        "noreply@sentry.io",
        {},
        "[Critical] Error rate - label-api",
        "",
        ("sentry", CRITICAL, "Error rate - label-api", FIRING),
    ),
    (
        "noreply@sentry.io",
        {},
        "[Resolved] Error rate - label-api",
        "",
        ("sentry", UNKNOWN, "Error rate - label-api", RESOLVED),
    ),
    (
        "noreply@sentry.io",
        {},
        "[Sentry] label-api ERROR: no such parcel",
        "",
        ("sentry", HIGH, "no such parcel", FIRING),
    ),
    (
        "noreply@sentry.io",
        {},
        "[Sentry] label-api ERROR: no such parcel",
        "Sentry marked this issue as a regression. It was marked as resolved in 4.1.0 and has been seen again.",
        ("sentry", HIGH, "no such parcel", FIRING),
    ),
    (
        "noreply@sentry.io",
        {},
        "Regression: LABEL-API-7 - no such parcel",
        "This issue was resolved in 4.1.0.",
        ("sentry", UNKNOWN, "LABEL-API-7", FIRING),
    ),
    (
        "noreply@sentry.io",
        {},
        "Re: LABEL-API-7 - no such parcel",
        "Ada marked LABEL-API-7 as resolved in 4.1.0. The regression test is part of it.",
        ("sentry", UNKNOWN, "LABEL-API-7", RESOLVED),
    ),
    ("noreply@sentry.io", {}, "Weekly report", "Hello", None),
    ("s@harbour.example", SENTRY, "no such parcel", "", ("sentry", UNKNOWN, "label-api: no such parcel", FIRING)),
)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form[2])
def test_other_forms_are_read(form: Form) -> None:
    """Source, severity, object and state come out; a mail of the program that is no alert is none."""
    assert told(form) == form[4]
