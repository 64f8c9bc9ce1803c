"""What a reader sees of an HTML mail."""

import pytest

from integrations.mime.html.css import Sheet, declarations
from integrations.mime.html.to_text import HtmlText, page_of


def seen(html: str) -> str:
    """The visible text."""
    return page_of(html, set()).text


HIDDEN = {
    "display": '<p style="display:none">§</p>',
    "display, important": '<p style="display: none !important; display: block">§</p>',
    "visibility": '<p style="visibility:hidden">§</p>',
    "opacity": '<p style="opacity:0">§</p>',
    "opacity in percent": '<p style="opacity:0%">§</p>',
    "filter": '<p style="filter:opacity(0)">§</p>',
    "filter of old": '<p style="filter:alpha(opacity=0)">§</p>',
    "size": '<p style="font-size:1px">§</p>',
    "size in points": '<p style="font-size:.5pt">§</p>',
    "size of nothing": '<p style="font-size:0">§</p>',
    "size by shorthand": '<p style="font: bold 1px/1 Arial">§</p>',
    "size of size": '<div style="font-size:10%"><p style="font-size:0.5em">§</p></div>',
    "white on white": '<p style="color:#fff">§</p>',
    "nearly white": '<p style="color:rgb(250, 250, 249)">§</p>',
    "white by name": '<font color="white">§</font>',
    "black on black": '<div style="background:#000"><p style="color:#010101">§</p></div>',
    "bgcolor": '<table bgcolor="336699"><tr><td><font color="#336699">§</font></td></tr></table>',
    "transparent": '<p style="color:transparent">§</p>',
    "transparent by alpha": '<p style="color:rgba(0,0,0,0)">§</p>',
    "transparent by hex": '<p style="color:#00000000">§</p>',
    "short transparent hex": '<p style="color:#0000">§</p>',
    "left": '<p style="position:absolute;left:-9999px">§</p>',
    "top in em": '<p style="position:fixed;top:-100em">§</p>',
    "indent": '<p style="text-indent:-9999px">§</p>',
    "margin": '<p style="margin-left:-5000px">§</p>',
    "transform": '<p style="transform:scale(0)">§</p>',
    "translate": '<p style="transform:translateX(-9999px)">§</p>',
    "clip": '<p style="position:absolute;clip:rect(0,0,0,0)">§</p>',
    "clip-path": '<p style="clip-path:inset(50%)">§</p>',
    "max-height": '<div style="max-height:0;overflow:hidden">§</div>',
    "max-width": '<div style="max-width:0px">§</div>',
    "height": '<div style="height:0;overflow:hidden">§</div>',
    "width": '<div style="width:1px;height:1px;overflow:hidden">§</div>',
    "attribute": "<p hidden>§</p>",
    "template": "<template>§</template>",
    "class": "<style>.x{display:none}</style><p class='a x'>§</p>",
    "id": "<style>#x{display:none}</style><p id=x>§</p>",
    "tag and class": "<style>p.x{display:none}</style><p class=x>§</p>",
    "descendant": "<style>.a .x{display:none}</style><div class=a><b><i class=x>§</i></b></div>",
    "child": "<style>div>p{display:none}</style><div><p>§</p></div>",
    "list of selectors": "<style>h1, .x , td{display:none}</style><p class=x>§</p>",
    "attribute selector": "<style>[data-x=yes]{display:none}</style><p data-x=yes>§</p>",
    "attribute selector, part": "<style>p[title*=ecre]{display:none}</style><p title=secret>§</p>",
    "everything": "<style>.w *{color:#fff}</style><div class=w><p>§</p></div>",
    "media for all": "<style>@media screen{.x{display:none}}</style><p class=x>§</p>",
    "comment in sheet": "<style>/* } */ .x{display:none}</style><p class=x>§</p>",
    "weight": "<style>.x{display:none} p{display:block}</style><p class=x>§</p>",
    "important rule": "<style>.x{display:none !important}</style><p class=x style='display:block'>§</p>",
    "second sheet": "<style>.y{}</style><style>.x{display:none}</style><p class=x>§</p>",
    "capital class": "<style>.Note{display:none}</style><p class=Note>§</p>",
    "class in another case": "<style>.note{display:none}</style><p class=NOTE>§</p>",
    "capital id": "<style>#Foo{display:none}</style><p id=Foo>§</p>",
    "content-visibility": '<p style="content-visibility:hidden">§</p>',
    "collapse": '<p style="visibility:collapse">§</p>',
    "zoom": '<p style="zoom:0">§</p>',
    "scale to a dot": '<p style="transform:scale(0.01)">§</p>',
    "scale by its own": '<p style="scale:0">§</p>',
    "matrix": '<p style="transform:matrix(0,0,0,0,0,0)">§</p>',
    "edgeways": '<p style="transform:rotateX(90deg)">§</p>',
    "translate by its own": '<p style="translate:-9999px">§</p>',
    "translate3d": '<p style="transform:translate3d(-9999px,0,0)">§</p>',
    "inset": '<p style="position:fixed;inset:-9999px auto auto -9999px">§</p>',
    "right": '<p style="position:absolute;right:-9999px">§</p>',
    "indent out of a box": '<p style="text-indent:100%;white-space:nowrap;overflow:hidden">§</p>',
    "letters on each other": '<p style="letter-spacing:-1em">§</p>',
    "size of nothing by shorthand": '<p style="font:0/0 a">§</p>',
    "calculated size": '<p style="font-size:calc(0px)">§</p>',
    "size with an exponent": '<p style="font-size:1e-3px">§</p>',
    "opacity of opacity": '<div style="opacity:.2"><p style="opacity:.2">§</p></div>',
    "hsl": '<p style="color:hsl(0,0%,100%)">§</p>',
    "rgb without commas": '<p style="color:rgb(255 255 255 / 1)">§</p>',
    "rgb in percent": '<p style="color:rgb(100%,100%,100%)">§</p>',
    "text fill": '<p style="-webkit-text-fill-color:transparent">§</p>',
    "a name on its like": '<p style="background:tomato;color:tomato">§</p>',
    "nearly white by name": '<p style="color:seashell">§</p>',
    "clip to a point": '<p style="position:absolute;clip:rect(1px,1px,1px,1px)">§</p>',
    "clip-path polygon": '<p style="clip-path:polygon(0 0,0 0,0 0)">§</p>',
    "escaped letter": r'<p style="d\69splay:none">§</p>',
    "comment in a value": '<p style="display:/**/none">§</p>',
    "capital letters": '<P STYLE="DISPLAY:NONE">§</P>',
    "variable": '<style>:root{--d:none}</style><p style="display:var(--d)">§</p>',
    "variable's default": '<p style="display:var(--x, none)">§</p>',
    "attribute that says false": '<p hidden="false">§</p>',
    "dialog": "<dialog>§</dialog>",
    "namespace": '<o:p style="display:none">§</o:p>',
    "not": "<style>div:not(.k, .l){display:none}</style><div class=x>§</div>",
    "first child": "<style>.w p:first-child{display:none}</style><div class=w><p>§</p></div>",
    "last child": "<style>.w p:last-child{display:none}</style><div class=w><b></b><p>§</p></div>",
    "only child": "<style>.w p:only-child{display:none}</style><div class=w><p>§</p></div>",
    "nth child": "<style>.w p:nth-child(2n + 1){display:none}</style><div class=w><p>§</p></div>",
    "nth by number": "<style>.w p:nth-child(2){display:none}</style><div class=w><b></b><p>§</p></div>",
    "nth last child": "<style>.w p:nth-last-child(odd){display:none}</style><div class=w><p>§</p></div>",
    "root": "<style>:root p.x{display:none}</style><p class=x>§</p>",
    "is": "<style>:is(h1, p.x){display:none}</style><p class=x>§</p>",
    "where": "<style>:where(.x){display:none}</style><p class=x>§</p>",
    "has": "<style>p:has(b){display:none}</style><p>§<b></b></p>",
    "checked": "<style>:checked ~ .x{display:none}</style><div><input checked><p class=x>§</p></div>",
    "neighbour": "<style>b + .x{display:none}</style><div><b></b><p class=x>§</p></div>",
    "neighbour of old": "<style>b ~ .x{display:none}</style><div><b></b><i></i><p class=x>§</p></div>",
    "the right ancestor is not the nearest": (
        "<style>.a > .b .x{display:none}</style><div class=a><div class=b><p><b class=b><i class=x>§</i></b></p></div></div>"
    ),
    "wide screens": "<style>@media (min-width:600px){.x{display:none}}</style><p class=x>§</p>",
    "not on paper": "<style>@media not print{.x{display:none}}</style><p class=x>§</p>",
    "screens of any size": "<style>@media only screen and (min-width:0){.x{display:none}}</style><p class=x>§</p>",
    "supports": "<style>@supports (display:grid){.x{display:none}}</style><p class=x>§</p>",
    "rule in a rule": "<style>div{ & .x{display:none} }</style><div><p class=x>§</p></div>",
    "rule around a rule": "<style>.x{display:none; & b{color:red} }</style><p class=x>§</p>",
    "attribute selector, word": "<style>[lang|=en]{display:none}</style><p lang=en-US>§</p>",
}

SHOWN = {
    "plain": "<p>§</p>",
    "behind a plug-in": "<embed src=x.swf><p>§</p>",
    "in a map": "<map name=m><p>§</p><area href=x></map>",
    "aria-hidden": '<p aria-hidden="true">§</p>',
    "white on dark": '<div style="background-color:#222"><p style="color:#fff">§</p></div>',
    "white on an image": '<div style="background:url(dark.png)"><p style="color:#fff">§</p></div>',
    "white on a background attribute": '<table background="dark.png"><tr><td><font color=white>§</font></td></tr></table>',
    "white on a gradient": '<div style="background:linear-gradient(#000,#111)"><p style="color:#fff">§</p></div>',
    "unknown colour": '<p style="color:var(--ink)">§</p>',
    "link in white cell": '<table style="color:#fff"><tr><td><a href="https://example.com/">§ example.com</a></td></tr></table>',
    "height without overflow": '<div style="height:0">§</div>',
    "left without position": '<p style="left:-9999px">§</p>',
    "size set again": '<div style="font-size:0"><p style="font-size:14px">§</p></div>',
    "size by word": '<div style="font-size:0"><p style="font-size:small">§</p></div>',
    "visibility set again": '<div style="visibility:hidden"><p style="visibility:visible">§</p></div>',
    "colour set again": '<div style="color:#fff"><p style="color:#000">§</p></div>',
    "inline over class": "<style>.x{display:none}</style><p class=x style='display:block'>§</p>",
    "media of narrow screens": "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>§</p>",
    "hover": "<style>.x:hover{display:none}</style><p class=x>§</p>",
    "sibling": "<style>a + .x{display:none}</style><p class=x>§</p>",
    "other class": "<style>.x{display:none}</style><p class=xy>§</p>",
    "other parent": "<style>.a .x{display:none}</style><div class=b><p class=x>§</p></div>",
    "attribute of another value": "<style>[data-x=yes],[data-x^=y],[data-x$=s],[data-x~=yes],[nope]{display:none}</style><p data-x=no>§</p>",
    "broken selector": "<style>..x{display:none}</style><p class=x>§</p>",
    "unclosed rule": "<style>.x{display:none</style><p class=x>§</p>",
    "stray brace": "<style>} .x{color:red}</style><p class=x>§</p>",
    "opacity that is no number": '<p style="opacity:inherit">§</p>',
    "first child that is none": "<style>.w p:first-child{display:none}</style><div class=w><b>x</b><p>§</p></div>",
    "not that fits": "<style>p:not(.x){display:none}</style><p class=x>§</p>",
    "hover within not": "<style>.y:not(:hover){display:none}</style><p class=x>§</p>",
    "not the parent": "<style>.a > .x{display:none}</style><div class=a><p><b class=x>§</b></p></div>",
    "paper": "<style>@media print{.x{display:none}}</style><p class=x>§</p>",
    "dark screens": "<style>@media (prefers-color-scheme:dark){.x{display:none}}</style><p class=x>§</p>",
    "neighbour that is none": "<style>b + .x{display:none}</style><div><b>a</b><i>b</i><p class=x>§</p></div>",
    "unset variable": '<p style="display:var(--x)">§</p>',
    "faded but there": '<div style="opacity:.6"><p style="opacity:.6">§</p></div>',
    "another tone": '<p style="color:hsl(220, 60%, 40%)">§</p>',
    "a step aside": '<p style="transform:translateX(-20px);position:relative;left:-4px">§</p>',
    "open dialog": "<dialog open>§</dialog>",
    "without scripts": "<noscript>§</noscript>",
}


@pytest.mark.parametrize("html", HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_text_stays_out_and_is_reported(html: str) -> None:
    """No trick that we know brings words past the reader."""
    odd: set[str] = set()
    page = page_of(f"<p>before</p>{html.replace('§', 'secret words')}<p>after</p>", odd)

    assert "secret" not in page.text
    assert page.text.split() == ["before", "after"]
    assert page.hidden
    assert "hidden-text" in odd


@pytest.mark.parametrize("html", SHOWN.values(), ids=SHOWN.keys())
def test_what_is_seen_is_kept(html: str) -> None:
    """Caution does not eat text that a reader sees."""
    page = page_of(html.replace("§", "open words"), set())

    assert "open words" in page.text
    assert not page.hidden


def test_hidden_padding_is_no_hidden_text() -> None:
    """Blanks and joiners behind a preheader are no words."""
    page = page_of("<div style='display:none'>&nbsp;&zwnj;&#8199; 12</div><p>Hello</p>", set())

    assert (page.text, page.hidden) == ("Hello", False)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div><div>two<br>three</div>", "one\ntwo\nthree"),
        ("one<br><br>two", "one\n\ntwo"),
        ("<h1>Title</h1>text", "Title\n\ntext"),
        ("<p style='margin:0'>one</p><p style='margin:0'>two</p>", "one\ntwo"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ("<ol><li>a</li><li>b<br>more</li></ol>", "1. a\n2. b\n  more"),
        ("<li>alone</li>", "- alone"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"),
        ("<table><tr><td></td><td>only</td></tr></table>", "only"),
        ("<pre>a\n  b\n\nc</pre>", "a\n  b\n\nc"),
        ("<div style='white-space:pre-wrap'>a\n  b</div>", "a\n  b"),
        ("a  lot \n of   blanks", "a lot of blanks"),
        ("<p>a</p><p>&nbsp;</p><p>b</p>", "a\n\nb"),
        ("<div>a</div><div>\xa0</div><div>b</div>", "a\n\nb"),
        ("above<hr>below", "above\n---\nbelow"),
        ("<b>bold</b>ly <i>said</i>", "boldly said"),
        ("<!-- no --><title>no</title><script>no</script><style>no{}</style>yes<!-- no -->!", "yes!"),
        ("<img alt='no' title='no' src=x>yes", "yes"),
        ("<select><option>a</option><option>b</option></select>", "a\nb"),
        ("<blockquote>said</blockquote>", "> said"),
        ("<blockquote style='margin:0 0 0 40px;border:none'>set in</blockquote>", "set in"),
        ("a<blockquote type=cite>b<blockquote type=cite>c</blockquote></blockquote>d", "a\n\n> b\n> >\n> > c\n\nd"),
        ("", ""),
        ("   \n ", ""),
        ("&lt;b&gt; &amp; &euro;", "<b> & €"),
        ("<p>un<b>closed <i>tags", "unclosed tags"),
    ],
)
def test_structure_becomes_lines(html: str, text: str) -> None:
    """Blocks, lists, tables and quotes are lines of plain text."""
    assert seen(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<a href="https://evil.example/x">our site</a>', "our site (https://evil.example/x)"),
        ('<a href="https://www.acme.example/x">acme.example</a>', "acme.example"),
        ('<a href="https://acme.example/">https://acme.example/</a>', "https://acme.example/"),
        ('<a href="mailto:a@b.example?subject=x">write</a>', "write (a@b.example)"),
        ('<a href="mailto:a@b.example">A@b.example</a>', "A@b.example"),
        ('<a href="#top">up</a>', "up"),
        ('<a href="javascript:alert(1)">click</a>', "click"),
        ('<a href="http://[bad/">odd</a>', "odd"),
        ('<a href="https://acme.example/"><img src=x></a>', ""),
        ('<a name="x">anchor</a>', "anchor"),
        ('<a href="https://acme.example/">one<br>two</a>', "one\ntwo (https://acme.example/)"),
    ],
)
def test_link_says_where_it_leads(html: str, text: str) -> None:
    """The address stands behind the words where they do not tell it."""
    assert seen(html) == text


@pytest.mark.parametrize(
    "html",
    [
        '<p>new</p><div class="gmail_quote"><div class="gmail_attr">who knows</div><blockquote>old</blockquote></div>',
        '<p>new</p><div id="divRplyFwdMsg">old</div>',
        '<p>new</p><div id="x_divRplyFwdMsg">old</div>',
        '<p>new</p><div id="appendonsend"></div><hr><div>old</div>',
        '<p>new</p><div class="moz-cite-prefix">who knows<br></div><blockquote type="cite">old</blockquote>',
        '<p>new</p><div id="yahoo_quoted_123" class="yahoo_quoted">old</div>',
        '<p>new</p><div class="protonmail_quote">old</div>',
        '<div name="messageBodySection">new</div><div name="messageReplySection">old</div>',
    ],
)
def test_markup_of_mail_programs_marks_the_history(html: str) -> None:
    """Programs that name their quotes tell us where they begin, whatever language they speak."""
    page = page_of(html, set())

    assert page.marks
    assert "new" in page.lines[: min(page.marks)]


def test_joined_pages_keep_their_marks() -> None:
    """Marks of the second page move with its lines."""
    page = HtmlText(("a",), frozenset(), hidden=False).joined(HtmlText(("b", "c"), frozenset({1}), hidden=True))

    assert page == HtmlText(("a", "", "b", "c"), frozenset({3}), hidden=True)


def test_declarations_are_read_as_browsers_do() -> None:
    """Names in lower case, the last one counts, junk is skipped, what does not matter is left out."""
    assert declarations("COLOR:Red; width; font-weight:bold; ;opacity:0 !IMPORTANT") == (
        {"color": "red", "opacity": "0"},
        frozenset({"opacity"}),
    )


@pytest.mark.parametrize(
    "css",
    [
        "".join(f".a{n}{{color:red}}" for n in range(2001)),
        ".a{color:red}" + " " * 200_000,
        f".{'a' * 1001}{{color:red}}",
        ".a " * 20 + "{color:red}",
        "a{" * 8 + "b{color:red}" + "}" * 8,
        "a{&&&" * 4 + "&" * 500 + "{color:red}" + "}" * 4,
    ],
    ids=["rules", "bytes", "long", "deep", "nested", "multiplied"],
)
def test_sheet_has_its_limits(css: str) -> None:
    """What is left out of a sheet might have hidden something, so the mail says that it was."""
    sheet, odd = Sheet(), set[str]()
    sheet.add(css)
    page = page_of(f"<style>{css}</style><p>words</p>", odd)

    assert sheet.exhausted
    assert (page.text, page.hidden, odd) == ("words", True, {"degraded:html", "hidden-text"})


def test_ordinary_sheet_is_within_them() -> None:
    """A newsletter's hundreds of rules are read to the end."""
    sheet = Sheet()
    sheet.add("".join(f".wrap td.a{n} > a:hover, #b{n} *{{color:red}}" for n in range(500)))

    assert not sheet.exhausted


def test_several_texts_of_one_page_are_bounded() -> None:
    """Nesting beyond the parser's depth loses the layout, not the words; what it hides nobody knows, so it is reported."""
    odd: set[str] = set()
    page = page_of("<div>" * 5000 + "deep words &amp; more" + "</div>" * 5000, odd)

    assert (page.text, page.hidden, odd) == ("deep words & more", True, {"degraded:html", "hidden-text"})


def test_a_drawing_without_an_end_hides_no_words() -> None:
    """A paragraph ends an open `<svg>` or `<math>`, as in a browser; what is drawn is no text."""
    open_ended = "<p>Hello</p><svg><circle/><p>The shop is down</p>more<div>Ada</div>"

    assert seen(open_ended).split() == ["Hello", "The", "shop", "is", "down", "more", "Ada"]
    assert seen("<p>a</p><math><mi>x</mi></math><p>b</p>").split() == ["a", "b"]
