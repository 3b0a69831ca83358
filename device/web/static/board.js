// The board turns its own pages, and rings when the round's time is up: with sound only after
// somebody has tapped for it, as browsers demand, and with a frame that lights up in any case.

const PAGE_MS = 9000;
const RING_MS = 20000;
const STROKES = [0, 0.9, 1.8];
const STROKE_S = 2.4;
const TONES = [[523, 0.3], [1047, 0.18], [1568, 0.1]];

// --- the bell -------------------------------------------------------------------------------------

const button = document.getElementById("sound");
let audio = null;

function stroke(delay) {
  const begins = audio.currentTime + delay;
  for (const [pitch, loud] of TONES) {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(loud, begins);
    level.gain.exponentialRampToValueAtTime(0.001, begins + STROKE_S);
    tone.connect(level).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + STROKE_S);
  }
}

function allow() {
  try {
    audio ??= new AudioContext();
    audio.resume().catch(() => {});
    stroke(0); // so that whoever tapped hears that it works
    button.textContent = button.dataset.on;
    button.setAttribute("aria-pressed", "true");
  } catch {
    button.hidden = true; // this one makes no sound
  }
}

function ring() {
  document.body.classList.add("ringing");
  setTimeout(() => document.body.classList.remove("ringing"), RING_MS);
  if (audio?.state === "running") STROKES.forEach(stroke);
}

button.hidden = false;
button.addEventListener("click", allow);
document.addEventListener("bell", ring);

// --- size -------------------------------------------------------------------------------------------

const LARGEST = 2.2;
const SMALLEST = 1;
const STEP = 0.1;

const isWhole = (leaf) => leaf.scrollHeight <= leaf.clientHeight + 1
  && [...leaf.querySelectorAll(".player")].every((name) => name.scrollWidth <= name.clientWidth + 1);

/** Let the letters of a part be as large as they can be with every row in sight, and no name broken. */
function fill(leaf) {
  const isUpright = matchMedia("(max-width: 50rem), (max-aspect-ratio: 1/1)").matches; // the page moves
  [...leaf.children].forEach((row) => row.classList.remove("beyond"));
  leaf.classList.add("filling");
  let scale = isUpright ? SMALLEST : LARGEST;
  leaf.style.setProperty("--scale", scale);
  while (scale > SMALLEST && !isWhole(leaf)) leaf.style.setProperty("--scale", (scale -= STEP));
  leaf.classList.remove("filling");
}

// --- pages ------------------------------------------------------------------------------------------

const at = {}; // the first row of what each part shows; a part is another element after each news

/** The rows with which pages begin: each page ends before the first row that is not whole on it. */
function starts(leaf) {
  const rows = [...leaf.children];
  const found = [];
  let top = -Infinity;
  for (const [number, row] of rows.entries()) {
    const end = row.offsetTop + row.offsetHeight;
    if (end - top > leaf.clientHeight + 1) {
      top = row.offsetTop;
      found.push(number);
    }
  }
  return found;
}

function turn(leaf, by) {
  const rows = [...leaf.children];
  rows.forEach((row) => row.classList.remove("beyond"));
  const pages = starts(leaf);
  const passed = pages.filter((first) => first <= (at[leaf.dataset.leaf] ?? 0));
  const now = Math.max(0, passed.length - 1);
  const page = pages.length ? (now + by) % pages.length : 0;
  at[leaf.dataset.leaf] = pages[page] ?? 0;
  const end = pages[page + 1] ?? rows.length;
  rows.forEach((row, place) => row.classList.toggle("beyond", place < pages[page] || place >= end));
  number(leaf, page, pages.length);
}

function number(leaf, page, pages) {
  const head = leaf.parentElement.querySelector("h2");
  let shown = head.querySelector("small");
  if (pages < 2) return shown?.remove();
  shown ??= head.appendChild(document.createElement("small"));
  shown.textContent = `${page + 1} / ${pages}`;
}

const leaves = () => document.querySelectorAll("[data-leaf]");
setInterval(() => leaves().forEach((leaf) => turn(leaf, 1)), PAGE_MS);
new MutationObserver((changes) => {
  // News has put other rows there: go on with the page that was shown.
  if (changes.some((each) => [...each.addedNodes].some((node) => node.id === "parts"))) {
    draw();
  }
}).observe(document.body, { childList: true, subtree: true });
function draw() {
  leaves().forEach(fill);
  leaves().forEach((leaf) => turn(leaf, 0));
}

addEventListener("resize", draw);
document.fonts.ready.then(draw);
draw();
