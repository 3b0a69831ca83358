# shellcheck shell=sh
# shellcheck disable=SC2153,SC2154 # what lib.sh and card.sh set
# What keeps Tongbox from being installed: a sentence on standard output, for who holds the card.

ROOM=1200000 # kB that must be free: a version has half of it, and an update needs another
PATIENCE=${TONGBOX_PATIENCE:-60}

find_hindrance() {
    hindrance=$( (check_machine) 2>&1) || {
        say "${hindrance#tongbox: }"
        return
    }
    system=$(sed -n 's/^VERSION_CODENAME=//p' "$ROOT/etc/os-release" | tr -d '"')
    case $system in
        bookworm | trixie) ;;
        *)
            say "This card has Raspberry Pi OS \"$system\". Tongbox needs Raspberry Pi OS (64-bit), Bookworm or Trixie."
            return
            ;;
    esac
    is_installed_from_card || find_no_room
}

# On its very first start the system may still be growing into the card.
find_no_room() {
    waited=0
    while free=$(df -Pk "$ROOT/" | awk 'NR == 2 { print $4 }') && [ "$free" -lt "$ROOM" ]; do
        if [ "$waited" -ge "$PATIENCE" ]; then
            say "The card is too small: $((free / 1000)) MB are free, and Tongbox needs $((ROOM / 1000))." \
                "Take a card of 16 GB or more."
            return
        fi
        waited=$((waited + 5))
        sleep 5
    done
}
