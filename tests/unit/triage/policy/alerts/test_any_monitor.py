"""Forms of monitors that have no reader of their own, and of people and programs that only sound like one."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.unit.triage.policy.alerts.forms import CRITICAL, FIRING, HIGH, RESOLVED, UNKNOWN, WARNING, Told, mail
from triage.domain.mail import Address
from triage.domain.untrusted import Untrusted
from triage.policy.alerts.alert import alert_of

FORMS: Sequence[tuple[str, str, str, Told | None]] = (
    (
        "ops@harbour.example",
        "[WARN] disk usage /var/lib/crane 91%",
        "host: db-2\nusage: 91%\ngrowth: 1.2% per hour",
        ("monitor", WARNING, "db-2/disk usage /var/lib/crane 91%", FIRING),
    ),
    (
        "ops@harbour.example",
        "[OK] queue length",
        "Host: mq-1\nCurrent: 12\nThreshold: 500",
        ("monitor", UNKNOWN, "mq-1/queue length", RESOLVED),
    ),
    (
        "watch@harbour.example",
        "CRITICAL: quay-relay-2 disk /var 96%",
        "Host: quay-relay-2\nService: disk /var\nState: CRITICAL (was WARNING for 3d)\nInfo: 812 MB free",
        ("monitor", CRITICAL, "quay-relay-2/disk /var", FIRING),
    ),
    (
        "watch@harbour.example",
        "OK: quay-relay-2 disk /var 60%",
        "Host: quay-relay-2\nService: disk /var\nState: OK (was CRITICAL for 3h)\nInfo: 9 GB free",
        ("monitor", UNKNOWN, "quay-relay-2/disk /var", RESOLVED),
    ),
    (
        "Check_MK <cmk@harbour.example>",
        "Check_MK: gate1/Filesystem / WARN -> CRIT",
        "Host:    gate1\nService: Filesystem /\nEvent:   WARNING -> CRITICAL\nOutput:  96.2% used",
        ("monitor", CRITICAL, "gate1/Filesystem /", FIRING),
    ),
    (
        "PRTG <prtg@harbour.example>",
        "[PRTG Network Monitor (P1)] quay-switch (Ping) Down (timed out)",
        "Sensor: Ping\nDevice: quay-switch\nStatus: Down\nDown for: 2 m",
        ("monitor", HIGH, "quay-switch/Ping", FIRING),
    ),
    (
        "alert@pingdom.example",
        "DOWN alert: Berth shop (berths.example) is DOWN",
        "Berth shop is down since 04:11:02.",
        ("monitor", HIGH, "Berth shop (berths.example)", FIRING),
    ),
    (
        "StatusCake <alerts@watcher.example>",
        "Website Up - Berth shop",
        "Status: Up\nIt was down for 12 minutes.",
        ("monitor", UNKNOWN, "Website - Berth shop", RESOLVED),
    ),
    (
        "noreply@azure-noreply.example",
        "Fired:Sev1 Azure Monitor Alert cpu-high on vm01",
        "Alert name: cpu-high\nSeverity: Sev1\nMonitor condition: Fired\nAffected resource: vm01",
        ("monitor", CRITICAL, "vm01/cpu-high", FIRING),
    ),
    (
        "Opsgenie <no-reply@pager.example>",
        '[Opsgenie] Alert: "Queue on mq01" has been closed',
        "Priority: P1\nStatus: closed",
        ("monitor", CRITICAL, '"Queue on mq01"', RESOLVED),
    ),
    (
        "New Relic <no-reply@relic.example>",
        "[Critical] Issue is activated: CPU above 95",
        "State: ACTIVATED\nTarget: web01",
        ("monitor", CRITICAL, "web01/CPU above 95", FIRING),
    ),
    (
        "root@pve1.harbour.example",
        "vzdump backup status (pve1): backup failed",
        "101: 01:00:04 no space left",
        ("monitor", UNKNOWN, "vzdump backup status (pve1): backup", FIRING),
    ),
    ("ada@harbour.example", "[Error] export fails", "Host: my laptop\nVersion: 3.2\nSteps: press export", None),
    ("ada@harbour.example", "[Problem] no host", "Current: 12\nThreshold: 500", None),
    ("ada@harbour.example", "CRITICAL: login page down", "Nobody can log in since 9. Host: web01.", None),
    ("ada@harbour.example", "Zabbix problem: the agent fails", "Since 10:30 it fails on our host. Can you help?", None),
    ("Pingdom <news@pingdom.example>", "Never miss an alert - new in Pingdom", "Webinar at 15:00.", None),
    ("Pingdom <news@pingdom.example>", "Our week", "Webinar at 15:00.", None),
    ("Netdata <news@netdata.example>", "[Critical] reading for your team", "What is new.", None),
    ("desk@customer.example", "[SWN-2] Error: cannot export", "Status: open\nPriority: high\nService: Export", None),
)


@pytest.mark.parametrize(
    ("sender", "subject", "text", "read"), FORMS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_monitor_without_a_reader_is_read(sender: str, subject: str, text: str, read: Told | None) -> None:
    """Severity, object and state come out of fields and subject; what people write and what advertises is no alert."""
    name, _, address = sender.rpartition(" <")
    found = alert_of(
        replace(mail("", {}, subject, text), sender=Address(address=address.rstrip(">"), name=Untrusted(name)))
    )
    assert (found and (found.source, found.severity, found.object, found.state)) == read


def test_an_alert_and_its_end_are_about_the_same() -> None:
    """The mail that says that it is over has the key of the one that began it."""
    fired, over = (
        alert_of(
            mail("opsgenie@pager.example", {}, f'[Opsgenie] Alert: "Queue on mq01" has been {end}', f"Status: {status}")
        )
        for end, status in (("created", "open, fired"), ("closed", "closed"))
    )
    assert fired
    assert over
    assert fired.key == over.key
