// An open line of the score lights its tiles, in the photograph and where they are drawn. Of the folds
// of one group only the newest stays open: many browsers do not see to that by a fold's name. A fold
// that a tap opens below the screen's edge or the bar is scrolled into sight, its summary at the top
// where it is longer than the screen.

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.open && target.dataset.group) {
      const group = document.querySelectorAll(`details[data-group="${target.dataset.group}"]`);
      group.forEach((fold) => (fold.open = fold === target));
    }
    const open = document.querySelector("details.line[open]");
    const lit = new Set((open?.dataset.tiles ?? "").split(" ").filter(Boolean));
    document.body.classList.toggle("spotlight", lit.size > 0);
    document.querySelectorAll("[data-tile]").forEach((element) => {
      element.classList.toggle("lit", lit.has(element.dataset.tile));
    });
  },
  true,
);

addEventListener("click", ({ target }) => {
  const fold = target.closest?.("summary")?.parentElement;
  if (!fold || fold.open) return; // it closes
  fold.addEventListener(
    "toggle",
    () => {
      const bar = document.querySelector(".bar");
      document.documentElement.style.scrollPaddingBottom = `${(bar?.offsetHeight ?? 0) + 16}px`;
      fold.scrollIntoView({ block: "nearest" });
    },
    { once: true },
  );
});
