// Known players as buttons: a tap writes the name at the next free seat, another takes it back.

const chips = document.querySelector(".chips");
const fields = [...document.querySelectorAll("input[name^=player]")];

/** Show which names are taken. */
function mark() {
  for (const chip of chips.children) {
    chip.setAttribute("aria-pressed", fields.some((field) => field.value.trim() === chip.dataset.name));
  }
}

if (chips) {
  chips.hidden = false;
  chips.addEventListener("click", ({ target }) => {
    const { name } = target.dataset;
    if (!name) return;
    const taken = fields.find((field) => field.value.trim() === name);
    const free = fields.find((field) => !field.value.trim() && field.offsetParent);
    if (taken) taken.value = "";
    else if (free) free.value = name;
    mark();
  });
  document.addEventListener("input", mark);
  mark();
}
