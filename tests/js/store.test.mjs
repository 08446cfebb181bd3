import assert from "node:assert/strict";
import { test } from "node:test";
import { memory, plain, rooms } from "./rooms.mjs";

const NAMES = ["all", "keep", "drop", "change", "at", "atTheEnd"];
const item = (key, order, table = "/t/a") => ({ key, order, table });
const keys = (items) => plain(items).map(({ key }) => key);

test("what waits comes back in the order of the taps, also on a page that was opened later", () => {
  const storage = memory(), before = rooms(NAMES, { storage });
  before.keep(item("second", 2));
  before.keep(item("first", 1));
  before.keep(item("elsewhere", 3, "/t/b"));
  const after = rooms(NAMES, { storage });
  assert.deepEqual(keys(after.all()), ["first", "second", "elsewhere"]);
  assert.deepEqual(keys(after.at("/t/b")), ["elsewhere"]);
});

test("another page that stores a dropped item once more does not bring it back", () => {
  const storage = memory(), here = rooms(NAMES, { storage }), there = rooms(NAMES, { storage });
  here.keep(item("play", 1));
  const [known] = there.all();
  here.drop("play");
  there.keep(known);
  assert.deepEqual(keys(here.all()), []);
});

test("only the items that match are changed, and keep what they have", () => {
  const { keep, change, all } = rooms(NAMES);
  keep(item("a", 1));
  keep(item("b", 2));
  change(({ key }) => key === "b", ({ order }) => ({ seen: order }));
  assert.deepEqual(plain(all()), [item("a", 1), { ...item("b", 2), seen: 2 }]);
});

test("a browser without storage keeps them on the page", () => {
  const storage = new Proxy({}, { set() { throw Error("full"); } });
  const { keep, all, drop } = rooms(NAMES, { storage });
  keep(item("a", 1));
  keep(item("b", 2));
  drop("a");
  assert.deepEqual(keys(all()), ["b"]);
});

test("a tap comes after all others, even if the clock was set back", () => {
  const { keep, atTheEnd } = rooms(NAMES);
  const later = Date.now() + 1e9;
  keep(item("a", later));
  assert.equal(atTheEnd(), later + 1);
});
