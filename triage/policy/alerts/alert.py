"""Finds the alert in a program's mail: source, severity, object, firing or resolved."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from triage.domain.findings import Alert
from triage.domain.mail import Message
from triage.policy.alerts.any_monitor import any_monitor
from triage.policy.alerts.builds import build
from triage.policy.alerts.incidents import pagerduty, sentry
from triage.policy.alerts.mail import AlertMail
from triage.policy.alerts.monitors import datadog, nagios, zabbix
from triage.policy.alerts.prometheus import alertmanager, grafana
from triage.policy.alerts.services import cloudwatch, jenkins, statuspage, uptimerobot
from triage.policy.alerts.trackers import github, gitlab, jira
from triage.policy.sender.machine_patterns import PROGRAMS

Reader = Callable[[AlertMail], Alert | None]

BY_HEADER: Final[Mapping[str, Reader]] = {"jira": jira, "github": github, "gitlab": gitlab, "sentry": sentry}
"""Programs that header fields or the sender name, whoever passes their mail on."""
BY_TEMPLATE: Final[Mapping[str, Reader]] = {
    "pagerduty": pagerduty,
    "datadog": datadog,
    "grafana": grafana,
    "alertmanager": alertmanager,
    "nagios": nagios,
    "zabbix": zabbix,
    "statuspage": statuspage,
    "cloudwatch": cloudwatch,
    "uptimerobot": uptimerobot,
    "jenkins": jenkins,
    "build": build,
    "monitor": any_monitor,
}
"""Programs that anybody runs under any address: the form of subject and text names them. `Re:` before it is a person's."""
MONITORS: Final = frozenset({"sentry", *BY_TEMPLATE})
"""Programs that watch something: what they say fires is broken. The others tell also of what people write."""
CACHED: Final = 64


@lru_cache(maxsize=CACHED)
def alert_of(message: Message) -> Alert | None:
    """Return what a program's mail says; None for every other mail, and for one that a person forwards or answers."""
    mail = AlertMail(message)
    readers = [*BY_HEADER.values(), *(() if _by_a_person(message) else BY_TEMPLATE.values())]
    return next((found for read in readers if (found := read(mail))), None)


def _by_a_person(message: Message) -> bool:
    """Tell whether a person sends the mail on: it is a forward, or a mail program of people wrote it."""
    handwritten = message.header("user-agent") or PROGRAMS.search(message.header("x-mailer"))
    return bool(handwritten) or "forward" in message.flags
