"""Markdown's backslashes, which keep signs of a mail from being read as Markdown, taken out again for people."""

import re
from typing import Final

_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def unescaped(markdown: str) -> str:
    r"""Return the text as it reads once a tracker has rendered it: `shipment_no`, not `shipment\_no`."""
    return _ESCAPED.sub(r"\1", markdown)
