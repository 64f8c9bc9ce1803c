"""Shows Markdown as people read it: headings, lists, tables; nothing in it can be clicked, loaded or hidden."""

import re
from collections.abc import Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from triage.domain.text.visible import visible

LONGEST: Final = 100_000
"""Characters that are rendered."""
BELOW: Final = 2
"""A page and its card have headings of their own: those of the text begin below them."""
LOWEST: Final = 6
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?^---$\n?", re.DOTALL | re.MULTILINE)


class _Reading(RendererHTML):
    """Renders links as words with their address behind them."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Begin a link that leads nowhere."""
        del tokens, idx, options, env
        return '<span class="link">'

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """End it with its address, unless its words are the address."""
        del options, env
        start = max(place for place in range(idx) if tokens[place].type == "link_open")
        address = str(tokens[start].attrs.get("href", ""))
        words = "".join(token.content for token in tokens[start:idx])
        return "</span>" if address in {words, f"mailto:{words}"} else f"</span> ({escape(address)})"

    def heading_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Begin a heading below those of the page."""
        del options, env
        return f"<{_lowered(tokens[idx])}>"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        del options, env
        return f"</{_lowered(tokens[idx])}>"


def _parser(*, breaks: bool) -> MarkdownIt:
    """Return a parser of neither raw HTML nor pictures: a page loads nothing of a text and runs nothing of it."""
    parser = MarkdownIt("commonmark", {"html": False, "breaks": breaks}, renderer_cls=_Reading)
    return parser.enable("table").disable("image")


_LINES: Final = _parser(breaks=True)
"""As Jira shows a description and a mail program a letter: a line stays a line."""
_PARAGRAPHS: Final = _parser(breaks=False)
"""As help pages are shown: their files are wrapped anywhere."""


def readable(markdown: str, article: bool = False) -> Markup:  # noqa: FBT001, FBT002 - a filter of templates
    """Return HTML of the text; characters that show nothing stand there by their codes, such as `U+202E`.

    The front matter of an article is left out, and its lines are joined to paragraphs.
    """
    markdown = _FRONT_MATTER.sub("", markdown.replace("\r\n", "\n")) if article else markdown
    cut = markdown[:LONGEST]
    shown = str((_PARAGRAPHS if article else _LINES).render(visible(cut)))
    more = len(markdown) - len(cut)
    return Markup(shown + (f"<p>… {more:,} more characters</p>" if more else ""))  # noqa: S704 - the parser escapes all text


def _lowered(token: Token) -> str:
    return f"h{min(int(token.tag[1:]) + BELOW, LOWEST)}"
