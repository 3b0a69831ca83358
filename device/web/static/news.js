// Keeps every phone's page true: the box says that something has happened, and the page is told to
// look again. A lost message is harmless, for each says no more than that.

const POLL_MS = 2000;
const PASSING_MS = 1500;
const UNDER_WAY_MS = 3000;
const RESTART_MS = 3 * 60 * 1000;
const { listen, ask } = document.body.dataset;
const away = document.getElementById("away");
// What the box says of itself: it is switched off, restarts with a backup, or cannot reach what keeps the scores.
const states = ["off", "restart", "lost"].map((state) => document.getElementById(state));
const isSaid = (state) => !document.getElementById(state).hidden;
const isLive = () => document.querySelector("[data-news]") && !document.hidden;

// What the page surely shows; empty if something happened while it was drawn.
let { heard } = document.body.dataset;
let hasBegun = false;

// When the page began to say that the box is restoring or updating itself: it goes away for a while.
let expectedSince = 0;

function isExpected() {
  if (!isSaid("restart") && !document.querySelector("[data-under-way]")) expectedSince = 0;
  else expectedSince ||= Date.now();
  return expectedSince > 0 && Date.now() - expectedSince < RESTART_MS;
}

/** Nothing is heard any more: who was told that the box was switched off, or restarts, knows why. */
function lose() {
  const isKnown = isSaid("off") || isExpected();
  if (!isKnown) hearState("");
  away.hidden = isKnown;
  heard = ""; // the page may not have had time to fetch what it was last told of
}

function hearState(state) {
  for (const line of states) line.hidden = line.id !== state;
  away.hidden = true;
  isExpected(); // the time counts from here
}

function hear(version) {
  hearState("");
  const isNew = version !== heard;
  heard = document.body.dataset.heard = version;
  if (isNew && isLive()) document.dispatchEvent(new Event("news"));
}

async function look() {
  try {
    const said = await (await fetch(ask)).json();
    if (said.state) hearState(said.state);
    else hear(String(said.version));
  } catch {
    lose();
  }
}

/** Ask every other second, where the box has too many listeners already. */
async function poll() {
  for (;;) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function attend() {
  const events = new EventSource(listen);
  events.addEventListener("message", (event) => hear(event.data));
  for (const { id } of states) events.addEventListener(id, () => hearState(id));
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) poll(); // refused: it does not try again by itself
    else lose();
  });
}

// A phone that was asleep may have missed what was said; a page that was opened unseen listens from now on.
document.addEventListener("visibilitychange", () => {
  if (!isLive()) return;
  document.dispatchEvent(new Event("news"));
  begin();
});

// The system, which installs a newer version, sends no news of how far it is.
setInterval(() => {
  if (isLive() && document.querySelector("[data-under-way]")) document.dispatchEvent(new Event("news"));
}, UNDER_WAY_MS);

/** Listen where a phone stays: each page listens anew, and a phone has few places to listen from.
    At a question that is tapped through it waits. What came meanwhile is heard then: it knows what it shows. */
async function begin() {
  if (hasBegun) return;
  hasBegun = true;
  if (!document.querySelector("[data-live]")) await new Promise((resolve) => setTimeout(resolve, PASSING_MS));
  attend();
}

if (isLive()) begin();

// The way back may lead to a page as it once was: a question is asked anew, with what is said now.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-fresh]")) location.reload();
});
