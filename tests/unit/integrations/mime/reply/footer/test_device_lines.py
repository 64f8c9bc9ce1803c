"""The line that a telephone or a program adds is told from lines of people who write about sending and devices."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import pytest

from integrations.mime.reply.footer.device_lines import is_device_line
from integrations.mime.reply.split import split

OLD = "On 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> Do you agree?"

PROGRAMS = (
    "Sent from my iPhone",
    "(Sent from mobile device)",
    "<<sent by galaxy>>",
    "Sent from my Nothing Phone",
    "Sent from my Wiko RIDGE FAB 4G",
    "Sent from my BlackBerry 10 smartphone on the Airwave network.",
    "Sent from my HTC M8 Android phone.  Please excuse typoze",
    "Sent from my cell, please excuse any typos.",
    "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    "Sent from [mail](https://go.microsoft.com/fwlink/?LinkId=550986) for windows 10",
    "Sent via the Samsung Galaxy S21 5G, an AT&T 5G smartphone",
    "This message was sent from my work phone",
    "From My Iphone 6",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Gesendet von Peters iPhone",
    "Mit dem Handy geschrieben",
    "Envoyé à partir d’Outlook pour Android",
    "Lähetetty iPhonesta",
    "iPhone’umdan gönderildi",
    "Az iPhone-omról küldve",
    "मेरे iPhone से भेजा गया",
    "ส่งจาก iPhone ของฉัน",
    "从我的 iPhone 发送",
    "スマートフォンから送信",
    "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "Outlook für Android<https://aka.ms/AAb9ysg> beziehen",
)
PEOPLE = (
    "Sent from my iPhone, approved.",
    "Sent from my iPhone - approved",
    "Sent from my iPhone. Approved.",
    "Sent from my iPhone approved",
    "Sent from my iPhone: yes",
    "Sent from my iPhone 👍",
    "Sent from my iPhone (order 66 of them)",
    "Sent from my phone because the laptop is dead",
    "Sent a magnificent torch of pixels",
    "Sent two laptops to the Lyon office on Monday",
    "Sent a phone to Ada.",
    "Sent nine boxes",
    "Sent with nine pallets from Leeds",
    "Sent via mobile carrier on Monday, no answer yet",
    "Sent from Hamburg by phone order",
    "Sent by Ada on her laptop",
    "Sent to the Mac team on Monday",
    "From my phone it works fine",
    "From my laptop I cannot reach the printer",
    "Calls from mobile",
    "Get Outlook for all of us please, we need it by Monday",
    "Outlook for us: see https://wiki.acme.example/outlook",
    "Approved, see Outlook <https://aka.ms/plans>",
    "Gesendet habe ich das Handy am Montag",
    "Von meinem Handy aus habe ich es gesendet",
    "Gesendet von meinem iPhone, genehmigt",
    "Envoyé le portable à Lyon lundi",
    "Enviado el tablet a Sevilla el lunes",
    "Laptop gönderildi",
    "工場から送信",
    "从我的角度看没有问题",
    "发自我的iPhone，同意",
    "창고에서 보냄",
)


@pytest.mark.parametrize("line", PROGRAMS)
def test_what_programs_write_is_nobodys_word(line: str) -> None:
    """Verb, device, names of makers, an excuse for brevity and a link are what programs write, in any listed language."""
    assert is_device_line(line)


@pytest.mark.parametrize("line", PEOPLE)
def test_a_word_more_is_a_persons(line: str) -> None:
    """A line with any word that no program writes stays in the text, above a quote and without one, in an answer and a first mail."""
    assert not is_device_line(line)
    for below in ("", f"\n\n{OLD}"):
        for first in (False, True):
            assert line in split(f"Hello Ben,\n\n{line}{below}", first=first).reply
            assert line in split(f"{line}{below}", first=first).reply


def test_a_telephone_that_the_header_names_may_be_the_matter() -> None:
    """Who writes on an iPhone that the fault is on the iPhone says so in a last line that stays."""
    from integrations.mime.message import message_of

    head = "From: Ada <ada@example.com>\nSubject: Re: Login\nIn-Reply-To: <1@example.com>\nX-Mailer: iPhone Mail (20A362)\n"

    assert message_of(f"{head}\nHello,\n\nOnly on the iPhone\n".encode()).reply == "Hello,\n\nOnly on the iPhone"


@pytest.mark.parametrize("line", ["", "Sent " * 60, "Sent from " + "my " * 20 + "iPhone"])
def test_no_or_long_lines_are_none(line: str) -> None:
    """Programs write a line of a few words."""
    assert not is_device_line(line)
