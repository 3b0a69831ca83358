#!/usr/bin/env bash
# Expect: the picture that Pillow opens of a HEIC is frame 0, so going through its frames begins with it.
# Happens: with pillow-heif 1.8.1 the file opens at its primary picture, wherever that stands; `seek(0)` and `ImageSequence` then show another one.
# Read: Pillow's pages on sequences (a file opens at its first frame) and pillow-heif's on the primary image.
# Matters: of a burst the phone shows the photograph that its owner chose; a program that walks frames, or seeks back, reads another hand.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pillow-heif==1.8.1 pillow==13.0.0
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import io
from PIL import Image, ImageSequence
import pillow_heif

pillow_heif.register_heif_opener()
burst = pillow_heif.HeifFile()
for width in (64, 96, 128):
    burst.add_from_pillow(Image.new("RGB", (width, 48), "white"))
file = io.BytesIO()
burst.save(file, primary_index=1)
image = Image.open(file)
print("opened:", image.size, "frame", image.tell(), "of", image.n_frames)
print("frames:", *(frame.size for frame in ImageSequence.Iterator(Image.open(file))))
image.seek(0)
print("after seek(0):", image.size)
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
opened: (96, 48) frame 1 of 3
frames: (64, 48) (96, 48) (128, 48)
after seek(0): (64, 48)
END
