// A tile of a winner's hand that is held says: this one won. A tap still shows what it is.

const HOLD_MS = 550;
let holding = 0;
let held = false;

document.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest("[data-won] [data-tile]");
  clearTimeout(holding);
  held = false;
  if (!tile || event.button) return;
  holding = setTimeout(() => {
    held = true;
    const form = document.createElement("form");
    form.method = "post";
    form.action = tile.closest("[data-won]").dataset.won;
    form.dataset.swap = "";
    form.innerHTML = '<input type="hidden" name="winning_tile">';
    form.firstChild.value = tile.dataset.tile;
    form.hidden = true;
    document.body.append(form);
    // Like requestSubmit, which older browsers lack: tongbox.js sends the form, or the browser does.
    if (form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }))) form.submit();
    form.remove();
  }, HOLD_MS);
});

// A finger that scrolls cancels its pointer. A page that scrolls by itself, as when a line above closes, ends no hold.
for (const over of ["pointerup", "pointercancel"]) {
  document.addEventListener(over, () => clearTimeout(holding), { capture: true, passive: true });
}

// The phone's own answer to a long touch, and the tap that ends it, are no answer to anything.
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-won] [data-tile]")) event.preventDefault();
});
document.addEventListener(
  "click",
  (event) => {
    if (!held || !event.target.closest("[data-won] [data-tile]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = false;
  },
  true,
);
