// An open line of the score lights its tiles, in the photograph and where they are drawn.

document.addEventListener(
  "toggle",
  () => {
    const open = document.querySelector("details.line[open]");
    const lit = new Set((open?.dataset.tiles ?? "").split(" ").filter(Boolean));
    document.body.classList.toggle("spotlight", lit.size > 0);
    document.querySelectorAll("[data-tile]").forEach((element) => {
      element.classList.toggle("lit", lit.has(element.dataset.tile));
    });
  },
  true,
);
