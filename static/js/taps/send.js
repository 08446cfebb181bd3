// Sending what waits, and what the answer changes.

// ---- sends one item after the other, until one is not simply recorded
let sending = false, later = 0;
async function flush() {
  if (sending) return;
  sending = true;
  const stuck = new Set();
  const work = async () => { while (await step(stuck)); };
  // Pages of one phone take turns by a lock. A page that the browser has suspended is not waited
  // for: the server recognises repetitions by their key.
  try { await navigator.locks.request("unsent", { signal: AbortSignal.timeout(AGAIN_MS) }, work); } catch { await work().catch(console.error); }
  sending = false;
  clearTimeout(later);
  if (all().some((item) => !item.asked)) later = setTimeout(flush, AGAIN_MS);
  else document.dispatchEvent(new Event("idle"));
}
// Sends the first item of a table, preferably this one; returns whether there may be more to do.
// ``stuck``: tables at which nothing can be done now.
async function step(stuck) {
  if (table() && offline()) return false;
  const items = all().filter((item) => !item.asked && !stuck.has(item.table));
  const first = items.find((item) => item.table === here()) ?? items[0];
  if (!first) return false;
  if (!await (first.held ? replay(first) : send(first))) stuck.add(first.table);
  return true;
}
// Sends a held key: as the same key on the present table, or as its line for the seat whose turn it
// is. It becomes a question if its key means something else now, or if it follows a half-entered
// play: the player may have meant the key before it as a whole play.
function replay(item) {
  if (asking || item.table !== here()) return false;   // the page that it follows is still being requested
  const found = arrive(item), seat = seatOf(document);
  replayed = item;
  if (!keyless() && (!path[0] || item.half || item.held.pop) && (item.seen ?? page.seen()) === page.seen()) {   // otherwise another phone has played meanwhile
    if (found) tapped(found);
    else if (item.tail && seat && !item.held.pop && !find(item.held)) add({ action: `${here()}/play`, fields: { line: `${token(seat)} ${item.tail}` }, plain: item.plain, label: item.label.replace(NEXT, () => seat) });
  }
  replayed = null;
  const left = all().some((other) => other.key === item.key);
  if (left && asking) {   // it was a step, and the item held behind it is about the same table
    drop(item.key);
    const next = waiting()[0]?.key;
    change((other) => other.key === next, () => ({ seen: page.seen() }));
  } else if (left && keyless()) return refused(item);
  else if (left) question(item.table);
  draw();
  return !asking;
}
// The held key on the present table; if it was tapped without network, only with the same line.
function arrive({ held, tail, own, half, cut: alone }) {
  let within = table(), key = null;
  for (const wanted of [held].flat()) {
    if (key && !isStep(key)) break;   // one tap is enough in this step
    const text = key && stepOn(table().outerHTML, key);
    if (key && !text) return undefined;
    if (text) within = page.parsed(text);
    key = find(wanted, within);
    if (!key) return undefined;
  }
  const said = tailOf(key);
  if (alone && own !== undefined && (own !== isOwn(key) || (half && !isStep(key)))) return undefined;
  return (alone || held.pop) && said && tail && said !== tail ? undefined : key;
}
async function send(item) {
  change((other) => other.key === item.key, () => ({ tried: true }));
  const local = item.table === here(), body = new URLSearchParams({ ...item.fields, ...(item.plain && { undeclared: 1 }), person: item.person ?? "", seen: item.seen, key: item.key });
  let answer;
  try { answer = await page.ask(item.action, { method: "POST", body }); } catch {
    lost = true;
    letGo();
    return false;
  }
  lost = false;
  if (answer.reply === "never") return refused(item, answer.text);
  const { status, text, reply } = answer, whole = text.includes('id="table"'), stands = item.seen + item.count;
  page.unkept = status === 503;   // the server is there, and cannot store anything
  if (page.unkept) document.dispatchEvent(new Event("unkept"));
  if (status > 500 || status === 429 || (status === 500 && !item.failed)) {
    change((other) => other.key === item.key, () => ({ failed: status === 500 }));
    return false;
  }
  const [next] = all().filter((other) => other.table === item.table && other.key !== item.key && !other.asked);
  if (reply === "recorded") {
    drop(item.key);
    change((other) => other.key === next?.key, (other) => ({ seen: other.seen ?? stands }));
    if (local) await show(text, stands);
    return true;
  }
  // a single refused item is shown as the server answers it, if the page is visible; otherwise it
  // becomes a question
  if (local && !next && !document.hidden && ["refused", "asks"].includes(reply)) drop(item.key);
  else question(item.table, (whole ? one(".strip.refused p,[data-why]", page.parsed(text)) : page.parsed(text).body)?.textContent ?? "");
  if (local) await page.exchange(whole ? text : given);
  return true;
}
// Shows the table of the answer, unless this phone can handle further taps by itself.
async function show(text, stands) {
  given = text;
  table().stands = stands;
  const chosen = path;
  if (turned && idle()) fetchPage(null, page.choice);
  else if (idle() && !page.drafts?.(stands) && await page.exchange(text, idle)) {
    page.choice = "";
    if (!chosen.owner || chosen.owner === seatOf(document)) retake(chosen);   // it stays the play of its seat
  }
}
// Repeats the steps of a half-entered play on the new table.
async function retake(signs) {
  for (const wanted of signs) {
    const key = find(wanted, table());
    if (!key || !isStep(key)) return;
    await fetchPage(key);
  }
}
// Steps that waited for an answer which does not come are made on the present table.
function letGo() {
  const halves = known(table()) ? waiting().filter((item) => item.half) : [];
  for (const item of halves) drop(item.key);
  if (halves[0]) retake(halves.map((item) => item.held));
}
// What the server will never record needs the network to be known, so this part is loaded then.
async function refused(item, text = table().outerHTML) {
  return (await import("/static/js/refused.js")).denied(item, text);
}
function question(address, why = "") {
  change((item) => item.table === address, () => ({ asked: true, why }));
}
