"""Markdown on a page: shaped for reading, and nothing of it can be clicked, loaded, run or hidden."""

import pytest

from web.console.markdown import LONGEST, readable


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# Why\nIt **grows**.", "<h3>Why</h3><p>It <strong>grows</strong>.</p>\n"),
        ("###### deep", "<h6>deep</h6>"),
        ("one\ntwo", "<p>one<br />\ntwo</p>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("", ""),
    ],
    ids=["heading", "lowest heading", "lines", "list", "nothing"],
)
def test_shapes(markdown: str, html: str) -> None:
    """Headings stand below those of the page, lines stay lines, lists are lists."""
    assert html == str(readable(markdown))


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("![a](https://evil.example/pixel.png)", '!<span class="link">a</span> (https://evil.example/pixel.png)'),
        ("[bank](https://evil.example)", '<span class="link">bank</span> (https://evil.example)'),
        ("<https://a.example>", '<span class="link">https://a.example</span>'),
        ("<ada@a.example>", '<span class="link">ada@a.example</span>'),
        ("[a](javascript:alert(1))", "[a](javascript:alert(1))"),
        ('[a](https://x.example "t<b>")', '<span class="link">a</span> (https://x.example)'),
        ("safe\u202eelif", "safe"),
    ],
    ids=["script", "event", "picture", "link", "address", "mail", "javascript", "title", "bidi"],
)
def test_nothing_acts(markdown: str, shown: str) -> None:
    """HTML is text, a link is words with its address behind them, and signs that nobody sees do not act."""
    html = str(readable(markdown))

    assert shown in html
    assert not any(dangerous in html for dangerous in ("<a ", "<img", "<script", "href=", "\u202e"))


def test_front_matter() -> None:
    """An article's front matter is not part of what is read; elsewhere two rules are two rules."""
    text = "---\ntitle: Refunds\ntags: [billing]\n---\nWithin 14 days."

    assert str(readable(text, article=True)) == "<p>Within 14 days.</p>\n"
    assert str(readable(text.replace("\n", "\r\n"), article=True)) == "<p>Within 14 days.</p>\n"
    assert "title: Refunds" in str(readable(text))


def test_lines_of_an_article_are_paragraphs() -> None:
    """A help page is wrapped anywhere in its file; a line of a letter or a description stays a line."""
    assert readable("one\ntwo", article=True) == "<p>one\ntwo</p>\n"
    assert readable("one\ntwo") == "<p>one<br />\ntwo</p>\n"


def test_a_long_text_is_cut() -> None:
    """What is too long to render says how much is missing."""
    assert "7 more characters" in str(readable("x" * (LONGEST + 7)))
