"""Computes whether a reader sees an HTML element, by its style."""

import re
from dataclasses import dataclass, replace
from typing import Final

from integrations.mime.html.colours import Colour, colour_of, solidity_of
from integrations.mime.html.css import Style

_LENGTH: Final = re.compile(r"(?:calc\(\s*)?(-?\d*\.?\d+(?:e-?\d{1,3})?)\s*(px|pt|em|rem|ex|%|in|cm|mm|vw|vh)?")
_PIXELS: Final = {"px": 1.0, "": 1.0, "pt": 4 / 3, "in": 96.0, "cm": 37.8, "mm": 3.78, "vw": 8.0, "vh": 6.0}
_SIZES: Final = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
}
_ZERO_CLIP: Final = re.compile(
    r"rect\(\s*([01](?:px)?)[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)"
    r"|inset\(\s*(?:50|[5-9]\d|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0(?:px)?\s*(?:,\s*0(?:px)?\s+0(?:px)?\s*)*\)"
)
_FADED: Final = re.compile(r"opacity\(\s*0(?:\.0+)?%?\s*\)|alpha\(opacity\s*=\s*0\s*\)")
_COLLAPSED: Final = re.compile(
    r"scale(?:[xy]|3d)?\(\s*0?(?:\.0\d*)?\s*[,)]|matrix(?:3d)?\(\s*0?(?:\.0\d*)?\s*,|rotate[xy]\(\s*-?(?:90|270)deg"
)
_MOVED: Final = re.compile(r"translate(?:[xy]|3d)?\(([^()]*)\)")
_FAINT: Final = 0.05
_TINY: Final = 3.0
_ALIKE: Final = 20
_FAR: Final = -300.0
_OVERLAID: Final = -6.0
"""Letter spacing in pixels from which on letters overlap."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text appears at one place of the page."""

    shown: bool = True
    """No element around it is removed from view; once false, it stays false further down."""
    visible: bool = True
    """The `visibility` in force, which children can change back."""
    solid: float = 1.0
    """The product of all opacities."""
    size: float = 16.0
    colour: Colour | None = (0, 0, 0)
    """None if it is nearly transparent."""
    ground: Colour | None = (255, 255, 255)
    """None if it is unknown: an image, a gradient, a variable."""

    @property
    def seen(self) -> bool:
        """Tell whether a reader sees text here."""
        return self.drawn and self.size >= _TINY and not self._blends

    @property
    def drawn(self) -> bool:
        """Tell whether a reader sees a picture here, whatever size and colour text would have."""
        return self.shown and self.visible and self.solid > _FAINT

    @property
    def _blends(self) -> bool:
        if self.colour is None:
            return True
        return self.ground is not None and all(
            abs(a - b) <= _ALIKE for a, b in zip(self.colour, self.ground, strict=True)
        )

    def with_style(self, style: Style) -> "Look":
        """Apply the style of one more element."""
        if not style:
            return self
        return replace(
            self,
            shown=self.shown and not _taken_away(style),
            visible=_visibility(style.get("visibility", ""), default=self.visible),
            solid=self.solid * _number(style.get("opacity", "1"), default=1.0),
            size=_font_size(style, self.size),
            colour=_text_colour(style.get("-webkit-text-fill-color") or style.get("color", ""), self.colour),
            ground=_ground(style, self.ground),
        )


def is_dot(style: Style, *sizes: str | None) -> bool:
    """Tell whether style or attributes make a picture too small to be seen."""
    lengths = (style.get("width"), style.get("height"), *sizes)
    return any(_pixels(length.strip(), default=99.0) <= 1 for length in lengths if length)


def _taken_away(style: Style) -> bool:
    """Tell whether the element and all inside it is drawn nowhere or out of view."""
    return (
        style.get("display", "").startswith("none")
        or style.get("content-visibility", "").startswith("hidden")
        or min(_number(style.get(name, "1"), default=1.0) for name in ("zoom", "scale")) <= _FAINT
        or bool(_FADED.search(style.get("filter", "")))
        or bool(_COLLAPSED.search(style.get("transform", "")))
        or any(_ZERO_CLIP.search(style.get(name, "")) for name in ("clip", "clip-path"))
        or _no_room(style)
        or _off_screen(style)
    )


def _no_room(style: Style) -> bool:
    if any(_pixels(style.get(name, ""), default=99.0) < 1 for name in ("max-height", "max-width")):
        return True
    if _pixels(style.get("letter-spacing", ""), default=0.0) <= _OVERLAID:
        return True
    if not any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")):
        return False
    pushed_out = re.match(r"[1-9]\d{2,}(?:\.\d+)?%", style.get("text-indent", ""))
    return bool(pushed_out) or any(_pixels(style.get(name, ""), default=99.0) <= 1 for name in ("height", "width"))


def _off_screen(style: Style) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    lengths = style.get("translate", "").split() + re.split(
        r"[,\s]+", " ".join(_MOVED.findall(style.get("transform", "")))
    )
    if style.get("position", "static") != "static":
        names += ["left", "right", "top", "bottom"]
        lengths += style.get("inset", "").split()
    lengths += [style.get(name, "") for name in names]
    return any(_pixels(length, default=0.0) <= _FAR for length in lengths if length)


def _visibility(value: str, *, default: bool) -> bool:
    if value.startswith(("hidden", "collapse")):
        return False
    return True if value.startswith("visible") else default


def _font_size(style: Style, parent: float) -> float:
    value = style.get("font-size", "")
    if not value and "font" in style:
        shorthand = re.search(r"(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%)|0(?=[\s/]))", style["font"])
        value = shorthand[1] if shorthand else ""
    if value in _SIZES:
        return _SIZES[value]
    match = _LENGTH.match(value)
    if match is None:
        return parent
    number, unit = float(match[1]), match[2] or ""
    relative = {"em": parent, "%": parent / 100, "ex": parent / 2, "rem": 16.0}
    return number * relative[unit] if unit in relative else number * _PIXELS[unit]


def _pixels(value: str, *, default: float) -> float:
    """Parse a length in pixels; relative units count as on a common page."""
    match = _LENGTH.match(value)
    if match is None:
        return default
    return float(match[1]) * _PIXELS.get(match[2] or "", 16.0 if match[2] != "%" else 6.0)


def _number(value: str, *, default: float) -> float:
    match = re.match(r"\d*\.?\d+", value)
    return default if match is None else float(match[0]) / (100 if value.endswith("%") else 1)


def _text_colour(value: str, parent: Colour | None) -> Colour | None:
    if not value or value in {"inherit", "currentcolor"}:
        return parent
    if value == "transparent" or solidity_of(value) <= _FAINT:
        return None
    # An unknown colour counts as visible, so that no text is lost.
    return colour_of(value) or (0, 0, 0)


def _ground(style: Style, parent: Colour | None) -> Colour | None:
    text = f"{style.get('background', '')} {style.get('background-color', '')}"
    if "url(" in text or "gradient" in text or "var(" in text or "url(" in style.get("background-image", ""):
        return None
    found = colour_of(text) if solidity_of(text) > _FAINT else None
    return found or parent
