// Service worker: pages that were opened before open without network. Entries are never handled here.
// The server inserts the line above this one: const VERSION, FILES and PAGES.
"use strict";
const ASSETS = "assets", KEPT = "pages";
const MOST_ASSETS = 40, MOST_PAGES = 40;
const PATIENCE_MS = 4000;
// A login page of a network, or a proxy without its server, answers, too.
const ours = (answer) => answer.ok && answer.headers.has("X-Fudami");

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const files = await caches.open(ASSETS), pages = await caches.open(KEPT);
    await Promise.all(FILES.map((file) => add(files, file)));
    await Promise.allSettled(PAGES.map((page) => add(pages, page)));
    await self.skipWaiting();
  })());
});

// Addresses of files change with their content. Files of the previous version stay for pages that are
// still open, until newer ones displace them.
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    await shorten(ASSETS, MOST_ASSETS);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.searchParams.has("direct")) return;   // so that the browser itself says what is wrong
  if (request.method !== "GET" || url.origin !== location.origin || request.headers.has("range")) return;
  if (/^\/(bundle|static)\//.test(url.pathname)) event.respondWith(asset(request));
  else if (request.mode === "navigate") event.respondWith(page(request, url));
});

async function asset(request) {
  const cache = await caches.open(ASSETS);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (ours(answer)) await cache.put(request, answer.clone());
  return answer;
}

async function add(cache, address) {
  const answer = await fetch(address);
  if (!ours(answer)) throw Error(answer.status);
  await cache.put(address, answer);
}

async function page(request, url) {
  const cache = await caches.open(KEPT);
  const known = await cache.match(url.pathname + url.search) || await cache.match(url.pathname, { ignoreSearch: true });
  const fresh = fetch(request).then(async (answer) => {
    if (ours(answer) && !answer.redirected) await keep(cache, url, answer.clone());
    if (known && answer.status > 500 && !answer.headers.has("X-Fudami")) throw Error(answer.status);
    return answer;
  });
  const offline = async () => known || await cache.match("/offline") || Response.error();
  if (!known) return fresh.catch(offline);
  const patience = new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS, known); });
  return Promise.race([fresh, patience]).catch(offline);
}

// Reviews of deals are not cached: a correction can reopen a deal, and then nobody may look at its
// hands. Nor are live pages, which their table may switch off.
async function keep(cache, url, answer) {
  if (/^\/(t\/[^/]+\/review|live)\//.test(url.pathname)) return;
  await cache.put(url.pathname + url.search, answer);
  await shorten(KEPT, MOST_PAGES, PAGES);
  const table = /^\/t\/[^/]+$/.test(url.pathname);
  if (table) add(cache, `${url.pathname}/rules`).catch(() => {});
}

async function shorten(name, most, always = []) {
  const cache = await caches.open(name);
  const keys = (await cache.keys()).filter((key) => !always.includes(new URL(key.url).pathname));
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key);
}
