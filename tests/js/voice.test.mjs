import assert from "node:assert/strict";
import { test } from "node:test";
import { rooms } from "./rooms.mjs";

const { readingQueue } = rooms(["readingQueue"], { files: ["js/voice/queue.js"] });
const trick = (text) => ({ kind: "trick", text, lasts: true });
const turn = (text) => ({ kind: "turn", text, lasts: false });
const refused = (text) => ({ kind: "refused", text, lasts: false });

// A voice that reads until it is told that the sentence has ended.
function phone({ able = true } = {}) {
  const told = { able, said: [], reading: null, end: null };
  const say = (line, ended) => {
    if (!told.able) return false;
    told.said.push(line.text);
    told.reading = line.text;
    told.end = () => { told.reading = null; ended(); };
    return true;
  };
  const stop = () => { told.reading = null; };
  return { told, queue: readingQueue({ say, stop }, 0) };
}

test("one sentence after the other, and none twice", () => {
  const { told, queue } = phone(), table = { at: 1, changed: 0, lines: [trick("B takes"), turn("B to play")] };
  queue.show(table);
  queue.show(table);   // a seat was chosen: the same table
  assert.deepEqual(told.said, ["B takes"]);
  told.end();
  assert.deepEqual(told.said, ["B takes", "B to play"]);
  told.end();
  queue.show(table);
  assert.equal(told.said.length, 2);
});

test("what stood on the page when it was opened is not read", () => {
  const { told, queue } = phone();
  queue.show({ at: 0, changed: 0, lines: [turn("A to play")] });
  assert.deepEqual(told.said, []);
});

test("the next card lets a sentence end that it leaves true, and drops the others", () => {
  const { told, queue } = phone();
  queue.show({ at: 1, changed: 0, lines: [trick("B takes"), turn("B to play")] });
  queue.show({ at: 2, changed: 0, lines: [turn("C to play")] });
  assert.equal(told.reading, "B takes");
  told.end();
  assert.deepEqual(told.said, ["B takes", "C to play"]);
});

test("a refusal is read each time, and not beside the next card", () => {
  const { told, queue } = phone();
  for (const text of ["no 6", "no 7"]) queue.show({ at: 0, changed: 0, lines: [refused(text), turn("A to play")] });
  assert.deepEqual(told.said, ["no 6", "no 7"]);
  queue.show({ at: 0, changed: 0, lines: [turn("A to play")] });   // it is off the screen
  assert.equal(told.reading, null);
});

test("what waited for a voice is read if it is still true", () => {
  const { told, queue } = phone({ able: false });
  queue.show({ at: 1, changed: 0, lines: [turn("A to play")] });
  queue.show({ at: 2, changed: 0, lines: [turn("B to play")] });
  told.able = true;
  queue.go();
  assert.deepEqual(told.said, ["B to play"]);
});

test("the clock of the desk waits for its turn, and no card is read twice after it", () => {
  const { told, queue } = phone(), table = { at: 1, changed: 0, lines: [trick("B takes")] };
  queue.show(table);
  queue.also({ kind: "clock", text: "the time is over", lasts: true });
  told.end();
  queue.show(table);
  assert.deepEqual(told.said, ["B takes", "the time is over"]);
});

// A table of its own: each card has a sentence that lasts and one that does not. An undo is an entry,
// too, and what it takes back is false from then on.
test("after a thousand undos, at any speed of the voice, nothing stale was read", () => {
  let random = 7;
  const below = (n) => (random = (random * 48271) % 2147483647) % n;
  const { told, queue } = phone(), cards = [];
  let at = 0, changed = 0, undos = 0, read = 0;
  const true_ = () => new Set(cards.flatMap((card) => [`takes ${card}`, ...(card === cards.at(-1) ? [`turn after ${card}`] : [])]));
  const check = () => {
    if (told.reading) assert.ok(true_().has(told.reading), `${told.reading} at ${at}`);
    read = told.said.length;
  };
  while (undos < 1000) {
    at += 1;
    if (cards.length && below(2)) {
      for (let back = 1 + below(Math.min(3, cards.length)); back; back -= 1) cards.pop();
      changed = at;
      undos += 1;
    } else cards.push(at);
    if (below(3)) {   // otherwise the phone asks for the table only after the next entry
      const card = cards.at(-1), fresh = card === at;
      queue.show({ at, changed, lines: [...(fresh ? [trick(`takes ${card}`)] : []), ...(card ? [turn(`turn after ${card}`)] : [])] });
      check();
      for (let ends = below(3); ends && told.reading; ends -= 1) { told.end(); check(); }
    }
  }
  assert.ok(read > 500);
});
