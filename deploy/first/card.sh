# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # what is set here is used there, and the other way round
# The card's boot partition, which every PC can read: there lies the bundle, and there the box says how
# it stands. For begin.sh and setup.sh; they read lib.sh and light.sh, too.

CARD=$(dirname "$BUNDLE")
SETTINGS=$CARD/tongbox.txt
SAYS=$CARD/tongbox-says.txt
LOG=$CARD/tongbox-log.txt
KEPT=$ROOT/var/lib/tongbox-first # what is remembered from one start to the next
FIRST_UNIT=$UNITS/tongbox-first.service

# Put what comes in into a file of that name, whole or not at all: also on FAT, also with the power cut.
put() {
    cat >"$1.new"
    sync
    mv "$1.new" "$1"
    sync
}

# Say on the card how it stands, in lines and with ends of lines that every PC's editor shows.
tell() { fold -s -w 90 | sed 's/ *$/\r/' | put "$SAYS"; }

# Say why nothing was installed. The card first: whoever sees the light may take the power away at once.
tell_failure() {
    tell <<END || true
Tongbox could not be installed.

$1
END
    show_light failed
}

bundle_id() { sha256sum 2>/dev/null <"$BUNDLE/SHA256SUMS" || true; }

settings_id() { sha256sum 2>/dev/null <"$SETTINGS" || true; }

is_remembered() { [ -e "$KEPT/$1" ] && [ "$(cat "$KEPT/$1")" = "$2" ]; }

remember() {
    mkdir -p "$KEPT"
    say "$2" | put "$KEPT/$1"
}

is_installed_from_card() { is_remembered bundle "$(bundle_id)"; }

# Whether nothing is left to do: this bundle was installed, and its settings were taken over.
is_settled() { is_installed_from_card && is_remembered settings "$(settings_id)"; }
