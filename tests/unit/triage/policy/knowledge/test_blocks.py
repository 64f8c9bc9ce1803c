"""What a reader of an article sees of its Markdown."""

import pytest

from triage.policy.knowledge.blocks import ArticleBlock, ArticleBlockKind, blocks_of, plain_line

ARTICLE = """\
---
title: Front matter is no text
---
import Box from '@theme/Box'

# Parcels
A parcel is **late**
when it comes _after_ its day. <!-- nobody
reads this --> Ask [the desk](https://desk.example/a(b)).
![A picture](p.png)

Returns
-------
- First step,
  which goes on here
- Second <b>step</b>

  1) inner
> Quoted
> lines

| Size | Price |
|------|------:|
| S    | 4 \\| 5 |

```html
<!-- kept -->
<b>kept</b>
```
:::note Mind the gap
:::
<h3 id="a">
  Long heading
</h3>
<Banner
  text="no text"
/>
***
[ref]: https://desk.example
## Trailing ##
Last line with `<code> **kept**` and \\*stars\\* and a <mailto:x> &amp; <https://desk.example>.
"""


def test_blocks() -> None:
    """Layout, pictures, tags, comments and front matter are gone; lists, tables and code stay whole."""
    assert blocks_of(ARTICLE) == (
        ArticleBlock(ArticleBlockKind.HEADING, "Parcels", 1),
        ArticleBlock(ArticleBlockKind.PARAGRAPH, "A parcel is late when it comes after its day. Ask the desk."),
        ArticleBlock(ArticleBlockKind.HEADING, "Returns", 2),
        ArticleBlock(ArticleBlockKind.LIST, "- First step, which goes on here\n- Second step\n  1) inner"),
        ArticleBlock(ArticleBlockKind.QUOTE, "Quoted lines"),
        ArticleBlock(ArticleBlockKind.TABLE, "- Size S: Price 4 | 5"),
        ArticleBlock(ArticleBlockKind.CODE, "<!-- kept -->\n<b>kept</b>"),
        ArticleBlock(ArticleBlockKind.PARAGRAPH, "Mind the gap"),
        ArticleBlock(ArticleBlockKind.HEADING, "Long heading", 3),
        ArticleBlock(ArticleBlockKind.HEADING, "Trailing", 2),
        ArticleBlock(
            ArticleBlockKind.PARAGRAPH,
            "Last line with <code> **kept** and *stars* and a <mailto:x> & https://desk.example.",
        ),
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("---\ntitle: never closed\n\nText", ["title: never closed", "Text"]),
        ("A <!-- comment that never ends\n\nText", ["A <!-- comment that never ends", "Text"]),
        ("```\ncode without an end", ["code without an end"]),
        ("<a\nhref=x", ["<a href=x"]),
        ("<h2>One line</h2>\n<h2>no end\n\ntext", ["One line", "no end", "text"]),
        ("#\n# #", []),
        ("1. one\n\ntext", ["1. one", "text"]),
        ('<ul>\n<li>See <a href="x">us</a>.</li>\n  <LI class="y">Two</LI>\n</ul>', ["- See us.\n  - Two"]),
        ("```\n\n```\n\u200b", []),
    ],
)
def test_broken_markdown(text: str, lines: list[str]) -> None:
    """What is never closed loses no text, and what shows nothing is nothing."""
    assert [block.text for block in blocks_of(text)] == lines


def test_a_line() -> None:
    """A linked picture disappears, words with underscores stay."""
    assert plain_line("[![x](y)](z) my_long_name __is__ *so* [a][b]") == "my_long_name is so a"


@pytest.mark.parametrize(
    "line", ["[" * 99, "*" * 99 + "a", "<a " * 40, "`" * 99, "_a" * 50, "![" * 60, "\\" * 99, "<h1>" * 30, "<!--" * 30]
)
def test_hostile_lines_are_read_in_linear_time(line: str) -> None:
    """Ten times the text takes no more than some forty times the work: nothing is read again and again."""
    import sys

    def calls(text: str) -> int:
        count = 0

        def counted(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(counted)
        blocks_of(text)
        sys.setprofile(None)
        return count

    assert calls(f"{line}\n" * 100) < 40 * calls(f"{line}\n" * 10) + 1_000


def test_a_row_of_a_table_says_what_its_cells_are() -> None:
    """A row is quoted alone, so it names its columns; an empty cell says nothing, and a table without names has none."""
    table = "| Size | Weight | Price |\n| --- | --- | --- |\n| S | 2 kg | 4 euros |\n| M | | 6 euros |\n| | |"

    assert blocks_of(f"{table}\n\n| a | b |\n| c |") == (
        ArticleBlock(ArticleBlockKind.TABLE, "- Size S: Weight 2 kg; Price 4 euros\n- Size M: Price 6 euros"),
        ArticleBlock(ArticleBlockKind.TABLE, "- a: b\n- c"),
    )
