#!/bin/sh
# Starts systemd as the first process of a machine of its own, by root: boot.sh <root>. This process becomes one that waits for
# it, and ends the whole machine when it is killed itself. boot.sh --clear <pid> removes what that process leaves in the kernel.
set -eu
root=$1
if [ "${2:-}" != inside ]; then
  # systemd needs a control group of its own, which it may divide.
  mount --make-rprivate /
  mount -t cgroup2 cgroup2 /mnt
  if [ "$root" = --clear ]; then
    [ ! -d "/mnt/purser-machine-$2" ] || find "/mnt/purser-machine-$2" -depth -type d -exec rmdir {} +
    exit
  fi
  mkdir "/mnt/purser-machine-$$"
  echo $$ > "/mnt/purser-machine-$$/cgroup.procs"
  umount /mnt
  exec unshare --mount --pid --fork --kill-child --uts --ipc --cgroup --net sh "$0" "$root" inside
fi
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
: > "$root/dev/console"
mount --bind /dev/null "$root/dev/console"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${stream%:*}" "$root/dev/${stream#*:}"; done
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
# The kernel's settings are this machine's too, save those of the network.
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount --bind "$root/proc/sys/net" "$root/proc/sys/net"
mount -o remount,bind,rw "$root/proc/sys/net"
if [ -n "${PROGRAM:-}" ]; then
  mkdir -p "$root/opt/purser"
  mount --bind "$PROGRAM" "$root/opt/purser"
  mount -o remount,bind,ro "$root/opt/purser"
fi
cd "$root"
mkdir -p old
pivot_root . old
umount -l /old
# A service of systemd mounts its credentials in a place that only it sees.
mount --make-rshared /
exec env -i container=unshare /lib/systemd/systemd --system
