// Keeps every phone's page true: the box says that something has happened, and the page is told to
// look again. A lost message is harmless, for each says no more than that.

const POLL_MS = 2000;
const PASSING_MS = 1500;
const UNDER_WAY_MS = 3000;
const { listen, ask } = document.body.dataset;
const away = document.getElementById("away");
const off = document.getElementById("off");
const lost = document.getElementById("lost");
const isLive = () => document.querySelector("[data-news]") && !document.hidden;

let heard = null;

/** Nothing is heard any more: who was told that the box was switched off knows why. */
function lose() {
  away.hidden = !off.hidden;
  lost.hidden = true;
  heard = ""; // the page may have been told of something that it could not fetch any more
}

function hearOff() {
  off.hidden = false;
  away.hidden = lost.hidden = true;
}

/** The box is there, but not what keeps the scores. */
function hearLost() {
  lost.hidden = false;
  away.hidden = off.hidden = true;
}

function hear(version) {
  away.hidden = off.hidden = lost.hidden = true;
  const isNew = heard !== null && version !== heard;
  heard = version;
  if (isNew && isLive()) document.dispatchEvent(new Event("news"));
}

async function look() {
  try {
    const said = await (await fetch(ask)).json();
    if (said.off) hearOff();
    else if (said.lost) hearLost();
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
  events.addEventListener("off", hearOff);
  events.addEventListener("lost", hearLost);
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) poll(); // refused: it does not try again by itself
    else lose();
  });
}

// A phone that was asleep may have missed what was said.
document.addEventListener("visibilitychange", () => {
  if (isLive()) document.dispatchEvent(new Event("news"));
});

// The system, which installs a newer version, sends no news of how far it is.
setInterval(() => {
  if (isLive() && document.querySelector("[data-under-way]")) document.dispatchEvent(new Event("news"));
}, UNDER_WAY_MS);

/** Listen where a phone stays: each page listens anew, and a phone has few places to listen from.
    A question that is tapped through only looks what is the newest, to hear later what came since. */
async function begin() {
  if (!document.querySelector("[data-live]")) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, PASSING_MS));
  }
  attend();
}

if (isLive()) begin();

// The way back may lead to a page as it once was: a question is asked anew, with what is said now.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[data-fresh]")) location.reload();
});
