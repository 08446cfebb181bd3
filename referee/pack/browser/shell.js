// The page around the app: installs the service worker, starts the worker with Python, and shows the
// app in a frame, so that a new page does not start Python again.
"use strict";
const SAYS = "SENTENCES"[navigator.language.startsWith("ja") ? "ja" : "en"];
const SECOND_TAB_MS = 1000;   // the longest time that the worker of a page that was just left takes to end
const QUIET_MS = 3000;   // from the first page to preparing the next start: more pages come before that
const LATE_MS = 60000;   // without news; a start without a snapshot took 40 s on a very busy machine
const LOCK = "fudami";   // held by the worker
const RECEIVES = "/in/";   // a camera opens a tab for each code: the worker of the first tab answers at this path, too
const { serviceWorker } = navigator;
const one = (selector) => document.querySelector(selector);
const status = (sentence) => { one("[role=status]").textContent = sentence; };
let late = 0;

(async () => {
  document.documentElement.lang = navigator.language.startsWith("ja") ? "ja" : "en";
  if (!serviceWorker || !navigator.locks) return stop(SAYS.browser);
  status(SAYS.loading);
  expect();
  serviceWorker.addEventListener("message", ({ data }) => { if (data.progress) { one("progress").value = data.progress; expect(); } });
  try {
    if (await changed()) location.reload();
    else start();
  } catch { stop(SAYS.network, SAYS.again); }
})();

// Installs this version, or changes to a newer one that is ready, unless a table is open in some tab;
// returns whether it changed.
async function changed() {
  const known = await serviceWorker.register("/sw.js", { updateViaCache: "none" }), before = serviceWorker.controller;
  if (before && !(known.waiting && location.pathname === "/" && await alone())) return false;
  const serves = new Promise((resolve) => { serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
  const failed = new Promise((_, reject) => {
    known.installing?.addEventListener("statechange", ({ target }) => { if (target.state === "redundant") reject(new Error("not installed")); });
  });
  before?.postMessage("forget");
  (known.waiting ?? known.active)?.postMessage("serve");
  await Promise.race([serves, failed]);
  return Boolean(before);
}

// Whether no worker is running, neither of this page before it was reloaded nor of another tab.
const alone = () => navigator.locks.request(LOCK, { signal: AbortSignal.timeout(SECOND_TAB_MS) }, () => true).catch(() => false);

// Called while something is being done whose progress is reported. If no report comes, the page offers
// a retry: a reloaded page starts from the stored data.
function expect() {
  clearTimeout(late);
  offer("");
  late = setTimeout(() => {
    one("main").hidden = false;
    status(SAYS.late);
    offer(SAYS.again);
  }, LATE_MS);
}

function start() {
  status(SAYS.starting);
  expect();
  one("progress").removeAttribute("value");
  const worker = new Worker("/worker.js", { type: "module" });
  let second = 0;
  worker.onmessage = ({ data }) => {
    clearTimeout(second);
    if (data === "second") second = setTimeout(location.pathname === RECEIVES ? show : refuse, SECOND_TAB_MS);
    else if (data === "starting") { status(SAYS.starting); one("progress").hidden = false; expect(); }
    else if (data === "ready") { show(directly(worker)); ended(); }
    else stop(data === "not kept" ? SAYS.kept : `${SAYS.failed} ${data}`, SAYS.again);
  };
  worker.onerror = () => stop(SAYS.failed, SAYS.again);
}

// The browser can end a worker for lack of memory without an event for the page, but the lock is free
// then. The page says that nothing answers any more, instead of waiting forever.
function ended() {
  navigator.locks.request(LOCK, () => stop(SAYS.ended, SAYS.again));
}

function refuse() {
  clearTimeout(late);
  status(SAYS.second);
  one("progress").hidden = true;
}

// ``fetch`` for the pages of the app: asks ``worker`` itself. The way through the browser and the service
// worker, which all other requests take, is several times as long.
function directly(worker) {
  const waiting = new Map();
  worker.onmessage = ({ data }) => {
    if (data === "not kept") return stop(SAYS.kept, SAYS.again);
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  const ask = (data) => new Promise((resolve) => {
    waiting.set(data.id, resolve);
    worker.postMessage(data);
  });
  return (page) => {
    const { fetch, Request } = page;
    page.fetch = (address, options) => {
      const request = new Request(address, options);
      if (!request.headers.has("HX-Request")) return fetch(request);
      return Promise.race([answerOf(request, page.location.href, ask), new Promise((_, reject) => {
        request.signal.onabort = () => reject(request.signal.reason);
      })]);
    };
  };
}

function show(nearer = () => {}) {
  if (one("iframe")) return;
  const frame = document.createElement("iframe");
  // after the first page: at the same time it would take twice as long on a slow phone
  frame.addEventListener("load", () => setTimeout(() => new Worker("/snapshot.js", { type: "module" }), QUIET_MS), { once: true });
  frame.title = "札見";
  frame.src = location.href;
  frame.onload = () => {
    clearTimeout(late);
    one("main").hidden = true;
    nearer(frame.contentWindow);
    document.title = frame.contentDocument.title;
    document.documentElement.lang = frame.contentDocument.documentElement.lang;
    history.replaceState(null, "", frame.contentWindow.location.href);
  };
  expect();
  one("main").hidden = true;
  one("main").after(frame);
  navigator.storage?.persist?.();
}

function stop(sentence, button = "") {
  clearTimeout(late);
  one("iframe")?.remove();
  one("main").hidden = false;
  one("progress").hidden = true;
  status(sentence);
  offer(button);
}

function offer(button) {
  const again = one("button");
  again.textContent = button;
  again.hidden = !button;
  again.onclick = () => location.reload();
}
