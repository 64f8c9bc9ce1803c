"""Apple Mail in French, without a word of the forwarder."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="forward",
    name=Untrusted("Chloé Client"),
    address="chloe@client.example",
    subject=Untrusted("Carte blanche"),
    text=Untrusted("La carte reste blanche sur la tablette du quai 4."),
)
