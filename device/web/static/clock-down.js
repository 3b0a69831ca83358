// Shows a round's clock as it runs down. The box says what is left when it makes the page, and this
// phone counts from there: what time it has itself is of no matter.

const STEP_MS = 250;
let shown = null;
let since = 0;

function said(seconds) {
  const left = Math.abs(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return `${seconds < 0 ? "\u2212" : ""}${hours ? `${hours}:` : ""}${rest}`;
}

function tick() {
  const clock = document.querySelector("[data-left]");
  if (clock !== shown) {
    shown = clock;
    since = performance.now();
  }
  if (!clock) return;
  const passed = clock.dataset.running === "yes" ? (performance.now() - since) / 1000 : 0;
  const left = Math.ceil(Number(clock.dataset.left) - passed);
  const text = said(left);
  if (clock.textContent.trim() !== text) clock.textContent = text;
  const over = left <= 0;
  if (over !== clock.classList.contains("over")) {
    clock.classList.toggle("over", over);
    // What was over already when the page came rings nothing: the bell has rung.
    if (over && Number(clock.dataset.left) > 0) document.dispatchEvent(new Event("bell"));
  }
}

setInterval(tick, STEP_MS);
tick();
