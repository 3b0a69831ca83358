#!/usr/bin/env bash
# Expect: OpenCV's COLOR_YUV2RGB turns a camera's Y, U and V, laid on top of each other, into the colours that FFmpeg and its own COLOR_YUV2RGB_I420 make of them.
# Happens: "YUV" is another space: that of analogue television, with other factors. A red of 204 becomes 176 with 16 green in it where the frame has the full
#   range, 171 with 28 where it has a camera's usual one. "YCrCb", with U and V exchanged, is right for the full range alone, I420 for the other alone (4.13 and 5.0.0.93).
# Read: OpenCV's page on colour conversions (names formulas for YCrCb, none for YUV), BT.601.
# Matters: who enlarges the colour planes of a webcam's or libcamera's frame himself gets dull red dragons and greenish ivory, and blames the camera.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 av==18.1.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import av, cv2, numpy

INKS = {"red": (204, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 200), "ivory": (240, 235, 215), "black": (0, 0, 0)}

def together(planes, code):
    """Return the first pixel of planes that are laid on top of each other, each as large as the first."""
    return tuple(int(value) for value in cv2.cvtColor(cv2.merge([cv2.resize(plane, (16, 16)) for plane in planes]), code)[0, 0])

print("OpenCV", cv2.__version__, "PyAV", av.__version__, "| planes Y, U, V | by FFmpeg | by OpenCV's I420 | laid together by OpenCV: YUV2RGB, YCrCb2RGB with U and V exchanged")
for title, kind in (("usual range", "yuv420p"), ("full range", "yuvj420p")):
    for name, ink in INKS.items():
        frame = av.VideoFrame.from_ndarray(numpy.full((16, 16, 3), ink, numpy.uint8), format="rgb24").reformat(format=kind)
        y, u, v = (numpy.frombuffer(plane, numpy.uint8).reshape(plane.height, plane.line_size)[:, :plane.width] for plane in frame.planes)
        i420 = cv2.cvtColor(numpy.concatenate([plane.ravel() for plane in (y, u, v)]).reshape(24, 16), cv2.COLOR_YUV2RGB_I420)
        print(title, name, ink, "|", int(y[0, 0]), int(u[0, 0]), int(v[0, 0]), "|", tuple(frame.to_ndarray(format="rgb24")[0, 0].tolist()), "|", tuple(i420[0, 0].tolist()), "|",
              together((y, u, v), cv2.COLOR_YUV2RGB), together((y, v, u), cv2.COLOR_YCrCb2RGB))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 PyAV 18.1.0 | planes Y, U, V | by FFmpeg | by OpenCV's I420 | laid together by OpenCV: YUV2RGB, YCrCb2RGB with U and V exchanged
usual range red (204, 0, 0) | 68 98 218 | (203, 0, 0) | (204, 0, 0) | (171, 28, 7) (194, 14, 15)
usual range green (0, 128, 0) | 81 91 81 | (0, 127, 0) | (1, 128, 1) | (27, 123, 6) (15, 127, 15)
usual range blue (0, 0, 200) | 36 216 114 | (0, 0, 200) | (1, 0, 201) | (20, 9, 215) (16, 16, 192)
usual range ivory (240, 235, 215) | 217 118 132 | (240, 233, 213) | (240, 235, 214) | (222, 219, 197) (223, 218, 199)
usual range black (0, 0, 0) | 16 128 128 | (0, 0, 0) | (0, 0, 0) | (16, 16, 16) (16, 16, 16)
full range red (204, 0, 0) | 61 93 229 | (202, 0, 0) | (214, 0, 0) | (176, 16, 0) (203, 1, 0)
full range green (0, 128, 0) | 75 85 74 | (0, 127, 0) | (0, 129, 0) | (13, 123, 0) (0, 128, 0)
full range blue (0, 0, 200) | 23 228 111 | (0, 0, 200) | (0, 0, 210) | (4, 0, 226) (0, 1, 200)
full range ivory (240, 235, 215) | 234 117 132 | (239, 234, 214) | (255, 255, 232) | (239, 236, 212) (240, 235, 214)
full range black (0, 0, 0) | 0 128 128 | (0, 0, 0) | (0, 0, 0) | (0, 0, 0) (0, 0, 0)
END
