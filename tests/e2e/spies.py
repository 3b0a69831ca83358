"""What a browser is made to write down in place of making a noise, or keeping its screen on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.engines import Browser

WRITES_DOWN = """
window.spied = [];
const note = (...what) => window.spied.push(what.join(" "));
Object.defineProperty(navigator, "vibrate", {value: (buzz) => note("buzz", buzz)});
Object.defineProperty(navigator, "wakeLock", {configurable: true, value: {request: async (kind) => {
  note("awake", kind);
  return {released: false, release: async function () { this.released = true; note("let go"); }};
}}});
window.AudioContext = class {
  constructor() { note("audio"); this.state = AUDIO_STATE; this.currentTime = 0; }
  async resume() {}
  createGain() {
    const gain = {setValueAtTime() {}, exponentialRampToValueAtTime() {}};
    return {gain, connect: (to) => to};
  }
  createOscillator() {
    const tone = {frequency: {}, connect: (to) => to, stop() {}};
    return Object.assign(tone, {start: () => note("tone", tone.frequency.value)});
  }
};
Object.defineProperty(window, "SpeechSynthesisUtterance", {value: class {
  constructor(text) { this.text = text; }
}});
Object.defineProperty(window, "speechSynthesis", {configurable: true, value: {
  getVoices: () => [
    {lang: "fr-FR", localService: true}, {lang: "zh-TW", localService: true},
    {lang: "en-GB", localService: false}, {lang: "en-US", localService: true},
  ],
  addEventListener() {}, cancel() {},
  speak: ({text, voice, lang}) => note("says", lang, voice.localService ? "here:" : "away:", text),
}});
"""


@contextmanager
def spying(browser: Browser, audio: str = "running", extra_script: str = "") -> Iterator[None]:
    """Let every page write down what it would do; `audio` is how its sound stands."""
    script = WRITES_DOWN.replace("AUDIO_STATE", f'"{audio}"') + extra_script
    with browser.before_each_page(script):
        yield


def spy_records(browser: Browser, kind: str = "") -> list[str]:
    """Return what this page would have done by now."""
    records: list[str] = browser.execute_script("return window.spied")
    return [each for each in records if each.startswith(kind)]
