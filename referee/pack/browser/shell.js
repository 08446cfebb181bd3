// The page around the app: it installs the service worker, starts the worker with Python, and shows
// the app in a frame, so that going from page to page does not start Python anew.
"use strict";
const SAYS = "SENTENCES"[navigator.language.startsWith("ja") ? "ja" : "en"];
const SECOND_TAB_MS = 1000;   // as long as the worker of a page that was just left may take to end
const { serviceWorker } = navigator;
const one = (selector) => document.querySelector(selector);
const status = (sentence) => { one("[role=status]").textContent = sentence; };

(async () => {
  document.documentElement.lang = navigator.language.startsWith("ja") ? "ja" : "en";
  if (!serviceWorker || !navigator.locks) return stop(SAYS.browser);
  status(SAYS.loading);
  serviceWorker.addEventListener("message", ({ data }) => { if (data.progress) one("progress").value = data.progress; });
  try {
    await installed();
    start();
  } catch { stop(SAYS.network, SAYS.again); }
})();

// Until this version, or a newer one that lies ready, serves the page. It is not changed at a table.
async function installed() {
  const known = await serviceWorker.register("/sw.js", { updateViaCache: "none" });
  if (serviceWorker.controller && (!known.waiting || location.pathname !== "/")) return;
  const changed = new Promise((resolve) => { serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
  const failed = new Promise((_, reject) => {
    known.installing?.addEventListener("statechange", ({ target }) => { if (target.state === "redundant") reject(new Error("not installed")); });
  });
  (known.waiting ?? known.active)?.postMessage("serve");
  await Promise.race([changed, failed]);
}

function start() {
  status(SAYS.starting);
  one("progress").removeAttribute("value");
  const worker = new Worker("/worker.js", { type: "module" });
  let second = 0;
  worker.onmessage = ({ data }) => {
    clearTimeout(second);
    if (data === "second") second = setTimeout(() => { status(SAYS.second); one("progress").hidden = true; }, SECOND_TAB_MS);
    else if (data === "starting") { status(SAYS.starting); one("progress").hidden = false; }
    else if (data === "ready") show();
    else stop(data === "not kept" ? SAYS.kept : `${SAYS.failed} ${data}`, SAYS.again);
  };
  worker.onerror = () => stop(SAYS.failed, SAYS.again);
}

function show() {
  const frame = document.createElement("iframe");
  frame.title = "札見";
  frame.src = location.href;
  frame.onload = () => {
    document.title = frame.contentDocument.title;
    document.documentElement.lang = frame.contentDocument.documentElement.lang;
    history.replaceState(null, "", frame.contentWindow.location.href);
  };
  one("main").hidden = true;
  one("main").after(frame);
  navigator.storage.persist?.();
}

function stop(sentence, button = "") {
  one("iframe")?.remove();
  one("main").hidden = false;
  one("progress").hidden = true;
  status(sentence);
  const again = one("button");
  again.textContent = button;
  again.hidden = !button;
  again.onclick = () => location.reload();
}
