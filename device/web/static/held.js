// Sends what was tapped, also while the box is away: the page keeps it, says so, and sends it when the
// box is back. Where the answer was lost, the box says where the tap led, or that nothing came of it, and
// then it is sent again. A box that was restarted does not know: it is sent again only if nothing at all
// has happened since, and else the page shows how things stand. A link waits, too.

const POLL_MS = 1500;
const MOST_FAILURES = 3; // while the box answers everything else
const UNDER_WAY = 503;
const held = document.getElementById("held");
const unsure = document.getElementById("unsure");
const away = document.getElementById("away");

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Return what the box says of its newest event; undefined where it does not answer. */
const ask = () => fetch(document.body.dataset.ask, { cache: "no-store" })
  .then((answer) => answer.json())
  .then(({ version }) => String(version), () => undefined);

/** Wait until the box answers, and say so meanwhile; return its newest version. */
async function untilBack() {
  for (;;) {
    const version = await ask();
    held.hidden = version !== undefined;
    if (held.hidden) return version;
    await pause(POLL_MS);
  }
}

class Unsure extends Error {}

/** Return a page that came as text. Throws where it broke off: browsers take even half a head for an answer. */
function parse(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  if (!parsed.getElementById("main")) throw new TypeError("the answer broke off");
  return parsed;
}

/** A name for a tap, which the box carries out once under it. */
const nameTap = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return where a tap led when the box is back, and whether it is sure to have led nowhere else. */
async function lookUp(tap, told) {
  const { heard, process, taps } = told.dataset;
  for (;;) {
    const version = await untilBack();
    try {
      const answer = await fetch(`${taps}?tap=${tap}`, { cache: "no-store" });
      if (answer.ok) {
        const found = await answer.json();
        return { address: found.address, isSure: found.process === process || version === heard };
      }
      if (answer.status !== UNDER_WAY) return { isSure: version === heard };
    } catch {
      // It is away again.
    }
    await pause(POLL_MS);
  }
}

/** Send a form; return where it leads, or else the page that answers it. Where the box is away it waits.
    Throws `Unsure` if it may have been carried out. */
async function submit(url, body) {
  const told = document.body.cloneNode(false); // before it is sent: news may come sooner than the answer
  const tap = nameTap();
  const options = { method: "POST", body, headers: { "X-Tap": tap }, credentials: "same-origin" };
  if (!away.hidden) await untilBack();
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await fetch(url, options);
      const address = answer.headers.get("X-Address");
      return address ? { address: JSON.parse(address) } : { parsed: parse(await answer.text()) };
    } catch (error) {
      const { address, isSure } = await lookUp(tap, told);
      if (address) return { address };
      if (!isSure) throw new Unsure();
      if (failures === MOST_FAILURES) throw error;
    }
  }
}

/** Show how things stand, and say that it may not be what was tapped. */
function lookAgain() {
  const page = document.querySelector("[data-shows-all]") ?? location; // what was sent is not seen on every page
  history.replaceState({ isUnsure: true }, "", page.href);
  location.reload();
}

unsure.hidden = !history.state?.isUnsure;
history.replaceState(null, "");

/** Show a page that came in answer to a form. */
function show(parsed) {
  for (const style of parsed.head.querySelectorAll("link[rel=stylesheet]")) {
    if (!document.head.querySelector(`[href="${style.getAttribute("href")}"]`)) document.head.append(style);
  }
  const { page, heard } = parsed.body.dataset;
  Object.assign(document.body.dataset, { page, heard });
  document.getElementById("main").replaceWith(parsed.getElementById("main"));
  document.querySelector("header.top").replaceWith(parsed.querySelector("header.top"));
  document.title = parsed.title;
  scrollTo(0, 0);
  document.dispatchEvent(new Event("shown")); // what was asked before says less than this
}

/** Whether two addresses are of one page, at whatever place of it. */
const isSamePage = (one, other) => one.href.split("#")[0] === other.href.split("#")[0];

/** Go to a page, also to the one that is open. */
function go(address) {
  const next = new URL(address, location.href);
  if (!isSamePage(next, location)) return location.assign(next);
  if (next.hash) location.hash = next.hash;
  location.reload();
}

/** What a form sends by this button: its method, address and fields are those of the plain form. */
function read(form, button) {
  const body = new FormData(form); // many browsers do not take the button from a second argument
  if (button?.name) body.append(button.name, button.value);
  return { method: button?.formMethod || form.method, url: button?.getAttribute("formaction") ?? form.action, body };
}

/** Leave what a form sends to the browser: its own page says best what is wrong. */
function leave(url, body) {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: url, enctype: "multipart/form-data", hidden: true });
  for (const [name, value] of body) {
    const field = form.appendChild(document.createElement("input"));
    const isFile = value instanceof File;
    Object.assign(field, { name, type: isFile ? "file" : "hidden" });
    if (!isFile) field.value = value;
    else if (value.name) field.files = listFile(value);
  }
  document.body.append(form);
  form.submit();
}

/** The list of one file that a form's field takes. */
function listFile(file) {
  const files = new DataTransfer();
  files.items.add(file);
  return files.files;
}

let isSending = false;

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (event.defaultPrevented || button === undefined) return; // an old browser tells no button
  if (form.target || form.matches("[data-swap], [data-auto], [data-native]")) return;
  const { method, url, body } = read(form, button);
  if (method !== "post") return;
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    const { address, parsed } = await submit(url, body);
    if (parsed) return show(parsed);
    await untilBack();
    go(address);
  } catch (error) {
    if (error instanceof Unsure) lookAgain();
    else leave(url, body);
  } finally {
    isSending = false;
    document.body.removeAttribute("aria-busy");
  }
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  const isPlain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || event.defaultPrevented || link.matches("svg a, [target], [download], [data-sheet], [data-close]")) return;
  const isHere = isSamePage(link, location);
  const isHeard = document.querySelector("[data-news]") && away.hidden; // news.js would say that it is away
  if (link.origin !== location.origin || isHere || isHeard) return;
  event.preventDefault();
  await untilBack();
  location.assign(link.href);
});

window.tongbox = { parse, submit, untilBack, lookAgain, Unsure, read, leave };
