# shellcheck shell=sh
# shellcheck disable=SC2154 # what lib.sh sets
# The little green light beside the card, by which a box without a screen says how it stands. The
# kernel itself makes it blink, so it goes on when these scripts have ended.

LEDS=$ROOT/sys/class/leds
USUAL=$ROOT/run/tongbox-first.trigger # what it showed before: reading and writing of the card, mostly

find_light() {
    for name in ACT led0; do
        if [ -d "$LEDS/$name" ]; then
            say "$LEDS/$name"
            return
        fi
    done
}

# A computer without such a light goes without.
set_light() { { say "$2" >"$light/$1"; } 2>/dev/null || true; }

blink() {
    set_light trigger timer
    set_light delay_on "$1"
    set_light delay_off "$1"
}

show_light() {
    light=$(find_light)
    [ -n "$light" ] || return 0
    [ -e "$USUAL" ] || sed -n 's/.*\[\(.*\)\].*/\1/p' "$light/trigger" >"$USUAL"
    case $1 in
        installing) 
            modprobe -q ledtrig-timer 2>/dev/null || true
            blink 1000
            ;;
        failed) blink 100 ;;
        ready)
            set_light trigger none
            set_light brightness "$(cat "$light/max_brightness" 2>/dev/null || say 1)"
            ;;
        usual) set_light trigger "$(cat "$USUAL")" ;;
    esac
}
