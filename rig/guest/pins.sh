#!/usr/bin/env bash
# Makes a chip of pins like that of a Raspberry Pi 4. /run/pins is its folder: what is written to sim_gpioN/pull
# (pull-up, pull-down) is the level of a line that is read, sim_gpioN/value that of one that is driven.
set -euo pipefail
modprobe gpio-sim
mountpoint -q /sys/kernel/config || mount -t configfs config /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/table
mkdir -p $chip/bank
echo 54 >$chip/bank/num_lines
echo pinctrl-bcm2711 >$chip/bank/label
for line in {0..27}; do
    mkdir $chip/bank/line"$line"
    echo GPIO"$line" >$chip/bank/line"$line"/name
done
echo 1 >$chip/live
ln -sfn "/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank/chip_name)" /run/pins

# gpiozero reads here which Pi this is. The service has a /proc of its own, so it is bound in there too.
{ cat /proc/cpuinfo && printf '\nRevision\t: c03114\n'; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo
mkdir -p /etc/systemd/system/stationmaster.service.d
printf '[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n' >/etc/systemd/system/stationmaster.service.d/pi.conf
systemctl daemon-reload
udevadm settle
