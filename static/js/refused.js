// What the server refuses for good is never sent again, nor drawn as played: the page says so, and
// shows the table as this phone may see it. See taps, which loads this.
const { one, at, drop, parsed, table } = page;
const JAPANESE = document.documentElement.lang === "ja";
const here = () => one(".bar[data-table]")?.dataset.table;

// ``item``: what was refused with ``text``, a table or a notice; none: this phone has left the table.
export async function denied(item, text) {
  const fresh = parsed(text), whole = one("#table", fresh), local = !item || item.table === here();
  const gone = item ? [item, ...meant(item, whole && !("keyless" in whole.dataset))] : at(here());
  for (const { key } of gone) drop(key);
  page.choice = "";
  const rest = item && at(item.table).some((other) => !other.asked);
  let why = (one(".strip.refused p", fresh) ?? one(".looks-on", fresh) ?? (whole ? null : fresh.body))?.textContent.trim() ?? "";
  if (rest) page.question(item.table, why);
  if (local && whole && item) await page.exchange(text);
  else if (local) why = await reread() || why;
  if (!rest && (gone[1] || !local || !one(".strip.refused"))) say(gone, why);   // else it has been said
  return true;
}
// The waiting items that go with the one that is refused: an undo was meant for it; and if the phone
// may record nothing at all, all of them.
function meant(item, may) {
  const queue = at(item.table).filter((other) => !other.asked && other.key !== item.key);
  const kept = queue.findIndex(({ action }) => !/undo$/.test(action));
  return may && kept >= 0 ? queue.slice(0, kept) : queue;
}
let told = [];   // a page that is dead may hear of it twice
function say(gone, why) {
  const items = table()?.inert ? [...told, ...gone.filter(({ key }) => !told.some((other) => other.key === key))] : gone;
  if (!items[0]) return;
  told = items;
  const what = items.map(({ label }) => label).join(JAPANESE ? "　" : " · "), note = document.createElement("div"), head = document.createElement("b");
  head.textContent = JAPANESE ? "記録していません" : "Not recorded";
  note.append(head, `${JAPANESE ? "　" : " "}${what} `, Object.assign(document.createElement("small"), { textContent: why }));
  Object.assign(note, { className: "clash", role: "alert" });
  const place = table() && !table().inert && one(".pad .strip,.pad .clash");
  if (place) place.replaceWith(note);
  else one("#notice").replaceChildren(note);
}
// The table as this phone may see it now; if it may not see it, the page is dead and says why, which
// is returned.
async function reread() {
  const { text, reply } = await page.ask(here()).catch(() => ({ text: "" }));
  if (reply !== "never") {
    await page.exchange(text);
    return "";
  }
  table().inert = true;
  one("#notice").innerHTML = text;
  if ("caches" in window) await (await caches.open("pages")).delete(here());
  return one("#notice").textContent.trim();
}
