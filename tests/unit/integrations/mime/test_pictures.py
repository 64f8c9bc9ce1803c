"""Pictures inside a mail's text are named where they stand, by their own names, and logos are not."""

import base64
import struct
from email.message import EmailMessage

import pytest

from integrations.mime.html.to_text import page_of
from integrations.mime.message import message_of
from integrations.mime.pictures import Pictures, pixels_of
from tests.unit.integrations.mime.formats.test_outlook import OWN, msg, text
from tests.unit.integrations.mime.html.test_to_text import HIDDEN
from triage.domain.mail import LOGO, Message

SHOT = b"\x89PNG" + bytes(LOGO)
LITTLE = b"\x89PNG" + bytes(LOGO - 4)


def part(
    content: bytes = SHOT, name: str = "screen.png", cid: str = "", kind: str = "image/png", how: str = "inline"
) -> bytes:
    """A picture as a part of a mail."""
    head = f'Content-Type: {kind}\nContent-Disposition: {how}; filename="{name}"\nContent-Transfer-Encoding: base64\n'
    return f"{head}{f'Content-ID: <{cid}>' if cid else 'X-A: b'}\n\n{base64.encodebytes(content).decode()}".encode()


def words(content: str, kind: str = "plain") -> bytes:
    """Text as a part of a mail."""
    return f"Content-Type: text/{kind}; charset=utf-8\n\n{content}".encode()


def multi(kind: str, *parts: bytes, boundary: str = "b") -> bytes:
    """Parts in one."""
    lines = b"".join(b"--" + boundary.encode() + b"\n" + one + b"\n" for one in parts)
    return f"Content-Type: multipart/{kind}; boundary={boundary}\n\n".encode() + lines + f"--{boundary}--\n".encode()


def read(entity: bytes) -> Message:
    """The mail with this as its content."""
    return message_of(b"From: a@b.example\nSubject: x\n" + entity)


def seen(content: str, *pictures: bytes, kind: str = "html") -> str:
    """The text of a mail with these pictures beside it."""
    return read(multi("related", words(content, kind), *pictures)).text


def test_html_names_the_picture_in_its_place() -> None:
    """Where the HTML shows an attached picture stands its name; the link around it adds nothing."""
    html = '<p>It looks like <a href="https://x.example"><img src="cid:1@x"></a> since today.</p><img src="CID:1%40x">'

    assert seen(html, part(cid="1@x")) == "It looks like [image: screen.png] since today.\n\n[image: screen.png]"


@pytest.mark.parametrize(
    ("mark", "kind"),
    [("[cid:1@x]", "plain"), ("[image: Screen.png]", "plain"), ("[image: screen.png\n]", "plain")],
)
def test_marks_of_mail_programs(mark: str, kind: str) -> None:
    """Outlook and Gmail mark the place in plain text, each in its own way, folded or not."""
    assert seen(f"See:\n{mark}\nBye", part(cid="1@x"), kind=kind) == "See:\n[image: screen.png]\nBye"


@pytest.mark.parametrize(
    ("content", "kind", "told"),
    [
        ("See:\n[cid:1@x]\nBye [cid:1@x]!", "plain", "See:\nBye!"),
        ("See:\n[image: screen.png]\nBye", "plain", "See:\nBye"),
        ("<p>See:<img src='cid:1@x'></p><p>Bye</p>", "html", "See:\n\nBye"),
        ("See:\n[cid:2@x]\nBye", "plain", "See:\nBye"),
        ("<p>See:<img src='cid:2@x'><img src='https://x.example/screen.png'><img></p>", "html", "See:"),
        ("See:\n[image: other.png]\nBye", "plain", "See:\n[image other.png]\nBye"),
        ("See:\n[image: Follow us]\nBye", "plain", "See:\n[image: Follow us]\nBye"),
    ],
)
def test_logos_and_what_is_not_there(content: str, kind: str, told: str) -> None:
    """Logos leave no trace, nor do marks of nothing; somebody's own words stay, but promise no file."""
    assert told == seen(content, part(LITTLE, cid="1@x"), kind=kind)


def test_a_small_file_of_a_large_picture_is_no_logo() -> None:
    """A message on a screen has few colours, so its file is small."""
    screen = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 400, 150) + bytes(900)
    wide = screen.replace(struct.pack(">II", 400, 150), struct.pack(">II", 200, 80))

    assert seen("<img src='cid:1@x'>", part(screen, cid="1@x")) == "[image: screen.png]"
    assert not seen("<img src='cid:1@x'>", part(wide, cid="1@x"))


@pytest.mark.parametrize(
    ("size", "kind", "how", "told"),
    [
        (LOGO + 1, "image/png", "inline", "[image: screen.png]"),
        (LOGO, "image/png", "inline", ""),
        (LOGO + 1, "image/png", "attachment", "[image: screen.png]"),
        (LOGO + 1, "application/pdf", "inline", ""),
    ],
)
def test_which_pictures_are_named(size: int, kind: str, how: str, told: str) -> None:
    """Those larger than a logo, also where the mail calls them attached but shows them; other files are not."""
    assert told == seen("<img src='cid:1@x'>", part(bytes(size), cid="1@x", kind=kind, how=how))


@pytest.mark.parametrize(
    "html",
    [
        '<img src="cid:1" width="1" height="1">',
        '<img src="cid:1" style="width:0">',
        '<img src="cid:1" style="height:1px">',
        '<img src="cid:1" style="display:none">',
        '<div style="max-height:0;overflow:hidden"><img src="cid:1"></div>',
        '<div hidden><img src="cid:1"></div>',
        '<template><img src="cid:1"></template>',
        '<p style="visibility:hidden"><img src="cid:1"></p>',
        '<p style="opacity:0"><img src="cid:1"></p>',
    ],
)
def test_hidden_pictures_are_not_named(html: str) -> None:
    """A picture that nobody sees has no place in the text, and hides no words."""
    page = page_of(f"<p>before</p>{html}", set(), Pictures({"1": "[image: a.png]"}))

    assert (page.text, page.hidden) == ("before", False)


@pytest.mark.parametrize("name", ["size of nothing", "white on white", "transparent", "letters on each other"])
def test_a_picture_needs_no_letters(name: str) -> None:
    """What hides letters alone does not hide a picture; newsletters set the size around theirs to nothing."""
    page = page_of(HIDDEN[name].replace("§", "<img src='cid:1'>"), set(), Pictures({"1": "[image: a.png]"}))

    assert page.text == ("" if name == "letters on each other" else "[image: a.png]")


def test_pictures_of_one_name_are_told_apart() -> None:
    """Some programs call each picture `image.png`: each gets a name of its own, in the text as on the ticket."""
    html = "<p>One <img src='cid:1'> two <img src='cid:2'> one again <img src='cid:3'></p>"
    pictures = [part(SHOT, "image.png", "1"), part(SHOT + b"2", "image.png", "2"), part(SHOT, "image.png", "3")]
    gmail = "One [image: image.png] two [image: image.png]"
    message = read(multi("related", words(html, "html"), *pictures))

    assert message.text == "One [image: image.png] two [image: image-2.png] one again [image: image.png]"
    assert [one.name for one in message.attachments] == ["image.png", "image-2.png", "image.png"]
    assert seen(gmail, *pictures[:2], kind="plain") == "One [image: image.png] two [image: image-2.png]"


def alternatives(plain: str, html: str, *pictures: bytes) -> Message:
    """Text twice, with the pictures beside the HTML, as most programs write it."""
    related = multi("related", words(html, "html"), *pictures, boundary="r")
    return read(multi("alternative", words(plain), related, boundary="a"))


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        ("Hello,\nthe map is\nwhite, see:\n\nBye", "Hello,\nthe map is\nwhite, see:\n[image: screen.png]\n\nBye"),
        (
            "> Hello, the map is white,\n> see:\n\nBye",
            "> Hello, the map is white,\n> see:\n> [image: screen.png]\n\nBye",
        ),
        ("Hello, the map is white, see: Bye", "Hello, the map is white, see [image: screen.png]: Bye"),
        ("Something else", "Something else"),
        ("the map is white, see: the map is white, see:", "the map is white, see: the map is white, see:"),
        ("white, see:\n[image: screen.png]\nBye", "white, see:\n[image: screen.png]\nBye"),
        ("white, see:\n[cid:1]\nBye", "white, see:\n[image: screen.png]\nBye"),
    ],
)
def test_place_is_found_by_the_words_before_it(plain: str, told: str) -> None:
    """Plain text that says nothing of the picture gets its name behind the words that the HTML has before it, if at all."""
    html = "<p>Hello, the map is white, see:</p><img src='cid:1'><p>Bye</p>"

    assert told == alternatives(plain, html, part(cid="1")).text


def test_places_one_behind_the_other() -> None:
    """Several pictures keep their order; one above all words stands above them."""
    html = "<img src='cid:2'><p>Both are white</p><p><img src='cid:1'></p><img src='cid:3'>"
    pictures = [part(SHOT + n.encode(), f"{n}.png", n) for n in "123"]

    assert alternatives("Both are white", html, *pictures).text == (
        "[image: 2.png]\nBoth are white\n[image: 1.png]\n[image: 3.png]"
    )


def test_names_of_pictures_do_not_make_texts_differ() -> None:
    """Plain text and HTML tell the same though one of them names thirty pictures."""
    pictures = [part(SHOT + bytes([n]), f"word{n} more{n} third{n}.png", f"{n}") for n in range(30)]
    html = "<p>See</p>" + "".join(f"<img src='cid:{n}'>" for n in range(30))
    plain = "See\n" + "\n".join(f"[cid:{n}]" for n in range(30))

    assert "alternatives-differ" not in alternatives(plain, html, *pictures).flags


def test_pictures_between_texts() -> None:
    """Apple Mail's plain mails are texts with pictures between them; a picture behind all text is only attached."""
    message = read(multi("mixed", words("See"), part(), words("Bye"), part(SHOT + b"2", "last.png")))

    assert message.text == "See\n\n[image: screen.png]\n\nBye"
    assert [one.name for one in message.attachments] == ["screen.png", "last.png"]


def test_mail_that_is_only_a_picture() -> None:
    """It has nothing to read, and says so by the name of the picture alone."""
    message = alternatives("[cid:1]\n", "<img src='cid:1'>", part(cid="1"))

    assert (message.text, message.reply, message.flags) == ("[image: screen.png]", "[image: screen.png]", ())


def test_a_picture_above_a_mail_passed_on() -> None:
    """A picture alone is no word of the sender's own: the mail attached below it says what there is to say."""
    inner = b"Content-Type: message/rfc822\n\nSubject: y\nContent-Type: text/html\n\n<p>Matter<img src=cid:2></p>"
    message = read(multi("mixed", words("<img src='cid:1'>", "html"), part(cid="1"), inner))

    assert (message.text, "forward" in message.flags) == ("[image: screen.png]\n\nMatter", True)


def test_pictures_in_an_outlook_file() -> None:
    """Their ids and types stand in properties."""
    shot = {"3707001F": text("screen.png"), "37010102": SHOT, "370E001F": text("image/png"), "3712001F": text("s@x")}
    message = message_of(msg(OWN | {"1000001F": text("It burns:\r\n[cid:s@x]\r\n[cid:t@x]\r\nCome.")}, shot))

    assert message.text == "It burns:\n[image: screen.png]\nCome."


def test_a_name_cannot_break_its_mark() -> None:
    """Whatever a picture is called, it stays on its line, and the words around it stay."""
    made = EmailMessage()
    made["From"] = "a@b.example"
    made.set_content("See [cid:1@x] here")
    made.add_attachment(SHOT, maintype="image", subtype="png", filename="a]\u202e\x07[cid:1@x].png", cid="<1@x>")
    message = message_of(made.as_bytes())

    assert message.text == "See [image: a][cid:1@x].png] here"


PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 400, 150) + bytes(9)
GIF = b"GIF89a" + struct.pack("<HH", 400, 150) + bytes(9)
BMP = b"BM" + bytes(16) + struct.pack("<II", 400, 150)
JPEG = b"\xff\xd8" + b"\xff\xe0\x00\x04ab" + b"\xff\xc0\x00\x0b\x08" + struct.pack(">HH", 150, 400) + bytes(4)


@pytest.mark.parametrize("content", [PNG, GIF, BMP, JPEG], ids=["png", "gif", "bmp", "jpeg"])
def test_width_times_height(content: bytes) -> None:
    """From the first bytes of the file."""
    assert pixels_of(content) == 60_000


@pytest.mark.parametrize(
    "content",
    [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\x00\x00", b"%PDF-1.7", JPEG[:11]],
)
def test_what_is_cut_or_none(content: bytes) -> None:
    """Nothing is known, and nothing is raised."""
    assert pixels_of(content) == 0
