// Tells who looks elsewhere, by a short sound and a buzz, that a hand has been read, that all four
// are agreed, and that a practice deal is over. Never before the first tap: browsers forbid it, and so do players.

const CUES = {
  read: { notes: [880], buzz: [60] },
  agreed: { notes: [659, 880, 1109], buzz: [60, 80, 60] },
};
const NOTE_S = 0.13;
const LOUD = 0.12;
const TOUCHED = "touched"; // in this tab, on whichever page: some browsers let the next page sound, too

let audio = null;

const MAY_COME = "[data-stage], [data-upload], [data-camera], [data-busy]";

/** Some phones let a page sound only if it began to in answer to a tap. */
function touched() {
  try {
    sessionStorage.setItem(TOUCHED, "yes");
    if (!document.querySelector(MAY_COME)) return;
    audio ??= new AudioContext();
    audio.resume().catch(() => {});
  } catch {
    // This phone makes no sound, or keeps nothing.
  }
}
for (const gesture of ["click", "keydown"]) {
  document.addEventListener(gesture, touched, { capture: true, passive: true });
}

function give(cue) {
  try {
    if (!sessionStorage.getItem(TOUCHED)) return;
    audio ??= new AudioContext();
    if (audio.state === "running") cue.notes.forEach(sound);
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(cue.buzz);
  } catch {
    // The page shows it.
  }
}

function sound(pitch, place) {
  const begins = audio.currentTime + place * NOTE_S;
  const tone = audio.createOscillator();
  const level = audio.createGain();
  tone.frequency.value = pitch;
  level.gain.setValueAtTime(LOUD, begins);
  level.gain.exponentialRampToValueAtTime(0.001, begins + 2 * NOTE_S);
  tone.connect(level).connect(audio.destination);
  tone.start(begins);
  tone.stop(begins + 2 * NOTE_S);
}

// What the page shows is what has happened: its script swaps in what the box says.
const shown = () => ({
  page: document.body.dataset.page,
  stage: document.querySelector("[data-stage]")?.dataset.stage,
});
let before = shown();

function look() {
  const now = shown();
  const hasTiles = document.querySelector("[data-tile]");
  if (now.page === "hand" && before.page !== "hand" && hasTiles) give(CUES.read);
  if (now.stage === "settle" && before.stage === "hands") give(CUES.agreed);
  if (now.stage === "over" && before.stage === "") give(CUES.agreed); // a practice deal
  before = now;
}

new MutationObserver(look).observe(document.body, {
  attributeFilter: ["data-page"],
  childList: true,
  subtree: true,
});
