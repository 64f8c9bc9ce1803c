"""A process that forks the isolated readers of mail for each forked `triage`: what a reader imports takes 0.4 s of CPU.

In a forked `triage` the path of Python is that of a script, which sends what would start a reader to this process, ends as
that reader ends, and is Python for all else.
"""

import importlib
import json
import os
import signal
import socket
import sys
from pathlib import Path

from tests.conftest import ROOT

READER = ["-S", "-P", "-m", "integrations.parser_process.child"]
SCRIPT = """#!{python} -IS
import sys
sys.path.append({root!r})
from tests.e2e.readers import python
python({place!r})
"""


def started(place: str) -> socket.socket:
    """Start the process and put the script in Python's place; it goes when this line to it is closed."""
    from tests.e2e.launcher import zygote

    zygote(place, "tests.e2e.readers")
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(place)
    script = Path(f"{place}.py")
    script.touch(0o700)
    script.write_text(SCRIPT.format(python=sys.executable, root=str(ROOT), place=place), encoding="utf-8")
    sys.executable = str(script)
    return line


def python(place: str) -> None:
    """Be Python, or stand for a forked reader."""
    words = sys.argv[1:]
    if words != READER:
        os.execv(sys.executable, [sys.executable, *words])  # noqa: S606 - our own words
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(place)
    request = json.dumps({"words": words, "environment": dict(os.environ), "folder": f"{Path.cwd()}"})
    read, write = os.pipe()
    socket.send_fds(line, [request.encode()], [0, 1, 2, write])
    for file in (0, 1, 2, write):
        os.close(file)
    with os.fdopen(read) as told:
        end = told.read().split()
    code = int(end[1]) if end[1:] else -signal.SIGKILL  # who forked it has died
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def preload() -> None:
    """Import what a reader imports, and read the demo's mails."""
    importlib.import_module(READER[-1])
    from integrations.mime.charsets import load_codecs
    from integrations.mime.message import message_of
    from tests.e2e.zygote import set_aside
    from triage_sandbox.company import mails

    load_codecs()
    for letter in mails():
        message_of(letter.raw)
    set_aside()


def main() -> None:
    """Fork readers until nobody can ask any more."""
    from tests.e2e.zygote import Ending, become, serve

    ending = Ending()
    ending.register()
    preload()
    wanted = serve(socket.socket(fileno=int(sys.argv[1])))
    if wanted:
        become(wanted)
        with ending.noted():
            importlib.import_module(READER[-1]).main()


if __name__ == "__main__":
    main()
