// While the server gives no answer: says what this phone knows and what to do, and hands over the
// entries that it cannot send. A page of a table loads this in advance, because then nothing can be
// loaded any more. Its texts are those of the page /offline, where it runs, too.
const EVERY_MS = 10000, PATIENCE_MS = 8000, QUICK_MS = 2000, CARDS = 8;
const { one, every, table, parsed } = page;
const own = one("#rescue"), source = own ? document : parsed(await text("/offline"));
const template = (id) => one(`#rescue-${id}`, source).content.cloneNode(true);
const here = () => one(".bar[data-table]")?.dataset.table ?? "";
const said = (node, what, value) => { for (const place of every(`[data-${what}]`, node)) place.textContent = place.textContent.replace(/〓|\b0\b/, value); };
let cause = "silent", tried = Date.now(), seenAt = Date.now(), root = own, shut = null, timer = 0;

async function text(address) {
  const answer = await fetch(address).catch(() => null);
  return (answer?.headers.has(MARK) ? answer : await caches.match(address))?.text() ?? "";
}
if (!own) document.head.append(one("link[data-rescue]", source));

// ---- what is known: why this phone can record nothing now; "" if it can
async function probe() {
  const began = Date.now();
  tried = began;
  try {
    const answer = await fetch("/healthz", { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.headers.has(MARK)) return answer.status < 500 && answer.status !== 429 ? "other" : "silent";
    return answer.status === 503 || page.unkept ? "full" : "";
  } catch {
    if (!navigator.onLine) return "off";
    return location.protocol === "https:" && Date.now() - began < QUICK_MS ? "trust" : "silent";
  }
}
async function look() {
  clearTimeout(timer);
  const found = await probe();
  if (found !== cause || root) {
    cause = found || cause;
    if (found) show();
  }
  const html = document.documentElement, cut = html.dataset.net === "off";
  if (found === "full" && !cut) html.dataset.net = "full";
  else if (html.dataset.net === "full" && !found) delete html.dataset.net;
  if (!found || (found === "full" && cut)) back();
  label();
  if (root || "net" in html.dataset) timer = setTimeout(look, EVERY_MS);
}
// The server is here again: live.js and taps hear of it, and the table is shown.
function back() {
  if (own) {
    if (cause !== "full" && location.pathname !== "/offline") location.reload();   // shown in place of another page
    return;
  }
  dispatchEvent(new Event("online"));
  if (cause !== "full") shut?.close();
}

// ---- the entries that wait, by table; those of the table on this page first
function tables() {
  const items = waiting(), names = [...new Set([here(), ...items.map((item) => item.table)])].filter(Boolean);
  return names.map((name) => [name, name === here() ? page.at(name) : items.filter((item) => item.table === name)]).filter(([name, rows]) => rows[0] || name === here());
}
function listed(items) {
  return items.map((item) => {
    const row = template("item");
    one("b", row).textContent = item.label;
    one(".t", row).textContent = clock(item.order);
    return row;
  });
}

// ---- the first view: the cause, the entries, the table as it was seen last
async function show() {
  if (!root) return;
  const main = one("[data-part]", root);
  if (main.dataset.part === "moving") return;
  const view = template("view"), found = tables();
  one("[data-cause]", view).replaceChildren(template(cause));
  said(view, "tried", new Date(tried).toLocaleTimeString("ja"));
  for (const [name, items] of found) one("[data-tables]", view).append(await part(name, items));
  main.replaceChildren(view);
}
async function part(name, items) {
  const block = template("table"), kept = await lastSeen(name);
  said(block, "n", items.length);
  one(".unsent", block).append(...listed(items));
  one("[data-go]", block).href = name;
  one("[data-do=move]", block).value = name;
  if (!items[0]) for (const each of every("[data-some]", block)) each.remove();
  if (kept) {
    said(block, "at", clock(kept.at));
    said(block, "seq", kept.seq);
    one("[data-turn]", block).textContent = kept.turn;
    one("[data-places]", block).textContent = kept.places;
    one(".ex4", block).prepend(...kept.cards);
  } else one(".deal", block).remove();
  return block;
}
async function lastSeen(name) {
  const answer = "caches" in window ? await caches.match(name) : undefined;
  const old = parsed(name === here() ? page.given() : await answer?.text() ?? ""), seq = one("#play [name=seen]", old)?.value;
  if (!seq) return null;
  const date = answer?.headers.get("Date"), plain = (node) => node.textContent.replace(/\s+/g, " ").trim();
  return {
    at: date ? Date.parse(date) : seenAt, seq, turn: plain(one(".who h1", old)),
    places: every(".who .at>span:not(.lamp)", old).map(plain).join("\u3000"),
    cards: every(".board :is(.card,.slot:not(.none))", old).slice(0, CARDS).map((card) => { card.removeAttribute("data-entry"); return card; }),
  };
}

// ---- the second view: hand the entries of one table over, by the new address, a QR code or a file
async function move(name) {
  const items = name === here() ? page.at(name) : waiting().filter((item) => item.table === name);
  const view = template("moving"), carried = await packed(name, items), field = one("input[name=address]", view);
  said(view, "n", items.length);
  said(view, "sign", signOf(items));
  one(".unsent", view).append(...listed(items));
  one("[data-scheme]", view).textContent = `${location.protocol}//`;
  field.value = location.host;
  one("[data-do=file]", view).href = URL.createObjectURL(new Blob([carried], { type: "text/plain" }));
  one("[data-do=taken]", view).value = name;
  const main = one("[data-part]", root);
  main.dataset.part = "moving";
  main.replaceChildren(view);
  field.oninput = () => aim(main, carried);
  aim(main, carried);
  one("h1", main).focus();
  root.scrollTo?.(0, 0);
}
function aim(main, carried) {
  const typed = one("input[name=address]", main).value.trim().replace(/^\w+:\/\//, "").replace(/\/.*$/, "");
  const good = /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:]+\](:\d{1,5})?$/i.test(typed), address = `${location.protocol}//${typed}/take#${carried}`;
  const link = one("[data-do=open]", main), rows = good ? qr(address) : null;
  if (good && typed !== location.host) link.href = address;
  else link.removeAttribute("href");
  one("[data-qr]", main).hidden = !rows;
  one("[data-long]", main).hidden = Boolean(rows) || !good;
  if (!rows) return;
  one("[data-qr] svg", main).setAttribute("viewBox", `0 0 ${rows.length + 8} ${rows.length + 8}`);
  one("[data-qr] path", main).setAttribute("d", pathOf(rows));
}
// Removes what another page has taken over: that page alone shows the number.
function taken(name) {
  const items = waiting().filter((item) => item.table === name), typed = one("input[name=receipt]", root).value.trim();
  const right = items[0] && typed === `${receiptOf(items)}`;
  one("[data-wrong]", root).hidden = Boolean(right);
  if (!right) return;
  for (const { key } of items) {
    page.drop?.(key);
    localStorage.removeItem(PLACE + key);
  }
  leave();
  if (table()) page.exchange(page.given());
}

// ---- opens over the table; on /offline it is the page
function open() {
  if (shut) return;
  shut = document.createElement("dialog");
  root = shut;
  shut.className = "rescue";
  shut.append(...template("frame").children);
  document.body.append(shut);
  shut.onclose = () => { shut.remove(); root = shut = null; };
  shut.oncancel = (event) => { if (one("[data-part]", root).dataset.part === "moving") { event.preventDefault(); leave(); } };
  cause = navigator.onLine ? cause : "off";
  show().then(() => { shut?.showModal(); look(); });
}
function leave() {
  const main = one("[data-part]", root);
  if (main.dataset.part !== "moving") return shut?.close();
  main.dataset.part = "";
  return show();
}
document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-rescue],[data-do],.lamp.net");
  if (!key || key.localName === "link") return;
  const { do: what } = key.dataset, link = key.href && what !== "back";
  if (!link) event.preventDefault();
  if (!what) open();
  else if (what === "move") move(key.value);
  else if (what === "back") leave();
  else if (what === "look") look();
  else if (what === "taken") taken(key.value);
  else if (what === "on" && shut && key.pathname === here()) { event.preventDefault(); shut.close(); }
});

// ---- on the table: the strip and the sign at the top name the cause
function label() {
  const { net } = document.documentElement.dataset, lamp = one(".lamp.net"), words = one(`#rescue-${cause}`, source).content;
  if (!net) return;
  if (lamp) lamp.textContent = one("[data-short]", words).textContent;
  const strip = one(".unsent-strip details"), head = strip && one("summary>b", strip);
  if (!head || one("[data-rescue]", strip)) return;
  const number = /\d+/.exec(head.textContent)?.[0] ?? "";
  head.textContent = one("[data-strip]", words).textContent.replace("0", number);
  one("ol", strip).prepend(template("key"));
}
document.addEventListener("told", label);
document.addEventListener("exchanged", () => { if (document.documentElement.dataset.net !== "off") seenAt = Date.now(); label(); });
document.addEventListener("network", ({ detail }) => { if (!detail) look(); else if (shut && cause !== "full") shut.close(); });
document.addEventListener("unkept", look);
addEventListener("storage", () => show());
let carried = "";
try { carried = localStorage.carried ?? ""; } catch { /* a private window */ }
if (carried && table()) one("#notice").replaceChildren(template("carried"));
if (own || "net" in document.documentElement.dataset) look();
