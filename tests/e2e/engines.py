"""The browsers' engines: Chromium, and WebKit, which every iPhone has.

What the two do differently stands here. Tests and players use what `Browser` offers.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask, Response, request
from selenium.webdriver import Chrome, ChromeOptions, WebKitGTKOptions
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.service import Service as WebKitService

from tests.e2e.fonts import USUAL, environment

WIDTH, HEIGHT = 390, 844
"""CSS pixels of the usual phone."""

BLANK = "about:blank"
"""The address of no page."""


class Browser(WebDriver):
    """What tests ask of a browser, whatever its engine."""

    def renew(self) -> None:
        """Become a phone that was never here, with no page open and nothing to complain of."""
        raise NotImplementedError

    def resize(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        """Give the page that is open this size in CSS pixels; Chromium's next page may lose it."""
        raise NotImplementedError

    def keep(self, url: str, **cookies: str) -> None:
        """Keep cookies of a box."""
        raise NotImplementedError

    def press(self, element: WebElement) -> None:
        """Tap an element, at its middle, once it is in view."""
        raise NotImplementedError

    def complaints(self) -> list[str]:
        """Return what went wrong on pages since the last call: errors, and what did not load."""
        raise NotImplementedError

    def hosts(self) -> set[str | None]:
        """Return the hosts that the page that is open has been loaded from."""
        script = "return performance.getEntriesByType('resource').map((each) => each.name)"
        return {urlsplit(url).hostname for url in [self.current_url, *self.execute_script(script)]}

    def before_each_page(self, script: str) -> AbstractContextManager[None]:
        """Let a script run before those of every page."""
        raise NotImplementedError

    # What the tests ask of Chromium alone:
    def prefer(self, **media: str) -> None:
        """Prefer these media features, in CSS's words with `_` for `-`; without any, its own."""
        raise NotImplementedError

    def scripts(self, *, run: bool) -> AbstractContextManager[None]:
        """Run no page's scripts, or run them."""
        raise NotImplementedError

    def block(self, *urls: str) -> AbstractContextManager[None]:
        """Load nothing whose address is like one of these."""
        raise NotImplementedError

    def press_enter(self, element: WebElement) -> None:
        """Focus an element and press the Enter key."""
        raise NotImplementedError

    def print_to_paper(self, *, grounds: bool = False) -> bytes:
        """Return the page that is open as a PDF: without grounds, as most browsers print."""
        raise NotImplementedError


# --- Chromium ------------------------------------------------------------------------------------

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--renderer-process-limit=1",  # a tenth of a second less for each test
    "--host-resolver-rules=MAP *.local 127.0.0.1",  # a tab under a name of its own is a phone
)

HEADLESS = "/usr/lib/chromium/chromium-headless-shell"
"""Debian's Chromium without the windows that nobody sees here: a fifth less work for the same
pages. Not `/usr/bin`'s: that is a script, which ends without what it has started."""


class Chromium(Browser, Chrome):
    """Chromium, with what only its DevTools protocol can do."""

    def renew(self) -> None:
        self.get(BLANK)  # an earlier test's page goes on asking for its box
        self.complaints()  # what earlier tests left there is not this one's
        self.forget()

    def resize(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def keep(self, url: str, **cookies: str) -> None:
        for name, value in cookies.items():
            cookie = {"name": name, "value": value, "url": url}
            assert self.execute_cdp_cmd("Network.setCookie", cookie)["success"]

    def forget(self) -> None:
        """Delete all cookies."""
        self.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def press(self, element: WebElement) -> None:
        self.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def complaints(self) -> list[str]:
        entries: list[dict[str, str]] = self.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries]

    @contextmanager
    def before_each_page(self, script: str) -> Iterator[None]:
        add, remove = "addScriptToEvaluateOnNewDocument", "removeScriptToEvaluateOnNewDocument"
        script_id = self.execute_cdp_cmd(f"Page.{add}", {"source": script})
        try:
            yield
        finally:
            self.execute_cdp_cmd(f"Page.{remove}", script_id)

    def prefer(self, **media: str) -> None:
        features = [{"name": n.replace("_", "-"), "value": v} for n, v in media.items()]
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    @contextmanager
    def scripts(self, *, run: bool) -> Iterator[None]:
        command = "Emulation.setScriptExecutionDisabled"
        self.execute_cdp_cmd(command, {"value": not run})
        try:
            yield
        finally:
            self.execute_cdp_cmd(command, {"value": False})

    @contextmanager
    def block(self, *urls: str) -> Iterator[None]:
        command = "Network.setBlockedURLs"
        self.execute_cdp_cmd("Network.enable", {})
        self.execute_cdp_cmd(command, {"urls": urls})
        yield
        self.execute_cdp_cmd(command, {"urls": []})

    def press_enter(self, element: WebElement) -> None:
        self.execute_script("arguments[0].focus()", element)
        for kind, text in (("keyDown", "\r"), ("keyUp", "")):
            key = {"type": kind, "key": "Enter", "windowsVirtualKeyCode": 13, "text": text}
            self.execute_cdp_cmd("Input.dispatchKeyEvent", key)

    def print_to_paper(self, *, grounds: bool = False) -> bytes:
        options = {"preferCSSPageSize": True, "printBackground": grounds}
        return base64.b64decode(self.execute_cdp_cmd("Page.printToPDF", options)["data"])


@contextmanager
def browser(width: int, height: int, *flags: str, fonts: str = USUAL) -> Iterator[Chromium]:
    """Give a Chromium of this size in CSS pixels, with these fonts and more flags than usual."""
    options = ChromeOptions()
    usual = HEADLESS if Path(HEADLESS).exists() else shutil.which("chromium") or ""
    options.binary_location = os.environ.get("CHROMIUM", usual)
    options.accept_insecure_certs = True
    for flag in (*FLAGS, *flags):
        options.add_argument(flag)
    metrics = {"width": width, "height": height, "pixelRatio": 2}
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = shutil.which(os.environ.get("CHROMEDRIVER", "chromedriver"))
    if not (driver and options.binary_location):
        pytest.skip("needs Chromium and its driver, which tests/install-packages installs")
    service = ChromeService(driver, env={**os.environ, **environment(fonts)})
    chrome = Chromium(options=options, service=service)
    try:
        yield chrome
    finally:
        chrome.quit()


# --- WebKit --------------------------------------------------------------------------------------

SMALL_TOOLBAR = """
* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 1px; -gtk-icon-source: none; }
"""
"""A style for GTK: with its usual toolbar the window is never narrower than 447 pixels."""

ENVIRONMENT = {
    "GDK_BACKEND": "x11",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # root has none, nor has a chroot
    "WEBKIT_DISABLE_COMPOSITING_MODE": "1",  # half the work; but screenshots take 10 s
}

BEFORE_EACH_PAGE = "/before-each-page.js"

COMPLAIN = """
{
  const complain = (what) => {
    const before = JSON.parse(sessionStorage.getItem("complaints") ?? "[]");
    sessionStorage.setItem("complaints", JSON.stringify([...before, String(what)]));
  };
  addEventListener("error", ({ message, target }) => {
    const address = target.src ?? target.href;
    if (!address?.startsWith("blob:")) complain(message ?? `not loaded: ${address}`);
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => complain(reason));
  addEventListener("securitypolicyviolation", (event) => complain(`blocked: ${event.blockedURI}`));
  console.error = (...what) => complain(what.join(" "));
}
"""
"""WebKit's driver has no log: the page keeps one."""

READ_COMPLAINTS = """
const said = sessionStorage.getItem("complaints");
sessionStorage.removeItem("complaints"); return JSON.parse(said ?? "[]");
"""

PRESS = """
const [element] = arguments;
element.scrollIntoView({block: "center"});
const {left, top, width, height} = element.getBoundingClientRect();
const hit = document.elementFromPoint(left + width / 2, top + height / 2);
const isHit = element.contains(hit) || hit?.contains(element);
if (!isHit) return {covered: hit?.outerHTML ?? "nothing"};
let leaves = false;
const submits = (event) => (leaves = !event.defaultPrevented);
addEventListener("submit", submits);
const event = {bubbles: true, cancelable: true, composed: true, view: window};
const target = element.contains(hit) ? hit : element;
const isFollowed = target.dispatchEvent(new MouseEvent("click", event));
removeEventListener("submit", submits);
const page = (address) => String(address).split("#")[0];
const link = target.closest("a[href]");
if (isFollowed && link && page(link.href) !== page(location)) leaves = true;
window.isLeft = leaves;
return {leaves};
"""
"""The driver's own clicks miss now and then. This one refuses to tap what lies below something, and
says whether another page will come."""

LEAVE = """
const to = new URL(arguments[0]);
const page = (address) => address.split("#")[0];
const isHere = page(to.href) === page(location.href);
window.isLeft = !isHere || (to.protocol.startsWith("http") && !to.hash);
"""
"""Marks the page that is open when an address brings another: a place on the same page does not."""

OPEN = "return document.readyState === 'complete' && !window.isLeft && location.href"
"""The address of the page that is open, once it is whole."""

MAX_WAIT_S = 30.0
"""Limit of a wait for what a page comes to. Ten seconds ran out in WebKit beside other work."""

TRIES = 3
"""How often a page is asked for that does not come: now and then the driver loses an address."""


class Scripts:
    """Scripts that a box gives WebKit with every page, because its driver cannot."""

    def __init__(self) -> None:
        self.scripts = [COMPLAIN]

    def init_app(self, app: Flask) -> None:
        """Let an app put them into its pages, for WebKit alone."""
        app.before_request_funcs.setdefault(None, []).insert(0, self._serve)
        app.after_request(self._insert)

    def _serve(self) -> Response | None:
        if request.path != BEFORE_EACH_PAGE:
            return None
        return Response("\n".join(self.scripts), mimetype="text/javascript")

    def _insert(self, response: Response) -> Response:
        is_webkit = (
            "Safari" in request.user_agent.string and "Chrome" not in request.user_agent.string
        )
        if is_webkit and response.mimetype == "text/html" and not response.is_streamed:
            tag = f'<head><script src="{BEFORE_EACH_PAGE}"></script>'
            response.set_data(response.get_data(as_text=True).replace("<head>", tag, 1))
        return response


SCRIPTS = Scripts()


class WebKit(Browser):
    """WebKitGTK's MiniBrowser."""

    def renew(self) -> None:
        if self.current_url.startswith("http"):
            self.delete_all_cookies()
        self.get(BLANK)

    def get(self, url: str) -> None:
        """Open a page and wait until its scripts have run.

        The driver does not always: now and then the page before it is still there.
        """
        for _ in range(TRIES):
            self.execute_script(LEAVE, url)
            super().get(url)
            if self._wait_for_page() != BLANK or url == BLANK:
                return
        raise AssertionError(f"{url} never came")

    def resize(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        script = "return [outerWidth - innerWidth, outerHeight - innerHeight]"
        width_excess, height_excess = self.execute_script(script)
        self.set_window_rect(0, 0, width + width_excess, height + height_excess)

    def keep(self, url: str, **cookies: str) -> None:
        if urlsplit(self.current_url).netloc != urlsplit(url).netloc:
            self.get(url + BEFORE_EACH_PAGE)
        for name, value in cookies.items():
            self.add_cookie({"name": name, "value": value})

    def press(self, element: WebElement) -> None:
        is_pressed = self.execute_script(PRESS, element)
        assert "covered" not in is_pressed, f"tapped was {is_pressed['covered'][:200]}"
        if is_pressed["leaves"]:
            self._wait_for_page()

    def _wait_for_page(self) -> str:
        """Return the address of the page that is open when it is whole."""
        wait = WebDriverWait(self, MAX_WAIT_S, 0.05)
        return str(wait.until(lambda _: self.execute_script(OPEN)))

    def complaints(self) -> list[str]:
        complaints: list[str] = self.execute_script(READ_COMPLAINTS)
        return complaints

    @contextmanager
    def before_each_page(self, script: str) -> Iterator[None]:
        SCRIPTS.scripts.append(script)
        try:
            yield
        finally:
            SCRIPTS.scripts.remove(script)


def webkit_programs() -> tuple[str | None, str | None]:
    """Return WebKit's driver and the screen that nobody sees, or None for what is not here."""
    return shutil.which("WebKitWebDriver"), shutil.which("Xvfb")


@contextmanager
def webkit(width: int = WIDTH, height: int = HEIGHT) -> Iterator[WebKit]:
    """Give a WebKit of this size in CSS pixels; skip the test on a computer that has none."""
    driver, screen = webkit_programs()
    if not (driver and screen):
        pytest.skip("needs WebKitWebDriver and Xvfb, which tests/install-packages installs")
    with ExitStack() as endings:
        home = endings.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        display = endings.enter_context(_display(screen))
        for gtk in ("gtk-3.0", "gtk-4.0"):
            Path(home, gtk).mkdir()
            Path(home, gtk, "gtk.css").write_text(SMALL_TOOLBAR)
        folders = {f"XDG_{kind}_HOME": home for kind in ("CONFIG", "CACHE", "DATA")}
        env = {**os.environ, **ENVIRONMENT, **folders, "DISPLAY": display}
        service = WebKitService(driver, env=env)
        endings.callback(service.stop)
        service.start()
        connection = RemoteConnection(client_config=ClientConfig(service.service_url))
        options, files = WebKitGTKOptions(), UselessFileDetector()  # the files are on this computer
        options.accept_insecure_certs = True
        webkit_browser = WebKit(connection, options=options, file_detector=files)
        endings.callback(webkit_browser.quit)
        webkit_browser.resize(width, height)
        yield webkit_browser


@contextmanager
def _display(program: str) -> Iterator[str]:
    """Run a screen that nobody sees; give its name. It ends with this process, even if killed."""
    end, number = os.pipe()
    options = f"-displayfd {number} -screen 0 1400x1400x24 -nolisten tcp -noreset".split()
    wrapper = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    command = [*wrapper, program, *options]
    with subprocess.Popen(command, pass_fds=[number], stderr=subprocess.DEVNULL) as screen:
        os.close(number)
        try:
            with os.fdopen(end) as display_number:
                yield f":{display_number.readline().strip()}"
        finally:
            screen.terminate()


AT_LENGTH = pytest.mark.prove

in_both_engines = pytest.mark.parametrize("engine", ["chromium", "webkit"], indirect=True)
"""Lets a test's player have a phone of each engine: for what the two do not do alike."""

in_webkit_at_length = pytest.mark.parametrize(
    "engine", ["chromium", pytest.param("webkit", marks=AT_LENGTH)], indirect=True
)
"""Lets it have one of Chromium, and by `make prove` one of WebKit, too: for pages that do nothing
which others do not do in both."""

in_chromium_at_length = pytest.mark.parametrize(
    "engine",
    [pytest.param("chromium", marks=AT_LENGTH if all(webkit_programs()) else ()), "webkit"],
    indirect=True,
)
"""The other way round: for what WebKit is likelier to miss (news, places of a page, style sheets
that change, sizes of lists) on pages that other tests open in Chromium. A computer without WebKit
opens them in Chromium."""
