"""Pictures in a mail: named and shown in the ticket where they stood in the text."""

import json
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.database import migrated
from tests.e2e.installation import Installation
from tests.e2e.jira.test_attach import hanging, issue
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.site import UPLOAD_LIMIT

SHOT = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 60


LOGO = b"\x89PNG\r\n\x1a\n" + bytes(range(100))


@pytest.fixture
def house(tmp_path: Path, any_jira: RunningJira) -> Installation:
    """Over either Jira, decided by the playbook."""
    migrated(tmp_path / "triage.db")
    return Installation(folder=tmp_path, jira=any_jira)


def test_a_picture_is_named_in_its_place(house: Installation) -> None:
    """The ticket says where in the text the picture stood, shows it there on Data Center, and has it as a file."""
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = (
        "Ada Byron <ada@example.com>",
        "Quetzal is blue",
        "<b@example.com>",
    )
    made.set_content("The quetzal looks so today:\n\n[cid:s@x]\n\nIt was green until Monday.\n[cid:l@x]\n[cid:t@x]")
    made.add_alternative("<p>Look<img src='cid:s@x'></p><img src='cid:l@x'>", subtype="html")
    files = ((SHOT, "screen shot.png", "<s@x>"), (LOGO, "logo.png", "<l@x>"), (SHOT, "again.png", "<t@x>"))
    for content, name, cid in files:
        made.add_attachment(content, maintype="image", subtype="png", filename=name, disposition="inline", cid=cid)
    path = house.folder / "picture.eml"
    path.write_bytes(made.as_bytes())
    assert house.triage("process", str(path)).returncode == 0
    (key,) = house.created()
    told = json.dumps(issue(house, key, "description"))
    place = "[image: screen shot.png]" if house.jira.cloud else "!screen shot.png|thumbnail!"

    assert re.search(rf"so today:.*{re.escape(place)}.*until Monday.*{re.escape(place)}", told), told
    assert ("logo" in told, "cid:" in told, hanging(house, key)) == (False, False, {"screen shot.png": SHOT})


LOOKS = (
    "The quetzal is grey at noon",
    "This afternoon it turned nearly purple",
    "Tonight nobody finds the bird any more",
)
"""What three mails of one thread say, in words unlike enough for no flood."""


def with_picture(folder: Path, content: bytes, number: int) -> Path:
    """A mail of one thread with a picture that is called as Outlook calls the first one of every mail."""
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = "ada@example.com", "Quetzal is blue", f"<{number}@example.com>"
    if number > 1:
        made["In-Reply-To"] = "<1@example.com>"
    made.set_content(f"{LOOKS[number - 1]}:\n[cid:s@x]\nBye")
    made.add_attachment(content, maintype="image", subtype="png", filename="image001.png", cid="<s@x>")
    path = folder / f"{number}.eml"
    path.write_bytes(made.as_bytes())
    return path


def test_pictures_of_several_mails_keep_apart(house: Installation) -> None:
    """Each text shows its own mail's picture though all have one name; the same one again is not hung there twice."""
    paths = [with_picture(house.folder, SHOT + b"2" * (number > 1), number) for number in (1, 2, 3)]
    house.triage("process", *map(str, paths))
    (key,) = house.created()
    told = [body.replace("\\", "") for body in house.comments(key)]

    assert hanging(house, key) == {"image001.png": SHOT, "image001-2.png": SHOT + b"2"}
    assert ["image001-2.png" in body for body in told] == [True, True], told


def test_a_picture_finds_its_name_again(tmp_path: Path, server_jira: RunningJira) -> None:
    """Killed between the words and the file, and behind the file, it goes on under the name that the words have."""
    house = Installation(folder=tmp_path, jira=server_jira)
    first, second = (with_picture(tmp_path, SHOT * number, number) for number in (1, 2))
    house.triage("process", str(first))
    house.triage("process", str(second), TRIAGE_CRASH_AT="step.attach")
    house.triage("work", "--until-idle", TRIAGE_CRASH_AT="effect.answered")
    done = house.triage("work", "--until-idle")
    (key,) = house.created()

    assert (done.returncode, list(hanging(house, key))) == (0, ["image001.png", "image001-2.png"])
    assert "!image001-2.png|thumbnail!" in house.comments(key)[0]


def test_a_picture_that_stays_behind_is_only_told_of(tmp_path: Path, server_jira: RunningJira) -> None:
    """Where Jira takes no such file the text says so, and shows no picture that is not there."""
    house = Installation(folder=tmp_path, jira=server_jira)
    server_jira.app.site.upload_limit = 5
    try:
        house.triage("process", str(with_picture(house.folder, SHOT, 1)))
    finally:
        server_jira.app.site.upload_limit = UPLOAD_LIMIT
    (key,) = house.created()
    told = str(issue(house, key, "description"))

    assert ("[image: image001.png, not attached" in told.replace("\\", ""), "thumbnail" in told) == (True, False), told
