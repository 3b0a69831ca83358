#!/bin/sh
# Install Tongbox from the card, open its Wi-Fi, and say how it stands: for tongbox-first.service, at
# every start. It may be cut off anywhere; what is done is not done again, and what is half done is.

here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"
# shellcheck source=deploy/first/card.sh
. "$here/first/card.sh"
# shellcheck source=deploy/first/light.sh
. "$here/first/light.sh"
# shellcheck source=deploy/first/check.sh
. "$here/first/check.sh"
# shellcheck source=deploy/first/wifi.sh
. "$here/first/wifi.sh"

SHOW=${TONGBOX_SHOW:-600} # seconds for which the light says that it is ready

setting() { "$PYTHON" "$here/first/settings.py" get "$KEPT/settings.json" "$1"; }

# What is well enough to go on, and is said on the card all the same.
note_problem() { say "- $*" >>"$KEPT/minded"; }

# Whatever ends this is said, also what nobody thought of.
fail() {
    trap - EXIT
    tell_failure "$*

When that is mended, put the card back and switch the box on: it tries again by itself."
    exit 1
}

take_settings() {
    mkdir -p "$KEPT"
    : >"$KEPT/minded"
    "$PYTHON" "$here/first/settings.py" take "$SETTINGS" "$KEPT/settings.json" >>"$KEPT/minded"
}

install_bundle() {
    if sh "$here/install.sh" >"$KEPT/log" 2>&1; then
        rm -f "$LOG"
        return
    fi
    sed 's/$/\r/' "$KEPT/log" | put "$LOG"
    why=$(sed -n 's/^tongbox: //; s/ Type: .*//; $p' "$KEPT/log")
    fail "$why" "What was done so far is in tongbox-log.txt on this card."
}

tell_ready() {
    password="the one that you chose"
    [ -n "$(setting box_password)" ] || password=$(own_wifi password)
    {
        say "Tongbox is ready."
        say ""
        if [ "$(own_wifi on)" = true ]; then
            say "Its own Wi-Fi is called  $(own_wifi name)"
            say "The password is          $password"
            say "Phones in it open        http://$(own_wifi address)/"
        fi
        if grep -q '^host-name=tongbox$' "$AVAHI_SETTINGS" 2>/dev/null; then
            say "In another network       http://tongbox.local/"
        fi
        sed '1s/^/\nPlease mind:\n/' "$KEPT/minded"
    } | tell
}

need_root
if is_settled; then exit 0; fi
trap 'fail "Something went wrong that the box has no word for. Please try once more."' EXIT
show_light installing
tell <<END
Tongbox is being installed. The green light blinks slowly until that is done.

If you read this on a PC, the power was cut before that. Put the card back: it goes on by itself.
END
take_settings
hindrance=$(find_hindrance)
[ -z "$hindrance" ] || fail "$hindrance"
is_installed_from_card || install_bundle
remember bundle "$(bundle_id)"
allow_radio
join_home
make_own
tell_ready
remember settings "$(settings_id)"
trap - EXIT
show_light ready
sleep "$SHOW"
show_light usual
