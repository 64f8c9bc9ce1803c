"""What readers of alerts see of a mail: fields of its text, its sender, severities."""

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.triage.policy.alerts.forms import mail, told
from triage.domain.findings import AlertSeverity
from triage.policy.alerts.alert import alert_of
from triage.policy.alerts.mail import AlertMail, severity_of

SUBJECTS = (
    "[FIRING:1] x",
    "** PROBLEM x is DOWN **",
    "Problem: x",
    "[Triggered] x",
    "[Critical] x",
    "[JIRA] (OPS-1) x",
    "[a/b] x (#1)",
)
HEADERS = ("x-jira-fingerprint", "x-github-reason", "x-gitlab-project", "x-sentry-project", "x-nagios-notification")


def test_fields_are_read_from_lines_and_from_the_line_below() -> None:
    """The first value of a label counts; a label alone takes the next line, as tables without borders have it."""
    read = AlertMail(
        mail("a@b.example", {}, "x", "Host: web1\nHost: web2\n**Severity:**\nHigh\nalertname = Kiln\nEnd:\n")
    )

    assert (read.field("host"), read.field("severity"), read.field("alertname")) == ("web1", "High", "Kiln")
    assert (read.field("end"), read.field("nothing", "host")) == ("", "web1")


def test_senders_are_known_by_whole_words() -> None:
    """A domain counts with its subdomains, and a name as a word of its own."""
    read = AlertMail(mail("grafana@mon.acme.example", {}, "x", ""))

    assert (read.sent_by("acme.example"), read.sent_by("me.example")) == (True, False)
    assert (read.named("grafana"), read.named("graf"), AlertMail(mail("", {}, "x", "")).named("x")) == (
        True,
        False,
        False,
    )


def test_severities_of_all_programs_are_on_one_scale() -> None:
    """The first known word counts; none is unknown."""
    assert [severity_of(word) for word in ("Disaster", "(P2)", "Average", "Not classified", "blue")] == list(
        AlertSeverity
    )
    assert severity_of("", "blue", "warn") is AlertSeverity.WARNING


@given(st.sampled_from(SUBJECTS), st.sampled_from(HEADERS), st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_read(subject: str, header: str, more: str, text: str) -> None:
    """Whatever a mail says, reading it never fails, and reads the same twice."""
    given = mail("noreply@pagerduty.com", {header: more}, f"{subject}{more}", text)

    assert alert_of(given) == alert_of(given)


def test_an_alert_without_an_object_is_none() -> None:
    """A subject that names nothing makes no alert."""
    assert told(("alertmanager@b.example", {}, "[FIRING:1]", "", None)) is None
