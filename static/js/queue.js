// A play made without network waits on the phone, is sent once and in order, or becomes a question.
(() => {
  "use strict";
  const AGAIN_MS = 4000;
  const WORKER_MS = 3000;   // it fetches pages to keep, and the first visit is busy
  const one = (selector, within = document) => within.querySelector(selector);
  const table = () => one("#table");
  const here = () => one(".bar[data-table]")?.dataset.table;
  const offline = () => document.documentElement.dataset.net === "off" || !navigator.onLine;

  // ---- what waits: entries told on this phone, the oldest first; storage outlasts page and phone
  const all = () => { try { return JSON.parse(localStorage.unsent || "[]"); } catch { return []; } };
  const keep = (items) => { if (items.length) localStorage.unsent = JSON.stringify(items); else localStorage.removeItem("unsent"); };
  const of = (address) => all().filter((item) => item.table === address);
  const drop = (key) => keep(all().filter((item) => item.fields.key !== key));
  const change = (match, how) => keep(all().map((item) => (match(item) ? { ...item, ...how(item) } : item)));
  const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => "0123456789abcdefghijklmnopqrstuv"[b & 31]).join("");
  const tail = (items) => items.reduce((seen, item) => Math.max(seen, item.seen + item.count), 0);

  function wait(action, fields, label) {
    const before = of(here()).filter((item) => !item.asked);
    const known = before.some((item) => item.fields.key === fields.key);
    const seen = before.length ? tail(before) : Number(fields.seen);
    const count = "line" in fields ? fields.line.trim().split("\n").length : 1;
    if (known) fields.key = newKey();
    try {
      keep([...all(), { table: here(), action, fields: { ...fields, seen }, seen, count, label }]);
    } catch { return; }   // no room on this phone: the notice stands that it was not sent
    aimAtNext();
    draw();
  }

  // ---- what is taken: a play that can't leave, or one behind another that waits
  const labelOf = (button) => [one(".who h1 .nm")?.innerText, button.id ? button.id.slice(1) : button.innerText.split("\n")[0]].join(" ").trim();
  let label = "";
  document.addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter;
    if (!button || !form.closest("#table")) return;
    label = labelOf(button);
    const waiting = of(here()).some((item) => !item.asked);
    if (!waiting && !offline()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.id === "undo" && waiting) return takeBack();
    wait(form.getAttribute("action"), Object.fromEntries(new FormData(form, button)), label);
  }, true);
  document.addEventListener("htmx:error", (event) => {
    const { request } = event.detail.ctx;
    if (request.method !== "POST" || !here() || !request.action.startsWith(here())) return;
    wait(request.action, Object.fromEntries(request.body), label);
    setTimeout(flush, AGAIN_MS);
  });
  function takeBack() {
    const last = of(here()).filter((item) => !item.asked).pop();
    if (!last) return;
    drop(last.fields.key);
    if (last.seat) aim(last.seat);
    redraw();
  }

  // ---- without network the keys can be turned to another seat: the server judges later all the same
  const PLAIN = /^[^\s"#=,]+$/;
  const names = () => [...document.querySelectorAll("#table .seat:not(.past) .nm")].map((name) => name.textContent);
  function aim(seat) {
    const head = one(".who h1 .nm");
    const old = head?.textContent;
    const keys = [...document.querySelectorAll("#play button[name=line]")];
    if (!old || !PLAIN.test(old) || !PLAIN.test(seat) || !keys.length) return;
    if (!keys.every((key) => key.value.startsWith(`${old} `) && !key.value.includes("\n"))) return;
    for (const key of keys) key.value = seat + key.value.slice(old.length);
    head.textContent = seat;
    one(".who .need")?.remove();   // what the server asked for was asked of another card
    for (const plate of document.querySelectorAll("#table .seat")) {
      const due = one(".nm", plate)?.textContent === seat;
      plate.classList.toggle("turn", due);
      if (due) moveSlot(one(".slot:not(.none)", plate));
    }
  }
  function moveSlot(to) {
    const from = one("#table .slot.now");
    if (!from || !to) return;
    from.className = "slot";
    to.className = "slot now";
    to.append(...from.childNodes);
  }
  function aimAtNext() {
    const seats = names(), at = seats.indexOf(one(".who h1 .nm")?.textContent);
    if (at >= 0) aim(seats[(at + 1) % seats.length]);
  }
  document.addEventListener("click", (event) => {
    const tag = event.target.closest("#table .seat .tag");
    if (!tag || !(offline() || of(here()).some((item) => !item.asked))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    aim(one(".nm", tag).textContent);
  }, true);

  // ---- sending: one after the other, until one is not simply recorded
  let sending = false, barred = "";
  async function flush() {
    if (sending) return;
    sending = true;
    const work = async () => {
      let shown = "";
      barred = "";
      for (const item of all()) {
        if (item.asked || all().some((other) => other.table === item.table && other.asked)) continue;
        const told = await send(item);
        if (told === null) break;
        if (item.table === here()) shown = told;
      }
      if (shown && table()) await htmx.swap({ sourceElement: table(), target: table(), text: shown, swap: "outerHTML" });
      draw();
      if (barred && table()) one("#notice").innerHTML = barred;
    };
    try {
      if (navigator.locks) await navigator.locks.request("unsent", work);
      else await work();
    } finally { sending = false; }
    clearTimeout(later);
    if (all().some((item) => !item.asked)) later = setTimeout(flush, AGAIN_MS);
  }
  let later = 0;

  // The fragment that the server answers with; null where nothing can be said yet.
  async function send(item) {
    let answer, text;
    try {
      answer = await fetch(item.action, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams(item.fields) });
      text = await answer.text();
    } catch { return null; }
    if (answer.status >= 500 || answer.status === 429) return null;
    const page = new DOMParser().parseFromString(text, "text/html");
    const field = one("#play [name=seen]", page);
    if (!field) {   // not the table: this phone has to join again first
      if (answer.status === 403) barred = text;
      return null;
    }
    const refused = one(".strip.refused p", page);
    if (answer.status === 200 && !refused && Number(field.value) >= item.seen + item.count) {
      drop(item.fields.key);
      return text;
    }
    const why = refused ? refused.textContent.trim().replace(/\s+/g, " ") : "";
    change((other) => other.table === item.table, () => ({ asked: true, why }));
    return text;
  }

  // ---- what waits is shown, and never looks as if it lay on the table
  function fill(id, items) {
    const block = one(id).content.cloneNode(true);
    const text = items.map((item) => item.label).join("　");
    for (const place of block.querySelectorAll("[data-n]")) place.textContent = place.textContent.replace("0", items.length);
    one("[data-what]", block).textContent = text;
    return block;
  }
  function draw() {
    for (const mark of document.querySelectorAll(".unsent-card")) mark.remove();
    const mine = of(here()), place = one(".pad .strip,.pad .clash");
    if (!table() || !place) return elsewhere();
    const asked = mine.filter((item) => item.asked), waiting = mine.filter((item) => !item.asked);
    if (asked.length) {
      const block = fill("#unsent-asked", asked);
      if (asked[0].why) one("[data-why]", block).textContent = asked[0].why;
      place.replaceWith(block);
    } else if (waiting.length) {
      place.replaceWith(fill("#unsent-waiting", waiting));
      for (const item of waiting) lay(item.label);
    }
    one("#notice").replaceChildren();
  }
  function lay(text) {
    const [, name, rank] = text.match(/^(.*) (\d+)$/) || [];
    const seat = [...document.querySelectorAll("#table .seat")].find((li) => one(".nm", li)?.textContent === name);
    if (!seat || !rank || rank > 10 || !one(".cap", seat)) return;
    const card = document.createElement("span");
    card.className = `card r${rank}`;
    card.textContent = rank;
    one(".slot,.card", seat)?.replaceWith(card);
    seat.classList.remove("over");   // it is not of the trick that is over
    one(".cap", seat).replaceChildren(one("#unsent-mark").content.cloneNode(true));
  }
  function elsewhere() {
    const first = all()[0];
    if (!first || here()) return;
    const block = fill("#unsent-elsewhere", of(first.table));
    one("a", block).href = first.table;
    one("#notice").replaceChildren(block);
  }
  // Without network the page as the server gave it last is drawn again.
  let given = "";
  function redraw() {
    if (given && table()) htmx.swap({ sourceElement: table(), target: table(), text: given, swap: "outerHTML" });
    else draw();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-unsent]");
    if (!button) return;
    event.preventDefault();
    if (button.dataset.unsent === "back") return takeBack();
    if (button.dataset.unsent === "drop") {
      for (const item of of(here())) drop(item.fields.key);
      return redraw();
    }
    let seen = Number(one("#play [name=seen]").value);   // "again": behind what stands there now
    change((item) => item.table === here(), (item) => {
      const at = seen;
      seen += item.count;
      return { asked: false, why: "", seen: at, fields: { ...item.fields, seen: at, key: newKey() } };
    });
    flush();
  });

  // ---- the page as it stands is kept for the next time it is opened without network
  async function remember() {
    given = table().outerHTML;
    if (!("caches" in window) || location.pathname !== here()) return;
    const page = document.documentElement.cloneNode(true);
    page.removeAttribute("data-net");
    for (const left of page.querySelectorAll("[data-count] i")) left.remove();
    one("#notice", page).replaceChildren();
    const type = { "Content-Type": "text/html; charset=utf-8" };
    const cache = await caches.open("pages");
    await cache.put(here(), new Response(`<!doctype html>\n${page.outerHTML}`, { headers: type }));
  }
  function settled() {
    if (!table()) return elsewhere();
    const fresh = !one(".unsent-strip", table());
    if (fresh) remember();
    draw();
  }

  document.addEventListener("htmx:after:swap", settled);
  document.addEventListener("network", (event) => { if (event.detail) flush(); });
  addEventListener("online", flush);
  settled();
  flush();

  // ---- pages open without network where browsers allow it: on secure addresses (web/install.py)
  if ("serviceWorker" in navigator) {
    addEventListener("load", () => setTimeout(() => navigator.serviceWorker.register("/sw.js"), WORKER_MS));
  }
})();
