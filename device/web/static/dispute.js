// Ties the lines of a score to the tiles in the photo, both ways. Without it the links jump there.

const main = document.getElementById("main");

/** What is scrolled to stops below the photo, which stays at the top of a narrow screen. */
const photo = document.getElementById("photo");
if (photo) {
  const measure = () => main.style.setProperty("--stuck", `${photo.offsetHeight}px`);
  new ResizeObserver(measure).observe(photo);
}

const folds = () => [...document.querySelectorAll("details.line")];

/** Open what a link points to: a line, or a tile's entry; the others of its group close. */
function open(target) {
  const fold = document.getElementById(target)?.closest("details");
  if (!fold) return;
  fold.open = true;
  const { top, bottom } = fold.getBoundingClientRect();
  const stuck = parseFloat(getComputedStyle(fold).scrollMarginTop);
  if (top < stuck || bottom > innerHeight) fold.scrollIntoView({ block: "start" });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-open]");
  if (!link) return;
  event.preventDefault();
  open((link.href.baseVal ?? link.getAttribute("href")).split("#")[1]);
});

/** A tile's entry marks the lines that used it; tongbox.js makes the boxes bright. */
document.addEventListener(
  "toggle",
  () => {
    const tile = document.querySelector("details.tile-of[open]")?.dataset.tiles;
    folds().forEach((fold) => {
      const uses = fold.matches(".award") && fold.dataset.tiles.split(" ").includes(tile);
      fold.classList.toggle("used", uses);
    });
  },
  true,
);

// --- what if: the answer is fetched and stands where the question was asked --------------------

const ANSWERS = ["what-if", "claim"];

async function suppose(url) {
  const answer = await fetch(url, { credentials: "same-origin" });
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ANSWERS) document.getElementById(id).replaceWith(parsed.getElementById(id));
  const section = document.getElementById(url.split("#")[1] || ANSWERS[0]);
  section.scrollIntoView({ block: "start" });
  section.querySelector(".other-faces")?.scrollIntoView({ block: "end" }); // far below, of a losing hand
  section.querySelector("[role=status]").focus({ preventScroll: true }); // a screen reader says it
}

main.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-suppose]");
  if (!link) return;
  event.preventDefault();
  suppose(link.href).catch(() => (location.href = link.href));
});

main.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-suppose]")) return;
  event.preventDefault();
  const url = new URL(event.target.action);
  url.search = new URLSearchParams(new FormData(event.target)).toString();
  suppose(url.href).catch(() => (location.href = url.href));
});

// --- the page for the referee ------------------------------------------------------------------

const print = document.querySelector("[data-print]");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
