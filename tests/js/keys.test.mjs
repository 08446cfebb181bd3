import assert from "node:assert/strict";
import { test } from "node:test";
import { rooms } from "./rooms.mjs";

const { bare, token, sign, itemOf } = rooms(["bare", "token", "sign", "itemOf"]);

test("a line without its seat", () => {
  assert.equal(bare("A lay 7"), "lay 7");
  assert.equal(bare('"Old Tom" lay 7'), "lay 7");
  assert.equal(bare("A"), "A");
});

test("a name as it stands in a line: with quotes where a blank, a # or the word and needs them", () => {
  assert.equal(token("あかね"), "あかね");
  assert.equal(token("Old Tom"), '"Old Tom"');
  assert.equal(token("#1"), '"#1"');
  assert.equal(token("and"), '"and"');
  assert.equal(token("andy"), "andy");
});

test("a key is known by its id, or by its address, or by what it says", () => {
  assert.equal(sign({ id: "k7" }), "k7");
  assert.equal(sign({ id: "", search: "?seat=B" }), "?seat=B");
  assert.equal(sign({ id: "", name: "do", value: "chance" }), "do=chance");
  assert.equal(sign({ id: "", textContent: " 戻す " }), "戻す");
});

test("an item of a list has its name after of-", () => {
  assert.equal(itemOf({ id: "of-b2" }), "b2");
  assert.equal(itemOf({ id: "k7" }), undefined);
});
