"""How a piece of an HTML mail looks, as far as that tells whether a reader sees it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from integrations.mime.css import Style

Colour = tuple[int, int, int]

_LENGTH: Final = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|ex|%|in|cm|mm|vw|vh)?")
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
_NAMES: Final[Mapping[str, Colour]] = {
    "aliceblue": (240, 248, 255),
    "aqua": (0, 255, 255),
    "azure": (240, 255, 255),
    "black": (0, 0, 0),
    "blue": (0, 0, 255),
    "darkgray": (169, 169, 169),
    "floralwhite": (255, 250, 240),
    "fuchsia": (255, 0, 255),
    "gainsboro": (220, 220, 220),
    "ghostwhite": (248, 248, 255),
    "gray": (128, 128, 128),
    "green": (0, 128, 0),
    "grey": (128, 128, 128),
    "ivory": (255, 255, 240),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "lime": (0, 255, 0),
    "maroon": (128, 0, 0),
    "mintcream": (245, 255, 250),
    "navy": (0, 0, 128),
    "olive": (128, 128, 0),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
    "red": (255, 0, 0),
    "silver": (192, 192, 192),
    "snow": (255, 250, 250),
    "teal": (0, 128, 128),
    "white": (255, 255, 255),
    "whitesmoke": (245, 245, 245),
    "window": (255, 255, 255),
    "windowtext": (0, 0, 0),
    "yellow": (255, 255, 0),
}
"""The common ones, and all that are nearly white."""
_HEX: Final = re.compile(r"#([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![0-9a-f])")
_BARE_HEX: Final = re.compile(r"\s*([0-9a-f]{6})\s*")
"""`bgcolor=ffffff` works in every mail program."""
_RGB: Final = re.compile(r"rgba?\(\s*([\d.]+)%?[\s,]+([\d.]+)%?[\s,]+([\d.]+)%?(?:[\s,/]+([\d.]+)(%?))?\s*\)")
_ZERO_CLIP: Final = re.compile(
    r"rect\(\s*([01](?:px)?)[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)"
    r"|inset\(\s*(?:50|[5-9]\d|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0(?:px)?\s*(?:,\s*0(?:px)?\s+0(?:px)?\s*)*\)"
)
_FADED: Final = re.compile(r"opacity\(\s*0(?:\.0+)?%?\s*\)|alpha\(opacity\s*=\s*0\s*\)")
_COLLAPSED: Final = re.compile(r"scale[xy]?\(\s*0(?:\.0+)?\s*[,)]|translate[xy]?\(\s*-\d{3,}")
_FAINT: Final = 0.05
_TINY: Final = 3.0
_ALIKE: Final = 20
_FAR: Final = -300.0


@dataclass(frozen=True, slots=True)
class Look:
    """How text stands on the page at one place."""

    shown: bool = True
    """Nothing around it takes it away; once false it stays so further down."""
    visible: bool = True
    """The `visibility` in force, which children may set again."""
    size: float = 16.0
    colour: Colour | None = (0, 0, 0)
    """None where it is as good as transparent."""
    ground: Colour | None = (255, 255, 255)
    """None where it cannot be known: an image, a gradient, a variable."""

    @property
    def seen(self) -> bool:
        """A reader sees text here."""
        return self.shown and self.visible and self.size >= _TINY and not self._blends

    @property
    def _blends(self) -> bool:
        if self.colour is None:
            return True
        return self.ground is not None and all(
            abs(a - b) <= _ALIKE for a, b in zip(self.colour, self.ground, strict=True)
        )

    def with_style(self, style: Style) -> "Look":
        """The look inside an element that adds this style."""
        if not style:
            return self
        return replace(
            self,
            shown=self.shown and not _taken_away(style),
            visible=_visibility(style.get("visibility", ""), default=self.visible),
            size=_font_size(style, self.size),
            colour=_text_colour(style.get("color", ""), self.colour),
            ground=_ground(style, self.ground),
        )


def _taken_away(style: Style) -> bool:
    """The element and all in it is not drawn where it could be seen."""
    return (
        style.get("display", "").startswith("none")
        or _number(style.get("opacity", "1"), default=1.0) <= _FAINT
        or bool(_FADED.search(style.get("filter", "")))
        or bool(_COLLAPSED.search(style.get("transform", "")))
        or any(_ZERO_CLIP.search(style.get(name, "")) for name in ("clip", "clip-path"))
        or _no_room(style)
        or _off_screen(style)
    )


def _no_room(style: Style) -> bool:
    if any(_pixels(style.get(name, ""), default=99.0) < 1 for name in ("max-height", "max-width")):
        return True
    cut = any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y"))
    return cut and any(_pixels(style.get(name, ""), default=99.0) <= 1 for name in ("height", "width"))


def _off_screen(style: Style) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if style.get("position", "static") != "static":
        names += ["left", "right", "top", "bottom"]
    return any(_pixels(style.get(name, ""), default=0.0) <= _FAR for name in names)


def _visibility(value: str, *, default: bool) -> bool:
    if value.startswith(("hidden", "collapse")):
        return False
    return True if value.startswith("visible") else default


def _font_size(style: Style, parent: float) -> float:
    value = style.get("font-size", "")
    if not value and "font" in style:
        shorthand = re.search(r"(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%))", style["font"])
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
    """A length; what is relative to something unknown counts as it would on a common page."""
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
    if value == "transparent" or _alpha(value) <= _FAINT:
        return None
    # A colour we cannot read is taken for one that can be seen: text is not lost for a name.
    return _colour(value) or (0, 0, 0)


def _ground(style: Style, parent: Colour | None) -> Colour | None:
    text = f"{style.get('background', '')} {style.get('background-color', '')}"
    if "url(" in text or "gradient" in text or "var(" in text or "url(" in style.get("background-image", ""):
        return None
    found = _colour(text) if _alpha(text) > _FAINT else None
    return found or parent


def _alpha(value: str) -> float:
    """How solid a colour is."""
    match = _RGB.search(value)
    if match and match[4]:
        return float(match[4]) / (100 if match[5] else 1)
    digits = _HEX.search(value)
    return _hex(digits[1])[3] / 255 if digits else 1.0


def _colour(value: str) -> Colour | None:
    """The first colour in a value."""
    digits = _HEX.search(value) or _BARE_HEX.fullmatch(value)
    if digits:
        return _hex(digits[1])[:3]
    match = _RGB.search(value)
    if match:
        red, green, blue = (min(255, int(float(part))) for part in match.group(1, 2, 3))
        return (red, green, blue)
    return next((_NAMES[word] for word in re.findall(r"[a-z]+", value) if word in _NAMES), None)


def _hex(digits: str) -> tuple[int, int, int, int]:
    """Red, green, blue and how solid, of `fff`, `fffc`, `ffffff` or `ffffffcc`."""
    pairs = digits if len(digits) >= 6 else "".join(sign * 2 for sign in digits)  # noqa: PLR2004 - two digits each
    red, green, blue, solid = bytes.fromhex(f"{pairs}ff"[:8])
    return red, green, blue, solid
