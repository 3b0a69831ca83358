// Shows what the box's own camera sees, and goes to the hand that it has photographed by itself.

const AIM_MS = 700;
const camera = () => document.querySelector("[data-camera]");

/** Ask for the live picture, which moves by itself from then on; a phone put aside lets it go. */
function renewPicture() {
  const picture = camera()?.querySelector("img");
  if (!picture) return;
  picture.dataset.source ??= picture.getAttribute("src");
  if (document.hidden) picture.removeAttribute("src");
  else picture.src = `${picture.dataset.source}?${Date.now()}`;
}

async function aim() {
  while (camera()) {
    await new Promise((resolve) => setTimeout(resolve, AIM_MS));
    if (document.hidden || !camera()?.offsetParent) continue; // put aside, or sending a photo
    const { state, words, snap, hand } = await fetch(camera().dataset.camera)
      .then((answer) => answer.json())
      .catch(() => ({ state: "lost", words: camera()?.dataset.offline }));
    const shown = camera();
    if (!shown) return;
    const says = shown.querySelector(".says");
    if (says.textContent !== words) says.textContent = words;
    const returned = state === "ready" && shown.dataset.state !== "ready";
    shown.dataset.state = state;
    if (returned) renewPicture();
    if (hand && hand !== shown.dataset.hand) return location.assign(hand);
    if (snap) await fetch(shown.dataset.due, { method: "POST" }).catch(() => {}); // asked again soon
  }
}

document.addEventListener("visibilitychange", renewPicture);

aim();
