"""Forms of Alertmanager and Grafana beside those of the corpus."""

from collections.abc import Sequence

import pytest

from tests.unit.triage.policy.alerts.forms import CRITICAL, FIRING, UNKNOWN, Form, told

CASES: Sequence[Form] = (
    (
        "alertmanager@harbour.example",
        {},
        "[FIRING:2]  (KilnHot prod critical)",
        "Labels\nalertname = KilnHot\ninstance = kiln-1:9100\n",
        ("alertmanager", CRITICAL, "KilnHot kiln-1:9100", FIRING),
    ),
    (
        "alertmanager@harbour.example",
        {},
        "[FIRING:2]  (KilnHot prod)",
        "",
        ("alertmanager", UNKNOWN, "KilnHot prod", FIRING),
    ),
    (
        "x@harbour.example",
        {},
        "[FIRING:3, RESOLVED:1] KilnHot",
        "Labels:\nalertname = KilnHot\nseverity: page\n",
        ("alertmanager", CRITICAL, "KilnHot", FIRING),
    ),
    ("alertmanager@harbour.example", {}, "FIRING: KilnHot (kiln-1)", "", ("alertmanager", UNKNOWN, "KilnHot", FIRING)),
    ("alertmanager@harbour.example", {}, "[OK] Kiln", "", None),
    ("grafana@harbour.example", {}, "[Alerting] Gateway 5xx", "", ("grafana", UNKNOWN, "Gateway 5xx", FIRING)),
    ("grafana@harbour.example", {}, "[No Data] Gateway 5xx", "", ("grafana", UNKNOWN, "Gateway 5xx", FIRING)),
    ("alertmanager@harbour.example", {}, "[FIRING:1]", "", None),
    ("", {}, "[FIRING:1] Kiln", "", None),
)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form[2])
def test_other_forms_are_read(form: Form) -> None:
    """Source, severity, object and state come out; a mail of the program that is no alert is none."""
    assert told(form) == form[4]
