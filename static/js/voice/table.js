// Reads aloud what the answer says of the table. The loudspeaker in the header shows whether it does,
// and silences it; for this tab that is remembered.
(() => {
  "use strict";
  const SHOWN = { turn: ".who h1", clock: ".clock", points: ".over .result,.in-deal .sums,.ranking" };
  const all = (selector) => document.querySelectorAll(selector), news = () => document.getElementById("aloud");
  let silent = false, barred = false;
  try { silent = "silent" in sessionStorage; } catch { /* no storage: one more tap */ }

  function say({ kind, text }, ended) {
    if (silent) return false;
    const done = (error) => {
      unmark();
      barred = error === "not-allowed";   // no page may speak before it was touched
      draw();
      ended();
    };
    if (!speech.say(text, news()?.dataset.rate, done)) return false;
    unmark();
    for (const node of all(SHOWN[kind] ?? ".strip p")) node.classList.add("reading");
    return true;
  }
  function unmark() { for (const node of all(".reading")) node.classList.remove("reading"); }
  const queue = readingQueue({ say, stop: speech.stop }, Number(news()?.dataset.at));

  function draw() {
    const button = document.querySelector(".voice-on");
    if (!button) return;
    const state = !speech.found() ? "none" : silent ? "off" : barred ? "tap" : "on";
    button.hidden = false;
    button.classList.toggle("mute", state !== "on");
    button.title = button.ariaLabel = button.dataset[state];
  }
  document.addEventListener("exchanged", () => {
    if (!news()) return;
    const { at, changed } = news().dataset;
    const lines = [...news().children].map(({ dataset, textContent }) => ({ kind: dataset.kind, text: textContent, lasts: "lasts" in dataset }));
    queue.show({ at: Number(at), changed: Number(changed), lines });
    draw();
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("#undo button,.undo")) queue.empty();   // before the answer
    const button = target.closest(".voice-on");
    if (!button) return;
    if (!speech.found()) { location.href = button.dataset.to; return; }
    silent = !silent && !barred;
    barred = false;
    try { if (silent) sessionStorage.silent = 1; else sessionStorage.removeItem("silent"); } catch { /* as above */ }
    if (silent) queue.empty();
    unmark();
    draw();
  });
  document.addEventListener("clock", ({ detail }) => {
    if (!news() || "clock" in news().dataset) queue.also({ kind: "clock", text: detail, lasts: true });   // a desk has no loudspeaker
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden) queue.empty(); });
  addEventListener("pagehide", queue.empty);
  speech.changed(() => { draw(); queue.go(); });
  draw();
})();
