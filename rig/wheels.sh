# shellcheck shell=bash
# The libraries that ./install puts in, as wheels. For rig/build; leaves wheels/ and lgpio.lock.

# With the hashes of the locks. lgpio stands in the lock of the tests alone: on a Pi it is the system's.
bring_wheels() {
    local pip=(installer/bin/python -m pip --quiet --quiet --disable-pip-version-check --no-input)
    local each platform tags=()
    wipe wheels installer
    python3 -m venv installer
    for platform in _2_17 _2_27 _2_28 _2_31 _2_34 2014; do
        tags+=(--platform "manylinux${platform}_x86_64")
    done
    only lgpio <"$lock/test-$python.lock" >lgpio.lock
    for each in "$lock/run-$python.lock" lgpio.lock; do
        "${pip[@]}" download --require-hashes --no-deps --only-binary :all: --python-version "$python" \
            "${tags[@]}" --dest wheels -r "$each"
    done
    wipe installer
}

# The lines of a lock that are about one package.
only() { awk -v name="$1" '/^[^ ]/ { ours = index($0, name "==") == 1 } ours'; }
