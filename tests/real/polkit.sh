#!/bin/sh
# What polkit itself makes of deploy/polkit.rules: as root, with dbus-daemon, polkitd and pkcheck.
#
#     sudo sh tests/real/polkit.sh
#
# In a namespace of its own, so that nothing of this machine is changed. It prints who may do what, and
# ends well if the box's user may switch off, set the clock and stop and start the service that waits for
# a time server, and nothing else, and nobody else may.

[ "$(id -u)" = 0 ] || { echo "This needs root." >&2; exit 1; }
for each in dbus-daemon pkcheck /usr/lib/polkit-1/polkitd; do
    command -v "$each" >/dev/null && continue
    echo "This needs $each: apt-get install dbus-daemon polkitd" >&2
    exit 1
done

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
[ "${1:-}" = inside ] || exec unshare --mount --pid --fork --mount-proc --kill-child sh "$here/polkit.sh" inside

set -eu
mount -t tmpfs none /run
mkdir -p /run/dbus
cp /etc/passwd /run/passwd
grep -q '^tongbox:' /run/passwd || echo 'tongbox:x:993:65534::/:/bin/false' >>/run/passwd
mount --bind /run/passwd /etc/passwd
mount -t tmpfs none /etc/polkit-1
mkdir /etc/polkit-1/rules.d
cp "$here/../../deploy/polkit.rules" /etc/polkit-1/rules.d/60-tongbox.rules
dbus-daemon --system --nofork --nopidfile 2>/dev/null &
sleep 1
/usr/lib/polkit-1/polkitd >/dev/null 2>&1 &
sleep 2

wrong=0
for user in tongbox nobody; do
    setpriv --reuid "$user" --regid nogroup --clear-groups sleep 60 &
    sleeper=$!
    sleep 1
    for action in power-off power-off-multiple-sessions power-off-ignore-inhibit reboot suspend; do
        may=no
        if pkcheck --action-id "org.freedesktop.login1.$action" --process "$sleeper" >/dev/null 2>&1; then may=yes; fi
        should=no
        case "$user $action" in "tongbox power-off" | "tongbox power-off-multiple-sessions") should=yes ;; esac
        echo "$user $action: $may"
        [ $may = $should ] || wrong=1
    done
    for what in \
        "org.freedesktop.timedate1.set-time" \
        "org.freedesktop.timedate1.set-ntp" \
        "org.freedesktop.timedate1.set-timezone" \
        "org.freedesktop.systemd1.manage-units --detail unit systemd-timesyncd.service --detail verb stop" \
        "org.freedesktop.systemd1.manage-units --detail unit systemd-timesyncd.service --detail verb start" \
        "org.freedesktop.systemd1.manage-units --detail unit systemd-timesyncd.service --detail verb set-property" \
        "org.freedesktop.systemd1.manage-units --detail unit ssh.service --detail verb stop" \
        "org.freedesktop.systemd1.manage-units"; do
        may=no
        # shellcheck disable=SC2086 # words of a table, none with a space in it
        if pkcheck --action-id $what --process "$sleeper" >/dev/null 2>&1; then may=yes; fi
        should=no
        case "$user $what" in
            # To systemd, who may set the time may set its zone and whether it comes from a server, too.
            "tongbox org.freedesktop.timedate1."*) should=yes ;;
            "tongbox "*timesyncd*"verb stop" | "tongbox "*timesyncd*"verb start") should=yes ;;
        esac
        echo "$user $what: $may"
        [ $may = $should ] || wrong=1
    done
done
exit $wrong
