// Reads tiles aloud, with the phone's own voices alone: a voice that is not on the phone would send
// the words away, so it is never used. Nothing is said before somebody taps.

const speech = window.speechSynthesis;
const language = document.documentElement.lang;
const NEAR = { en: ["en-GB"], fr: ["fr-FR"], zh: ["zh-HK", "zh-TW", "zh-Hant"] };

let voices = speech ? speech.getVoices() : [];
speech?.addEventListener?.("voiceschanged", () => (voices = speech.getVoices()));
if (speech) document.documentElement.classList.add("speaks");

const tongue = (name) => name.toLowerCase().replace("_", "-").split("-")[0];

/** The voice on this phone that speaks the page's language, the nearest first; none if there is none. */
export function voice() {
  if (!voices.length) voices = speech.getVoices();
  const near = NEAR[tongue(language)] ?? [];
  const rank = (each) => {
    const place = near.indexOf(each.lang.replace("_", "-"));
    return place < 0 ? near.length : place;
  };
  return voices
    .filter((each) => each.localService === true && tongue(each.lang) === tongue(language))
    .sort((a, b) => rank(a) - rank(b))[0];
}

let turn = 0;

function stop() {
  turn += 1;
  speech?.cancel();
  document.querySelectorAll(".speaking").forEach((each) => each.classList.remove("speaking"));
  const all = document.querySelector("[data-read-all][data-start]");
  if (all) {
    all.textContent = all.dataset.start;
    delete all.dataset.start;
  }
}

const plain = (element) => element.textContent.replace(/\s+/g, " ").trim().replace(/[.。]$/, "");
const name = (face) => plain(face.querySelector("summary .name"));

/** A face's name, and unless it is to be short what it means. */
const words = (face, short) =>
  [name(face), ...(short ? [] : [...face.querySelectorAll(".meant li")].map(plain))].join(". ");

/** Say these, one after the other; a face that is being spoken of is marked. */
function say(faces, short = false) {
  stop();
  const own = speech && voice();
  document.getElementById("no-voice").hidden = Boolean(own);
  if (!own) return;
  const mine = turn;
  faces.forEach((face, place) => {
    const said = new SpeechSynthesisUtterance(words(face, short));
    said.voice = own;
    said.lang = own.lang;
    said.onstart = () => mine === turn && face.classList.add("speaking");
    said.onend = () => {
      face.classList.remove("speaking");
      if (mine === turn && place === faces.length - 1) stop();
    };
    speech.speak(said);
  });
}

document.addEventListener("click", (event) => {
  const summary = event.target.closest("details.face > summary");
  if (summary) {
    const face = summary.parentElement;
    if (face.open) stop(); // this tap closes it
    else say([face]);
  }
  const tile = event.target.closest("[data-say]");
  const face = tile && document.getElementById(tile.dataset.say);
  if (face) {
    event.preventDefault();
    const speaking = face.classList.contains("speaking");
    face.open = true;
    face.scrollIntoView({ block: "nearest" });
    face.querySelector("summary").focus({ preventScroll: true });
    if (speaking) stop();
    else say([face]);
  }
  const all = event.target.closest("[data-read-all]");
  if (all && all.dataset.start) stop();
  else if (all) {
    say([...document.querySelectorAll("details.face")], true);
    if (speech && voice()) {
      all.dataset.start = all.textContent;
      all.textContent = all.dataset.stop;
    }
  }
});

window.addEventListener("pagehide", stop);
document.addEventListener("visibilitychange", () => document.hidden && stop());
