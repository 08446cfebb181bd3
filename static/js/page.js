// The table on this page: how it is requested and replaced, and what was on the screen when a finger
// came down. table.js, live.js and taps use this. (Other pages leave this to htmx; at a table the
// order of taps matters, and every byte of the first load.)
const page = (() => {
  "use strict";
  const LONGEST = 32000;
  const PATIENCE_MS = 15000;
  const WORKER_MS = 3000;   // it downloads pages to cache, and the first visit is busy
  const CLICK_MS = 60;   // after it, a finger that went up brings no click any more
  const REST_MS = 2000;   // after it, a finger rests on the screen, or nobody has said that it went up
  const one = (selector, within = document) => within.querySelector(selector);
  const every = (selector, within = document) => [...within.querySelectorAll(selector)];
  const table = () => one("#table");
  const seen = () => Number(one("#play [name=seen]")?.value);

  // ---- an answer carries only what is new, if the server knows what this page has: see
  // http/delta.py
  let held = null;
  async function ask(url, options = {}) {
    const headers = { "HX-Request": "true" };
    const base = "DecompressionStream" in window ? held : null;
    if (base) headers["X-Has"] = base.key;
    held = null;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(url, { signal, ...options, headers });
    if (!answer.headers.has("X-Fudami")) throw Error(answer.status);   // somebody else, as the login page of a network
    let bytes = new Uint8Array(await answer.arrayBuffer());
    const old = answer.headers.has("X-Builds-On") ? base.text : new Uint8Array();
    if (old.length) bytes = await read(old, bytes);
    const key = answer.headers.get("X-Key"), text = decoded(bytes);
    if (key) held = { key, text: joined(decoded(old), text) };
    return { status: answer.status, reply: answer.headers.get("X-Reply"), text };
  }
  const decoded = (bytes) => new TextDecoder().decode(bytes);
  // What is new refers back to the old text, which is put in front of it as an uncompressed block.
  async function read(old, fresh) {
    const n = old.length, head = new Uint8Array([0, n & 255, n >> 8, ~n & 255, ~n >> 8 & 255]);
    const stream = new Blob([head, old, fresh]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(n);
  }
  // The fresh text, and before it the lines of the old one that it does not have. If that is too
  // long, the oldest lines of which there are many versions are lost first.
  function joined(old, fresh) {
    const again = new Set(fresh.split("\n")), lines = old.split("\n").filter((line) => !again.has(line));
    const encode = (text) => new TextEncoder().encode(text), start = (line) => line.split('"', 3), versions = Object.create(null);
    for (const line of lines) versions[start(line)] = (versions[start(line)] ?? 0) + 1;
    let over = encode([...lines, fresh].join("\n")).length - LONGEST;
    const rare = lines.filter((line) => over <= 0 || versions[start(line)]-- <= 4 || void (over -= encode(line).length + 1));
    const bytes = encode([...rare, fresh].join("\n")), last = bytes.slice(-LONGEST);
    return bytes.length === last.length ? last : last.slice(last.indexOf(10) + 1);
  }

  // ---- while a finger is on the screen the table is not replaced: its target must still be there
  // when it goes up, and until the click that follows was handled
  let finger = null, lifted = null, lift = null, rising = 0;
  const down = new Map();   // by pointer, since when
  document.addEventListener("pointerdown", ({ pointerId, timeStamp, clientX, clientY }) => {
    finger = { at: timeStamp, x: clientX, y: clientY };
    down.set(pointerId, timeStamp);
    lifted ||= new Promise((resolve) => { lift = resolve; });
    setTimeout(() => { if (down.get(pointerId) === timeStamp) gone(pointerId); }, REST_MS);
  }, true);
  function gone(pointer) {
    down.delete(pointer);
    rise(CLICK_MS);
  }
  function rise(after) {
    clearTimeout(rising);
    rising = setTimeout(() => {
      if (down.size) return;
      lifted = null;
      lift?.();
    }, after);
  }
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, (event) => gone(event.pointerId), true);
  }
  document.addEventListener("click", () => rise(0), true);

  const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

  // Replaces the table, unless ``text`` has none or ``wanted`` says that it is no longer wanted;
  // returns whether it did. Text that is being typed stays in its field.
  async function exchange(text, wanted = () => true) {
    while (lifted) await lifted;
    const fresh = parsed(text), coming = one("#table", fresh), leaving = table();
    if (!coming || !wanted()) return false;
    // on top: a target in a folded list has a box, too
    const boxes = every("a,button", leaving).map((key) => [key, key.getBoundingClientRect()])
      .filter(([key, box]) => document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest("a,button") === key);
    if (Number(one("[name=seen]", coming)?.value) === seen()) every(".laid", coming).forEach((card) => card.classList.remove("laid"));
    const typed = every("input[id]", leaving).filter((field) => field.value !== field.defaultValue);
    leave();
    leaving.replaceWith(coming);
    if (fresh.title) document.title = fresh.title;
    for (const { id, value } of typed) if (one(`#${id}`)) one(`#${id}`).value = value;
    changed(leaving, boxes);
    stay();
    document.dispatchEvent(new Event("exchanged"));
    return true;
  }

  // ---- the keyboard focus stays at the same place, or comes to what is to be done next
  const REACHED = "a,button,summary,input,select";
  let reached = null;
  function leave() {
    reached = document.activeElement.matches(REACHED) ? document.activeElement : null;
  }
  function stay() {
    if (!reached || reached.isConnected || document.activeElement !== document.body) return;
    const found = every(REACHED).filter((other) => other.localName === reached.localName && !other.disabled);
    const like = (name) => reached.getAttribute(name) && found.find((other) => other.getAttribute(name) === reached.getAttribute(name));
    const next = like("id") || like("href") || like("value") || found.find((other) => other.textContent === reached.textContent) || like("class") || one("#play button,#play a,.over a");
    if (next) next.focus({ preventScroll: true });
  }
  document.addEventListener("htmx:before:swap", leave);
  document.addEventListener("htmx:after:swap", stay);

  // ---- a tap applies to what was on the screen when the finger came down, and a change is on the
  // screen only after painting: an earlier tap applies to the previous table. On a slow phone the
  // event can arrive much later.
  let old = null, exchanges = 0, tapped = { at: 0 };
  const painted = (then) => requestAnimationFrame(() => setTimeout(then));
  function changed(leaving, boxes) {
    if (old?.until !== Infinity) old = { table: leaving, boxes, until: Infinity };
    const number = exchanges += 1;
    painted(() => { if (number === exchanges) old.until = performance.now(); });
  }
  // The click of a screen reader or of voice control comes without a pointer.
  document.addEventListener("click", (event) => {
    tapped = { at: event.timeStamp, ...(event.detail && finger) };
    if (event.detail) finger = null;
  }, true);
  const meant = () => (old && tapped.at < old.until ? old.table : table());
  // The target under the finger on a table that was replaced since; null: no target; undefined: not
  // replaced.
  function under() {
    const { x, y } = tapped;
    if (x === undefined || meant() === table()) return undefined;
    const hit = old.boxes.find(([, box]) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    return hit ? hit[0] : null;
  }

  // ---- pages open without network if the browser allows it: on secure addresses
  // (web/site/install.py)
  if ("serviceWorker" in navigator) {
    addEventListener("load", () => setTimeout(() => navigator.serviceWorker.register("/sw.js"), WORKER_MS));
  }

  // ``choice``: the query of the present table. ``waits``: see taps.
  return { choice: "", one, every, table, seen, ask, parsed, exchange, painted, meant, under, tappedAt: () => tapped.at };
})();
