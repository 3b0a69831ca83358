// Keeps the screen on while a phone at the table waits for the others, where the browser lets a page:
// over HTTPS alone. A phone that is put aside lets it go by itself.

const WAITING = ["table", "capture", "winner", "which", "whole", "hand", "settle"];

let lock = null;
let asked = false;

const waits = () => document.querySelector("[data-news]") && WAITING.includes(document.body.dataset.page);

async function keep() {
  if (asked || document.hidden || document.body.dataset.page === "waiting") return; // for a moment
  asked = true;
  try {
    if (!waits()) await lock?.release();
    else if (!lock || lock.released) lock = await navigator.wakeLock?.request("screen");
  } catch {
    // The battery is low, or the browser will not: then the screen goes dark as ever.
  } finally {
    asked = false;
  }
}

document.addEventListener("visibilitychange", keep);
new MutationObserver(keep).observe(document.body, { attributeFilter: ["data-page"] });
keep();
