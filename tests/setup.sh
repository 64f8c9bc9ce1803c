#!/bin/sh
# Makes a bare machine ready: `python` = virtual environment with the locked packages that Triage runs on, `dev` = with those
# that its developers use, too, `servers` = what tests talk to.
set -eu
PYTHON=${PYTHON:-python3}
UV_VERSION=0.13.8

say() { printf '%s\n' "$*" >&2; }

apt() { # install Debian packages when we may, else say how
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing: $*"
        DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null || say "apt-get update failed; going on with the old lists"
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || return 1
    else
        say "missing. Please run: sudo apt-get install -y --no-install-recommends $*"
        return 1
    fi
}

python_side() {
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "Python 3.11 or newer is needed (PYTHON=...)"; exit 1; }
    if [ ! -x .venv/bin/pip ]; then
        rm -rf .venv
        "$PYTHON" -m venv .venv 2>/dev/null || { rm -rf .venv; apt python3-venv && "$PYTHON" -m venv .venv; }
    fi
    .venv/bin/uv --version 2>/dev/null | grep -q "$UV_VERSION" || .venv/bin/pip install -q --disable-pip-version-check "uv==$UV_VERSION"
    # Compiled now, or the first start of each command would pay for it, and every start where we may not write.
    VIRTUAL_ENV=$PWD/.venv .venv/bin/uv sync --quiet --active --frozen --inexact --compile-bytecode "$@"
    .venv/bin/python -m compileall -q -j 0 cli triage integrations prompts web webhooks sandbox/triage_sandbox
    .venv/bin/python -c "from triage.config.word_lists import FOLDER, kept_lists; kept_lists(FOLDER, write=True)"
}

server_side() { # a missing server is no failure here: its tests say so themselves, and CI refuses to skip
    want=""
    command -v redis-server >/dev/null || want="$want redis-server"
    [ -x /usr/lib/dovecot/imap ] && [ -x /usr/lib/dovecot/lmtp ] || want="$want dovecot-imapd dovecot-lmtpd"
    command -v radicale >/dev/null || want="$want radicale"
    command -v prometheus >/dev/null || want="$want prometheus"
    command -v strace >/dev/null || want="$want strace"
    command -v chromium-headless-shell >/dev/null || want="$want chromium-headless-shell"
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || want="$want postgresql"
    [ -z "$want" ] || apt $want || true
}

case "${1:-}" in
    python) python_side --no-dev --group sandbox ;;
    dev) python_side --group dev ;;
    servers) server_side ;;
    *) say "usage: setup.sh python|dev|servers"; exit 2 ;;
esac
