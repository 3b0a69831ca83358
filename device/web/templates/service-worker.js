// Shows a page of the box's own when the box does not answer. It keeps that page and what it is drawn
// with, and nothing else: every other page comes from the box each time, or not at all.

const NAME = {{ name|tojson }};
const PAGE = {{ url_for('home_screen.no_answer')|tojson }};
const DRAWN_WITH = [
  {{ asset('tongbox.css')|tojson }},
  {{ asset('dark.css')|tojson }},
  {{ asset('doors.css')|tojson }},
  {{ asset('icon.svg')|tojson }},
];

async function keep() {
  await (await caches.open(NAME)).addAll([PAGE, ...DRAWN_WITH]);
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  const kept = DRAWN_WITH.includes(path) ? path : PAGE;
  const isPage = request.mode === "navigate" && request.method === "GET";
  if (isPage || kept !== PAGE) event.respondWith(fetch(request).catch(() => caches.match(kept)));
});
