// Shows what time this phone has, and sends it along: to the moment at which the button is tapped.

const form = document.querySelector("form[data-clock]");
const shown = form.querySelector("[data-phone]");

function show() {
  const said = { dateStyle: "long", timeStyle: "short" };
  shown.textContent = new Date().toLocaleString(document.documentElement.lang, said);
}

show();
setInterval(show, 5000);
form.addEventListener("submit", () => (form.elements.now.value = Date.now()));
