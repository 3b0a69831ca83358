// A special hand that is tapped: its forms only ask, and what was tapped and answered stands in the address.
// The answer is swapped into the page, so that the next tap finds its key where it was.

const { parse, read, untilBack, swap } = window.tongbox;

let visits = 0;

async function visit(url, fields) {
  const turn = ++visits;
  const next = new URL(url, location.href);
  next.search = new URLSearchParams(fields).toString();
  try {
    const answer = await fetch(next, { credentials: "same-origin" });
    const parsed = parse(await answer.text());
    if (turn !== visits) return; // a later tap has overtaken this one, and its page says more
    swap(parsed);
    history.replaceState(null, "", next);
  } catch {
    await untilBack();
    location.assign(next);
  }
}

/** Note a tile in the form itself: the next tap may be quicker than the answer. */
function noteTile({ elements: { tiles } }, { name, value }) {
  if (!tiles) return; // in a practice deal the inputs themselves tell which tiles are chosen
  const codes = tiles.value.split(" ").filter(Boolean);
  if (name === "add") codes.push(value);
  if (name === "drop") codes.splice(codes.indexOf(value), 1);
  tiles.value = codes.join(" ");
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-visit]") || !submitter) return; // an old browser tells no button
  const { url, body } = read(form, submitter);
  event.preventDefault();
  noteTile(form, submitter);
  visit(url, body);
});

document.addEventListener("change", ({ target: { form } }) => {
  if (form?.matches("[data-visit]")) visit(form.action, new FormData(form));
});
