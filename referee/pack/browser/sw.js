// The server of the app, from the view of its pages. Files of this version come from the cache,
// everything else from the worker that runs Python.
"use strict";
importScripts("/asking.js");
const { VERSION, FILES } = "MANIFEST";
const CACHE = `fudami-${VERSION}`;
const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", html: "text/html; charset=utf-8", css: "text/css", svg: "image/svg+xml", png: "image/png", webmanifest: "application/manifest+json" };
const asked = new BroadcastChannel("asked"), answered = new BroadcastChannel("answered");
const waiting = new Map();

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE), total = FILES.reduce((sum, { size }) => sum + size, 0);
    let loaded = 0, said = 0;
    const report = (bytes) => {
      loaded += bytes;
      if (loaded < said + total / 50) return;
      said = loaded;
      tell({ progress: loaded / total });
    };
    await Promise.all(FILES.map((file) => keep(cache, file, report)));
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("fudami-") && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

// "forget": the pages that asked are gone; requests that still wait would keep a newer version from
// becoming active.
self.addEventListener("message", (event) => {
  if (event.data === "forget") {
    for (const answer of waiting.values()) answer({ status: 503, headers: [], body: null });
    waiting.clear();
    return;
  }
  event.waitUntil(self.registration.waiting ? self.skipWaiting() : self.clients.claim());
});

async function tell(news) {
  for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage(news);
}

async function keep(cache, { name, packed }, report) {
  if (await cache.match(`/${name}`)) return;
  const answer = await fetch(packed ? `/${name}.gz` : `/${name}`, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  let body = answer.body.pipeThrough(new TransformStream({ transform(part, out) { report(part.length); out.enqueue(part); } }));
  if (packed) body = body.pipeThrough(new DecompressionStream("gzip"));
  const type = TYPES[name.split(".").pop()] ?? "application/octet-stream";
  await cache.put(`/${name}`, new Response(body, { headers: { "Content-Type": type } }));
}

self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate" && request.destination === "document") event.respondWith(file("/index.html"));
  else if (FILES.some(({ name }) => `/${name}` === url.pathname)) event.respondWith(file(url.pathname));
  else event.respondWith(answerOf(request, request.referrer, ask));
});

async function file(path) {
  return await (await caches.open(CACHE)).match(path) ?? fetch(path);
}

function ask(data) {
  return new Promise((resolve) => {
    waiting.set(data.id, resolve);
    asked.postMessage(data);
  });
}

answered.onmessage = ({ data }) => {
  waiting.get(data.id)?.(data);
  waiting.delete(data.id);
};
