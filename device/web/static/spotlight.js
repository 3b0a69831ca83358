// An open line of the score lights its tiles, in the photograph and where they are drawn. Of the folds
// of one name only the newest stays open: older browsers do not see to it themselves.

document.addEventListener(
  "toggle",
  ({ target }) => {
    const name = target.open && target.getAttribute("name");
    for (const other of name ? document.querySelectorAll(`details[name="${name}"][open]`) : []) {
      other.open = other === target;
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
