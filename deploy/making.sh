# shellcheck shell=sh
# shellcheck disable=SC2034,SC2153,SC2154 # what is set here is used there, and the other way round
# A version in a folder of its own: part of lib.sh.

# The system's numpy, if it has one.
numpy_version() { "$PYTHON" -c 'import numpy; print(numpy.__version__)' 2>/dev/null || true; }

# The version's number, and the beginning of a hash of all that it is made of.
name_version() {
    (
        cd "$SOURCE" || exit
        number=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
        hash=$(find scorer vision device models deploy pyproject.toml requirements.lock \
            -type f ! -path '*/__pycache__/*' ! -path 'models/train/*' -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum | { cat; numpy_version; } | sha256sum | cut -c 1-12)
        say "$number-$hash"
    )
}

# The lock with its hashes, but for numpy: the system's own stays, for with another its picamera2 breaks.
# OpenCV after 4.11 needs numpy 2. A system without numpy has no picamera2 either.
write_lock() {
    case $(numpy_version) in
        '') dropped=nothing added=/dev/null ;;
        1.*) dropped='numpy|opencv-python-headless' added=$here/bookworm.lock ;;
        *) dropped=numpy added=/dev/null ;;
    esac
    awk -v dropped="^($dropped)==" '/^[^ #]/ { kept = $0 !~ dropped } kept' \
        "$SOURCE/requirements.lock" >"$1"
    cat "$added" >>"$1"
}

# A virtual environment with pip in it: the system's own, or the bundle's where that has none.
make_environment() {
    if is_bundled; then
        run "$PYTHON" -m venv --system-site-packages --without-pip "$1"
        for wheel in "$WHEELS"/pip-*.whl; do
            run "$1/bin/python" "$wheel/pip" install --quiet --no-index "$wheel"
        done
    else
        run "$PYTHON" -m venv --system-site-packages "$1"
    fi
}

# All that is installed is on the lock; the project itself is then built of it, without a look-up.
fill_version() {
    pip=$1/venv/bin/pip lock=$1/requirements.lock
    if is_bundled; then set -- --no-index --find-links "$WHEELS"; else set --; fi
    run "$pip" install --quiet --disable-pip-version-check --no-cache-dir --ignore-installed \
        --no-deps --only-binary :all: --require-hashes "$@" --requirement "$lock"
    run "$pip" install --quiet --disable-pip-version-check --no-cache-dir \
        --no-deps --no-build-isolation --no-index "$SOURCE"
}

# Letters for papers: a system that asks no network may have no font with them.
add_fonts() {
    for font in "$BUNDLE"/fonts/*.tt[cf]; do
        if [ -e "$font" ]; then
            run mkdir -p "$1/share/fonts"
            run cp "$font" "$1/share/fonts/"
        fi
    done
}

# Of what the system's own packages lack, nothing is said here.
check_needs() {
    names=$(sed -n 's/^\([a-z0-9-]*\)==.*/\1|/p' "$1/requirements.lock" | tr -d '\n')
    if "$1/venv/bin/pip" --disable-pip-version-check check | grep -E "^(${names}tongbox) " >&2; then
        refuse "The locked packages do not fit together here. Nothing was changed."
    fi
}

check_imports() {
    "$1" -c 'import cv2, flask, numpy, onnxruntime, PIL, pillow_heif, reportlab, segno, waitress, xlsxwriter, device.commands.serve' ||
        refuse "What was just installed does not work together. Nothing was changed."
    if "$PYTHON" -c 'import picamera2' 2>/dev/null; then
        "$1" -c 'import picamera2' ||
            refuse "The camera library does not work beside Tongbox's packages. Nothing was changed."
    fi
}

# Make the version of this source, unless it is there; a half-made one is made again.
make_version() {
    version=$(name_version)
    new=$OPT/versions/$version
    if [ -e "$new/whole" ]; then
        say "Version $version is already there."
        return
    fi
    say "Making version $version ..."
    run rm -rf "$new"
    run mkdir -p "$new"
    make_environment "$new/venv"
    run write_lock "$new/requirements.lock"
    fill_version "$new"
    if is_bundled; then add_fonts "$new/venv"; fi
    run check_needs "$new"
    run check_imports "$new/venv/bin/python"
    run cp -R "$here" "$new/deploy"
    run sync # all of it, before anything says that it is whole
    run touch "$new/whole"
}
