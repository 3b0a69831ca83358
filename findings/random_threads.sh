#!/usr/bin/env bash
# Expect: cv2.setRNGSeed seeds OpenCV's chance; noise that several threads draw differs between them.
# Happens: every thread has a generator of its own, which begins at one constant: all threads draw the same "noise", and a seed holds only
#   in the thread that set it (4.13 and 5.0.0.93). k-means in a fresh thread finds the same clusters whatever the seed.
# Read: OpenCV's pages of setRNGSeed ("sets state of default random number generator"), theRNG (per thread, for C++) and randu.
# Matters: drawn tiles for training, spoilt by OpenCV's noise in a pool of threads, all have the same speckles; the network learns these.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import threading
import cv2, numpy

def draw():
    return cv2.randu(numpy.empty((1, 4), numpy.int16), 0, 1000).ravel().tolist()

def cluster():
    points = numpy.random.default_rng(1).random((300, 2), numpy.float32)
    return cv2.kmeans(points, 5, None, (cv2.TERM_CRITERIA_COUNT, 50, 0), 1, cv2.KMEANS_RANDOM_CENTERS)[0]

def in_fresh_thread(work):
    answers = []
    thread = threading.Thread(target=lambda: answers.append(work()))
    thread.start()
    thread.join()
    return answers[0]

print(cv2.__version__)
for seed in (1, 2, 3):
    cv2.setRNGSeed(seed)
    print("seed", seed, "| here", draw(), "| two fresh threads", in_fresh_thread(draw), in_fresh_thread(draw))
for work, place in ((lambda: cluster(), "here"), (lambda: in_fresh_thread(cluster), "in fresh threads")):
    spreads = set()
    for seed in range(20):
        cv2.setRNGSeed(seed)
        spreads.add(round(work(), 3))
    print("k-means after twenty seeds", place, "| several answers:", len(spreads) > 1)
END
for version in 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" numpy==2.4.6
  "$folder/$version/bin/python" "$folder/program" >> "$folder/output"
done
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
4.13.0
seed 1 | here [690, 292, 749, 119] | two fresh threads [606, 397, 839, 629] [606, 397, 839, 629]
seed 2 | here [84, 585, 498, 238] | two fresh threads [606, 397, 839, 629] [606, 397, 839, 629]
seed 3 | here [478, 878, 951, 358] | two fresh threads [606, 397, 839, 629] [606, 397, 839, 629]
k-means after twenty seeds here | several answers: True
k-means after twenty seeds in fresh threads | several answers: False
5.0.0
seed 1 | here [690, 292, 749, 119] | two fresh threads [606, 397, 839, 629] [606, 397, 839, 629]
seed 2 | here [84, 585, 498, 238] | two fresh threads [606, 397, 839, 629] [606, 397, 839, 629]
seed 3 | here [478, 878, 951, 358] | two fresh threads [606, 397, 839, 629] [606, 397, 839, 629]
k-means after twenty seeds here | several answers: True
k-means after twenty seeds in fresh threads | several answers: False
END
