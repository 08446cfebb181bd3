// What a key says, and what happens when it is tapped.

// ---- a key is found again on another table by its id, or by its line without the seat
const SEAT = /^("[^"]*"|\S+) (?=\S)/;
const token = (name) => (/[\s#]|^and$/.test(name) ? `"${name}"` : name);   // as core/record/text.py
const bare = (line) => line.replace(SEAT, "");
const number = (key) => one("[name^=r]", formOf(key) ?? key)?.value ?? "";   // typed beside the key: rank or rest
const lineOf = (key) => `${key.value} ${number(key)}`.trim();
const sign = (key) => key.id || (key.search ?? (key.name === "line" ? `line=${bare(lineOf(key))}` : key.name ? `${key.name}=${key.value}` : key.textContent.trim()));
const seenAt = (was) => Number(one("#play [name=seen]", was).value);
const find = (wanted, within) => every("button,a", within).find((key) => !key.disabled && sign(key) === wanted);
Object.assign(page, { waits: () => asking || waiting().length > 0, waiting, sign, find, play, fetchPage, at, drop, question, refused });
// A table that was replaced is no document: its keys have no ``form`` property, and its forms no
// keys. A link has no form, even inside of one.
const formOf = (key) => (key.isConnected || key.localName === "a" ? key.form : one(`#${key.getAttribute("form") || "none"}`, key.getRootNode()) ?? key.closest("form"));
const said = (form, key) => ({ ...Object.fromEntries(new FormData(form)), ...(key.name && { [key.name]: key.value }) });
// A card of a suit is named by the sign of its row, as it is drawn.
const suited = (key) => key.closest(".sr") && key.closest(".sr").firstElementChild.textContent.replace("★", "") + key.firstChild.textContent;
const first = (key) => (suited(key) ?? (/^k[\dA-Z]/.test(key.id) ? key.id.slice(1) : number(key) || key.dataset.label || key.innerText || key.ariaLabel || key.textContent)).trim().split("\n")[0];
// The label of a waiting item names all taps that led to it.
const labelOf = (key) => (key.matches(".pick") ? one("b", key).textContent : path[0] ? `${path.label} ${first(key)}` : first(key));

// ---- a tap
let asking = false;   // another page of this table is being requested: a step of a play, or another seat
let turned = "";      // the seat for which somebody has chosen the keys
let twin = { until: 0 }, replayed = null;

const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
function ours(key) {
  const form = key && formOf(key), path = form ? new URL(form.action).pathname : key?.pathname;
  return path && [here(), `${here()}/play`, `${here()}/undo`].includes(path);
}
document.addEventListener("submit", (event) => {
  if (!event.submitter?.closest("#table") || !ours(event.submitter)) return;
  stop(event);
  tapped(event.submitter);
}, true);
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const key = event.target.closest("#table :is(a,button)"), left = page.under();
  if (left === undefined ? key?.localName !== "a" || !ours(key) : !ours(left) && !ours(key)) return;
  stop(event);
  if (left === undefined) tapped(key);
  else if (ours(left)) tapped(left);
}, true);

function tapped(shown) {
  const was = replayed ? table() : page.meant();
  const key = was === table() || !shown.isConnected ? shown : find(sign(shown), was) ?? shown, form = formOf(key);
  if (!replayed) {
    if (sign(key) === twin.key && page.tappedAt() < twin.until) return;   // one play, tapped twice
    const mine = twin = { key: sign(key), until: Infinity };
    page.painted(() => { mine.until = performance.now(); });
  }
  const undo = form?.id === "undo" || key.rel === "prev", back = undo && one("#kback,.bar [rel=prev]", was);
  if (undo && path[0]) return stepBack();
  if (undo && back !== key) return back ? tapped(back) : undone(was);
  if (page.takes?.(key, was)) return;
  const last = !replayed && waiting().at(-1), tail = tailOf(key), steps = isStep(key);
  const early = steps && was !== table() && seenAt(was) === page.seen();   // a key of the step that has just arrived, before it was painted
  const beside = form?.matches(":not(#play,#pick,.number)");   // a key above the pad
  if (!form && (last ? !last.held : cut()) && turnTo(key.search)) return;
  if (last && last.fields.line === lineOf(key) && (beside || !tail)) return;   // it is being sent already
  else if ((last || asking) && beside) add({ held: "-", label: `${NEXT} ${labelOf(key)}` });   // the person decides about it later
  else if (steps && cut() && !replayed && !asking && known(was)) fetchPage(key);
  else if (asking || early || (!replayed && was.matches(".waits")) || (last && !tail)) {
    const held = path[0] && !steps ? [...path, sign(key)] : sign(key);
    add({ held, tail, half: steps, cut: cut(), own: isOwn(key), plain: isPlain(key), label: `${NEXT} ${labelOf(key)}` });
    if (path[0] && !steps) goTo(given, []);
  } else if (steps) fetchPage(key);
  else {
    play(key, tail, was);
    if (path[0]) goTo(given, []);
  }
  if (tail) form.reset();   // clears a number that was typed
  draw();
}
const isPlain = (key) => key.matches("[id]:not(.dot,.off)");
// Whether the steps of the table can be taken: not if they mark table cards, of which a waiting play
// may have taken some.
const known = (at) => !at.matches(".waits") || !one("template[data-lit]", at);
const isOwn = (key) => tailOf(key) !== "" || /seat=./.test(queryOf(key));   // a play of a seat
// The line of a key without its seat, if it is a single play of a seat; else "".
function tailOf(key) {
  const line = key.name === "line" ? lineOf(key) : "";
  return line.includes("\n") || line.startsWith("table ") ? "" : bare(line);
}

function play(key, tail, was) {
  const form = formOf(key), fields = said(form, key), seats = (table().dataset.turns || "").split("\n");
  const seat = tail && SEAT.exec(lineOf(key))[1].replaceAll('"', ""), next = seats.indexOf(seat) + 1;
  add({
    action: new URL(form.action).pathname, fields,
    count: fields.line.trim().split("\n").length + (fields.overrule ? 1 : 0),
    plain: replayed ? replayed.plain : isPlain(key),
    label: (replayed?.label ?? `${NEXT} ${labelOf(key)}`).replace(NEXT, () => seat).trim(),
    then: next && !turned ? seats.slice(next) : [],
  }, was);
}
// ``back``: the button beside the waiting items, which also removes a waiting undo.
function undone(was, back = false) {
  const last = waiting().at(-1), form = one("#undo"), action = new URL(form.action).pathname;
  if (!last || last.tried || (!back && last.action === action)) return add({ action, label: labelOf(one("button", form)) }, was);
  drop(last.key);
  turned = page.choice = "";
  page.exchange(page.reopened?.(last) ?? given);
}
// Removes one of the waiting items. The table will show whether the others still fit; those whose
// seat depended on it become questions.
function without(key) {
  const queue = waiting(), i = queue.findIndex((item) => item.key === key), later = queue.slice(i + 1);
  if (i < 0 || queue[i].tried) return;
  drop(key);
  change((item) => item.key === later[0]?.key, (item) => ({ seen: item.seen ?? queue[i].seen }));
  const first = later.findIndex((item) => item.held);
  if (first >= 0) ask(later.slice(first));
  turned = page.choice = "";
  page.exchange(given);
}
// Appends an item, or puts it in place of the held key that has just found its seat.
function add(item, was = table()) {
  turned = "";
  const seen = !replayed && waiting().length ? null : was.stands ?? seenAt(was);
  keep({ fields: {}, count: 1, then: [], person: replayed?.person ?? person(), ...item, table: here(), key: newKey(), seen, order: replayed?.order ?? atTheEnd() });
  if (replayed) drop(replayed.key);
  draw();
  flush();
}

// ---- changes the keys to another seat: the next one, or one that was tapped
function turnTo(search) {
  const [[name, seat] = [], more] = new URLSearchParams(search);
  if (name !== "seat" || more || path[0]) return false;
  if (seat === turned) {   // tapped again: it is left
    turned = page.choice = "";
    page.exchange(given);
    return true;
  }
  if (!turn(seat)) return false;
  one(".who h1 small")?.remove();   // whether it is its turn
  turned = seat;
  page.choice = search;
  draw();
  return true;
}
function turn(seat) {
  const old = seatOf(document);
  const keys = every("#play button[name=line],.number button");
  const start = `${token(old || "")} `;
  if (!old || !keys[0] || table().dataset.alike === "" || !keys.every((key) => key.value.startsWith(start) && !key.value.includes("\n"))) return false;
  if (old === seat) return true;
  for (const key of keys) key.value = `${token(seat)} ${key.value.slice(start.length)}`;
  named(document, seat);
  one(".who .need")?.remove();   // the hint was about another card of another seat
  for (const plate of every("#table .seat")) {
    const now = one(".nm", plate)?.textContent === seat;
    plate.classList.toggle("turn", now);
    const from = one("#table .slot.now"), to = now && from && one(".slot:not(.none)", plate);
    if (!to) continue;
    from.className = "slot";
    to.className = "slot now";
    to.append(...from.childNodes);
  }
  return true;
}
