#!/usr/bin/env bash
# Sets Stationmaster up on an arm64 Debian 12 whose programs qemu runs, installs it there, and runs the tests that
# need no browser: rig/arm64.sh [arguments for pytest]. It takes root on a Debian machine; docs/rig.md says more.
set -euo pipefail
# Mounts and processes of its own: whatever ends this script ends them too, and nothing stays mounted behind it.
[ -n "${ARM64_NAMESPACE-}" ] ||
    ARM64_NAMESPACE=own exec unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
top=${XDG_CACHE_HOME:-$HOME/.cache}/stationmaster/arm64
arm=$top/root
suite=bookworm

say() { printf 'arm64: %s\n' "$*" >&2; }

bring_tools() {
    local missing=() package
    for package in mmdebstrap qemu-user-static; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    if [ ${#missing[@]} != 0 ]; then
        say "installing ${missing[*]}"
        apt-get -qq update
        DEBIAN_FRONTEND=noninteractive apt-get -qqy install --no-install-recommends "${missing[@]}" >/dev/null
    fi
    # The kernel hands arm64 programs to qemu; where systemd does not run, nobody has told it yet.
    local hook=/proc/sys/fs/binfmt_misc
    [ -e $hook/register ] || mount -t binfmt_misc binfmt_misc $hook
    [ -e $hook/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$hook/register
}

make_root() {
    [ ! -e "$top/made" ] || return 0
    say "making an arm64 Debian in $arm"
    rm -rf --one-file-system -- "$arm"
    mkdir -p "$top"
    # Fetched from where this machine fetches its own packages.
    local mirror security key=/usr/share/keyrings/debian-archive-keyring.gpg
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | sort -u | grep -v security | head -n 1)
    security=$(apt-get indextargets --format '$(REPO_URI)' | sort -u | grep -m 1 security || true)
    mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 --include=git \
        --dpkgopt=force-unsafe-io "$suite" "$arm" \
        "deb [signed-by=$key] $mirror $suite main" "deb [signed-by=$key] $mirror $suite-updates main" \
        ${security:+"deb [signed-by=$key] $security $suite-security main"}
    # A network that wants certificates of its own wants them in there as well.
    mkdir -p "$arm/etc/ssl/certs"
    cp /etc/ssl/certs/ca-certificates.crt "$arm/etc/ssl/certs/ca-certificates.crt"
    touch "$top/made"
}

mount_kernel() {
    mount -t proc proc "$arm/proc"
    mount -t sysfs -o ro sysfs "$arm/sys"
    # None of this machine's own devices: what is plugged in here is not the tests' to touch.
    mount -t tmpfs -o mode=755 tmpfs "$arm/dev"
    local device
    for device in null zero full random urandom tty; do
        touch "$arm/dev/$device"
        mount --bind "/dev/$device" "$arm/dev/$device"
    done
    mkdir "$arm/dev/pts" "$arm/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$arm/dev/pts"
    ln -s pts/ptmx "$arm/dev/ptmx"
    ln -s /proc/self/fd "$arm/dev/fd"
    mount -t tmpfs tmpfs "$arm/dev/shm"
    cp /etc/resolv.conf "$arm/etc/resolv.conf"
}

inside() { # a command, run in the clean clone
    local name network=()
    for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT; do
        [ -z "${!name-}" ] || network+=("$name=${!name}")
    done
    # shellcheck disable=SC2016 # "$@" is for the shell in there
    chroot "$arm" /usr/bin/env -i HOME=/root LANG=C.UTF-8 "${network[@]}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        bash -euo pipefail -c 'cd /root/stationmaster && "$@"' inside "$@"
}

clone() { # what is committed, and nothing that only lies about
    [ -e "$arm/root/stationmaster/.git" ] || git clone -q "$checkout" "$arm/root/stationmaster"
    git -C "$arm/root/stationmaster" fetch -q "$checkout" HEAD
    git -C "$arm/root/stationmaster" checkout -q --detach FETCH_HEAD
    say "at $(git -C "$arm/root/stationmaster" log -1 --oneline)"
}

install_it() {
    inside ./install
    inside stationmaster --help >/dev/null
    inside stationmaster config --check /etc/stationmaster.toml
    inside ./install --remove
    ! inside test -e /opt/stationmaster
}

bring_tools
make_root
mount_kernel
clone
inside bash -c '. scripts/environment.sh && set_up test'
install_it
inside .venv/bin/pytest -n 2 -m "not browser" "$@"
