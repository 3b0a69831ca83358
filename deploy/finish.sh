#!/bin/sh
# Finish an update that was begun: for tongbox-update.service.

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

need_root
finish_change >"$OPT/said" 2>&1
