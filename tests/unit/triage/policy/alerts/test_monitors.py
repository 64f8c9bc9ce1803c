"""Forms of Nagios, Icinga, Zabbix and Datadog beside those of the corpus."""

from collections.abc import Sequence

import pytest

from tests.unit.triage.policy.alerts.forms import CRITICAL, FIRING, HIGH, INFO, RESOLVED, UNKNOWN, WARNING, Form, told

CASES: Sequence[Form] = (
    (
        "alert@dtdg.co",
        {},
        "[Triggered on {host:web1}] Queue is long",
        "",
        ("datadog", HIGH, "Queue is long on host:web1", FIRING),
    ),
    (
        "alert@dtdg.co",
        {},
        "[Recovered on {host:web1}] Queue is long on host:web1",
        "",
        ("datadog", UNKNOWN, "Queue is long on host:web1", RESOLVED),
    ),
    (
        "icinga@harbour.example",
        {},
        "[RECOVERY] HTTP on web1 is OK!",
        "***** Icinga *****\n",
        ("nagios", UNKNOWN, "web1/HTTP", RESOLVED),
    ),
    (
        "nagios@harbour.example",
        {"x-nagios-notification": "1"},
        "** PROBLEM alert - web1 is DOWN **",
        "",
        ("nagios", CRITICAL, "alert - web1", FIRING),
    ),
    (
        "zabbix@harbour.example",
        {},
        "PROBLEM: Disk is full",
        "Trigger: Disk is full\nTrigger status: PROBLEM\nTrigger severity: Disaster\n",
        ("zabbix", CRITICAL, "Disk is full", FIRING),
    ),
    (
        "zabbix@harbour.example",
        {},
        "OK: Disk is full",
        "Trigger: Disk is full\nTrigger status: OK\nTrigger severity: Disaster\n",
        ("zabbix", CRITICAL, "Disk is full", RESOLVED),
    ),
    (
        "zabbix@harbour.example",
        {},
        "Updated problem in 2h 10m: Disk is full",
        "Ada acknowledged problem.\nProblem name: Disk is full\nHost: db1\nSeverity: High\n",
        ("zabbix", HIGH, "db1: Disk is full", FIRING),
    ),
    (
        "alert@datadoghq.com",
        {},
        "[Monitor Alert] Re-Triggered: Queue is long",
        "",
        ("datadog", HIGH, "Queue is long", FIRING),
    ),
    ("alert@datadoghq.eu", {}, "[Warn] Queue is long", "", ("datadog", WARNING, "Queue is long", FIRING)),
    ("alert@dtdg.co", {}, "[Re-Triggered on Warn] Queue is long", "", ("datadog", WARNING, "Queue is long", FIRING)),
    ("alert@dtdg.co", {}, "[No Data] [P4] Queue is long", "", ("datadog", INFO, "Queue is long", FIRING)),
    ("alert@dtdg.co", {}, "[Recovered] Queue is long", "", ("datadog", UNKNOWN, "Queue is long", RESOLVED)),
)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form[2])
def test_other_forms_are_read(form: Form) -> None:
    """Source, severity, object and state come out; a mail of the program that is no alert is none."""
    assert told(form) == form[4]
