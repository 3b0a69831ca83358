// Makes a photograph no larger than reading one hand needs, upright, before it is sent: a phone does
// it in a moment, where the box, and the way to it, would take seconds for each.

const LONGEST = 2400; // pixels: a tile is still 50 wide where forty-eight would lie side by side
const QUALITY = 0.9;
const PATIENCE_MS = 4000;
const TURNED_BY_SOME = ["image/webp", "image/png"]; // some browsers draw these without their turn, which the box knows

/** The photograph as it is to be sent: as it came where it is small, or the browser cannot open it. */
export async function shrunk(file) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, file));
  return Promise.race([smaller(file).catch(() => file), late]);
}

async function smaller(file) {
  if (TURNED_BY_SOME.includes(file.type)) return file;
  const image = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const scale = LONGEST / Math.max(image.width, image.height);
    if (scale >= 1) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const pen = canvas.getContext("2d", { alpha: false });
    if (!keepsColours(pen)) return file;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    return !blob ? file : new File([blob], file.name.replace(/\.\w+$/, "") + ".jpg", { type: "image/jpeg" });
  } finally {
    image.close();
  }
}

/** Some browsers hand out noise in place of what was drawn, so that nobody is known again by it. */
function keepsColours(pen) {
  const said = [51, 102, 153];
  pen.fillStyle = `rgb(${said})`;
  pen.fillRect(0, 0, 1, 1);
  const kept = pen.getImageData(0, 0, 1, 1).data;
  return said.every((level, place) => Math.abs(level - kept[place]) < 4);
}
