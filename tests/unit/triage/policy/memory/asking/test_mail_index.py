"""The words of mails, by which those that may answer a question are found."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.memory.notes import MemoryMail
from triage.domain.untrusted import Untrusted
from triage.policy.memory.asking.mail_index import MailIndex


def mail(number: int, subject: str, text: str) -> MemoryMail:
    """Return a mail."""
    return MemoryMail(
        case=f"case-{number}",
        message_id=f"{number}@x.example",
        sender="Ann <ann@x.example>",
        to=(),
        subject=Untrusted(subject),
        text=Untrusted(text),
        at=datetime(2026, 11, 22, tzinfo=UTC),
    )


FIRST, SECOND = mail(1, "Crane", "The crane at pier four is repaired."), mail(2, "Crane again", "It stands still.")


def test_the_rarest_words_decide() -> None:
    """The mail with the rarer words comes first, the later one among equals; each is taken in once."""
    index = MailIndex()
    index.add([FIRST, SECOND, FIRST])

    assert index.find(("quay",), 5) == ()
    assert index.find(("cran", "pier"), 5) == (FIRST, SECOND)
    assert index.find(("cran",), 1) == (SECOND,)


def test_a_word_of_all_mails_weighs_least() -> None:
    """A word that stands nowhere weighs 1, one of all mails little."""
    index = MailIndex()
    index.add([FIRST, SECOND])
    rarity = index.rarity(("cran", "pier", "quay"))

    assert rarity["cran"] < rarity["pier"] < rarity["quay"] == 1.0


def test_a_forgotten_mail_is_found_no_more() -> None:
    """What was removed is gone; a case that is not known is no error."""
    index = MailIndex()
    index.add([FIRST, SECOND])
    index.remove("case-1")
    index.remove("case-99")

    assert index.find(("cran", "pier"), 5) == (SECOND,)


def test_a_misspelt_word_is_read_as_the_nearest_of_the_mails() -> None:
    """One letter may be wrong, two of a long word; known words, short ones and those that nothing is near stay."""
    index = MailIndex()
    index.add([mail(3, "Silo", "The temperature of the mooring was decided.")])
    asked = "what was desided on the temprature of the moorings in Gdansk by mary, xooring"

    spelt = index.spelt(asked, ("desid", "tempratur", "moor", "gdansk", "mary", "xoor"))

    assert spelt == "what was decided on the temperature of the moorings in Gdansk by mary, xooring"


def test_a_sender_is_found_by_name_and_host() -> None:
    """The words of his name and of his address are words of the mail."""
    index = MailIndex()
    one = replace(mail(4, "Plugs", "More plugs."), name="Tom Reed", sender="tom@north-freight.example")
    index.add([one, FIRST])

    assert index.find(("reed",), 5) == index.find(("freight",), 5) == (one,)
