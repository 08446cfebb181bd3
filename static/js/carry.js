// Entries that wait on this phone (see taps) as a text that another address can take over: rescue.js
// writes it, take.js reads it.
const PLACE = "unsent ", MARK = "X-Fudami";
const CARRIED = ["key", "label", "order", "seen", "count", "plain", "held", "tail", "half", "cut", "person"];
const MOST = 500;

// The entries in the storage of this address, the oldest first.
function waiting() {
  try { return Object.keys(localStorage).filter((name) => name.startsWith(PLACE)).map((name) => JSON.parse(localStorage[name])).sort((a, b) => a.order - b.order); } catch { return []; }
}
async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
// ``items`` of one table, short enough for a QR code. The first letter says whether it is compressed.
async function packed(table, items) {
  const rows = items.map((item) => {
    const { seen, key, ...fields } = item.fields;
    const row = Object.fromEntries(CARRIED.filter((name) => item[name] || item[name] === 0).map((name) => [name, item[name]]));
    return { ...row, does: item.action?.split("/").at(-1), fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) };
  });
  const bytes = new TextEncoder().encode(JSON.stringify({ table, rows }));
  const small = "CompressionStream" in window ? await through(new CompressionStream("deflate-raw"), bytes) : bytes;
  const text = btoa(String.fromCharCode(...small)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return (small === bytes ? "p" : "z") + text;
}
// The same entries as items of taps; null if ``text`` is no such text, or a damaged one.
async function unpacked(text) {
  try {
    const bytes = Uint8Array.from(atob(text.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const plain = text[0] === "z" ? await through(new DecompressionStream("deflate-raw"), bytes) : bytes;
    const { table, rows } = JSON.parse(new TextDecoder().decode(plain));
    if (!/^\/t\/[\w-]{1,40}$/.test(table) || !rows.length || rows.length > MOST || !rows.every(isRow)) return null;
    return { table, items: rows.map(({ does, ...row }) => ({ count: 1, seen: null, then: [], ...row, table, ...(does && { action: `${table}/${does}` }) })) };
  } catch { return null; }
}
function isRow({ key, label, order, does, fields, held }) {
  const texts = fields && Object.values(fields).every((value) => typeof value === "string");
  return /^[\w-]{8,64}$/.test(key) && typeof label === "string" && Number.isFinite(order) && texts && (/^(play|undo)$/.test(does) || Boolean(held));
}
// A number that is equal where the entries are equal: FNV-1a of their keys.
function numberOf(items, digits, what = "") {
  let hash = 0x811C9DC5;
  for (const c of [what, ...items.map(({ key }) => key).sort()].join(" ")) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  return 10 ** (digits - 1) + hash % (9 * 10 ** (digits - 1));
}
const signOf = (items) => numberOf(items, 2);                 // both phones show it
const receiptOf = (items) => numberOf(items, 4, "taken");     // only who has taken them shows it
const clock = (time) => new Date(time).toLocaleTimeString("ja", { hour: "2-digit", minute: "2-digit" });
