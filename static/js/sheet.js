// The form of a deck: fills in values from the school years at once, moves to the next kanji, handles
// arrow keys. Without this script the button "check" does the same on the server.
(() => {
  "use strict";
  const KANJI = /\p{Script=Han}/u;
  const kanji = () => [...document.querySelectorAll("#sheet .cell input")];
  const years = () => (document.querySelector("#sheet")?.dataset.years || "").split("|");
  const yearOf = (sign) => years().findIndex((year) => sign && year.includes(sign)) + 1 || "";

  function colour(cell) {
    cell.className = cell.className.replace(/\bv\d*\b/, `v${cell.querySelector("select").value}`);
  }
  function write(input, sign, value) {
    const cell = input.closest(".cell");
    const select = cell.querySelector("select");
    const changed = (input.dataset.was ?? input.defaultValue) !== sign;
    input.value = input.dataset.was = sign;
    if (value || changed) select.value = value || yearOf(sign);
    cell.classList.remove("wrong", "offered");
    colour(cell);
  }
  function count() {
    const written = document.querySelector("#sheet .written");
    if (written) written.textContent = kanji().filter((input) => input.value).length;
  }
  // several kanji in one field continue in the next ones; a digit after a kanji is its value
  function spread(input, text) {
    const found = [...text.normalize("NFKC").matchAll(/(\p{Script=Han})\s*([1-5]?)/gu)].filter((one) => one[1] !== "々");
    const fields = kanji();
    const from = fields.indexOf(input);
    found.slice(0, fields.length - from).forEach((one, i) => write(fields[from + i], one[1], one[2]));
    count();
    (fields[Math.min(from + found.length, fields.length - 1)] || input).focus();
  }

  document.addEventListener("input", (event) => {
    const cell = event.target.closest("#sheet .cell");
    if (!cell) return;
    if (event.target.matches("select")) {
      cell.classList.remove("offered");
      colour(cell);
    } else if (!event.isComposing) typed(event.target);
  });
  document.addEventListener("compositionend", (event) => {
    if (event.target.closest("#sheet .cell input")) typed(event.target);
  });
  function typed(input) {
    if (KANJI.test(input.value)) spread(input, input.value);
    else count();
  }
  document.addEventListener("paste", (event) => {
    const input = event.target.closest("#sheet .cell input");
    const text = event.clipboardData.getData("text");
    if (!input || !KANJI.test(text) || /[,\t]/.test(text)) return;
    event.preventDefault();
    spread(input, text);
  });
  document.addEventListener("keydown", (event) => {
    const input = event.target.closest("#sheet .cell input");
    if (!input || event.isComposing) return;
    const fields = kanji();
    const at = fields.indexOf(input);
    if (/^[1-5]$/.test(event.key) && input.value) {
      event.preventDefault();
      write(input, input.value, event.key);
      return;
    }
    const across = getComputedStyle(input.closest("fieldset")).getPropertyValue("--across") === "1";
    const step = { ArrowRight: across ? 1 : 13, ArrowLeft: across ? -1 : -13, ArrowDown: across ? 13 : 1, ArrowUp: across ? -13 : -1 }[event.key];
    if (!step || !fields[at + step]) return;
    event.preventDefault();
    fields[at + step].focus();
    fields[at + step].select();
  });

  // a chosen file is read at once
  document.addEventListener("change", (event) => {
    if (event.target.matches("#sheet [type=file]")) document.querySelector("#sheet .send-file").click();
  });
  document.documentElement.classList.add("js");
})();
