"""Thunderbird in Czech: subject first, tabs behind the labels."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="forward",
    name=Untrusted("Jana Malá"),
    address="jana@obchod.example",
    subject=Untrusted("Tisk stojí"),
    text=Untrusted("Tiskárna na lince 2 od rána nic netiskne."),
)
