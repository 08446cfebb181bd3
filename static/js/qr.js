// A QR code, drawn where no server answers: ISO/IEC 18004 in byte mode, error correction L, versions 1 to 25.
const CHECKS = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12];
const MASKS = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2,
];
const bit = (number, i) => number >>> i & 1;

// Rows of 0 and 1; null if ``text`` is too long. ``mask``: the best one, if none is given.
function qr(text, mask) {
  const bytes = new TextEncoder().encode(text);
  const version = CHECKS.findIndex((_, i) => bytes.length + (i < 9 ? 2 : 3) <= room(i + 1)) + 1;
  if (!version) return null;
  const words = interleaved(wordsOf(bytes, version), version);
  const drawn = (mask === undefined ? [...MASKS.keys()] : [mask]).map((number) => masked(version, words, number));
  return drawn.reduce((best, other) => (penalty(other) < penalty(best) ? other : best));
}
function modules(version) {
  const places = Math.floor(version / 7) + 2, all = (16 * version + 128) * version + 64;
  return version < 2 ? all : all - (25 * places - 10) * places + 55 - (version < 7 ? 0 : 36);
}
const room = (version) => Math.floor(modules(version) / 8) - CHECKS[version - 1] * BLOCKS[version - 1];

function wordsOf(bytes, version) {
  const bits = [], add = (number, length) => { for (let i = length - 1; i >= 0; i -= 1) bits.push(bit(number, i)); };
  add(4, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  const most = 8 * room(version);
  add(0, Math.min(4, most - bits.length));
  add(0, -bits.length & 7);
  for (let pad = 0xEC; bits.length < most; pad ^= 0xEC ^ 0x11) add(pad, 8);
  return Array.from({ length: most / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((all, one) => all << 1 | one));
}
// The blocks with their check words, the first words of all of them, then the second ones, and so on.
function interleaved(words, version) {
  const count = BLOCKS[version - 1], checks = CHECKS[version - 1], short = Math.floor(words.length / count), long = words.length % count;
  const base = generator(checks), blocks = [];
  for (let i = 0, at = 0; i < count; i += 1) {
    const size = short + (i < count - long ? 0 : 1);
    blocks.push(words.slice(at, at + size));
    at += size;
  }
  const rests = blocks.map((block) => remainder(block, base)), out = [];
  for (let i = 0; i <= short; i += 1) for (const block of blocks) if (i < block.length) out.push(block[i]);
  for (let i = 0; i < checks; i += 1) for (const rest of rests) out.push(rest[i]);
  return out;
}
function times(a, b) {   // in the field of 256 elements
  let product = 0;
  for (let i = 7; i >= 0; i -= 1) product = product << 1 ^ (product >>> 7) * 0x11D ^ bit(b, i) * a;
  return product;
}
function generator(degree) {
  const out = [...Array(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i += 1, root = times(root, 2)) {
    for (let j = 0; j < degree; j += 1) out[j] = times(out[j], root) ^ (out[j + 1] ?? 0);
  }
  return out;
}
function remainder(block, base) {
  const rest = Array(base.length).fill(0);
  for (const word of block) {
    const factor = word ^ rest.shift();
    rest.push(0);
    base.forEach((each, i) => { rest[i] ^= times(each, factor); });
  }
  return rest;
}

function masked(version, words, mask) {
  const size = 4 * version + 17, rows = Array.from({ length: size }, () => Array(size).fill(0)), fixed = rows.map((row) => [...row]);
  const put = (x, y, dark) => { if (x >= 0 && y >= 0 && x < size && y < size) { rows[y][x] = Number(dark); fixed[y][x] = 1; } };
  patterns(version, size, put, mask, (x, y) => fixed[y][x]);
  let i = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = (right + 1) & 2 ? step : size - 1 - step;
      for (const x of [right, right - 1]) {
        if (fixed[y][x]) continue;
        rows[y][x] = (i < 8 * words.length ? bit(words[i >>> 3], 7 - (i & 7)) : 0) ^ (MASKS[mask](x, y) === 0 ? 1 : 0);
        i += 1;
      }
    }
  }
  return rows;
}
function patterns(version, size, put, mask, isFixed) {
  for (let i = 0; i < size; i += 1) { put(6, i, i % 2 === 0); put(i, 6, i % 2 === 0); }
  const square = (x, y, radius, light) => {
    for (let dy = -radius; dy <= radius; dy += 1) for (let dx = -radius; dx <= radius; dx += 1) put(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, [2, 4]);
  const places = centres(version, size), last = places.at(-1);
  for (const x of places) for (const y of places) if (![[6, 6], [6, last], [last, 6]].some(([a, b]) => a === x && b === y)) square(x, y, 2, [1]);
  formats(size, put, mask);
  if (version < 7) return;
  let rest = version;
  for (let i = 0; i < 12; i += 1) rest = rest << 1 ^ (rest >>> 11) * 0x1F25;
  for (let i = 0; i < 18; i += 1) {
    const a = size - 11 + i % 3, b = Math.floor(i / 3), dark = bit(version << 12 | rest, i);
    put(a, b, dark);
    put(b, a, dark);
  }
}
function centres(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2, step = Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - step * (count - 2 - i))];
}
function formats(size, put, mask) {
  const data = 1 << 3 | mask;   // 1: error correction L
  let rest = data;
  for (let i = 0; i < 10; i += 1) rest = rest << 1 ^ (rest >>> 9) * 0x537;
  const bits = (data << 10 | rest) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const dark = bit(bits, i);
    if (i < 8) put(8, i < 6 ? i : i + 1, dark);
    else put(i === 8 ? 7 : 14 - i, 8, dark);
    if (i < 8) put(size - 1 - i, 8, dark);
    else put(8, size - 15 + i, dark);
  }
  put(8, size - 8, 1);
}
// How hard it is to read: long runs, blocks of one colour, and more of one colour than of the other.
function penalty(rows) {
  const size = rows.length, columns = rows.map((_, x) => rows.map((row) => row[x]));
  let sum = 0, dark = 0;
  for (const line of [...rows, ...columns].map((line) => line.join(""))) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * (line.match(/(?=10111010000|00001011101)/g) ?? []).length;
  }
  rows.forEach((row, y) => row.forEach((one, x) => {
    dark += one;
    if (x && y && one === row[x - 1] && one === rows[y - 1][x] && one === rows[y - 1][x - 1]) sum += 3;
  }));
  return sum + 10 * Math.floor(Math.abs(20 * dark / size ** 2 - 10));
}
// As one path of an SVG, with the quiet border.
function pathOf(rows) {
  return rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : []))).join("");
}
