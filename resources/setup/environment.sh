#!/bin/sh
# Makes .venv hold exactly what requirements.lock names, and the project itself (editable).
# Does nothing, within milliseconds, when that is already so. PYTHON=... chooses the interpreter.
set -eu
cd "$(dirname "$0")/../.."
stamp=.venv/.cutaway-ready

# A .venv is tied to its place, so the place is part of what the stamp stands for.
wanted() {
    pwd -P
    cksum requirements.lock pyproject.toml
}

# Whether it runs, and is of the interpreter that was asked for by name.
venv_serves() {
    [ -x .venv/bin/python ] && ours=$(build_of .venv/bin/python) || return 1
    [ -z "${PYTHON:-}" ] || ! suits "$PYTHON" || [ "$(build_of "$PYTHON")" = "$ours" ]
}

build_of() {
    "$1" -S -c 'import sys; print(sys.version)' 2>/dev/null
}

suits() {
    "$1" -c 'import platform, sys
sys.exit(not ((3, 11) <= sys.version_info < (3, 15)
         and (sys.platform != "darwin" or platform.machine() == "arm64")))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then set -- "$PYTHON"; else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for name in "$@"; do
        if suits "$name"; then
            # The interpreter behind it: the name itself may stand in the .venv about to go.
            "$name" -c 'import sys; print(getattr(sys, "_base_executable", None) or sys.executable)'
            return
        fi
    done
    [ -z "${PYTHON:-}" ] && [ -n "$uv" ] && uv python find --system '>=3.11,<3.15' 2>/dev/null
}

fail() {
    echo "$1" >&2
    exit 1
}

# Debian keeps the module that puts pip into a .venv in a package of its own.
make_venv() {
    if [ -n "$uv" ]; then
        uv venv --quiet --no-project --python "$python" .venv
        return
    fi
    if ! "$python" -c 'import ensurepip' 2>/dev/null; then
        package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package"
        else
            fail "$python cannot make a virtual environment: run 'sudo apt-get install $package' (or install uv), then try again."
        fi
    fi
    "$python" -m venv .venv
}

install() {
    if [ -n "$uv" ]; then
        uv pip install --python .venv/bin/python "$@"
    else
        PIP_USER=0 .venv/bin/python -m pip install --disable-pip-version-check "$@"
    fi
}

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ] && venv_serves; then
    exit 0
fi

uv=
if uv --version >/dev/null 2>&1; then uv=yes; fi

needs="Cutaway needs Python 3.11 to 3.14 (on a Mac: for Apple silicon)"
missing="$needs and found none: install one, or name it with 'make setup PYTHON=/path/to/python3'."
[ -z "${PYTHON:-}" ] || missing="$needs, and '$PYTHON' is no such program."

# Without a stamp a set-up was broken off; with another place in it the .venv was moved or copied.
if ! { [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$(pwd -P)" ] && venv_serves; }; then
    python=$(find_python) || fail "$missing"
    echo "Setting up .venv with $("$python" --version) ($python); the first time this downloads a few hundred megabytes."
    rm -rf .venv
    make_venv
elif [ -z "$uv" ] && ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    # Made by uv, which leaves pip out, and uv is gone.
    .venv/bin/python -m ensurepip >/dev/null
fi

rm -f "$stamp"
install --no-deps --require-hashes -r requirements.lock
install --no-deps --no-build-isolation -e .
wanted >"$stamp.part"
mv "$stamp.part" "$stamp"
