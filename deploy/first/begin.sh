#!/bin/sh
# Let the box install itself from the card: called by what the system looks for on the card's boot
# partition, user-data on Trixie (at every start) and firstrun.sh on Bookworm (once, "later").
#
# It takes no time: it puts tongbox-first.service in its place, which does the work, at this start and,
# if that is cut off, at the next.

here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"
# shellcheck source=deploy/first/card.sh
. "$here/first/card.sh"
# shellcheck source=deploy/first/light.sh
. "$here/first/light.sh"

# What would begin the work must be sound; the rest is looked at by whoever does it.
scripts_are_sound() {
    (cd "$BUNDLE" && grep ' program/deploy/' SHA256SUMS | sha256sum --check --status --strict) 2>/dev/null
}

give_up() {
    tell_failure "$1"
    exit 3 # told, which who calls this need not do
}

put_unit() {
    mkdir -p "$(dirname "$FIRST_UNIT")"
    put "$FIRST_UNIT" <"$here/first/tongbox-first.service"
    service daemon-reload
    systemctl enable --quiet tongbox-first
}

# A box has no screen: no desktop, which takes memory, and nobody is asked for a user's name. Who wants
# to log in puts userconf.txt on the card, or lines into user-data.
without_a_screen() {
    asks=$UNITS/userconfig.service.d
    mkdir -p "$asks"
    put "$asks/tongbox.conf" <<END
[Unit]
ConditionPathExists=|/boot/firmware/userconf.txt
ConditionPathExists=|/boot/firmware/userconf
END
    systemctl set-default --quiet multi-user.target || true
    systemctl --no-block stop display-manager.service 2>/dev/null || true
}

need_root
if is_settled; then exit 0; fi
[ "$CARD" = "$ROOT/boot/firmware" ] ||
    give_up "This is an older Raspberry Pi OS. Tongbox needs Raspberry Pi OS (64-bit), Bookworm or Trixie."
scripts_are_sound ||
    give_up "The folder tongbox on this card is not whole. Copy all of it to the card once more."
show_light installing
without_a_screen
put_unit
[ "${1:-}" = later ] || service start --no-block tongbox-first
