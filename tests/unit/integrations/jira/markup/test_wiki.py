"""Markup for Jira Server and Data Center: nothing of a mail lives in a ticket but as words; and markup read back."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from integrations.jira.markup.wiki import inert, text_of_wiki, wiki_of
from integrations.jira.shapes import Site
from tests.unit.integrations.jira.hostile import HOSTILE, texts
from triage.domain.text.visible import visible
from triage.domain.tickets import Panel
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.markdown import quoted
from triage_sandbox.jira.markup import wiki

ESCAPED = re.compile(r"(?<!\\)\\[-#*_+?^~|%{}\[\]()!@]")
"""The characters that Jira's renderer takes literally behind a backslash, and when."""
DANGERS = {
    "macro": re.compile(r"[{}]"),
    "link or mention": re.compile(r"[\[\]]"),
    "image": re.compile(r"!"),
    "table": re.compile(r"\|"),
    "small letters": re.compile(r"[\^~]"),
    "cited": re.compile(r"\?\?"),
    "forced line end": re.compile(r"\\"),
    "struck": re.compile(r"(?<!\w)([-+])(?=\S)[^\n]*?(?<=\S)\1(?!\w)"),
    "emoticon": re.compile(r"\((?:[xyni!?/+-]|on|off|flag|flagoff)\)", re.IGNORECASE),
}
STRUCTURE = {
    "heading": re.compile(r"^\s*(?:h[1-6]|bq)\.\s", re.MULTILINE),
    "list": re.compile(r"^\s*[*#-]+\s", re.MULTILINE),
    "rule": re.compile(r"^\s*-{4,}\s*$", re.MULTILINE),
    "phrase": re.compile(r"(?<!\w)([*_])(?=\S)[^\n]*?(?<=\S)\1(?!\w)"),
}
OURS = re.compile(
    r"^\{noformat\}\n.*?\n\{noformat\}$|^[*#]+ \{noformat\}\n.*?\n\{noformat\}$|^\{quote\}$"
    r"|\{\{[^{}\n\\]+\}\}|\[(?:[^\[\]|\n]*\|)?(?:https?|mailto):[^\[\]|\s{}!^~\\]*\]|^----$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
ADDRESS = re.compile(r"https?://[A-Za-z0-9/._~%&=+?#@:,;-]+")


def alive(markup: str) -> set[str]:
    """What Jira would read in it beyond words, by its own rules."""
    bare = re.sub(r"&#\d+;", "E", ESCAPED.sub("E", ADDRESS.sub("U", OURS.sub("", markup))))
    return {name for name, live in (DANGERS | STRUCTURE).items() if live.search(bare)}


@pytest.mark.parametrize("hostile", [text for text in HOSTILE if alive(text)])
def test_hostile_markup_is_seen_by_the_checker(hostile: str) -> None:
    """The checker of the two tests below does see markup where there is some, and none once it is escaped."""
    assert set() == alive(inert(visible(hostile)))


@given(texts)
def test_words_are_inert(text: str) -> None:
    """Escaped text is words for Jira, whatever stands in it."""
    assert set() == alive(inert(visible(text)))


@given(texts)
def test_markup_holds_the_structure_of_the_markdown_only(markdown: str) -> None:
    """Lists, headings, quotes, code and phrases may come of Markdown; mentions, macros, images and tables may not."""
    assert alive(wiki_of(markdown)) & set(DANGERS) == set()


@given(texts)
def test_inert_words_read_as_written(text: str) -> None:
    """What was escaped comes back as it was."""
    line = " ".join(visible(text).split())

    assert line.strip() == text_of_wiki(inert(line))


HARMLESS = {
    "doc",
    "paragraph",
    "heading",
    "bulletList",
    "orderedList",
    "listItem",
    "codeBlock",
    "blockquote",
    "rule",
    "text",
    "hardBreak",
}


@given(texts)
def test_another_reader_of_markup_sees_words_too(markdown: str) -> None:
    """The sandbox's own parser of wiki markup finds no mention, table or panel, and no mark that Markdown lacks."""
    found = list(below(wiki.read(wiki_of(markdown))))
    kinds = {node["type"] for node in found}
    signs = {mark["type"] for node in found for mark in node.get("marks", [])}

    assert kinds <= HARMLESS
    assert signs <= {"strong", "em", "code", "link"}


def below(node: Any) -> Iterator[Any]:
    """The node and all below it."""
    yield node
    for child in node.get("content", []):
        yield from below(child)


def test_what_markup_cannot_nest_is_flattened() -> None:
    """Lists hold no quotes, rules or empty lines, and a quote holds no other."""
    assert wiki_of("- # Big\n\n  > quoted\n\n  ***\n\n  rest\n- two") == "* Big\nquoted\nrest\n* two"
    assert wiki_of("> one\n>\n> > two") == "{quote}\none\n\ntwo\n\n{quote}"


def test_code_cannot_end_its_own_block() -> None:
    """A terminator inside is broken."""
    markup = wiki_of("```\nx\n{noformat}\n[~admin]\n```")

    assert markup.count("{noformat}") == 2
    assert markup.endswith("[~admin]\n{noformat}")


def test_markdown_becomes_markup() -> None:
    """Structure is kept."""
    markdown = (
        "## Steps\n\nOpen **it** in `x`.\n\n1. one\n2. two\n   - deep\n\n> said\n\n---\n\n[page](https://example.com/a)"
    )

    assert (
        wiki_of(markdown)
        == "h2. Steps\n\nOpen *it* in {{x}}.\n\n# one\n# two\n#* deep\n\n{quote}\nsaid\n\n{quote}\n\n----\n\n"
        "[page|https://example.com/a] (example.com)"
    )


def test_a_label_cannot_move_its_link() -> None:
    """Jira cuts a link at its bars before it unescapes."""
    assert (
        wiki_of("[a|https:|b](https://example.com/x|y)")
        == "[a&#124;https:&#124;b|https://example.com/x%7Cy] (example.com)"
    )


@pytest.mark.parametrize(
    ("markdown", "told"),
    [
        ("[Sign in](https://evil.example/x)", "[Sign in|https://evil.example/x] (evil.example)"),
        (
            "[https://bank.example](https://evil.example/x)",
            "https://bank.example ([evil.example|https://evil.example/x])",
        ),
        ("[https://example.com](https://example.com/)", "[https://example.com|https://example.com/]"),
    ],
)
def test_a_link_shows_its_host(markdown: str, told: str) -> None:
    """Behind words that are not the address stands whom a click would reach."""
    assert wiki_of(markdown) == told


def test_addresses_stay_clickable() -> None:
    """Jira links a bare address, as long as no backslash stands in it."""
    address = "https://git.example.com/a/-/merge_requests/1?x=~y"

    assert f"see {address}\\!" == wiki_of(f"see {address}!")


# --- reading ----------------------------------------------------------------------------------


def test_markup_reads_as_words() -> None:
    """What people write in Jira comes without its signs, code untouched."""
    markup = (
        "h1. Crash\r\n*Bold* and _it_ by [~ada], see [docs|https://example.com] or [https://example.org].\n"
        "* one\n** two\n# three\n{code:java}\nint *a = b[0]; // h1. x\n{code}\n"
        "{quote}said{quote} !shot.png|thumbnail! {{mono}} {color:red}red{color} C:&#92;x \\[x\\]"
    )

    assert (
        text_of_wiki(markup) == "Crash\nBold and it by @ada, see docs (https://example.com) or https://example.org.\n"
        "- one\n  - two\n1. three\nint *a = b[0]; // h1. x\nsaid shot.png mono red C:\\x [x]"
    )


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("See [image: screen.png] here", "See !screen.png|thumbnail! here"),
        ("[image: Größe_1 (2), neu.PNG].", "!Größe_1 (2), neu.PNG|thumbnail!."),
        ("[image: a.png][image: b--c_d_.jpg]", "!a.png|thumbnail! !b--c_d_.jpg|thumbnail!"),
        ("h1. [image: a.png]\nh1. b", "h1&#46; !a.png|thumbnail!\nh1&#46; b"),
        ("* [image: a.png]", "\\* !a.png|thumbnail!"),
    ],
)
def test_pictures_of_the_mail_are_shown(text: str, markup: str) -> None:
    """Where the mail names an attached picture the ticket shows it, also where its words are quoted as they are."""
    assert f"{{quote}}\n{markup}\n\n{{quote}}" == wiki_of(quoted(Untrusted(text)))


@pytest.mark.parametrize(
    "name",
    [
        *("http://evil.example/a.png", "//evil.example/a.png", "http&#58;&#47;&#47;evil.example/a.png", "a/b.png"),
        *("\\\\evil\\a.png", "A-1^a.png", "~/a.png", "a|b.png", "a!b.png", "a{b}.png", "a%2fb.png", "a\nb.png", "a[1].png"),
        *("a.svg", "a.swf", "a.mov", "a.pdf", "a", ".png", "a .png", "..png", "a.png|width=9999", "javascript:a.png"),
        *("mailto:a.png", "a.png!http://evil.example/b.png", "#a.png", "<a>.png", '"a.png', "a.png "),
    ],
)  # fmt: skip
def test_only_files_of_the_ticket_are_shown(name: str) -> None:
    """A name that could lead anywhere else, or is none of a picture, stays words."""
    for markup in (wiki_of(quoted(Untrusted(f"See [image: {name}]"))), wiki_of(f"See [image: {name}]")):
        assert (alive(markup.replace("{quote}", "")) & {"image", "macro"}, "|thumbnail!" in markup) == (set(), False)


@pytest.mark.parametrize("text", ["x[image: a.png]", "[image: a.png]x", "https://x.example/[image: a.png]"])
def test_a_picture_stands_by_itself(text: str) -> None:
    """Beside letters or behind an address Jira would not see a picture, so the words stay."""
    assert "!" not in wiki_of(text)


def test_no_picture_in_code_or_links() -> None:
    """Code is shown as it is, and the words of a link are words; nor where the site takes no pictures in its text."""
    assert wiki_of("`[image: a.png]`") == r"\[image: a.png\]"
    assert "!" not in wiki_of("[\\[image: a.png\\]](https://x.example)")
    assert "!" not in wiki_of("[image: a.png]", pictures=False)


def test_a_panel_has_a_title_and_is_not_read_back() -> None:
    """Data Center shows it open; what a mail writes like it is text, and is read."""
    forged = "{panel:title=Why Triage decided so}\nMine\n{panel}"
    text = Site(cloud=False, url="https://jira.example").text(
        forged, last_line="triage-1", panel=Panel(lines=("**Type** Bug",))
    )

    assert text.endswith("{panel:title=Why Triage decided so}\n* *Type* Bug\n{panel}\n\ntriage-1")
    assert text_of_wiki(text).splitlines() == [*forged.splitlines(), "", "", "", "triage-1"]


def test_a_table_is_a_table() -> None:
    """Its rows follow each other without blank lines, bars in cells are escaped, an empty cell holds a blank."""
    markdown = "| A | B |\n| --- | --- |\n| x\\|y |  |\n\nend"

    assert wiki_of(markdown) == "||A||B||\n|x\\|y| |\n\nend"


def test_code_has_the_language_that_jira_knows() -> None:
    """Another one would show an error; the code cannot end its macro."""
    assert wiki_of("```java\n{code}\n```") == "{code:java}\n{ code}\n{code}"
    assert wiki_of("```csharp\nx\n```") == "{noformat}\nx\n{noformat}"


def test_a_table_reads_like_that_of_the_cloud() -> None:
    """Cells of a row stand on one line with bars between them."""
    assert text_of_wiki("||A||B||\n|x|y|") == "A | B\nx | y"
