"""Crisp in English."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="crisp",
    name=Untrusted("Jan Novak"),
    address="jan.novak@patient.example",
    subject=Untrusted("[Shop] Do you have Paralen?"),
    text=Untrusted("Hello, do you have Paralen 500 in Brno?\n\nThanks, Jan"),
)
