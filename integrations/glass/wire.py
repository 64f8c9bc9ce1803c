"""What is said through the glass: short frames of bytes, and a message as plain JSON that nobody has to trust."""

import json
from dataclasses import fields
from datetime import datetime
from struct import Struct
from typing import Any, Final

from triage.domain.mail import Message

HEAD: Final = Struct("!cI")
"""Before every frame: what it is, and how many bytes follow."""

WHOLE: Final = b"W"
"""To the child: read this mail."""
BRIEF: Final = b"B"
"""To the child: read only the head and the first text of it."""
READY: Final = b"R"
"""From the child: I am shut in and wait for mail."""
MESSAGE: Final = b"M"
"""From the child: what the mail says."""
NO_MAIL: Final = b"N"
"""From the child: why it is no mail."""
BROKEN: Final = b"X"
"""From the child: where reading failed; its last words."""


def packed(message: Message) -> bytes:
    """A message as JSON. No pickle: what comes back from behind the glass must not be able to run."""
    return json.dumps(message, default=_plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return {field.name: getattr(value, field.name) for field in fields(value)}
