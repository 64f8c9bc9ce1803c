"""The isolated child process: it parses mails and can do nothing else.

It is started with an empty environment, loads what it needs, then gives up what it had: from there on it opens no
file and no socket, starts no process, writes no file and lives within its memory and its seconds. A mail that is too
much for that ends this process and no other.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final

from integrations.mime.brief import brief_of
from integrations.mime.charsets import load_codecs
from integrations.mime.files import files_of
from integrations.mime.message import message_of
from integrations.parser_process.wire import (
    BRIEF,
    BROKEN,
    CONTENTS,
    FILES,
    HEAD,
    MESSAGE,
    NO_MAIL,
    READY,
    WHOLE,
    crate,
    packed,
    wished,
)
from triage.domain.errors import NotAMail

MEMORY: Final = 512 * 1024 * 1024
CPU_SECONDS: Final = 5
"""For one mail."""
_NO_NEW_PRIVILEGES: Final = 38
"""PR_SET_NO_NEW_PRIVS of prctl(2), which has no name in Python."""
_READERS: Final = {WHOLE: message_of, BRIEF: brief_of}


def main() -> None:
    """Read until nobody asks any more."""
    sys.excepthook = last_words
    load_codecs()
    shut_in()
    tell(READY, b"")
    while head := sys.stdin.buffer.read(HEAD.size):
        way, size = HEAD.unpack(head)
        raw = sys.stdin.buffer.read(size)
        if len(raw) < size:
            return
        wind_up()
        tell(*answer_to(way, raw))


def answer_to(way: bytes, raw: bytes) -> tuple[bytes, bytes]:
    """What was asked of the mail. Whatever else happens ends the process: its state is not to be trusted any more."""
    try:
        if way == FILES:
            wanted, raw = wished(raw)
            return CONTENTS, crate(files_of(raw, wanted))
        return MESSAGE, packed(_READERS[way](raw))
    except NotAMail as e:
        return NO_MAIL, e.detail.encode()


def tell(kind: bytes, payload: bytes) -> None:
    """One frame to the parent."""
    sys.stdout.buffer.write(HEAD.pack(kind, len(payload)))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


def last_words(kind: type[BaseException], _: BaseException, trace: TracebackType | None) -> None:
    """Where it went wrong, for the log of the parent; not with which words, they may be somebody's letter."""
    place = ""
    while trace is not None:
        place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    tell(BROKEN, f"{kind.__name__} in {place}".encode())


def shut_in() -> None:
    """Give up all that reading does not need; there is no way back."""
    # The parent has heard why a child does not start; what is said over a mail may be somebody's letter.
    with Path(os.devnull).open("wb") as no_failpoint:
        os.dup2(no_failpoint.fileno(), sys.stderr.fileno())
    # Ctrl-C and a service's stop reach the whole group; the parent decides when this process ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Three descriptors are open, and a fourth may not be: no file, no socket, no device.
    for what, most in (
        (resource.RLIMIT_NOFILE, 3),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    if sys.platform == "linux":  # macOS accepts no limit of this kind
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def wind_up() -> None:
    """A new allowance of CPU time; the kernel ends the process that has used it up."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + CPU_SECONDS, hard))


if __name__ == "__main__":
    main()
