#!/usr/bin/env bash
# Expect: a film that its file calls mirrored, as front cameras' may be, is shown mirrored or as recorded, but the right way up.
# Happens: OpenCV 5.0.0.93 and PyAV 18.1 (FFmpeg's angle) take left and right exchanged for half a turn: the film stands on its head. One
#   with top and bottom exchanged is left as it is. ffmpeg itself (of imageio-ffmpeg 0.8.1) shows all eight rightly.
# Read: ISO 14496-12 (the track's matrix), OpenCV's CAP_PROP_ORIENTATION_AUTO, FFmpeg's av_display_rotation_get (mirroring is not told).
# Matters: frames of a phone's film, or of the second that a live picture records, stand on their heads: the row nearest to the
#   player becomes the farthest, and every character is upside down.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 av==18.1.0 imageio-ffmpeg==0.8.1 numpy==2.4.6
"$folder/venv/bin/python" - "$folder" > "$folder/output" <<'END'
import pathlib, struct, subprocess, sys
import av, cv2, imageio_ffmpeg, numpy

WIDTH, HEIGHT = 320, 160
MATRICES = {  # a, b, c, d of the track's matrix, and where the corner of the picture comes to lie
    "as recorded": (1, 0, 0, 1, 0, 0), "a quarter": (0, 1, -1, 0, HEIGHT, 0), "half": (-1, 0, 0, -1, WIDTH, HEIGHT),
    "three quarters": (0, -1, 1, 0, 0, WIDTH), "left and right": (-1, 0, 0, 1, WIDTH, 0), "top and bottom": (1, 0, 0, -1, 0, HEIGHT),
    "along one diagonal": (0, 1, 1, 0, 0, 0), "along the other": (0, -1, -1, 0, HEIGHT, WIDTH),
}
picture = numpy.full((HEIGHT, WIDTH, 3), 120, numpy.uint8)
picture[:40, :40], picture[:40, -40:], picture[-40:, :40] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
path = pathlib.Path(sys.argv[1], "film.mp4")
with av.open(str(path), "w") as film:
    stream = film.add_stream("mpeg4", rate=10)
    stream.width, stream.height, stream.pix_fmt, stream.bit_rate = WIDTH, HEIGHT, "yuv420p", 4_000_000
    for _ in range(5):
        film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
    film.mux(stream.encode())
recorded = path.read_bytes()
place = recorded.index(b"tkhd") + 44

def corners(pixels):
    names = ""
    for row, column in ((20, 20), (20, -20), (-20, 20), (-20, -20)):
        colour = pixels[row, column].astype(int)
        names += "RGB"[colour.argmax()] if numpy.ptp(colour) > 100 else "-"
    return names

def expected(a, b, c, d, x, y):
    """Return the corners as the matrix says: a point (u, v) goes to (a u + c v + x, b u + d v + y)."""
    width, height = abs(a * WIDTH + c * HEIGHT), abs(b * WIDTH + d * HEIGHT)
    shown = {}
    for name, (u, v) in {"R": (0, 0), "G": (WIDTH, 0), "B": (0, HEIGHT), "-": (WIDTH, HEIGHT)}.items():
        shown[round((a * u + c * v + x) / width), round((b * u + d * v + y) / height)] = name
    return "".join(shown[corner] for corner in ((0, 0), (1, 0), (0, 1), (1, 1)))

print("OpenCV", cv2.__version__, "PyAV", av.__version__, "| as the matrix says, OpenCV, ffmpeg, PyAV's angle")
for name, (a, b, c, d, x, y) in MATRICES.items():
    whole = [number << 16 for number in (a, b, c, d, x, y)]
    matrix = struct.pack(">9i", whole[0], whole[1], 0, whole[2], whole[3], 0, whole[4], whole[5], 1 << 30)
    path.write_bytes(recorded[:place] + matrix + recorded[place + 36:])
    seen = cv2.VideoCapture(str(path)).read()[1][..., ::-1]
    raw = subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo",
                          "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
    own = numpy.frombuffer(raw, numpy.uint8).reshape((HEIGHT, WIDTH, 3) if a else (WIDTH, HEIGHT, 3))
    with av.open(str(path)) as film:
        angle = next(film.decode(video=0)).rotation
    wanted = expected(a, b, c, d, x, y)
    print(name, wanted, *(shown if shown == wanted else f"{shown} (wrong)" for shown in (corners(seen), corners(own))), angle, sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 PyAV 18.1.0 | as the matrix says, OpenCV, ffmpeg, PyAV's angle
as recorded | RGB- | RGB- | RGB- | 0
a quarter | BR-G | BR-G | BR-G | -90
half | -BGR | -BGR | -BGR | -180
three quarters | G-RB | G-RB | G-RB | 90
left and right | GR-B | -BGR (wrong) | GR-B | -180
top and bottom | B-RG | RGB- (wrong) | B-RG | 0
along one diagonal | RBG- | BR-G (wrong) | RBG- | -90
along the other | -GBR | G-RB (wrong) | -GBR | 90
END
