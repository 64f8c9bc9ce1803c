"""The child process that verifies signatures: isolated like the parser, no network; the parent sends the keys."""

import json
import sys
from typing import Any

from integrations.dkim.verify import SignedMail
from integrations.parser_process.child import drop_rights, renew_cpu_limit, report_error, send
from integrations.parser_process.wire import HEAD, MESSAGE, READY


def main() -> None:
    """Answer requests until stdin ends."""
    sys.excepthook = report_error
    drop_rights()
    send(READY, b"")
    while head := sys.stdin.buffer.read(HEAD.size):
        _, size = HEAD.unpack(head)
        payload = sys.stdin.buffer.read(size)
        if len(payload) < size:
            return
        renew_cpu_limit()
        send(MESSAGE, answer_to(payload))


def answer_to(payload: bytes) -> bytes:
    """Take a line of JSON (the signatures to verify) and the mail; return the results as JSON, in the same order."""
    line, _, raw = payload.partition(b"\n")
    letter = SignedMail(raw)
    return json.dumps([_verified(letter, **wanted) for wanted in json.loads(line)]).encode()


def _verified(letter: SignedMail, *, place: int, domain: str, selector: str, record: str) -> dict[str, Any]:
    found = letter.verify(place, domain, selector, record.encode("latin-1"))
    return {"result": found.result, "why": found.why}


if __name__ == "__main__":
    main()
