"""Says which elements of an HTML page show nothing: as text of a mail and in its view alike."""

from typing import Final

from lxml import etree

SILENT: Final = frozenset(
    {"head", "title", "style", "script", "meta", "link", "base", "object", "iframe", "svg", "math", "audio"}
    | {"video", "canvas", "colgroup", "datalist", "noframes", "noembed", "rp"}
)
"""Elements without text of the page; not `embed`, which has no end, so that the parser puts the rest of the page into it."""
_ENDS_DRAWINGS: Final = (
    *(
        "b",
        "big",
        "blockquote",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    ),
    *(
        "hr",
        "i",
        "img",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "table",
        "u",
        "ul",
    ),
)
"""Elements of a page that none of `svg` or `math` has (HTML, 13.2.6.5)."""
_CLOSED: Final = frozenset({"template", "dialog"})


def is_closed(element: etree._Element, tag: str) -> bool:
    """Tell whether the element stays hidden until a script opens it."""
    return tag in _CLOSED and element.get("open") is None


def open_drawings(root: etree._Element) -> None:
    """Make a drawing that holds elements of the page a plain one: its end is missing, and a browser ends it there."""
    for drawing in list(root.iter("svg", "math")):
        if next(drawing.iter(*_ENDS_DRAWINGS), None) is not None:
            drawing.tag = "span"
