# shellcheck shell=sh
# shellcheck disable=SC2154 # what lib.sh, card.sh and setup.sh set
# The Wi-Fi at home, if one is set in tongbox.txt, and the box's own.

HOME_WIFI=tongbox-home # what NetworkManager calls it

# Without a country a Pi's radio stays off.
allow_radio() {
    if command -v raspi-config >/dev/null; then
        raspi-config nonint do_wifi_country "$(setting country)" ||
            note_problem "The Wi-Fi's country could not be set to $(setting country)."
    fi
    rfkill unblock wifi 2>/dev/null || true
    nmcli radio wifi on 2>/dev/null || true
}

# Set up the Wi-Fi at home, or forget the one of before.
join_home() {
    nmcli connection delete "$HOME_WIFI" >/dev/null 2>&1 || true
    name=$(setting home_name)
    [ -n "$name" ] || return 0
    set -- type wifi ifname "*" con-name "$HOME_WIFI" ssid "$name" connection.autoconnect yes
    if [ -n "$(setting home_password)" ]; then
        set -- "$@" wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$(setting home_password)"
    fi
    if ! nmcli connection add "$@" >/dev/null; then
        note_problem "The home Wi-Fi \"$name\" could not be set up."
    elif ! nmcli --wait 45 connection up "$HOME_WIFI" >/dev/null; then
        note_problem "The home Wi-Fi \"$name\" was not reached: it is out of reach, or its name or password in" \
            "tongbox.txt is not right. The box tries again at every start."
    fi
}

# Let the box make its own Wi-Fi: at once, unless it is in another, and wherever it finds no other.
make_own() {
    given=$(setting box_password)
    if said=$(TONGBOX_WIFI_PASSWORD=$given sh "$here/hotspot.sh" on 2>&1); then return; fi
    note_problem "The box's own Wi-Fi could not be started: $(say "$said" | tail -n 1 | sed 's/^tongbox: //; s/ Type: .*//')" \
        "A network cable does as well."
}

own_wifi() { sed -n "s/^$1 = \"*\([^\"]*\)\"*$/\1/p" "$ROOT/etc/tongbox/wifi.toml" 2>/dev/null || true; }
