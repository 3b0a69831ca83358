// Sends a large file to the box piece by piece: a newer version, or a backup.

const TRIES = 20;
const PAUSE_MS = 1500;
const OUT_OF_STEP = 409;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(url, fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const answer = await fetch(url, { method: "POST", body, credentials: "same-origin" });
  return { status: answer.status, ok: answer.ok, ...(await answer.json()) };
}

/** Ask again where the way to the box is broken off for a moment. */
async function patiently(url, fields) {
  for (let losses = 0; ; losses += 1) {
    try {
      return { losses, ...(await ask(url, fields)) };
    } catch (error) {
      if (losses === TRIES) throw error;
      await wait(PAUSE_MS);
    }
  }
}

async function send(form, file, tell) {
  // Who lost an answer may have lost what it said, too; the box may have been off, and have forgotten.
  const refuse = ({ losses, status, words }) => tell(losses && status === OUT_OF_STEP ? form.dataset.lost : words);
  const begun = await patiently(form.action, { size: file.size });
  if (!begun.ok) return refuse(begun);
  let at = 0;
  while (at < file.size) {
    const piece = file.slice(at, at + Number(form.dataset.piece));
    const took = await patiently(form.dataset.pieceUrl, { token: begun.token, at, piece });
    if (took.have === undefined) return refuse(took);
    at = took.have;
    tell(form.dataset.sending, at / file.size);
  }
  tell(form.dataset.checking);
  const said = await patiently(form.dataset.finish, { token: begun.token });
  if (!said.ok && said.have !== file.size) return refuse(said); // the box has it all: it was finished before
  location.reload();
}

document.addEventListener("change", async (event) => {
  const form = event.target.closest("#pick");
  const file = event.target.files?.[0];
  if (!form || !file) return;
  const [words, bar] = [form.querySelector("[role=status]"), form.querySelector("progress")];
  const tell = (said, part) => {
    words.hidden = false;
    words.textContent = said;
    bar.hidden = part === undefined;
    bar.value = part ?? 0;
  };
  const part = form.closest("[data-live]");
  part.dataset.keep = ""; // news would put the question in place of the bar
  form.querySelector("label").hidden = true;
  tell(form.dataset.sending, 0);
  await send(form, file, tell).catch(() => tell(form.dataset.lost));
  form.querySelector("label").hidden = false;
  delete part.dataset.keep;
  event.target.value = "";
});
