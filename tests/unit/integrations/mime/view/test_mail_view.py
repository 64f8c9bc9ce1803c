"""A mail as a person reads it: nothing in it runs, loads, leads or hides, and whatever is in it shows."""

import base64
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from integrations.mime.view.highlight import OFTEN, Highlight
from integrations.mime.view.mail_view import CLASSES, LONG, TAGS, sanitised, view_of
from tests.conftest import ROOT
from tests.hostile.markup import MARKUP, mail_of, mail_with
from triage.domain.mail import MailView

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LETTERS = sorted((ROOT / "tests" / "corpus").glob("*.eml"))


class _Attributes(HTMLParser):
    """Reads what a browser would be told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.told += [(tag, name, value or "") for name, value in attrs] or [(tag, "", "")]


def told(view: MailView) -> list[tuple[str, str, str]]:
    """Elements and attributes of a view."""
    reader = _Attributes()
    reader.feed(view.html)
    return reader.told


def html(body: str) -> MailView:
    """The view of a mail with this body."""
    return view_of(mail_with(body, "one"), {})


@pytest.mark.parametrize("name", MARKUP)
def test_nothing_of_a_hostile_mail_reaches_a_browser(name: str) -> None:
    """Only known elements, no address but of pictures made of points, no handler, no style; and the words stay."""
    view = view_of(mail_of(name), {})

    for tag, attribute, value in told(view):
        assert tag in TAGS
        assert attribute in {"", "class", "dir", "colspan", "rowspan", "alt", "src"}
        if attribute == "src":
            assert value.startswith("data:image/png;base64,")
        if attribute == "class":
            assert value in CLASSES[tag]
    assert f"trick {name} fails" in view.html


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_every_letter_of_the_corpus_shows(path: Path) -> None:
    """It has something to read, and a second cleaning changes nothing."""
    view = view_of(path.read_bytes(), {})

    assert re.sub(r"<[^>]*>|\s", "", view.html)
    assert sanitised(view.html) == view.html


def test_a_link_is_text_that_says_where_it_leads() -> None:
    """The target stands beside the words, whatever they claim; scripts and anchors are words alone."""
    view = html(
        "<a href='https://evil.example/x'>https://bank.example</a> <a href='javascript:x'>run</a> <a href='#a'>up</a>"
    )

    assert 'https://bank.example <span class="to">https://evil.example/x</span> run up' in view.html
    assert [(one.text, one.target) for one in view.links] == [("https://bank.example", "https://evil.example/x")]


def test_what_is_hidden_is_seen_and_marked() -> None:
    """Text that styles hide stands there with a mark; styles themselves are gone."""
    view = html("<style>.x{display:none}</style><p class=x>secret one</p><p style='font-size:0'>secret two</p><p>seen")

    assert '<mark class="hidden">secret one</mark>' in view.html
    assert '<mark class="hidden">secret two</mark>' in view.html
    assert view.hidden == 2


def test_attached_pictures_show_and_foreign_ones_do_not() -> None:
    """A picture of the mail is part of the page; one of another host is named and counted, a dot is only counted."""
    related = (
        b'From: a@example.com\r\nSubject: p\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/html\r\n\r\n<img src='cid:one@x'><img src='cid:two@x'>"
        b"<img src='https://evil.example/a.png' alt='Chart'><img src='https://evil.example/p' width=1 height=1>\r\n"
        b"--b\r\nContent-Type: image/png\r\nContent-ID: <one@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(PNG)
        + b"\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <two@x>\r\n\r\n<svg onload=alert(1)>\r\n--b--\r\n"
    )
    view = view_of(related, {})

    assert view.html.count("<img") == 1
    assert "data:image/png;base64,iVBOR" in view.html
    assert "Chart, not loaded from evil.example" in view.html
    assert view.remote == 2


def test_what_a_browser_would_show_is_shown() -> None:
    """Text in a map and in an open dialog is seen; a closed dialog's is marked as hidden."""
    view = html("<map name=m>in a map</map> <dialog open>in an open dialog</dialog><dialog>in a closed one</dialog>")

    assert "in a map in an open dialog" in " ".join(re.sub("<[^>]*>", " ", view.html).split())
    assert '<mark class="hidden">in a closed one</mark>' in view.html


def test_words_of_findings_are_marked() -> None:
    """In small and capital letters, a few times, its label once; never inside other words."""
    marked = Highlight({"cut off": "bug", "  ": "nothing"}).html("Cut  off <b> uncut off. " + "cut off " * 9)

    assert marked.startswith('<mark class="cue">Cut  off<sup>bug</sup></mark> &lt;b&gt; uncut off. ')
    assert (marked.count("<mark"), marked.count("<sup>")) == (OFTEN, 1)


def test_plain_text_is_shown_as_it_is() -> None:
    """Long history and what is too long to read at once are folded, addresses are text and listed."""
    body = "See <b> https://example.com/x.\n" + "> old\n" * 40 + "new\n" + ("word " * 20 + "\n") * 900
    view = view_of(b"From: a@example.com\nSubject: x\n\n" + body.encode(), {})

    assert "See &lt;b&gt; https://example.com/x." in view.html
    assert "<summary>Earlier mail</summary>" in view.html
    assert "<summary>The rest of the mail</summary>" in view.html
    assert len(body) > LONG
    assert [one.target for one in view.links] == ["https://example.com/x"]


@pytest.mark.parametrize("head", ["text/plain", "text/plain; format=flowed"])
def test_wrapped_paragraphs_are_wrapped_by_the_reader(head: str) -> None:
    """Lines that a program wrapped are one paragraph, whether it says so or not; the plain text keeps its own."""
    words = "the false queue lag alarm is fixed. Since Saturday it is quiet when the exporter\npauses."
    body = words.replace("\n", " \n") if "flowed" in head else words
    raw = f"From: a@example.com\nSubject: x\nContent-Type: {head}\n\n{body}\n".encode()

    assert words.replace("\n", " ") in view_of(raw, {}).html
    assert ("flowed" in head) is (words not in view_of(raw, {}, plain=True).html)


def test_a_person_may_ask_for_the_plain_text() -> None:
    """Of two forms the HTML is shown first, and the other on request."""
    both = (
        b'From: a@example.com\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n'
        b"--b\nContent-Type: text/plain\n\nthe plain one\n--b\nContent-Type: text/html\n\n<p>the rich one</p>\n--b--\n"
    )

    assert "the rich one" in view_of(both, {}).html
    assert "the plain one" in view_of(both, {}, plain=True).html


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<blockquote>" * 300 + "deep words" + "</blockquote>" * 300 + "after", id="quotes"),
        pytest.param("<div>" * 9000 + "deep words", id="deep"),
        pytest.param("<p>deep words</p>" * 150_000, id="many"),
        pytest.param("deep words " * 1_000_000, id="long"),
    ],
)
def test_endless_mails_show(body: str) -> None:
    """They are cut where no person reads on, and say so."""
    view = html(body)

    assert "deep words" in view.html
    assert view.cut
    assert len(view.html) < 4_000_000


def test_every_script_and_direction_shows() -> None:
    """Right-to-left text keeps its direction and loses characters that turn others around; emoji stay."""
    view = html(
        "<p dir=rtl>\u0634\u0643\u0631\u0627 \u202eevil\u202c</p><p>\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f4e6</p>"
    )

    assert '<p dir="rtl">\u0634\u0643\u0631\u0627 evil</p>' in view.html
    assert "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f4e6" in view.html


def test_a_drawing_without_an_end_hides_no_words() -> None:
    """The reader sees what the agent reads: a paragraph ends an open `<svg>`."""
    assert "The shop is down" in html("<p>Hello</p><svg onload=alert(1)><circle/><p>The shop is down</p>").html
