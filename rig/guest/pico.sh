#!/usr/bin/env bash
# pico.sh plug | unplug: a Raspberry Pi Pico at a USB socket. Its firmware's end of the cable is /dev/ttyGS0, ours
# a /dev/ttyACM… with a name in /dev/serial/by-id. Unplugged, it is without power as well.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
gadget=/sys/kernel/config/usb_gadget/pico
case $1 in
plug)
    if ! [ -e $gadget ]; then
        modprobe -a dummy_hcd libcomposite usb_f_acm
        mountpoint -q /sys/kernel/config || mount -t configfs config /sys/kernel/config
        mkdir -p $gadget/strings/0x409 $gadget/configs/c.1 $gadget/functions/acm.0
        echo 0x2e8a >$gadget/idVendor
        echo 0x0005 >$gadget/idProduct
        echo MicroPython >$gadget/strings/0x409/manufacturer
        echo 'Board in FS mode' >$gadget/strings/0x409/product
        echo e660000000000000 >$gadget/strings/0x409/serialnumber
        ln -s $gadget/functions/acm.0 $gadget/configs/c.1/
    fi
    echo dummy_udc.0 >$gadget/UDC
    systemd-run --quiet --unit=pico --collect --property=WorkingDirectory="$here" \
        /opt/stationmaster/.venv/bin/python -B -m rig.guest.pico /dev/ttyGS0 /run/pico
    ;;
unplug)
    echo >$gadget/UDC
    # The firmware may have noticed already that its line is gone.
    until [ "$(systemctl show --property LoadState --value pico.service)" = not-found ]; do
        systemctl kill --signal=KILL pico.service 2>/dev/null || sleep 0.05
    done
    ;;
esac
