// Known players as buttons: a tap writes the name at the next free seat, another takes it back.
// A long name has a line of its own, also while it is typed.

const LONG_NAME = 10;
const chips = document.querySelector(".chips");
const fields = [...document.querySelectorAll("input[name^=player]")];

/** Show which names are taken, and give long ones room. */
function mark() {
  const names = fields.map((field) => field.value.trim());
  document.querySelector(".around-table")?.classList.toggle("long", names.some((name) => name.length >= LONG_NAME));
  for (const chip of chips?.children ?? []) chip.setAttribute("aria-pressed", names.includes(chip.dataset.name));
}

if (chips) chips.hidden = false;
chips?.addEventListener("click", ({ target }) => {
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
