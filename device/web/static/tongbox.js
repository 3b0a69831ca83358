// Makes the page quicker to the touch. Every form and link works without it: what it does is to
// send them in the background and to swap in the parts of the answer that have changed.

const { parse, submit, untilBack, lookAgain, Unsure, read, leave } = window.tongbox; // held.js; else forms stay plain

const POLL_MS = 350;
const MAX_UPLOAD = 25 * 2 ** 20;

document.documentElement.classList.add("scripted");

const page = () => document.body.dataset.page;
const sheet = document.getElementById("sheet");

// --- fetching and swapping -------------------------------------------------------------------

async function fetchPage(url) {
  const answer = await fetch(url, { credentials: "same-origin" });
  return { answer, parsed: parse(await answer.text()) };
}

/** Fetch the page that a tap led to; where the box is away by now, it is loaded when that is back. */
const follow = (address) => fetchPage(address).catch(async () => {
  await untilBack();
  location.assign(address);
  return new Promise(() => {});
});

/** Take over what a freshly rendered page shows, leaving alone what has not changed. */
function swap(parsed) {
  if (parsed.body.dataset.page !== page() || page() === "sheet") {
    document.body.dataset.page = parsed.body.dataset.page;
    document.getElementById("main").replaceWith(parsed.getElementById("main"));
    document.querySelector("header.top").replaceWith(parsed.querySelector("header.top"));
  } else {
    parsed.querySelectorAll("[data-live]").forEach(swapPart);
  }
  document.title = parsed.title;
  document.body.dataset.heard = parsed.body.dataset.heard;
  const news = parsed.getElementById("announce").textContent.trim();
  const announce = document.getElementById("announce");
  if (announce.textContent !== news) announce.textContent = news;
  showPhoto();
}

function swapPart(fresh) {
  const old = document.getElementById(fresh.id);
  if (!old || "keep" in old.dataset || old.innerHTML === fresh.innerHTML) return;
  const focused = old.contains(document.activeElement) ? address(document.activeElement) : null;
  old.replaceWith(fresh);
  if (focused) fresh.querySelector(focused)?.focus({ preventScroll: true });
}

/** A selector that finds the same control again after its part of the page was replaced. */
function address(element) {
  const parts = ["name", "value", "href", "aria-label"]
    .filter((name) => element.getAttribute(name))
    .map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`);
  return element.localName + parts.join("");
}

let changes = 0; // of what this phone shows, by its own taps: each counts when it is sent, and when its page is there

async function post(url, fields, show = swap) {
  const turn = ++changes;
  document.body.setAttribute("aria-busy", "true");
  try {
    const sent = await submit(url, fields);
    const { parsed } = sent.address ? await follow(sent.address) : sent;
    if (turn !== changes) return; // a later tap has overtaken this one, and its page says more
    changes += 1;
    const isSheet = parsed.body.dataset.page === "error" || (sheet.open && parsed.body.dataset.page === "sheet");
    // A refusal or the next question: the page behind it is looked at again when that closes.
    if (isSheet) return (missed = true), showSheet(parsed);
    if (sheet.open) sheet.close();
    show(parsed);
  } catch (error) {
    if (error instanceof Unsure) lookAgain();
    else leave(url, fields);
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

/** Take back what stays chosen for one tap alone: the next set has no wild tiles unless they say so. */
function choiceIsUsed(form) {
  form.querySelectorAll("[data-once] input").forEach((input) => (input.checked = input.value === ""));
}

const TELLS_BUTTON = "SubmitEvent" in window && "submitter" in SubmitEvent.prototype;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-swap], [data-auto]")) return;
  if (!TELLS_BUTTON) return; // the browser itself knows which button it was
  const { method, url, body } = read(form, event.submitter);
  if (method !== "post") return;
  event.preventDefault();
  if (form.dataset.swap === "alone" && document.body.hasAttribute("aria-busy")) return; // tapped twice
  choiceIsUsed(form); // at once: the next tap may be quicker than the answer
  post(url, body);
});

// --- the situation: each answer is sent as it is given ----------------------------------------

function answer(input, value) {
  const fields = new FormData();
  for (const field of input.form.elements) {
    // What the form says besides, as whose seat it is; not the "no" that stands behind a switch.
    const alone = field.type === "hidden" && input.form.elements[field.name] === field;
    if (alone) fields.set(field.name, field.value);
  }
  fields.set(input.name, value);
  post(input.form.action, fields);
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest("form[data-auto]")) return;
  const unticked = target.type === "checkbox" && !target.checked;
  answer(target, unticked ? "no" : target.value);
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("form[data-auto] select")) answer(target, target.value);
});

// --- this phone: a choice is seen as soon as it is made -----------------------------------------

/** Take over the look that the phone now has, then the words. */
function showLook(parsed) {
  for (const { name, value } of parsed.documentElement.attributes) document.documentElement.setAttribute(name, value);
  document.head.querySelectorAll("[data-look]").forEach((each) => each.remove());
  document.head.append(...parsed.head.querySelectorAll("[data-look]"));
  const besideMain = "body > :is(.skip, header, .away)", fresh = parsed.querySelectorAll(besideMain);
  document.querySelectorAll(besideMain).forEach((each, n) => (each.innerHTML = fresh[n].innerHTML));
  swap(parsed);
}

document.addEventListener("change", ({ target }) => {
  const form = target.closest("form[data-look]");
  if (form) post(form.action, read(form).body, showLook);
});

// --- sheets -----------------------------------------------------------------------------------

function showSheet(parsed) {
  sheet.replaceChildren(...parsed.getElementById("main").children);
  if (!sheet.open) sheet.showModal();
  sheet.querySelector("[autofocus]")?.focus();
  sheet.scrollTop = 0;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-sheet]");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const url = link.href.baseVal ?? link.href;
    try {
      showSheet((await fetchPage(url)).parsed);
    } catch {
      await untilBack();
      location.href = url;
    }
  }
  if (event.target === sheet || (sheet.open && event.target.closest("[data-close]"))) {
    event.preventDefault();
    sheet.close();
  }
});

// --- watching a hand being read ----------------------------------------------------------------

let watching = false;

async function watch() {
  if (watching) return;
  watching = true;
  while (document.querySelector("[data-busy]")) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (document.hidden) continue;
    await look().catch(() => {}); // also while the box or the network is away for a moment
  }
  watching = false;
}

// --- news from the box: somebody has done something (news.js) ------------------------------------

let missed = false; // while a sheet was open

/** Open in a page what is open on this phone: another's news folds nothing away. */
function keepOpen(parsed) {
  if (parsed.body.dataset.page !== page()) return;
  const summaries = (root) => [...root.querySelectorAll("[data-live] summary")];
  const seen = summaries(document).filter((each) => each.parentElement.open);
  const opened = new Set(seen.map((each) => each.textContent));
  for (const each of summaries(parsed)) {
    if (opened.has(each.textContent)) each.parentElement.open = true;
  }
}

let looks = 0;
let newest = 0; // of the looks whose page is shown

/** Show what is there now. The box may be away: news.js says so. */
async function look() {
  const [turn, before] = [++looks, changes];
  const from = document.querySelector("[data-news]")?.dataset.news || location.href;
  const { answer, parsed } = await fetchPage(from);
  missed = sheet.open;
  if (sheet.open || turn < newest) return;
  // This phone has done something itself meanwhile, and this is what was true then, or another page.
  if (before !== changes) return look();
  const isBusy = document.querySelector("[data-busy]");
  if (parsed.body.dataset.page === "error" && !isBusy) return; // what is to be seen says more
  newest = turn;
  if (answer.redirected) history.replaceState(null, "", answer.url);
  keepOpen(parsed);
  swap(parsed);
  watch();
}

document.addEventListener("news", () => look().catch(() => {}));
document.addEventListener("shown", () => (changes += 1)); // held.js

sheet.addEventListener("close", () => {
  if (missed) document.dispatchEvent(new Event("news"));
});

// --- taking a photo ----------------------------------------------------------------------------

function refuse(sentence) {
  const alert = document.getElementById("alert");
  alert.textContent = sentence;
  alert.hidden = false;
  alert.scrollIntoView({ block: "center" });
}

/** Show the chosen photo at once, on the page where its reading will be watched. */
function preview(file) {
  const card = document.getElementById("preview").content.cloneNode(true);
  const image = card.querySelector("img");
  image.addEventListener("error", () => image.remove()); // HEIC, where the browser has none
  image.src = URL.createObjectURL(file);
  const main = document.getElementById("main");
  const before = [...main.children];
  before.forEach((child) => (child.hidden = true));
  main.append(card);
  return () => {
    main.lastElementChild.remove();
    before.forEach((child) => (child.hidden = false));
  };
}

document.addEventListener("change", async (event) => {
  const form = event.target.closest("form[data-upload]");
  const file = event.target.files?.[0];
  if (!form || !file) return;
  const restore = preview(file);
  const fields = new FormData(form);
  const { shrink, tooLarge, offline } = form.dataset;
  try {
    const sent = shrink ? await import(shrink).then((by) => by.shrunk(file), () => file) : file;
    if (sent.size > MAX_UPLOAD) return restore(), refuse(tooLarge);
    fields.set("photo", sent);
    const { address, parsed: refusal } = await submit(form.action, fields);
    if (refusal) return restore(), refuse(refusal.querySelector("main [role=alert]").textContent);
    const { answer, parsed } = await follow(address);
    changes += 1; // what the page asked before, for news of another phone, says less than this
    history.pushState(null, "", answer.url);
    swap(parsed);
    watch();
  } catch (error) {
    if (error instanceof Unsure) return lookAgain();
    restore();
    refuse(offline);
  } finally {
    form.reset();
  }
});

window.addEventListener("popstate", () => location.reload());

// --- the photo's boxes -------------------------------------------------------------------------

function showPhoto() {
  const boxes = document.querySelector("[data-boxes]");
  document.getElementById("overlay")?.classList.toggle("hidden", boxes ? !boxes.checked : false);
  const figure = document.querySelector("figure[data-close-up]");
  const whole = document.querySelector("[data-whole-photo]")?.checked;
  const window = whole ? figure?.dataset.whole : figure?.dataset.closeUp;
  figure?.querySelectorAll("svg").forEach((svg) => svg.setAttribute("viewBox", window));
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-boxes], [data-whole-photo]")) showPhoto();
});

window.tongbox.swap = swap; // tapped.js

watch();
