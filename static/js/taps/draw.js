// What the page shows of the items that wait.

// ---- shows waiting items, clearly distinct from cards on the table
function fill(id, items) {
  const block = one(id).content.cloneNode(true);
  const text = items.map((item) => item.label).join(BETWEEN);
  for (const place of block.querySelectorAll("[data-n]")) place.textContent = place.textContent.replace("0", items.length);
  one("[data-what]", block).textContent = text;
  const list = one("ol", block), row = list?.firstElementChild;
  list?.replaceChildren(...items.map((item, i) => {
    const entry = row.cloneNode(true);
    one("span", entry).textContent = item.label;
    one("[data-unsent=back]", entry).value = items.length - i;
    if (i + 1 < items.length && !item.tried) one("[data-unsent=one]", entry).value = item.key;
    else one("[data-unsent=one]", entry).remove();
    return entry;
  }));
  return block;
}
let timer = 0;
function draw() {
  clearTimeout(timer);
  if (!table()) return elsewhere();
  const asked = at(here()).some((item) => item.asked), queue = keyless() ? [] : waiting(), next = turned || queue.at(-1)?.then?.[0];
  if (queue.length && !page.takes && !(next && turn(next))) {   // only the answer says whose turn it is
    table().classList.add("waits");
    one("#table .slot.now")?.replaceChildren();
    for (const mark of every("#table :is(.turn,.now)")) mark.classList.remove("turn", "now");
    for (const key of every("#table .key.off")) {   // it was illegal for the seat before
      one("em", key)?.remove();
      key.classList.remove("off");
      key.ariaLabel = first(key);
    }
  } else table().classList.remove("waits");
  const head = one("[data-next]");
  if (head) head.ariaLabel = head.closest(".waits") && head.dataset.next;
  for (const item of queue) {
    if (!/ bid /.test(item.fields.line)) lay(item.label);   // a bid is no card
    if (next) lies(item);
    one("#undo button").disabled = false;
  }
  if (asked || one(".unsent-strip") || offline()) tell();
  else if (queue.length) timer = setTimeout(tell, SHOWN_MS);
}
function tell() {
  const asked = at(here()).filter((item) => item.asked), queue = waiting(), place = one(".pad .strip,.pad .clash");
  if (!place || !(asked[0] || queue[0])) return;
  const open = one("details[open]", place);
  place.replaceWith(asked[0] ? fill("#unsent-asked", asked) : fill("#unsent-waiting", queue));
  if (open && one(".unsent-strip details")) one(".unsent-strip details").open = true;
  one("[data-what]").scrollLeft = 9999;   // the newest is in sight
  if (asked[0]?.why) one("[data-why]").textContent = asked[0].why;
  document.dispatchEvent(new Event("told"));
}
function lay(text) {
  const [, name, face] = text.match(/^(.*) (\S+)$/) || [], suits = every(".sr>i").map((sign) => sign.textContent);
  const seat = every("#table .seat").find((li) => one(".nm", li)?.textContent === name);
  if (!seat || !one(".cap", seat) || !(suits[0] || face <= 10)) return;
  const card = document.createElement("span"), sign = suits.find((each) => face.startsWith(each)) ?? "";
  card.className = suits[0] ? "card fs" : `card r${face}`;
  card.textContent = `${face.slice(sign.length)}\n${sign}`;
  one(".slot,.card", seat)?.replaceWith(card);
  seat.classList.remove("over");   // it does not belong to the finished trick
  one(".cap", seat).replaceChildren(one("#unsent-mark").content.cloneNode(true));
}
// A card played with a key is public here, too: one copy less is unseen, and a number that is in
// the trick requires a declaration, or may not be played.
function lies({ key: name, fields: { line = "" } }) {
  const known = table().lies ??= new Set(), ranks = / [a-z]+ ([\d ]+)$/.exec(line)?.[1].split(" ");
  if (!ranks || known.has(name)) return;
  known.add(name);
  for (const rank of ranks) less(rank, table());
}
function less(rank, within) {
  one(`#k${rank} .pips b:last-of-type`, within)?.replaceWith(document.createElement("s"));
  const look = one(`#k${rank} .pips:not(:has(b))`, within) ? "off" : within.dataset?.lies;
  for (const key of look ? every(`:is(#k${rank},#p${rank}):not(.off)`, within) : []) {
    const sign = one(`#look-${look}`);
    one("em", key)?.remove();
    key.classList.add(look);
    key.append(sign.content.cloneNode(true));
    key.ariaLabel = `${rank} ${sign.dataset.label}`;
  }
}
function elsewhere() {
  const first = all()[0];
  if (!first || here()) return;
  const block = fill("#unsent-elsewhere", at(first.table));
  one("a", block).href = first.table;
  one("#notice").replaceChildren(block);
}
// The table in the server's last answer, to be drawn again.
let given = "";
page.given = (text) => (given = text ?? given);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-unsent]");
  if (!button) return;
  event.preventDefault();
  const asked = at(here()).filter((item) => item.asked);
  if (button.dataset.unsent === "back") {
    if (path[0] && !button.value) return stepBack();
    for (let last = Number(button.value || 1); last; last -= 1) undone(table(), true);
    return;
  }
  if (button.dataset.unsent === "one") return without(button.value);
  // of "again": after the present table and the items that are being sent to it
  const seen = waiting().length || asked[0]?.held ? null : table().stands ?? page.seen();
  const again = { person: person(), asked: false, plain: false, cut: false, why: "", tried: false, failed: false };
  asked.forEach((item, i) => {
    if (button.dataset.unsent === "again") keep({ ...item, ...again, key: newKey(), seen: i ? null : seen, order: atTheEnd() });
    drop(item.key);
  });
  if (button.dataset.unsent === "drop") return page.exchange(given);
  draw();
  flush();
});

// ---- caches the present page for the next time it is opened without network
async function remember() {
  given = table().outerHTML;
  if (!("caches" in window) || location.pathname !== here()) return;
  const whole = document.documentElement.cloneNode(true);
  whole.removeAttribute("data-net");
  for (const undo of whole.querySelectorAll("[data-count]")) {   // by then its time is over
    undo.dataset.count = 0;
    one("i", undo)?.remove();
  }
  one("#notice", whole).replaceChildren();
  const type = { "Content-Type": "text/html; charset=utf-8", Date: new Date().toUTCString() };
  const cache = await caches.open("pages");
  await cache.put(here(), new Response(`<!doctype html>\n${whole.outerHTML}`, { headers: type }));
}
function settled() {
  if (!table()) return elsewhere();
  path = next;
  next = [];
  if (!waiting().length && !one(".unsent-strip", table())) {
    turned = "";
    if (!path[0]) remember();
  }
  draw();
}

document.addEventListener("exchanged", settled);
document.addEventListener("network", (event) => { if (event.detail) flush(); else letGo(); });
addEventListener("online", flush);
for (const kind of ["storage", "pageshow"]) addEventListener(kind, draw);   // another page of this phone has sent items
if (table()) given = table().outerHTML;
settled();
flush();
