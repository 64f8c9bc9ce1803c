"""The isolated child process, which parses mails and can do nothing else.

It starts with an empty environment, loads what it needs, then drops its rights: from there on it opens no
file and no socket, starts no process, writes no file and has limits on memory and CPU time. A mail that exceeds them
ends this process and no other.
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
from integrations.mime.view.mail_view import view_of
from integrations.parser_process.wire import (
    BRIEF,
    BROKEN,
    CONTENTS,
    FILES,
    HEAD,
    MESSAGE,
    NO_MAIL,
    READY,
    VIEW,
    VIEWED,
    WHOLE,
    encode_files,
    packed,
    view_request,
    wished,
)
from triage.domain.errors import NotAMail

MEMORY: Final = 512 * 1024 * 1024
CPU_SECONDS: Final = 5
"""CPU time for one mail."""
_NO_NEW_PRIVILEGES: Final = 38
"""PR_SET_NO_NEW_PRIVS of prctl(2), which has no name in Python."""
_READERS: Final = {WHOLE: message_of, BRIEF: brief_of}


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    sys.excepthook = report_error
    load_codecs()
    drop_rights()
    send(READY, b"")
    while head := sys.stdin.buffer.read(HEAD.size):
        way, size = HEAD.unpack(head)
        raw = sys.stdin.buffer.read(size)
        if len(raw) < size:
            return
        renew_cpu_limit()
        send(*answer_to(way, raw))


def answer_to(way: bytes, raw: bytes) -> tuple[bytes, bytes]:
    """The kind and payload of the answer. Any other error ends the process, whose state cannot be trusted any more."""
    try:
        if way == FILES:
            wanted, raw = wished(raw)
            return CONTENTS, encode_files(files_of(raw, wanted))
        if way == VIEW:
            labels, plain, raw = view_request(raw)
            return VIEWED, packed(view_of(raw, labels, plain=plain))
        return MESSAGE, packed(_READERS[way](raw))
    except NotAMail as e:
        return NO_MAIL, e.detail.encode()


def send(kind: bytes, payload: bytes) -> None:
    sys.stdout.buffer.write(HEAD.pack(kind, len(payload)))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


def report_error(kind: type[BaseException], _: BaseException, trace: TracebackType | None) -> None:
    """Send the parent the error's type and place for its log; not its message, which may quote the mail."""
    place = ""
    while trace is not None:
        place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    send(BROKEN, f"{kind.__name__} in {place}".encode())


def drop_rights() -> None:
    """Drop irreversibly all rights that parsing does not need."""
    # The parent reads stderr only during the start; what is printed while parsing may quote the mail.
    with Path(os.devnull).open("wb") as no_failpoint:
        os.dup2(no_failpoint.fileno(), sys.stderr.fileno())
    # Ctrl-C and a service's stop may signal this process too; the parent decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Three descriptors are open; a limit of three prevents any further file, socket or device.
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
    for what in (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(what, (0, 0))
    if sys.platform == "linux":  # macOS accepts no limit of this kind
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def renew_cpu_limit() -> None:
    """Renew the limit of CPU time for one mail; the kernel kills a process that exceeds it."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + CPU_SECONDS, hard))


if __name__ == "__main__":
    main()
