"""Crisp in Czech."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="crisp",
    name=Untrusted("Jana Malá"),
    address="jana.mala@pacient.example",
    subject=Untrusted("Nová zpráva z webu"),
    text=Untrusted("Dobrý den, máte Ibalgin 400 v Ostravě?"),
)
