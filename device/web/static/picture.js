// Turns the drawn picture into a PNG, in this phone's own letters, to be saved or shared.

const SCALE = 2;
const shown = document.getElementById("picture");
const save = document.getElementById("save-picture");
const share = document.getElementById("share-picture");

async function paint() {
  await shown.decode();
  const canvas = document.createElement("canvas");
  canvas.width = shown.getAttribute("width") * SCALE;
  canvas.height = shown.getAttribute("height") * SCALE;
  canvas.getContext("2d").drawImage(shown, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Without a PNG, from a browser that makes none, the drawing itself stays to be saved. */
async function begin() {
  const png = await paint().catch(() => null);
  if (!png) return;
  const name = save.download.replace(/svg$/, "png");
  shown.src = save.href = URL.createObjectURL(png);
  save.download = name;
  const files = [new File([png], name, { type: "image/png" })];
  if (!navigator.canShare?.({ files })) return; // browsers offer it by HTTPS alone
  share.hidden = false;
  share.addEventListener("click", () => navigator.share({ files }).catch(() => {})); // who closes it knows
}

begin();
