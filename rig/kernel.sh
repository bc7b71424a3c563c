# shellcheck shell=bash
# Debian's kernel with the modules that stand in for hardware. For rig/build; leaves vmlinuz, modules/ and initrd.
#
# gpio-sim is a chip of pins whose levels are set and read in /sys, v4l2loopback a camera whose pictures a
# program writes, dummy_hcd a USB socket into which this machine plugs itself as a serial device.

modules=(
    virtio_pci virtio_blk virtio_console virtio_rng virtio_net ext4 autofs4 configfs
    gpio-sim videodev v4l2loopback dummy_hcd libcomposite usb_f_acm cdc-acm
)
in_initrd=(virtio_pci virtio_blk ext4)

make_kernel() {
    wipe workshop all modules initrd-root
    make_workshop
    local version
    version=$(basename "$(echo workshop/lib/modules/*)")
    mkdir -p all/lib/modules
    cp -r "workshop/lib/modules/$version" all/lib/modules/
    rm -rf "all/lib/modules/$version"/{build,source}
    cp "workshop/boot/vmlinuz-$version" vmlinuz
    unpack_gpio_sim
    unpack_v4l2loopback
    build_modules "$version"
    keep_modules "$version"
    make_initrd "$version"
    wipe workshop all initrd-root
}

# A system with what modules are built with, and the sources of the two that Debian does not build.
make_workshop() {
    # shellcheck disable=SC2016 # these are for mmdebstrap's own shell
    INITRD=No debian workshop busybox-static,make,xz-utils,linux-headers-amd64,linux-image-amd64 --dpkgopt=force-confold \
        --essential-hook='mkdir -p "$1/etc/initramfs-tools"' \
        --essential-hook='echo update_initramfs=no >"$1/etc/initramfs-tools/update-initramfs.conf"' \
        --customize-hook='version=$(basename "$1"/lib/modules/*); version=${version%%-*}
            chroot "$1" sh -c "mkdir /sources && cd /sources && apt-get -qq download linux-source-${version%.*} v4l2loopback-dkms"'
}

# Debian builds neither gpio-sim nor irq_sim, which it needs; here they become one module.
unpack_gpio_sim() {
    local to=workshop/sources/gpio-sim package source
    package=$(echo workshop/sources/linux-source-*.deb)
    source=$(basename "$package")
    source=${source%%_*}
    mkdir -p $to
    # The reader ends when it has its three files, which the writers before it take badly.
    { dpkg-deb --fsys-tarfile "$package" | tar -xO "./usr/src/$source.tar.xz" |
        tar -xJ -C $to --strip-components=1 --occurrence=1 \
            "$source/drivers/gpio/gpio-sim.c" "$source/drivers/gpio/gpiolib.h" "$source/kernel/irq/irq_sim.c"; } \
        2>/dev/null || true
    mv $to/drivers/gpio/gpiolib.h $to/
    mv $to/drivers/gpio/gpio-sim.c $to/chip.c
    # A module may not call irq_to_desc; this comes to the same descriptor by way of its data.
    sed 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' $to/kernel/irq/irq_sim.c >$to/irq_sim.c
    printf 'obj-m := gpio-sim.o\ngpio-sim-y := chip.o irq_sim.o\n' >$to/Makefile
}

unpack_v4l2loopback() {
    dpkg-deb -x "$(echo workshop/sources/v4l2loopback-dkms*.deb)" workshop/sources/unpacked
    mv workshop/sources/unpacked/usr/src/v4l2loopback-* workshop/sources/v4l2loopback
}

build_modules() { # version of the kernel
    local name
    for name in gpio-sim v4l2loopback; do
        chroot workshop sh -c "make -s -C '/lib/modules/$1/build' 'M=/sources/$name' modules 2>&1 |
            grep -v 'unavailability of vmlinux'; strip --strip-debug /sources/$name/$name.ko"
        install -D -m 644 "workshop/sources/$name/$name.ko" -t "all/lib/modules/$1/extra/"
    done
    depmod -b all "$1"
}

# The files of a module and of those that it needs, in the order in which they are loaded.
files_of() { # folder, version, modules
    local folder=$1 version=$2 module
    shift 2
    for module in "$@"; do
        modprobe -d "$out/$folder" -S "$version" --show-depends "$module"
    done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++'
}

keep_modules() { # version of the kernel
    local file
    files_of all "$1" "${modules[@]}" >files
    while read -r file; do
        install -D -m 644 "$file" "modules/${file#*/all/}"
    done <files
    rm files
    cp "all/lib/modules/$1"/modules.{builtin,builtin.modinfo,order} "modules/lib/modules/$1/"
    depmod -b modules "$1"
}

# It finds the disk and hands over. busybox comes with the workshop.
make_initrd() { # version of the kernel
    local file number=10
    mkdir -p initrd-root/{bin,dev,new,modules}
    cp workshop/bin/busybox initrd-root/bin/
    files_of modules "$1" "${in_initrd[@]}" >files
    while read -r file; do
        cp "$file" "initrd-root/modules/$number.ko"
        number=$((number + 1))
    done <files
    rm files
    cat >initrd-root/init <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
for module in /modules/*.ko; do /bin/busybox insmod $module; done
until [ -b /dev/vda ]; do /bin/busybox usleep 20000; done
/bin/busybox mount -t ext4 -o rw /dev/vda /new || exit 1 # the kernel panics, and the machine ends
/bin/busybox mount --move /dev /new/dev
exec /bin/busybox switch_root /new /sbin/init
INIT
    chmod +x initrd-root/init
    (cd initrd-root && find . | cpio -o -H newc --quiet | gzip -1) >initrd
}
