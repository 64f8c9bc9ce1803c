"""One Markdown source gives a plain mail and a simple page, and nothing in it runs or loads."""

import pytest

from triage.policy.letters.markdown import html_of, plain_of

SOURCE = """# Hello

Dear *Ada*,
see [the page](https://x.example/a), <https://y.example>, <a@b.example>.\\
A new line.

3. one
   more
4. two
   - deep `code`

> quoted
>
> twice

```
code
  more
```

    old code

---

| a | b |
|---|---|
| 1 | 2 |
"""
PLAIN = """Hello

Dear Ada,
see the page (https://x.example/a), https://y.example, a@b.example.
A new line.

3. one
   more
4. two
   - deep code

> quoted
>\N{SPACE}
> twice

    code
      more

    old code

--------------------

a | b
1 | 2"""


def test_plain() -> None:
    """Each block reads as people write it; a link keeps its address."""
    assert plain_of(SOURCE) == PLAIN


def test_html() -> None:
    """Paragraphs, emphasis, lists and tables stay."""
    page = html_of(SOURCE)

    assert "<em>Ada</em>" in page
    assert '<a href="https://x.example/a">the page</a>' in page
    assert '<ol start="3">' in page
    assert "<td>1</td>" in page


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=http://evil.example/x.png>",
        "![x](http://evil.example/x.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "<javascript:alert(1)>",
    ],
)
def test_nothing_runs_or_loads(hostile: str) -> None:
    """Markup, pictures and live addresses of a text do not become those of a page."""
    page = html_of(hostile)

    assert "<script" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert 'href="data' not in page
