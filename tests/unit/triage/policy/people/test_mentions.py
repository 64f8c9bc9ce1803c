"""Which people of the project a text names."""

import pytest

from tests.unit.triage.policy.text.test_cues import PEOPLE, mail
from triage.domain.mail import Address
from triage.domain.untrusted import Untrusted
from triage.policy.text.cues import cues_of


@pytest.mark.parametrize(
    ("named", "text"),
    [
        (("Ada Byron",), "Ask ada byron."),
        (("Ada Byron",), "ada byron has it"),
        ((), "The page shows ada byron"),
        (("Ada Byron",), "Ms Byron has it"),
        (("Ada Byron",), "Please ask Ada."),
        (("Ada Byron",), "Byron, Ada has it"),
        (("Ada Byron",), "cc ADA.BYRON@example.com"),
        (("Ada Byron",), "@ada can you look?"),
        (("Ada Byron",), "ping @ada.byron"),
        (("Ada Byron",), "ping @AdaByron"),
        (("Jörg Müller",), "Jorg Muller knows"),
        (("kim.park@example.com",), "mail kim.park@example.com"),
        ((), "Kim Park was here"),
        ((), "Ada was here"),
        ((), "Admin rights"),
        ((), "Mada Byronson"),
        ((), "@adam knows nobody@example.com"),
    ],
)
def test_people(named: tuple[str, ...], text: str) -> None:
    """Full names, addresses, handles, and a part of a name with a title or a wish name a person; a first name alone, or a name that
    two bear, does not. Who writes capitals writes names with them.
    """
    assert cues_of(mail(reply=text), PEOPLE).people == named


@pytest.mark.parametrize(
    "sender",
    [Address(address="ada.byron@example.com"), Address(address="a@example.org", name=Untrusted("Ada Byron"))],
)
def test_the_sender_does_not_mention_herself(sender: Address) -> None:
    """Her own signature is no mention."""
    cues = cues_of(mail(reply="It broke.\nAda Byron", sender=sender), PEOPLE)

    assert cues.people == ()
    assert cues.sender_domain == sender.domain
