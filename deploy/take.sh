#!/bin/sh
# Take the newer version that was picked on the page: for tongbox-take.service.
#
# The page may write to its own folder alone, so what lies there is believed only once its signature is
# that of the key which the running version came with. Cut off anywhere, this goes on at the next start:
#
#   wanted.zip          in the page's folder: picked, and not yet looked at here
#   incoming/asked      it is checked and unpacked; its version is to be made, and changed to
#   incoming            without the above: the change was begun, and is changing.sh's to finish
#   taking              what the page says of it: a word, and a version or a reason

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

WANTED=$DATA/update/wanted.zip
INCOMING=$OPT/incoming
KEY=$OPT/current/deploy/release.pub

tell() {
    say "$*" >"$OPT/taking.new"
    mv "$OPT/taking.new" "$OPT/taking"
}

receive() {
    rm -rf "$INCOMING"
    tell checking
    mkdir -m 0700 "$INCOMING"
    if said=$("$OPT/current/venv/bin/python" -P -m device.updates.take "$WANTED" "$KEY" "$INCOMING/bundle"); then
        say "$said" >"$INCOMING/version"
        touch "$INCOMING/bundle/asked"
        sync
    else
        tell "refused ${said:-update.damaged}"
        rm -rf "$INCOMING"
    fi
    rm -f "$WANTED"
}

# Make it and change to it, by its own script.
carry_on() {
    tell "making $(cat "$INCOMING/version")"
    sh "$INCOMING/bundle/program/deploy/update.sh" >"$OPT/taken" 2>&1 || true
}

report() {
    finish_previous_change
    if [ "$(current)" = "$(SOURCE=$INCOMING/bundle/program && name_version)" ]; then
        tell "done $(cat "$INCOMING/version")"
    else
        tell "failed $(cat "$INCOMING/version")"
    fi
    rm -rf "$INCOMING"
}

need_root
if [ ! -e "$INCOMING/bundle/asked" ] && [ -e "$WANTED" ]; then receive; fi
if [ -e "$INCOMING/bundle/asked" ]; then carry_on; fi
if [ -e "$INCOMING" ]; then report; fi
