#!/bin/sh
# Raspberry Pi OS (64-bit) of "Bookworm", set up with any setting of Raspberry Pi Imager's, runs this file
# by words that Imager put into cmdline.txt. It lets Tongbox install itself from the folder tongbox on this
# card at the next start, and takes those words out again, so that the next start is an ordinary one. When
# that cannot be, it says so on the card and the computer goes off: the card mended, it is run once more.
#
# The system itself may add lines at the end of this file.

card=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)

sh "$card/tongbox/program/deploy/first/begin.sh" later
case $? in
    0) ;;
    3) exit 1 ;; # which has said why
    *)
        printf '%s\r\n' 'Tongbox could not be installed.' '' \
            'The folder tongbox on this card is missing or not whole. Copy all of it to the card once more.' \
            >"$card/tongbox-says.txt"
        sync
        exit 1
        ;;
esac

# The computer does not start without cmdline.txt, so the new one is whole on the card before it takes
# the old one's place; cut off before that, all of this is done again.
sed 's/[[:space:]]*systemd\.run\(_success_action\|_failure_action\)*=[^[:space:]]*//g
     s/[[:space:]]*systemd\.unit=kernel-command-line\.target//g' "$card/cmdline.txt" >"$card/cmdline.new"
if grep -q 'root=' "$card/cmdline.new"; then
    sync
    mv "$card/cmdline.new" "$card/cmdline.txt"
    sync
fi
