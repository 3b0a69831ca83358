# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # what is set here is used there, and the other way round
# Which version runs, and how the box changes to another: part of lib.sh.
#
# How far a change is, links in /opt/tongbox say, each changed in one step and brought to the disk
# before the next. So it may be cut off anywhere: tongbox-update.service goes on with it, at once when it
# was killed and at the next start after a power cut, and so does the next script that somebody types.
#
#   current   the version that runs
#   trying    the one that is to run: the change is not done while this is there
#   before    the one that ran, once its log of events is copied
#   failed    what `trying` is called when it is worse: the way back is not done while this is there
#   updater   the scripts that do all this: the newer version's

link_target() { if [ -L "$OPT/$1" ]; then basename "$(readlink "$OPT/$1")"; fi; }

current() { link_target current; }

is_changing() { [ -L "$OPT/trying" ] || [ -L "$OPT/failed" ]; }

point() {
    run ln -sfn "$2" "$OPT/$1.new"
    run mv -T "$OPT/$1.new" "$OPT/$1"
}

# Whether a version has this file in its deploy/: those of before some of them have not.
has() { [ -n "$dry" ] || [ -e "$OPT/versions/$1/deploy/$2" ]; }

# Copy a version's files beside those that they are to replace.
stage_files() {
    say "$PLACES" | while read -r name place; do
        if has "$1" "$name"; then
            run mkdir -p "$(dirname "$place")"
            run cp "$OPT/versions/$1/deploy/$name" "$place.new"
        fi
    done
}

# Put them in place; what the version knows nothing of goes.
install_files() {
    say "$PLACES" | while read -r name place; do
        if has "$1" "$name"; then run mv -T "$place.new" "$place"; else run rm -f "$place"; fi
    done
}

# What starts with the computer: the box, and what takes the versions that are picked on its page.
start_with_computer() {
    command -v systemctl >/dev/null || return 0
    run systemctl enable --quiet tongbox
    if has "$1" tongbox-take.path; then
        run systemctl enable --quiet tongbox-take.service
        run systemctl enable --quiet tongbox-take.path
        service start tongbox-take.path || true
    fi
}

# Let this version be the one that runs.
place_files() {
    stage_files "$1"
    run mkdir -p "$(dirname "$COMMAND")"
    run ln -sfn "$OPT/current/venv/bin/tongbox" "$COMMAND"
    run sync # what names are about to lead to
    point current "versions/$1"
    install_files "$1"
    run sync
    service daemon-reload
    start_with_computer "$1"
    service restart tongbox || true # whether it runs is asked afterwards
}

# --- whether it is well ---------------------------------------------------------------------------

ask() { "$PYTHON" "$here/ask.py"; }

# Write down what is broken now, so that a box which is not well can have the version that mends it.
record_failing_checks() {
    is_booted || return 0
    ask >"$OPT/ills" || true
    # What was broken and not said may be said by the newer version.
    if [ -s "$OPT/ills" ]; then say /health >>"$OPT/ills"; fi
}

# Whether the box answers, and nothing is broken that was not before.
is_healthy() {
    is_booted || return 0
    [ -z "$dry" ] || return 0
    were=$(cat "$OPT/ills" 2>/dev/null || true)
    tries=0
    while [ "$tries" -lt "$HEALTH_TRIES" ]; do
        if ills=$(ask) && ! say "$ills" | grep -vxF -e "$were" | grep -q .; then return 0; fi
        tries=$((tries + 1))
        sleep 2
    done
    return 1
}

# --- the log of events: an older version cannot read a newer one's --------------------------------

# Keep the log, or put it back, by this version's own program and as the user whose hands these are.
log() {
    [ -d "$DATA" ] || return 0
    run runuser -u tongbox -- "$OPT/versions/$2/venv/bin/python" -P -m device.store.updating "$1" "$DATA"
}

# --- the change -----------------------------------------------------------------------------------

# Change to the version just made; back by itself if that is worse.
change_version() {
    old=$(current)
    if [ "$old" = "$version" ] || [ -z "$old" ]; then
        run rm -f "$OPT/ills"
        place_files "$version"
        is_healthy || refuse "The box does not answer as it should. Type: journalctl -u tongbox -n 50"
    else
        run record_failing_checks
        run cp "$here/tongbox-update.service" "$UPDATE_UNIT.new"
        run sync # before its name leads to it: a unit cut short would finish nothing
        run mv -T "$UPDATE_UNIT.new" "$UPDATE_UNIT"
        service daemon-reload
        if command -v systemctl >/dev/null; then run systemctl enable --quiet tongbox-update; fi
        run rm -f "$OPT/said"
        point updater "versions/$version/deploy"
        run sync
        say "Changing to version $version. From here on the box goes on by itself, whatever is cut off ..."
        # Between the link and what is started for it, the session may be lost as well.
        service_in_a_minute start tongbox-update
        point trying "versions/$version"
        run sync
        finish
        [ -n "$dry" ] || [ "$(current)" = "$version" ] || exit 1
    fi
    say "Version $version is in place."
}

# Let a change that was begun be finished, and show what was said of it. By systemd, where it runs, so
# that it does not matter whether somebody stays to look on.
finish() {
    if ! is_booted; then
        run finish_change
        return
    fi
    for _ in 1 2 3; do # it is started again by itself when it is killed; this waits for it
        run systemctl start tongbox-update || true
        is_changing || break
    done
    if [ -e "$OPT/said" ]; then cat "$OPT/said" >&2; fi
    if is_changing; then refuse "The update is not finished. Type: journalctl -u tongbox-update -n 50"; fi
}

finish_change() {
    if [ -L "$OPT/trying" ]; then try_version "$(link_target trying)"; fi
    if [ -L "$OPT/failed" ]; then roll_back "$(link_target before)" "$(link_target failed)"; fi
}

try_version() {
    if [ "$(current)" != "$1" ]; then
        service stop tongbox || true
        log keep "$1" || {
            run rm -f "$OPT/trying"
            service start tongbox
            refuse "The hands could not be copied first (is the card full?). The box is as it was."
        }
        point before "versions/$(current)"
    fi
    place_files "$1"
    if is_healthy; then
        run rm -f "$OPT/trying"
    else
        say "Version $1 does not answer as it should."
        run mv -T "$OPT/trying" "$OPT/failed"
    fi
    run sync
}

roll_back() {
    say "Going back to $1 ..."
    service stop tongbox || true
    is_back=yes
    log back "$2" || is_back=
    place_files "$1"
    [ -n "$is_back" ] ||
        refuse "The hands of before could not be put back (is the card full?). They are in $DATA/before-update."
    run rm -f "$OPT/failed"
    run sync
    if is_healthy; then
        say "The update was taken back; version $1 runs again."
    else
        say "Version $1 does not answer either. Type: journalctl -u tongbox -n 50"
    fi
}

# Finish what an earlier run began, before anything new.
finish_previous_change() {
    if is_changing; then
        say "An earlier update was cut off; it is finished first."
        finish
    fi
}

# Of older versions, the last is kept.
remove_old_versions() {
    for each in "$OPT"/versions/*; do
        case $(basename "$each") in
            "$version" | "$(current)" | "$(link_target before)") ;;
            *) if [ -d "$each" ]; then run rm -rf "$each"; fi ;;
        esac
    done
}
