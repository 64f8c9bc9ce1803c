"""Gmail; the forwarder's words stand apart."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="forward",
    name=Untrusted("Carla Client"),
    address="carla@client.example",
    subject=Untrusted("Export stops"),
    text=Untrusted("The CSV export stops after 1000 rows.\n\nSince the update of last week."),
    note=Untrusted("Can somebody take this? They ship on Friday."),
)
