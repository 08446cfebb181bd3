// Live updates: the page receives the number of the newest entry, and then fetches the table.
(() => {
  "use strict";
  const SILENCE_MS = 5000;          // after this silence a proxy is assumed to hold the stream back
  const STREAM_AGAIN_MS = 60000;
  const RESCUE_MS = 3000;           // the first visit is busy
  const POLL_MS = [1000, 8000];     // after a change; and the longest interval without one
  const { one, table, seen } = page;
  if (!table()?.dataset.live) return;
  const live = table().dataset.live;

  // ---- fetch the present table, without disturbing a tap
  let news = 0, fetching = false;
  const at = () => seen() + Number(table().dataset.renamed ?? 0);   // as Extent.position

  function heard(number) {
    if (number > news) news = number;
    return catchUp();
  }

  async function catchUp() {
    const from = at(), known = news, still = () => at() === from && !page.waits();
    if (fetching || page.waits() || document.hidden || news <= from) return;
    fetching = true;
    try {
      const { status, text } = await page.ask(address());
      if (status === 200 && still()) await show(text, still);
    } catch { /* the stream comes back, and with it the number */ }
    fetching = false;
    if (at() > from || news > known) catchUp();   // a change was announced during the request and is not in its answer
  }

  // A chosen seat stays chosen. A half-entered play, or a refusal on the screen, referred to a table
  // that has changed: the page says so.
  function address() {
    const params = new URLSearchParams(page.choice);
    const seat = params.get("seat");
    params.delete("seat");
    const half = params.size > 0 || one(".strip.refused"), draft = params.has("sheet") ? params : [];
    const query = new URLSearchParams(half ? [["was", seen()], ...draft] : seat ? { seat } : {});
    return `${one(".bar").dataset.table}?${query}`;
  }

  async function show(text, still) {
    const question = one(".clash:has(.vs)");
    if (!await page.exchange(text, still)) return;
    if (!/^\?seat=[^&]*$/.test(page.choice) && !one(".entry")) page.choice = "";
    one(".strip,.clash").classList.add("fresh");
    document.dispatchEvent(new Event("entry"));
    if (question) one(".strip,.clash").replaceWith(question);
  }
  document.addEventListener("idle", () => {
    soon();
    catchUp();
  });

  // ---- new numbers come by a stream, or by polling if no stream gets through
  let source = null, silence = 0, poll = 0, pause = POLL_MS[0], again = 0;

  function listen() {
    clearTimeout(again);
    if (source || document.hidden) return;
    if (!("streams" in table().dataset)) return ask();
    source = new EventSource(live);
    silence = setTimeout(instead, SILENCE_MS);
    source.onmessage = (event) => {
      clearTimeout(silence);
      stopAsking();
      network(true);
      heard(Number(event.data));
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) instead();
      else ask();   // it retries by itself; meanwhile find out: is it the stream or the network?
    };
  }
  function deaf() {
    clearTimeout(silence);
    if (source) source.close();
    source = null;
  }
  function instead() {
    deaf();
    ask();
    clearTimeout(again);
    again = setTimeout(listen, STREAM_AGAIN_MS);
  }

  const open = () => source?.readyState === EventSource.OPEN;
  async function ask() {
    clearTimeout(poll);
    if (document.hidden) return;
    try {
      const answer = await fetch(live, { cache: "no-store" });
      if (!answer.headers.has("X-Fudami")) throw Error(answer.status);
      network(true);
      if (answer.headers.get("X-Reply") === "never") return page.refused();
      if (answer.ok) {
        const number = Number(await answer.text());
        if (number > news) pause = POLL_MS[0];
        heard(number);
      }
    } catch { if (!open()) network(false); }   // not if a stream has come back meanwhile
    if (open()) return;
    pause = Math.min(pause * 1.5, POLL_MS[1]);
    clearTimeout(poll);
    poll = setTimeout(ask, pause);
  }
  function stopAsking() { clearTimeout(poll); poll = 0; pause = POLL_MS[0]; }
  function soon() { pause = POLL_MS[0]; if (poll) { clearTimeout(poll); poll = setTimeout(ask, pause); } }

  function network(up) {
    const html = document.documentElement;
    if (up === (html.dataset.net !== "off")) return;
    if (up) delete html.dataset.net;
    else html.dataset.net = "off";
    document.dispatchEvent(new CustomEvent("network", { detail: up }));
  }

  addEventListener("online", () => { deaf(); listen(); ask(); });
  addEventListener("offline", instead);   // what is still on its way in the stream is no sign of life
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { deaf(); stopAsking(); clearTimeout(again); } else listen();
  });
  addEventListener("pagehide", deaf);
  addEventListener("pageshow", listen);
  listen();

  // What helps while no server answers has to be here before.
  const { rescue } = document.currentScript.dataset;
  addEventListener("load", () => setTimeout(() => import(rescue), RESCUE_MS));
})();
