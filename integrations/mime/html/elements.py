"""Says which elements of an HTML page show nothing: as text of a mail and in its view alike."""

from typing import Final

from lxml import etree

SILENT: Final = frozenset(
    {"head", "title", "style", "script", "meta", "link", "base", "object", "iframe", "svg", "math", "audio"}
    | {"video", "canvas", "colgroup", "datalist", "noframes", "noembed", "rp"}
)
"""Elements without text of the page; not `embed`, which has no end, so that the parser puts the rest of the page into it."""
_CLOSED: Final = frozenset({"template", "dialog"})


def is_closed(element: etree._Element, tag: str) -> bool:
    """Tell whether the element stays hidden until a script opens it."""
    return tag in _CLOSED and element.get("open") is None
