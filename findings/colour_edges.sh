#!/usr/bin/env bash
# Expect: a photograph's file has the same pixels in every decoder, but for one or two levels of rounding; in two doors of one library surely.
# Happens: files store one colour for four pixels. By default FFmpeg repeats it, others blend it with its neighbours': at the edges of red strokes they are 60 levels apart. OpenCV's
#   VideoCapture repeats, its imdecode blends; Pillow 13.0 blends JPEG, WebP and AVIF but repeats HEIC (pillow-heif 1.8.1); libvips 8.18 blends JPEG and WebP alone.
# Read: libheif's page of its options (it takes the nearest as "simplest") and issue 586, AV1's issue 98 (no way is prescribed), and the planes.
# Matters: thin red and green ink on ivory is just where it differs: a network that is trained on JPEGs sees other strokes in HEICs and in a camera's stream.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 pillow==13.0.0 pillow-heif==1.8.1 av==18.1.0 pyvips==3.2.0 pyvips-binary==8.18.7 numpy==2.4.6
"$folder/venv/bin/python" - "$folder" > "$folder/output" <<'END'
import io, pathlib, sys
import av, cv2, numpy, pillow_heif, pyvips
from PIL import Image

pillow_heif.register_heif_opener()
WIDTH, HEIGHT = 320, 240
tile = numpy.full((HEIGHT, WIDTH, 3), (240, 235, 215), numpy.uint8)
for number in range(20):
    cv2.line(tile, (10 + 15 * number, 20), (20 + 15 * number, 220), (204, 0, 0), 2)
path = pathlib.Path(sys.argv[1], "photo")

def open_by_ffmpeg():
    with av.open(str(path)) as file:
        return next(file.decode(video=0))

def repeat(frame):
    """Return the picture of a frame's planes, with each colour repeated for its four pixels."""
    y, u, v = (numpy.frombuffer(plane, numpy.uint8).reshape(plane.height, plane.line_size)[:, :plane.width] for plane in frame.planes)
    large_u, large_v = (numpy.kron(plane, numpy.ones((2, 2), numpy.uint8)) for plane in (u, v))
    return cv2.cvtColor(numpy.dstack([y, large_v, large_u]), cv2.COLOR_YCrCb2RGB).astype(int)

def by_video_capture(data):
    """Decode a JPEG as a webcam's film of one picture."""
    film = path.with_suffix(".avi")
    with av.open(str(film), "w") as container:
        stream = container.add_stream("mjpeg", rate=10)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuvj420p"
        packet = av.Packet(data)
        packet.stream, packet.pts, packet.dts = stream, 0, 0
        container.mux(packet)
    return cv2.VideoCapture(str(film), cv2.CAP_FFMPEG).read()[1][..., ::-1]

WAYS = {
    "Pillow": (lambda data: numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB")), "JPEG WEBP AVIF HEIF"),
    "OpenCV's imdecode": (lambda data: cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_COLOR)[..., ::-1], "JPEG WEBP AVIF"),
    "its VideoCapture": (by_video_capture, "JPEG"),
    "libvips": (lambda data: pyvips.Image.new_from_buffer(data, "").numpy()[..., :3], "JPEG WEBP AVIF"),
    "FFmpeg": (lambda data: open_by_ffmpeg().to_ndarray(format="rgb24"), "JPEG WEBP AVIF HEIF"),
}
print("OpenCV", cv2.__version__, "libvips", pyvips.version(0), pyvips.version(1), "PyAV", av.__version__, "greatest difference from FFmpeg's pixels, to the nearest ten")
for kind in ("JPEG", "WEBP", "AVIF", "HEIF"):
    file = io.BytesIO()
    Image.fromarray(tile).save(file, kind, quality=95)
    path.write_bytes(file.getvalue())
    frame = open_by_ffmpeg()
    wanted = frame.to_ndarray(format="rgb24").astype(int)
    if kind == "JPEG":
        print("FFmpeg repeats a JPEG's colours:", bool(abs(repeat(frame) - wanted).max() < 5))
    print(kind, *(f"{name} {10 * round(int(abs(way(file.getvalue()) - wanted).max()) / 10)}" for name, (way, kinds) in WAYS.items() if kind in kinds.split()), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 libvips 8 18 PyAV 18.1.0 greatest difference from FFmpeg's pixels, to the nearest ten
FFmpeg repeats a JPEG's colours: True
JPEG | Pillow 60 | OpenCV's imdecode 60 | its VideoCapture 0 | libvips 60 | FFmpeg 0
WEBP | Pillow 50 | OpenCV's imdecode 50 | libvips 50 | FFmpeg 0
AVIF | Pillow 60 | OpenCV's imdecode 60 | libvips 0 | FFmpeg 0
HEIF | Pillow 0 | FFmpeg 0
END
