// The announcer: reads out a deal that has just been settled, with the phone's own voice alone, after
// a gong where somebody went out with a limit hand. Each deal once, and none that was settled before.

const HEARD = "heard"; // in this tab: the number of the settlement that was read out last
const TOUCHED = "touched"; // in this tab: nothing makes a noise before the first tap
const GONG = [[98, 0.5], [147.2, 0.3], [264.6, 0.2], [411.6, 0.1]]; // pitches and how loud: no harmonics
const GONG_S = 3;
const LATE_MS = 1500; // some browsers tell of their voices only after a while

for (const gesture of ["click", "keydown"]) {
  document.addEventListener(gesture, () => keep(TOUCHED, "yes"), { capture: true, passive: true });
}

function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing is not read to.
  }
}

function kept(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function look() {
  const aloud = document.querySelector("[data-settled]");
  if (!aloud) return;
  const settled = Number(aloud.dataset.settled);
  const heard = kept(HEARD);
  keep(HEARD, String(Math.max(settled, Number(heard))));
  if (heard === null || settled <= Number(heard) || !kept(TOUCHED)) return;
  read(aloud).catch(() => {}); // the page shows it
}

async function read({ dataset, children }) {
  const sentences = [...children].map((each) => each.textContent.trim());
  const { voice } = await import(dataset.speak);
  if (!voice()) await voices();
  const own = voice();
  if ("gong" in dataset) await gong().catch(() => {});
  if (!own) return;
  speechSynthesis.cancel();
  for (const sentence of sentences) {
    const said = new SpeechSynthesisUtterance(sentence);
    said.voice = own;
    said.lang = own.lang;
    speechSynthesis.speak(said);
  }
}

const voices = () =>
  new Promise((resolve) => {
    speechSynthesis.addEventListener("voiceschanged", resolve, { once: true });
    setTimeout(resolve, LATE_MS);
  });

/** Strike it; go on while it still sounds. */
async function gong() {
  const audio = new AudioContext();
  if (audio.state !== "running") return audio.close(); // not allowed: nor is it to sound later
  const now = audio.currentTime;
  for (const [pitch, loud] of GONG) {
    const tone = audio.createOscillator();
    const level = audio.createGain();
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(loud / 2, now);
    level.gain.exponentialRampToValueAtTime(0.001, now + GONG_S);
    tone.connect(level).connect(audio.destination);
    tone.start(now);
    tone.stop(now + GONG_S);
  }
  setTimeout(() => audio.close(), 1000 * GONG_S);
  await new Promise((resolve) => setTimeout(resolve, 500 * GONG_S));
}

new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
look();
