// A request of a page as the worker with Python takes it, and its answer: used by the service worker,
// and by the page around the app, which is nearer to the worker.
"use strict";
const NO_BODY = [204, 205, 304], MOVED = [301, 302, 303];

// ``ask``: sends the request as plain data, and promises the answer as plain data. ``referrer``: the
// address of the page that makes the request. Browsers follow a redirect of a page; for scripts it is
// followed here.
async function answerOf(request, referrer, ask) {
  const url = new URL(request.url);
  let said = await ask(asPlainData(request, referrer, url.pathname + url.search, await request.arrayBuffer()));
  if (request.mode !== "navigate") {
    while (MOVED.includes(said.status)) {
      const to = new URL(said.headers.find(([name]) => name.toLowerCase() === "location")[1], url);
      said = await ask(asPlainData(new Request(request.url, { headers: request.headers }), referrer, to.pathname + to.search, new ArrayBuffer()));
    }
  }
  const { status, headers, body } = said;
  return new Response(NO_BODY.includes(status) ? null : body, { status, headers });
}

// Browsers send a service worker no Sec-Fetch-Site; pages of this app always have a referrer.
function asPlainData(request, referrer, target, body) {
  const own = referrer.startsWith(`${location.origin}/`);
  const headers = [...request.headers, ["Sec-Fetch-Site", own ? "same-origin" : "cross-site"], ["Referer", own ? referrer : ""]];
  return { id: crypto.randomUUID(), method: request.method, target, headers, body };
}
