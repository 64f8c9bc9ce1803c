"""Removes characters that a reader cannot see: invisible and bidirectional ones, terminal controls.

All output (Jira, terminal, JSON) passes `visible`. Emoji, and the joiners that Arabic, Indic and
Mongolian spelling needs, stay; a joiner or variation selector anywhere else is invisible and is removed.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_LINE_ENDS: Final = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

# Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt) and format characters without a shape, controls
# other than tab and line feed, lone surrogates, noncharacters. The shaped format characters of Arabic and Kaithi
# (Prepended_Concatenation_Mark, such as U+0600) are visible and stay.
_HIDDEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(0xFFFE + plane)}{chr(0xFFFF + plane)}" for plane in range(0x10000, 0x110000, 0x10000))
)
# Letters and marks of scripts whose spelling depends on U+200C and U+200D: Arabic to Mandaic, the scripts of
# South and South-East Asia, Mongolian.
_JOINING: Final = (
    "\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06ef\u06fa-\u06ff\u0710-\u074f\u0750-\u07bf\u07ca-\u07f5"
    "\u0840-\u085b\u0860-\u086a\u0870-\u088e\u0898-\u08e1\u08e3-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u0fff"
    "\u1000-\u109f\u1700-\u17b3\u17b6-\u17ff\u1820-\u18aa\u1900-\u1cff\ua800-\ua8ff\ua930-\uaaff\uabc0-\uabff"
    "\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010a00-\U00010a4f\U00011000-\U00011fff\U0001e900-\U0001e94b"
)
_IDEOGRAPH: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_PICTURE: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)

_UNSEEN: Final = re.compile(
    rf"""
      (?P<seen>
          [{_PICTURE}][\ufe0f\U0001f3fb-\U0001f3ff]?  (?:\u200d[{_PICTURE}][\ufe0f\U0001f3fb-\U0001f3ff]?)+
        | [{_PICTURE}][\ufe0e\ufe0f]
        | [0-9\#*]\ufe0f\u20e3
        | [{_IDEOGRAPH}][\ufe00-\ufe02\U000e0100-\U000e01ef]
        | [\u1820-\u18aa][\u180b-\u180f]
        | (?<=[\u2801-\u28ff])\u2800
        | (?<=[{_JOINING}])(?:\u200d | \u200c(?=[{_JOINING}]))
      )
    | [{_HIDDEN}]
    """,
    re.VERBOSE,
)
_SOMETHING_HIDDEN: Final = re.compile(f"[{_HIDDEN}]")
"""One class of characters is looked for many times as fast as all of the above; each of them has one of these."""
_PLAIN: Final = re.compile(r"[\n\t\x20-\x7e]*")


def visible(text: str) -> str:
    """The text with LF line ends and without invisible characters; idempotent."""
    if _PLAIN.fullmatch(text):
        return text
    text = _LINE_ENDS.sub("\n", text)
    return _UNSEEN.sub(lambda found: found["seen"] or "", text) if _SOMETHING_HIDDEN.search(text) else text


def all_visible(value: Any) -> Any:
    """A JSON value with `visible` applied to every string, member names included."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(str(name)): all_visible(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [all_visible(inner) for inner in value]
    return value
