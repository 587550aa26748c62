#!/bin/sh
# Sees to the Debian packages that Qt's and MLX's Linux wheels expect from the system.
# Installs them when root, else says what to type. It never stops a set-up: what is missing may
# not be needed (a terminal needs no window). Costs milliseconds when everything is there.
set -eu
[ "$(uname -s)" = Linux ] || exit 0

# Shared library, package: what ldd finds in Qt's xcb and offscreen plugins, and a fast BLAS for MLX.
needed='
libEGL.so.1 libegl1
libGL.so.1 libgl1
libX11-xcb.so.1 libx11-xcb1
libdbus-1.so.3 libdbus-1-3
libfontconfig.so.1 libfontconfig1
libglib-2.0.so.0 libglib2.0-0
libopenblas.so.0 libopenblas0-pthread
libxcb-cursor.so.0 libxcb-cursor0
libxcb-glx.so.0 libxcb-glx0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-randr.so.0 libxcb-randr0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-render.so.0 libxcb-render0
libxcb-shape.so.0 libxcb-shape0
libxcb-shm.so.0 libxcb-shm0
libxcb-sync.so.1 libxcb-sync1
libxcb-xfixes.so.0 libxcb-xfixes0
libxcb-xkb.so.1 libxcb-xkb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libxkbcommon.so.0 libxkbcommon0
'

# Prints column $1 of the libraries that the system's linker does not know.
missing() {
    known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null) || known=
    echo "$needed" | while read -r library package; do
        case "$known" in
            *"$library"*) ;;
            *) if [ "$1" = 1 ]; then printf '%s ' "$library"; else printf '%s ' "$package"; fi ;;
        esac
    done
}

packages=$(missing 2)
packages=${packages% }
[ -n "$packages" ] || exit 0

if ! command -v apt-get >/dev/null; then
    libraries=$(missing 1)
    echo "Cutaway's window and a fast engine need these libraries, which this system does not show: ${libraries% } (on Debian: $packages)." >&2
    exit 0
fi

command="apt-get install -y --no-install-recommends $packages"
if [ "$(id -u)" = 0 ]; then
    echo "Installing the system libraries that Qt and MLX need: $packages"
    apt-get update -qq || true
    # shellcheck disable=SC2086  # one word is one package
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages && exit 0
    command="apt-get update && $command"
else
    command="sudo $command"
fi
echo "Some system libraries are missing, without which the window may not open or the engine is slow: run '$command'." >&2
