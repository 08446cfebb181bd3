import assert from "node:assert/strict";
import { test } from "node:test";
import { plain, rooms } from "./rooms.mjs";

const { ofStep, listed } = rooms(["ofStep", "listed"]);
const of = (text) => ({ dataset: { of: text } });

test("a value is what was tapped first, and after a colon the list of further taps", () => {
  assert.deepEqual(plain(listed("7")), []);
  assert.deepEqual(plain(listed("7:b2 b4")), ["b2", "b4"]);
});

test("a part of a step is there for a value, for any list, for a number of parts, with or without a list", () => {
  assert.deepEqual(plain(ofStep(of("6 7"), "7")), ["7"]);
  assert.equal(ofStep(of("6 7"), "8"), undefined);
  assert.deepEqual(plain(ofStep(of("7:*"), "7:b2")), ["7:*"]);
  assert.deepEqual(plain(ofStep(of("#2"), "7-8")), ["#2"]);
  assert.deepEqual(plain(ofStep(of("+"), "7:b2")), ["+"]);
  assert.deepEqual(plain(ofStep(of("-"), "7")), ["-"]);
  assert.equal(ofStep(of("-"), "7:b2"), undefined);
});

test("counts follow a dot", () => {
  assert.deepEqual(plain(ofStep(of("7.1.3"), "7")), ["7", "1", "3"]);
});
