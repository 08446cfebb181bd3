// Takes over the entries that another address, or another phone, could not send (rescue.js): they come
// in the part of this address after #, or as a file. The server judges them first. Taken entries wait
// on this phone as if they had been tapped here, and taps sends them.
const LOOK_MS = 300;
const { one, every, ask } = page;
const box = one("#take"), words = one("#take-words").content;
let found = null;   // the entries as ``unpacked`` gives them

function stored(text) {
  try {
    if (text === "") localStorage.removeItem("carried");
    else if (text) localStorage.carried = text;
    return localStorage.carried ?? "";
  } catch { return ""; }
}
function say(what, more = "") {
  const part = one(`[data-say=${what}]`, words).cloneNode(true);
  for (const place of every("[data-more]", part)) place.textContent = more;
  box.replaceChildren(part);
  for (const link of every("[data-table]", part)) link.href = found.table;
}
async function judge(text) {
  found = await unpacked(text);
  if (!found) {
    stored("");
    return say("unreadable");
  }
  stored(text);
  const body = new URLSearchParams();
  for (const { key, label, action, fields, tail, plain, person } of found.items) {
    const rows = { key, label, does: action?.split("/").at(-1) ?? "held", line: fields.line, rank: fields.rank, rest: fields.rest, tail, overrule: fields.overrule, plain: plain ? "1" : "", by: person };
    for (const [name, value] of Object.entries(rows)) body.append(name, value ?? "");
  }
  try {
    const { status, text: answer } = await ask(`${found.table}/take`, { method: "POST", body });
    if (status !== 200) return say("stranger", page.parsed(answer).body.textContent.trim());
    box.innerHTML = answer;
    one("[data-sign]", box).textContent = one("[data-sign]", box).textContent.replace("〓", signOf(found.items));
  } catch { say("silent"); }
}
function take() {
  const { seq, person } = one("[data-seq]", box).dataset, done = new Set(every("[data-recorded]", box).map((row) => row.dataset.recorded));
  const rest = found.items.filter(({ key }) => !done.has(key)), now = Date.now();
  try {
    rest.forEach((item, i) => { localStorage[PLACE + item.key] = JSON.stringify({ ...item, person, seen: i ? null : Number(seq), order: now + i, asked: false }); });
  } catch { return say("full"); }
  say("sending");
  const { taps } = one("script[data-taps]").dataset;
  if (one(`script[src="${taps}"]`)) dispatchEvent(new Event("online"));
  else document.head.append(Object.assign(document.createElement("script"), { src: taps }));
  return watch(rest);
}
// What is sent, or waits here for a decision, the other phone may forget.
function watch(rest) {
  const [next] = waiting().filter(({ key }) => rest.some((item) => item.key === key));
  if (next && !next.asked && !next.held) return setTimeout(watch, LOOK_MS, rest);
  stored("");
  return say(next ? "asked" : "taken", receiptOf(found.items));
}
document.addEventListener("click", ({ target }) => {
  const what = target.closest("[data-take]")?.dataset.take;
  if (what === "take") take();
  else if (what === "again") judge(stored());
  else if (what === "drop") { stored(""); say("dropped"); }
});
document.addEventListener("change", async ({ target }) => {
  if (target.type === "file" && target.files[0]) judge((await target.files[0].text()).trim());
});
const text = location.hash.slice(1) || stored();
history.replaceState(null, "", location.pathname);
if (text) judge(text);
