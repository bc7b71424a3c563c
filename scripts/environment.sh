# shellcheck shell=bash
# The one set-up behind ./run, ./test, ./install and ./bench: source this file, then call
# `set_up run` or `set_up test`. It brings what is missing and nothing else. Afterwards $venv holds
# Stationmaster with what it needs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv

say() { printf 'set-up: %s\n' "$@" >&2; }
fail() {
    say "$@"
    exit 1
}

is_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }

install_packages() { # why, Debian packages
    local why=$1 as=()
    shift
    local line="apt-get install -y --no-install-recommends $*"
    if ! command -v apt-get >/dev/null; then
        fail "$why needs $*, as Debian calls them. Install them with this system's own tool, then start again."
    fi
    if [ "$(id -u)" != 0 ]; then
        if ! sudo -n true 2>/dev/null && ! { [ -t 0 ] && command -v sudo >/dev/null; }; then
            fail "$why needs the system packages $*, and only root may install them." "Type: sudo $line"
        fi
        as=(sudo)
    fi
    say "installing the system packages $*"
    local words apt=("${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    # Old lists may do as well, so that a failed update alone is no reason to stop.
    words=$("${apt[@]}" update 2>&1 && "${apt[@]}" install -y --no-install-recommends "$@" 2>&1) ||
        words=$("${apt[@]}" install -y --no-install-recommends "$@" 2>&1) || {
        printf '%s\n' "$words" >&2
        fail "$why needs the system packages $*, and apt-get could not install them (its words are above)." \
            "Mend that, or type: $line"
    }
}

# The first Python that there are locks for and that can make a virtual environment.
find_python() {
    local candidate candidates=(python3 python3.13 python3.12 python3.11 /usr/bin/python3)
    # Only the system's own Python sees the camera's and the pins' packages of a Pi.
    ! is_pi || candidates=(/usr/bin/python3)
    for candidate in "${candidates[@]}"; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
            2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

bring_python() {
    find_python >/dev/null || install_packages "Stationmaster" python3 python3-venv
    find_python >/dev/null ||
        fail "Stationmaster needs Python 3.11, 3.12 or 3.13, and this system has $(python3 --version 2>&1 || true)." \
            "Install one of them with its venv module so that it can be called as python3.11, python3.12 or python3.13."
}

bring_pi_packages() {
    local missing=()
    /usr/bin/python3 -c 'import numpy' 2>/dev/null || missing+=(python3-numpy)
    /usr/bin/python3 -c 'import picamera2' 2>/dev/null || missing+=(python3-picamera2)
    # lgpio leaves a pipe in the folder that it is imported in.
    (cd /tmp && /usr/bin/python3 -c 'import lgpio' 2>/dev/null) || missing+=(python3-lgpio)
    [ ${#missing[@]} = 0 ] || install_packages "Stationmaster on a Raspberry Pi" "${missing[@]}"
    /usr/bin/python3 -c 'import sys; sys.exit(sys.maxsize < 2**32)' ||
        fail "this Raspberry Pi OS is a 32-bit one, for which there is no OpenCV to install." \
            "Put the 64-bit Raspberry Pi OS on the card."
}

bring_browser() {
    command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || {
        # Not every system has the shell as a package of its own. It shows the same in less time.
        (install_packages "./test" chromium-headless-shell) || install_packages "./test" chromium
    }
}

bring_test_packages() {
    local missing=()
    bring_browser
    command -v git >/dev/null || missing+=(git)
    command -v systemd-analyze >/dev/null || missing+=(systemd)
    [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || missing+=(fonts-dejavu-core)
    # Playwright brings a Node.js that needs this one.
    /sbin/ldconfig -p | grep -F libatomic.so.1 >/dev/null || missing+=(libatomic1)
    [ ${#missing[@]} = 0 ] || install_packages "./test" "${missing[@]}"
}

# What the environment is made from: when any of it changes, it is brought up to date.
fingerprint() {
    { printf '%s\n' "$root" && cat "$root"/requirements/*.lock "$root"/pyproject.toml "$root"/scripts/environment.sh; } |
        sha256sum | cut -d ' ' -f 1
}

# The stamp is taken away first and put back last: without it an environment is unfinished or foreign.
make_environment() { # run or test, fingerprint
    local part=$1 made_from=$2 python version
    bring_python
    ! is_pi || bring_pi_packages
    python=$(find_python)
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

    if ! [ -e "$venv/stamp" ] || ! venv_works "$version"; then
        say "making .venv with Python $version"
        rm -rf "$venv"
        if is_pi; then "$python" -m venv --system-site-packages "$venv"; else "$python" -m venv "$venv"; fi
    fi
    rm -f "$venv/stamp"

    local lock=$part-$version.lock
    ! is_pi || lock=pi-$lock
    local pip=("$venv/bin/python" -m pip --quiet --disable-pip-version-check --no-input)
    say "installing what requirements/$lock lists"
    "${pip[@]}" install --require-hashes --no-deps --only-binary :all: -r "$root/requirements/$lock" ||
        fail "pip could not install requirements/$lock (its words are above). Mend that, then start again."
    "${pip[@]}" install --no-deps --no-build-isolation --editable "$root" ||
        fail "pip could not install Stationmaster itself (its words are above). Mend that, then start again."
    printf '%s %s\n' "$part" "$made_from" >"$venv/stamp"
}

venv_works() { # version of Python, or none for whichever it was made with
    local version
    version=$("$venv/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) &&
        [ "$version" = "${1-$version}" ] && [ -d "$venv/lib/python$version/site-packages" ]
}

set_up() { # run or test
    local part=$1 made_from stamp
    [ "$part" = run ] || bring_test_packages
    # Two that start at once wait for one another, here in the folder's own lock.
    exec 9<"$root/scripts"
    flock 9
    made_from=$(fingerprint)
    stamp=$(cat "$venv/stamp" 2>/dev/null || true)
    if ! { [ "$stamp" = "$part $made_from" ] || [ "$stamp" = "test $made_from" ]; } || ! venv_works; then
        # An environment that has the tests' parts keeps them.
        [ "${stamp%% *}" != "test" ] || part="test"
        make_environment "$part" "$made_from"
    fi
    exec 9<&-
}
