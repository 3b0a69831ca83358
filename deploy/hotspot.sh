#!/bin/sh
# Let the box make a Wi-Fi of its own where it knows no other:
#
#     sudo sh /opt/tongbox/current/deploy/hotspot.sh on       # "on now" leaves the present Wi-Fi for it
#     sudo sh /opt/tongbox/current/deploy/hotspot.sh off
#     sudo sh /opt/tongbox/current/deploy/hotspot.sh status
#
# A Wi-Fi that the box knows goes before its own. Name and password are kept for the label and for the
# page on which a phone lets others in. TONGBOX_WIFI_PASSWORD is one that somebody chose (first/wifi.sh).

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

NAME=Tongbox
ADDRESS=10.42.0.1 # in a network of its own; phones are given others of 10.42.0.0/24
WIFI=$ROOT/etc/tongbox/wifi.toml

# Short, and none is heard or written as another. Three of 128 and four digits: 2^34 passwords.
WORDS="acorn amber anchor apple apron arrow autumn bacon badge badger bamboo banana barrel basil basket
beacon beaver bonnet bottle bramble bread bridge bronze butter button cactus camel candle canvas carpet
carrot castle cedar chalk cherry circle clover cobalt cocoa copper coral cotton cradle cricket crown
dragon drum eagle ember engine falcon feather fern fiddle flint forest fossil garden garlic ginger
goblet gravel hammer harbour hazel heron honey indigo island ivory jacket jasmine juniper kettle kitten
ladder lantern lemon lily linen lobster magnet maple marble meadow melon mint mirror mustard needle
nutmeg oak olive orange orchid otter paddle panther parcel pearl pebble pepper pillow plum pocket poppy
quarry quilt rabbit raven ribbon river rocket rose saddle saffron sailor salmon silver spoon squirrel
sunset teapot thimble thistle timber velvet walnut"

check_manager() {
    [ "$(nmcli -g RUNNING general 2>/dev/null)" = running ] ||
        refuse "This needs NetworkManager, which Raspberry Pi OS has since Bookworm; it does not run here."
}

check_radio() {
    getent group tongbox >/dev/null || refuse "Install Tongbox first: sudo sh deploy/install.sh"
    device=$(nmcli -g DEVICE,TYPE device | sed -n 's/:wifi$//p' | head -n 1)
    [ -n "$device" ] || refuse "This computer has no Wi-Fi that could be used."
    # Without a country a Pi's radio stays off: which channels are allowed depends on it.
    if command -v raspi-config >/dev/null &&
        [ -z "$(raspi-config nonint get_wifi_country 2>/dev/null)" ]; then
        refuse "The Wi-Fi's country is not set. In Britain: sudo raspi-config nonint do_wifi_country GB"
    fi
    [ "$(nmcli -g WIFI radio)" = enabled ] ||
        refuse "Wi-Fi is switched off. Type: sudo nmcli radio wifi on"
    command -v dnsmasq >/dev/null ||
        refuse "Phones could get no address. Type: sudo apt install dnsmasq-base"
}

# NetworkManager takes some passwords with which no phone can join; these would also break the file below.
check_password() {
    printf '%s\n' "$1" | LC_ALL=C grep -qxE '[]!#-[^-~ ]{8,63}' ||
        refuse "A Wi-Fi password has 8 to 63 letters, digits and signs of a plain keyboard, without \" and \\."
}

connection_exists() { nmcli connection show "$NAME" >/dev/null 2>&1; }

is_active() { [ "$(nmcli -g GENERAL.STATE connection show "$NAME" 2>/dev/null)" = activated ]; }

# The Wi-Fi in which the box is now, if any.
current_network() { nmcli -g TYPE,NAME connection show --active | sed -n 's/^802-11-wireless://p' | head -n 1; }

saved_value() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" "$WIFI" 2>/dev/null || true; }

new_password() {
    # shellcheck disable=SC2086 # a list of words
    words=$(shuf --random-source=/dev/urandom -n 3 -e $WORDS | tr '\n' '-')
    say "$words$(shuf --random-source=/dev/urandom -n 1 -i 1000-9999)"
}

# Keep what phones must know: for root and the box alone, whole or not at all.
save_settings() {
    mkdir -p "$(dirname "$WIFI")"
    half=$(mktemp "$WIFI.XXXXXX")
    cat >"$half" <<END
# Written by hotspot.sh, read by Tongbox: what a phone must know to join the box's own Wi-Fi.
on = $1
name = "$NAME"
password = "$password"
address = "$ADDRESS"
END
    chgrp tongbox "$half"
    chmod 0640 "$half"
    mv "$half" "$WIFI"
}

switch_on() {
    check_radio
    password=${TONGBOX_WIFI_PASSWORD:-$(saved_value password)} # a label that is printed stays right
    [ -n "$password" ] || password=$(new_password)
    check_password "$password"
    connection_exists || nmcli connection add type wifi ifname "$device" con-name "$NAME" ssid "$NAME" >/dev/null
    # pmf: a Pi's radio cannot protect management frames in a Wi-Fi of its own. Offered it all the same,
    # phones do not get in, or the Wi-Fi does not start.
    nmcli connection modify "$NAME" \
        wifi.mode ap wifi.band bg \
        wifi-sec.key-mgmt wpa-psk wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.psk "$password" \
        wifi-sec.pmf disable \
        ipv4.method shared ipv4.addresses "$ADDRESS/24" \
        connection.autoconnect yes connection.autoconnect-priority -10
    save_settings true
    say "The box's own Wi-Fi is set up: name $NAME, password $password"
    say "Phones in it open  http://$ADDRESS/"
    other=$(current_network)
    if [ -n "$other" ] && [ "$other" != "$NAME" ] && [ "$1" != now ]; then
        say "The box stays in the Wi-Fi $other, and makes its own where that is not near. To change now,"
        say "which ends an SSH session over Wi-Fi:  sudo sh $0 on now"
        return
    fi
    say "It starts now. An SSH session over Wi-Fi ends; join $NAME to go on."
    nmcli connection up "$NAME" >/dev/null ||
        refuse "It did not start. Type: journalctl -u NetworkManager -n 50"
}

switch_off() {
    connection_exists || refuse "The box has no Wi-Fi of its own."
    password=$(saved_value password)
    save_settings false
    nmcli connection modify "$NAME" connection.autoconnect no
    say "The box makes no Wi-Fi of its own any more. An SSH session over it ends."
    if is_active; then nmcli connection down "$NAME" >/dev/null; fi
}

status() {
    if ! connection_exists || ! grep -q '^on = true$' "$WIFI" 2>/dev/null; then
        say "The box makes no Wi-Fi of its own. Type: sudo sh $0 on"
    elif is_active; then
        say "The box's own Wi-Fi is there: name $NAME, password $(saved_value password), http://$ADDRESS/"
    else
        say "The box's own Wi-Fi is set up (name $NAME, password $(saved_value password)), but not in use: it"
        say "starts by itself where the box finds no Wi-Fi that it knows."
    fi
}

need_root
check_manager
case "$*" in
    on | "on now") switch_on "${2:-}" ;;
    off) switch_off ;;
    status) status ;;
    *) refuse "Say what to do: sudo sh $0 on, off or status" ;;
esac
