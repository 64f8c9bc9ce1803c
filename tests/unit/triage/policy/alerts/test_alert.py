"""Golden alerts: each mail of `tests/corpus/alerts` says what stands beside it; a person's mail about one is none."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from integrations.mime.message import message_of
from tests.conftest import ROOT
from tests.growth import growth
from triage.domain.findings import Alert, AlertState
from triage.domain.mail import Address, Kind, Message
from triage.domain.untrusted import Untrusted
from triage.policy.alerts.alert import alert_of
from triage.policy.sender.kind import kind_of
from triage.policy.text.cues import cues_of

MAILS = sorted((ROOT / "tests" / "corpus" / "alerts").glob("*.eml"))
PAIRS = [
    ("alertmanager_firing", "alertmanager_resolved"),
    ("grafana_firing", "grafana_resolved"),
    ("nagios_firing", "nagios_resolved"),
    ("zabbix_firing", "zabbix_resolved"),
    ("datadog_firing", "datadog_resolved"),
    ("pagerduty_firing", "pagerduty_resolved"),
    ("sentry_firing", "sentry_resolved"),
    ("jira_open", "jira_done"),
    ("github_run_failed", "github_run_fixed"),
    ("github_issue", "github_issue_closed"),
    ("gitlab_pipeline_failed", "gitlab_pipeline_fixed"),
]
DATA = ROOT.parent / "shared" / "data"


def read(name: str) -> Message:
    """A mail of the corpus."""
    return message_of((ROOT / "tests" / "corpus" / "alerts" / f"{name}.eml").read_bytes())


def expected_of(mail: Path) -> Alert:
    """What the file beside a mail says."""
    spec = importlib.util.spec_from_file_location(mail.stem, mail.with_suffix(".py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Alert = module.EXPECTED
    return found


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.stem)
def test_an_alert_is_read_as_expected(path: Path) -> None:
    """Source, severity, object, state and key are those beside the mail, and its kind is automated."""
    mail = message_of(path.read_bytes())

    assert expected_of(path) == alert_of(mail)
    assert (
        (verdict := kind_of(mail)).kind,
        verdict.may_ticket,
        verdict.may_answer,
    ) == (Kind.AUTOMATED, True, False)


@pytest.mark.parametrize(("firing", "resolved"), PAIRS)
def test_both_ends_have_one_key(firing: str, resolved: str) -> None:
    """The end of an alert is known as the end of that very alert, and is no matter of high priority."""
    begin, end = alert_of(read(firing)), alert_of(read(resolved))
    assert begin
    assert end

    assert (AlertState.FIRING, AlertState.RESOLVED, begin.key) == (begin.state, end.state, end.key)
    assert (
        cues_of(read(firing)).fixed.value,
        cues_of(read(resolved)).fixed.value,
        cues_of(read(resolved)).priority.value,
    ) == ("no", "yes", "Low")


@pytest.mark.parametrize(
    ("name", "priority"),
    [
        ("alertmanager_firing", "Highest"),
        ("zabbix_firing", "Medium"),
        ("datadog_firing", "High"),
        ("nagios_host_down", "Highest"),
    ],
)
def test_severity_feeds_the_priority(name: str, priority: str) -> None:
    """A critical alert counts as an outage, a high one as pressing, a warning as neither, whatever its words are."""
    assert priority == cues_of(read(name)).priority.value


def test_an_alert_of_no_importance_is_low() -> None:
    """What a program calls information is of low priority."""
    mail = read("zabbix_firing")
    told = replace(mail, text=Untrusted(mail.text.replace("Average", "Information")))

    assert cues_of(told).priority.value == "Low"


@pytest.mark.parametrize("prefix", ["Fwd: ", "Re: ", "AW: ", "WG: "])
@pytest.mark.parametrize("name", ["alertmanager_firing", "grafana_firing", "nagios_firing", "zabbix_firing"])
def test_a_person_who_passes_an_alert_on_writes_none(name: str, prefix: str) -> None:
    """A mail of a person about an alert is judged as a person's."""
    mail = read(name)
    passed = replace(
        mail,
        subject=Untrusted(f"{prefix}{mail.subject}"),
        sender=Address(address="ada@harbour.example", name=Untrusted("Ada Byron")),
    )

    assert alert_of(passed) is None
    assert alert_of(replace(mail, headers=(*mail.headers, ("user-agent", "Mozilla Thunderbird")))) is None
    assert alert_of(replace(mail, flags=("forward",))) is None


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("[FIRING:1] Kiln is too hot", "Dear all, the kiln is firing at one o'clock."),
        ("Problem: label printer", "Hello, we have a problem with the label printer."),
        ("OK: see you on Monday", "Until then, Ada"),
        ("[OK] Minutes of the meeting", "Please find the minutes attached."),
        ("[Triggered] by your last mail", "I have a question."),
        ("** PROBLEM with my order **", "It has not come."),
        ("PORT-88 is still broken", "Please look."),
        ("[harbour/labels] Run failed: Release", "Hi, I saw this on the page. Can you help?"),
        ("Sentry at the gate", "The sentry was asleep."),
    ],
)
def test_words_of_people_are_no_alert(subject: str, text: str) -> None:
    """A subject that looks like a program's is not enough."""
    ada = Address(address="ada@harbour.example", name=Untrusted("Ada Byron"))

    assert alert_of(Message(subject=Untrusted(subject), text=Untrusted(text), sender=ada)) is None


@pytest.mark.no_cover
def test_no_mail_without_such_a_program_is_an_alert() -> None:
    """Of the real mails at hand, which no such program wrote, none is taken for an alert."""
    mails = sorted(DATA.rglob("*.eml"))[::5]
    if not mails:
        pytest.skip(f"no mails in {DATA}")

    assert [mail.name for mail in mails if alert_of(message_of(mail.read_bytes()))] == []


@pytest.mark.no_cover
@pytest.mark.parametrize("piece", ["\n", " \n", "- ", "labels", "status ", "alert: ", "#1 "])
def test_no_text_makes_the_reading_slow(piece: str) -> None:
    """Reading takes as long as the text is, at most, whatever program the subject and the headers name."""
    mails = [message_of(path.read_bytes()) for path in MAILS]

    def read_all(size: int) -> None:
        text = Untrusted(piece * (size // len(piece)))
        for mail in mails:
            alert_of(replace(mail, text=text, reply=text))
            alert_of(replace(mail, text=text, reply=text, subject=Untrusted("[FIRING:1] x")))

    assert growth(read_all, 2_500) < 3
