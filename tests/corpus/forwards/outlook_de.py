"""Outlook has no line above the header."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="forward",
    name=Untrusted("Karl Kunde"),
    address="karl@kunde.example",
    subject=Untrusted("Etikett abgeschnitten"),
    text=Untrusted("Der Strichcode fehlt auf jedem zweiten Etikett."),
    note=Untrusted("Bitte übernehmen."),
)
