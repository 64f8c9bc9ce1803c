"""Forms of status pages, CloudWatch, UptimeRobot and Jenkins."""

from collections.abc import Sequence

import pytest

from tests.unit.triage.policy.alerts.forms import FIRING, HIGH, RESOLVED, UNKNOWN, WARNING, Form, told

ALARM = "Your Amazon CloudWatch Alarm has changed its state."
PAGE = "Resolved - The incident is over.\nNov 24, 05:40 UTC\n\nIdentified - A switch drops packets.\nNov 24, 04:10 UTC"
CASES: Sequence[Form] = (
    ("status@barge.example", {}, "[Resolved] Slow uploads", PAGE, ("statuspage", UNKNOWN, "Slow uploads", RESOLVED)),
    (
        "no-reply@barge.example",
        {},
        "[Barge Status] Identified: Slow uploads",
        "Identified - A switch drops packets.\n\nManage your subscription on our status page.",
        ("statuspage", UNKNOWN, "Slow uploads", FIRING),
    ),
    ("status@barge.example", {}, "[Scheduled] Work on the switches", PAGE, None),
    ("status@barge.example", {}, "Resolved: the invoice of May", "I paid it.", None),
    ("ada@barge.example", {}, "Update: Slow uploads", PAGE, None),
    (
        "no-reply@sns.example",
        {},
        'ALARM: "berth-queue" in EU (Frankfurt)',
        ALARM,
        ("cloudwatch", UNKNOWN, "berth-queue in EU (Frankfurt)", FIRING),
    ),
    (
        "no-reply@sns.example",
        {},
        'OK: "berth-queue" in EU (Frankfurt)',
        ALARM,
        ("cloudwatch", UNKNOWN, "berth-queue in EU (Frankfurt)", RESOLVED),
    ),
    (
        "no-reply@sns.example",
        {},
        'INSUFFICIENT_DATA: "berth-queue" in EU (Frankfurt)',
        ALARM,
        ("cloudwatch", WARNING, "berth-queue in EU (Frankfurt)", FIRING),
    ),
    ("ada@harbour.example", {}, 'ALARM: "berth-queue" in my head', "", None),
    (
        "alert@uptimerobot.example",
        {},
        "Monitor is DOWN: quay.example",
        "",
        ("uptimerobot", HIGH, "quay.example", FIRING),
    ),
    (
        "watch@harbour.example",
        {},
        "Monitor is UP: quay.example",
        "Have a great day,\nUptimeRobot",
        ("uptimerobot", UNKNOWN, "quay.example", RESOLVED),
    ),
    ("ada@harbour.example", {}, "Monitor is down: left screen", "It fell.", None),
    (
        "ci@harbour.example",
        {},
        "Build failed in Jenkins: berths-nightly #118",
        "",
        ("jenkins", UNKNOWN, "berths-nightly", FIRING),
    ),
    (
        "ci@harbour.example",
        {},
        "Jenkins build is unstable: berths-nightly #119",
        "",
        ("jenkins", UNKNOWN, "berths-nightly", FIRING),
    ),
    (
        "ci@harbour.example",
        {},
        "Jenkins build is back to normal : berths-nightly #120",
        "",
        ("jenkins", UNKNOWN, "berths-nightly", RESOLVED),
    ),
)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form[2])
def test_services_are_read(form: Form) -> None:
    """Source, severity, object and state come out; what only sounds so is no alert."""
    assert told(form) == form[4]
