#!/bin/sh
# Update an installed Tongbox to the version in which this script lies:
#
#     sudo sh deploy/update.sh [--dry-run]
#
# The new version is made in a folder of its own while the box goes on. Then the box changes to it, and
# back again if the new one is worse. Up to there nothing that is cut off changes anything; from there
# the box goes on by itself (changing.sh).

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

options "$@"
need_root
[ -n "$(current)" ] || refuse "Tongbox is not installed here yet. Type: sudo sh deploy/install.sh"
check_machine
check_bundle
take_turn
finish_previous_change
make_version
if [ "$(current)" = "$version" ]; then
    say "It runs already."
    exit 0
fi
if is_bundled; then run rm -f "$BUNDLE/asked"; fi # from here on nobody need ask for it again (take.sh)
change_version
remove_old_versions
