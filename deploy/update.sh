#!/bin/sh
# Update an installed Tongbox to the version in which this script lies:
#
#     sudo sh deploy/update.sh [--dry-run]
#
# The new version is made in a folder of its own, the box changes to it in one step, and back again by
# itself if the new one does not answer.

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

options "$@"
need_root
[ -n "$(current)" ] || refuse "Tongbox is not installed here yet. Type: sudo sh deploy/install.sh"
check_machine
make_version
if [ "$(current)" = "$version" ]; then
    say "It runs already."
    exit 0
fi
change_version
remove_old_versions
