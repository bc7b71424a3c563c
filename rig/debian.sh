# shellcheck shell=bash
# Making Debian systems in folders, and taking them away again. For rig/build.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

bring_tools() {
    local package missing=()
    for package in cpio e2fsprogs kmod mmdebstrap python3 python3-venv qemu-system-x86 qemu-utils xz-utils; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} != 0 ] || return 0
    tell "installing ${missing[*]}"
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}

# The mirrors that this machine's own apt uses, one line each.
sources() {
    local all main security
    all=$(apt-get indextargets --format '$(REPO_URI)' | sort -u)
    main=$(grep -v security <<<"$all" | head -n 1)
    security=$(grep security <<<"$all" | head -n 1) || true
    echo "deb [signed-by=$keyring] $main $suite main"
    echo "deb [signed-by=$keyring] $main $suite-updates main"
    [ -z "$security" ] || echo "deb [signed-by=$keyring] $security $suite-security main"
}

debian() { # folder, packages, further options of mmdebstrap
    local folder=$1 packages=$2
    shift 2
    mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" "$@" \
        --aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' \
        --aptopt='APT::Sandbox::User "root"' --dpkgopt='force-unsafe-io' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$folder" - < <(sources)
}

# Delete folders below $out. While anything is mounted in one of them it stays.
wipe() {
    local folder
    for folder in "$@"; do
        if grep -qF " $out/$folder/" /proc/self/mountinfo; then
            echo "rig/build: something is mounted below $out/$folder, so it is not deleted." >&2
            exit 1
        fi
        rm -rf --one-file-system -- "${out:?}/${folder:?}"
    done
}
