// Keeps the page itself on the device, so that it opens without a server. Tables always come from the server.

const SHELL = "qwixx-__VERSION__";
const FILES = JSON.parse(`__FILES__`);
const CATALOGUE = "/api/catalogue";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

/** The network first, so that nobody plays with an old page; what is kept here where there is none. */
async function fresh(request, kept) {
  try {
    const answer = await fetch(request);
    if (answer.ok) (await caches.open(SHELL)).put(kept, answer.clone());
    return answer;
  } catch (error) {
    const cached = await caches.match(kept);
    if (cached) return cached;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate" && !path.startsWith("/api/")) event.respondWith(fresh(request, "/"));
  else if (path === CATALOGUE) event.respondWith(fresh(request, CATALOGUE));
  else if (path.startsWith("/assets/")) event.respondWith(caches.match(request).then((cached) => cached ?? fetch(request)));
});
