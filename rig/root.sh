# shellcheck shell=bash
# A bare Debian with systemd, as ./install may find it, and a folder with what the internet would bring.
# For rig/build; leaves root.img.

size=3G

make_root() {
    wipe root
    debian root dbus,iproute2,kmod,procps,python3,python3-venv,qemu-guest-agent,systemd,systemd-sysv,udev
    cp -a modules/lib/modules root/lib/
    cp -r wheels root/opt/wheels
    cp lgpio.lock root/opt/lgpio.lock
    chroot root passwd --quiet --delete root
    chroot root groupadd --system gpio
    echo table >root/etc/hostname
    echo '127.0.0.1 localhost table' >root/etc/hosts
    : >root/etc/fstab
    # Without a network pip takes this folder for all that there is; it looks at the hashes all the same.
    cat >root/etc/pip.conf <<'PIP'
[global]
no-index = true
find-links = /opt/wheels
PIP
    cat >root/etc/systemd/network/phones.network <<'NETWORK'
[Match]
Name=eth0
[Network]
DHCP=ipv4
NETWORK
    # As Raspberry Pi OS has it.
    echo 'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"' >root/etc/udev/rules.d/60-gpio.rules
    ln -sf /lib/systemd/system/multi-user.target root/etc/systemd/system/default.target
    chroot root systemctl --quiet enable systemd-networkd.service
    local unit
    for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
        e2scrub_reap.service fstrim.timer proc-sys-fs-binfmt_misc.automount systemd-binfmt.service \
        systemd-networkd-wait-online.service systemd-pstore.service; do
        ln -sf /dev/null "root/etc/systemd/system/$unit"
    done
    rm -f root.img bare.qcow2
    truncate --size "$size" root.img
    mke2fs -q -F -t ext4 -m 0 -d root root.img
    wipe root
}
