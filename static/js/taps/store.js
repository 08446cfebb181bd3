// No tap is lost. When the finger comes down, seat, line and the preceding entry are fixed. Plays
// wait here in order and are sent one after the other, with or without network; the page goes on at
// once.
//
// The files of this folder and ``steps.js`` of the games are joined to one closure (http/assets.py)
// and share their names: store (what waits), keys (what a tap means), steps (of a play that takes
// several taps), send, draw.
const AGAIN_MS = 4000;
const SHOWN_MS = 250;     // an answer within this time needs no "waiting" message
const { one, every, table } = page;
const here = () => one(".bar[data-table]")?.dataset.table;
const [NEXT, BETWEEN] = document.documentElement.lang === "ja" ? ["次の手番", "　"] : ["Next", " · "];
const offline = () => document.documentElement.dataset.net === "off";   // as live.js has found out

// ---- the waiting items, the oldest first; localStorage outlives page and restart. An item has the
// ``fields`` of a play, or is ``held``: a key whose seat depends on an answer that has not come
// yet, given by its sign or the signs of the steps to it. ``half``: it was only a step of a play:
// dropped without network. ``cut``: it was tapped without network. ``plain``: its key had no
// declaration on it. ``person``: who used this phone then, by ``data-person`` of the table. Each has
// a place of its own in the storage, so that pages that write at the same time do not undo what the
// other wrote.
const PLACE = "unsent ";
let spare = null;   // used if the browser gives no storage
const dropped = new Set();   // another page, which does not know yet, may store it once more
function all() {
  let items = spare;
  try { items ??= Object.keys(localStorage).filter((name) => name.startsWith(PLACE)).map((name) => JSON.parse(localStorage[name])); } catch { return []; }
  return items.filter(({ key }) => !dropped.has(key)).sort((a, b) => a.order - b.order);
}
function keep(item) {
  try {
    if (!spare) localStorage[PLACE + item.key] = JSON.stringify(item);
  } catch { spare = all(); }
  if (spare) spare = [...spare.filter(({ key }) => key !== item.key), item];
}
function drop(key) {
  dropped.add(key);
  try { localStorage.removeItem(PLACE + key); } catch { /* it is not there */ }
}
const at = (address) => all().filter((item) => item.table === address);
const waiting = () => at(here()).filter((item) => !item.asked);
const keyless = () => "keyless" in table().dataset;   // this phone may record nothing here
const person = () => one(".bar").dataset.person;
const atTheEnd = () => Math.max(Date.now(), (all().at(-1)?.order ?? 0) + 1);   // as an item's ``order``
const change = (match, how) => all().filter(match).forEach((item) => keep({ ...item, ...how(item) }));
const ask = (items) => change((item) => items.some((other) => other.key === item.key), () => ({ asked: true }));
const newKey = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 9);
const idle = () => waiting().every((item) => item.held);   // no waiting item can be sent yet
