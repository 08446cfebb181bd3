// The scripts of a table in a context of their own, without a browser: only what a function asks for
// is here. ``names``: what a test uses of them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import vm from "node:vm";

const STATIC = new URL("../../static/", import.meta.url);
const ROOMS = ["store", "keys", "steps", "send"].map((name) => `js/taps/${name}.js`);
const STEPS = readdirSync(new URL("games", STATIC)).map((game) => `games/${game}/steps.js`);
const TAPS = [...ROOMS, ...STEPS.filter((file) => existsSync(new URL(file, STATIC)))];

export function rooms(names, { storage = memory(), lang = "ja", files = TAPS } = {}) {
  const nothing = () => null;
  const context = vm.createContext({
    page: { one: nothing, every: () => [], table: nothing },
    document: { documentElement: { lang, dataset: {} }, addEventListener: nothing },
    localStorage: storage, URL, URLSearchParams, Date, Math, Object, JSON, Set,
  });
  const text = files.map((file) => readFileSync(new URL(file, STATIC), "utf8")).join("\n");
  return vm.runInContext(`(() => {"use strict";\n${text}\nreturn { ${names.join(", ")} };\n})()`, context);
}

// As localStorage: its entries are properties.
export function memory() {
  return Object.defineProperty({}, "removeItem", { value(name) { delete this[name]; } });
}

// A value without the prototypes of the other context.
export const plain = (value) => JSON.parse(JSON.stringify(value));
