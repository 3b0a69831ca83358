#!/usr/bin/env bash
# Expect: a photograph that is read with imreadWithMetadata and written with imwriteWithMetadata, untouched, looks as before.
# Happens: it lies on its side. OpenCV turns the pixels as EXIF says and hands EXIF back as it was, so the file is turned once more by whoever opens it, a quarter
#   further with each round: JPEG and PNG since 4.12, when these came, WebP since 4.13. (4.12 turns no WebP, and loses its metadata.)
# Read: OpenCV's page of imreadWithMetadata and of imread (EXIF orientation is applied unless IMREAD_IGNORE_ORIENTATION).
# Matters: who blurs a face or crops a mat, and means to save the place and time of the photograph, gets rows of tiles as columns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import sys
import cv2, numpy
from PIL import Image, ImageOps

QUARTERS = "upright", "a quarter", "two quarters", "three quarters"
pixels = numpy.full((96, 160, 3), 128, numpy.uint8)
pixels[:40, :40], pixels[:40, -40:], pixels[-40:, -40:], pixels[-40:, :40] = (230, 0, 0), (0, 230, 0), (0, 0, 230), (20, 20, 20)

def turns(path):
    """Return how far clockwise a viewer shows the photograph from where it was at first."""
    shown = numpy.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB")).astype(int)
    corners = [shown[16, 16], shown[16, -16], shown[-16, -16], shown[-16, 16]]
    return (next(number for number, colour in enumerate(corners) if colour[0] > 150) - 1) % 4  # at first red was at the upper right

print("OpenCV", cv2.__version__, "how it is shown: at first, and after one, two and three rounds")
for kind in ("jpg", "png", "webp"):
    path = f"{sys.argv[1]}/photo.{kind}"
    turned = Image.Exif()
    turned[274] = 6
    Image.fromarray(pixels).save(path, exif=turned)
    shown = [turns(path)]
    for _ in range(3):
        read, kinds, metadata = cv2.imreadWithMetadata(path, flags=cv2.IMREAD_COLOR)
        cv2.imwriteWithMetadata(path, read, kinds, metadata)
        shown.append(turns(path))
    print(kind, *(QUARTERS[number] for number in shown), sep=" | ")
END
for version in 4.12.0.88 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" numpy==2.2.6 pillow==13.0.0
  "$folder/$version/bin/python" "$folder/program" "$folder" >> "$folder/output"
done
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 4.12.0 how it is shown: at first, and after one, two and three rounds
jpg | upright | a quarter | two quarters | three quarters
png | upright | a quarter | two quarters | three quarters
webp | upright | three quarters | three quarters | three quarters
OpenCV 5.0.0 how it is shown: at first, and after one, two and three rounds
jpg | upright | a quarter | two quarters | three quarters
png | upright | a quarter | two quarters | three quarters
webp | upright | a quarter | two quarters | three quarters
END
