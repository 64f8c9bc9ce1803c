"""Outlook on the web, in Italian."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="forward",
    name=Untrusted("Carlo Cliente"),
    address="carlo@cliente.example",
    subject=Untrusted("Fattura vuota"),
    text=Untrusted("La fattura 4711 è vuota."),
)
