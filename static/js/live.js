// The page follows its table: it is told a number, and fetches what it always fetches.
(() => {
  "use strict";
  const SILENCE_MS = 5000;          // a stream that says nothing is held back by something in between
  const STREAM_AGAIN_MS = 60000;
  const POLL_MS = [1000, 8000];     // after a change; and at the longest, when nothing happens
  const LATE_TAP_MS = 300;          // faster than anybody sees a change and decides
  const one = (selector, within = document) => within.querySelector(selector);
  const table = () => one("#table");
  if (!table()) return;
  const live = table().dataset.live;
  const seen = () => Number(one("#play [name=seen]").value);
  const ofDoor = (event) => event.detail.ctx.sourceElement?.id === "door";   // it asks by itself, of nothing here

  // ---- an answer carries only what is new, if the server knows what this page holds: see web/delta.py
  const LONGEST = 32000;
  let held = null;
  async function lean(url, options) {
    const base = "DecompressionStream" in window ? held : null;
    if (base) options.headers["X-Holds"] = base.key;
    held = null;
    const answer = await fetch(url, options);
    const { status, headers } = answer;
    let bytes = new Uint8Array(await answer.arrayBuffer());
    const old = headers.has("X-Builds-On") ? base.text : new Uint8Array();
    if (old.length) bytes = await read(old, bytes);
    if (headers.has("X-Key")) held = { key: headers.get("X-Key"), text: joined(old, bytes).slice(-LONGEST) };
    return new Response(bytes.length ? bytes : null, { status, headers });
  }
  // What is new refers back into the old text, which stands before it as a block that is not compressed.
  async function read(old, fresh) {
    const n = old.length, head = new Uint8Array([0, n & 255, n >> 8, ~n & 255, ~n >> 8 & 255]);
    const stream = new Blob([head, old, fresh]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(n);
  }
  function joined(first, second) {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
  }
  document.addEventListener("htmx:config:request", (event) => {
    if (event.target.closest("#table") && !ofDoor(event)) event.detail.ctx.fetch = lean;
  });

  // ---- the fresh table, without taking anything out of anybody's hand
  let news = 0, fetching = null, busy = 0, touching = false, choice = "", before = null;

  function heard(number) {
    if (number > news) news = number;
    return catchUp();
  }

  async function catchUp() {
    const from = seen();
    if (fetching || busy || touching || document.hidden || news <= from) return;
    const mine = fetching = new AbortController();
    try {
      const answer = await lean(address(), { headers: { "HX-Request": "true" }, signal: mine.signal });
      const text = await answer.text();
      if (answer.ok && !mine.signal.aborted && seen() === from) await show(text);
    } catch { /* the stream comes back, and with it the number */ }
    if (fetching === mine) fetching = null;
    if (seen() > from) catchUp();   // what came meanwhile was heard and not fetched
  }

  // A seat that was chosen stays chosen. A play half chosen, or a refusal that is being read, was
  // about a table that is no more: the page says so.
  function address() {
    const wish = new URLSearchParams(choice);
    const seat = wish.get("seat");
    wish.delete("seat");
    const half = wish.size > 0 || one(".strip.refused");
    const query = new URLSearchParams(half ? { was: seen() } : seat ? { seat } : {});
    return `${one(".bar").dataset.table}?${query}`;
  }

  async function show(text) {
    const old = table();
    const open = one(".menu[open]"), question = one(".clash:has(.vs)"), focused = document.activeElement.id;
    const typed = [...old.querySelectorAll("input[id]")].map((field) => [field.id, field.value]);
    before = { table: old, until: performance.now() + LATE_TAP_MS };
    if (choice && !/^\?seat=[^&]*$/.test(choice)) choice = "";
    await htmx.swap({ sourceElement: old, target: old, text, swap: "outerHTML" });
    one(".strip,.clash").classList.add("fresh");
    document.dispatchEvent(new Event("entry"));
    if (open) one(".menu").open = true;
    if (question) one(".strip,.clash").replaceWith(question);
    for (const [id, value] of typed) if (value && one(`#${id}`)) one(`#${id}`).value = value;
    const again = focused && document.getElementById(focused);
    if (again) again.focus({ preventScroll: true });
  }

  // A tap that was on its way when the table changed was meant for the table as it stood: it is sent
  // as that, and the server says whether somebody else has told the same.
  document.addEventListener("submit", (event) => {
    if (!before || performance.now() > before.until || !event.target.closest("#table")) return;
    const form = event.target, button = event.submitter;
    const old = button && button.id && one(`#${CSS.escape(button.id)}`, before.table);
    if (form.id !== "play" || !old) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    button.value = old.value;
    for (const name of ["seen", "key"]) form.elements[name].value = old.form.elements[name].value;
  }, true);

  document.addEventListener("pointerdown", () => { touching = true; }, true);
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, () => { touching = false; setTimeout(catchUp, 60); }, true);
  }
  document.addEventListener("htmx:before:request", (event) => {
    if (ofDoor(event)) return;
    busy += 1;
    if (fetching) fetching.abort();
    fetching = null;
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (ofDoor(event)) return;
    busy -= 1;
    const { request, response } = event.detail.ctx;
    if (response) choice = request.method === "GET" ? new URL(request.action, location).search : "";
    soon();
    catchUp();
  });

  // ---- being told: a stream; where none comes through, a question every now and then
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
      else ask();   // it tries again by itself; meanwhile: is it the stream or the network?
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

  async function ask() {
    clearTimeout(poll);
    if (document.hidden) return;
    try {
      const answer = await fetch(live, { cache: "no-store" });
      network(true);
      if (answer.ok) {
        const number = Number(await answer.text());
        if (number > news) pause = POLL_MS[0];
        heard(number);
      }
    } catch { network(false); }
    if (source && source.readyState === EventSource.OPEN) return;
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
  addEventListener("offline", () => network(false));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { deaf(); stopAsking(); clearTimeout(again); } else listen();
  });
  addEventListener("pagehide", deaf);
  addEventListener("pageshow", listen);
  listen();
})();
