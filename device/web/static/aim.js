// The phone's own camera, live: what it sees, what to do before the shutter, and the shutter. The
// photograph goes the way of a chosen one (tongbox.js): it is put into the form that has the buttons.

const JUDGE_MS = 700;
const FRAME = 640; // pixels of the longer side: what the box's own live picture has
const FRAME_QUALITY = 0.75;
const LONGEST = 4096; // the largest picture asked for; a camera gives what it has
const STILL_MS = 4000; // some phones never answer when a still is asked for
const STILL_QUALITY = 0.95;

const aiming = document.querySelector("[data-aiming]");
const video = aiming.querySelector("video");
const says = aiming.querySelector(".says");
const shutter = aiming.querySelector("[data-shutter]");
const torch = aiming.querySelector("[data-torch]");
const chosen = document.querySelector("form[data-upload] input[type=file]");

let stream = null;
let isLit = false;

function say(state, words) {
  aiming.dataset.state = state;
  if (says.textContent !== words) says.textContent = words;
}

async function open() {
  close();
  try {
    const size = { width: { ideal: LONGEST }, height: { ideal: LONGEST } };
    const wanted = { audio: false, video: { facingMode: { ideal: "environment" }, ...size } };
    stream = await navigator.mediaDevices.getUserMedia(wanted);
    video.srcObject = stream;
    await video.play();
    shutter.disabled = false;
  } catch {
    close();
    say("none", aiming.dataset.denied);
  }
}

/** Let the camera go: a phone that is put aside, or has taken its photograph, does not keep it. Its
 *  torch goes out with it. */
function close() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  isLit = false;
  offerTorch("");
  video.srcObject = null;
  shutter.disabled = true;
}

function drawn(longest) {
  const scale = Math.min(1, longest / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const jpeg = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

/** Ask the box what to do, one frame after another, for as long as the picture is to be seen. */
async function judge() {
  while (video.isConnected) {
    await new Promise((resolve) => setTimeout(resolve, JUDGE_MS));
    if (!stream || document.hidden || !video.offsetParent || !video.videoWidth) continue;
    try {
      const frame = await jpeg(drawn(FRAME), FRAME_QUALITY);
      const headers = { "Content-Type": "image/jpeg" };
      const answer = await fetch(aiming.dataset.aiming, { method: "POST", headers, body: frame });
      if (answer.status === 429) continue; // too many ask at this moment
      const { hint, words } = await answer.json();
      if (stream) say(hint ? "ready" : "lost", offerTorch(hint) ?? words);
    } catch {
      if (stream) say("lost", aiming.dataset.offline);
    }
  }
  close();
}

/** Show the torch's button where this camera has one, in gold where light is missing. Return the words that
 *  offer it then. Asked for with each frame: some phones know what a camera can do only after a while. */
function offerTorch(hint) {
  const [track] = stream?.getVideoTracks() ?? [];
  torch.hidden = !track?.getCapabilities?.().torch;
  torch.textContent = isLit ? torch.dataset.off : torch.dataset.on;
  const isWanted = hint === "too-dark" && !torch.hidden && !isLit;
  torch.classList.toggle("primary", isWanted);
  shutter.classList.toggle("primary", !isWanted);
  return isWanted ? torch.dataset.dark : null;
}

torch.addEventListener("click", async () => {
  const [track] = stream?.getVideoTracks() ?? [];
  try {
    await track?.applyConstraints({ advanced: [{ torch: !isLit }] });
    isLit = !isLit;
  } catch {
    // The camera keeps its light as it is, and the button what it says.
  }
  offerTorch("");
});

/** A still of the camera's own where there is one, else the frame that is to be seen. */
async function still() {
  const frame = () => jpeg(drawn(LONGEST), STILL_QUALITY);
  const [track] = stream.getVideoTracks();
  if (!window.ImageCapture?.prototype.takePhoto) return frame();
  const late = new Promise((resolve) => setTimeout(resolve, STILL_MS));
  const taken = new ImageCapture(track).takePhoto().catch(() => null);
  return (await Promise.race([taken, late])) ?? frame();
}

shutter.addEventListener("click", async () => {
  shutter.disabled = true;
  try {
    const taken = await still();
    const files = new DataTransfer();
    files.items.add(new File([taken], "aimed.jpg", { type: taken.type || "image/jpeg" }));
    chosen.files = files.files;
    chosen.dispatchEvent(new Event("change", { bubbles: true }));
  } finally {
    shutter.disabled = !stream;
  }
});

document.addEventListener("visibilitychange", () => {
  if (!video.isConnected) return;
  if (document.hidden) close();
  else open();
});

open();
judge();
