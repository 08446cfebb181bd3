// Improvements of pages that work without this script. It knows no rules; it stores only, for this
// tab, that the lamp is on.
if (page.table()) (() => {
  "use strict";
  const DOOR_MS = 4000;
  const { one, every, seen } = page;

  // ---- the undo in the strip counts down for its entry; the one in the bar stays
  let counting = 0, entry = "", until = 0;
  function countDown() {
    clearInterval(counting);
    const button = one("[data-count]");
    if (!button) return;
    if (entry !== seen()) until = Date.now() + 1000 * button.dataset.count;
    entry = seen();
    const left = one("i", button) || button.appendChild(document.createElement("i"));   // a step of a play keeps the strip
    left.setAttribute("aria-hidden", "true");
    const tick = () => {
      left.textContent = Math.ceil((until - Date.now()) / 1000);
      button.classList.toggle("past", Date.now() >= until);
      if (Date.now() >= until) clearInterval(counting);
    };
    counting = setInterval(tick, 1000);
    tick();
  }

  // ---- reads out what happened, once: a live region must outlive the part that is replaced
  const text = (node) => node.textContent.trim().replace(/\s+/g, " ");
  const japanese = document.documentElement.lang === "ja";
  let readAt = seen();
  function readOut() {
    const said = one("#said"), strip = one(".strip:not([role])");
    if (!said || !strip) return;   // a refusal is a live region itself
    // at the end the result says who won, and why
    const turn = one(".over .result") ? "" : [...one(".who h1").childNodes].map(text).filter(Boolean).join(japanese ? "" : " ");
    const parts = [turn];
    if (seen() !== readAt) parts.unshift(strip.dataset.said);
    else if (one(".need")) parts[0] += (japanese ? "、" : ", ") + text(one(".need"));   // a half-entered play
    readAt = seen();
    for (const line of every(".over .result,.in-deal .sums>li:has(.n),.ranking>li")) parts.push(line.innerText.trim().replace(/\s+/g, " ").replace(/[。.]$/, ""));
    const sentence = parts.filter(Boolean).join(japanese ? "。" : "; ");
    if (said.textContent !== sentence) said.textContent = sentence;
  }

  // ---- keeps the screen on; the lamp shows whether it works. Over plain HTTP there is no wake lock:
  // a tap on the lamp then plays a small still video, during which browsers keep the screen on.
  const lends = "wakeLock" in navigator;
  let lock = null, film = null, asking = false, refused = "off", wanted = lends;
  try { wanted ||= "awake" in sessionStorage; } catch { /* no storage: one more tap */ }
  function lamp() {
    const button = one(".lamp");
    if (!button) return;
    const state = lock ? "on" : film && !film.paused ? "film" : wanted ? refused : "off";
    button.hidden = false;
    button.classList.toggle("on", state === "on" || state === "film");
    button.textContent = button.dataset[state];
  }
  async function stayAwake() {
    if (wanted && one(".lamp") && !asking && !document.hidden) {
      asking = true;
      try {
        if (lends) await hold();
        else await play();
      } catch { refused = "no"; }
      asking = false;
    }
    lamp();
  }
  async function hold() {
    if (lock) return;
    lock = await navigator.wakeLock.request("screen");
    lock.onrelease = () => { lock = null; refused = "off"; lamp(); };
  }
  // Asked for in advance: a browser plays a video only right after the tap.
  let made = null;
  if (!lends) import("/static/js/film.js").then((module) => {
    made = module.film;
    stayAwake();
  });
  function play() {
    film ??= made(one(".lamp").dataset.src, lamp);
    return film.play();
  }
  document.addEventListener("click", ({ target }) => {
    const played = target.closest("[data-entry]")?.dataset.entry, bar = one("[data-table]");   // to be corrected
    if (played && bar) location.href = `${bar.dataset.table}/e/${played}`;
    if (!target.closest(".lamp:not(.net)")) return;
    wanted = !one(".lamp.on");
    try { if (wanted) sessionStorage.awake = 1; else sessionStorage.removeItem("awake"); } catch { /* as above */ }
    if (wanted) stayAwake();
    else if (lock) lock.release();
    else film.pause();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden && film) film.pause(); else stayAwake(); });

  function arrange() {
    countDown();
    stayAwake();
    const turn = one(".list .turn");
    if (turn) turn.parentElement.scrollTop = turn.offsetTop - turn.parentElement.offsetTop - 60;
  }
  document.addEventListener("exchanged", () => {
    one("#notice").replaceChildren();
    readOut();
    arrange();
  });

  // ---- requests the list of waiting phones repeatedly, while a code is valid
  setInterval(async () => {
    const door = one("#door[data-again]");
    if (!door || document.hidden) return;
    try {
      const answer = await fetch(door.dataset.again, { headers: { "HX-Request": "true" } });
      if (answer.ok && door.isConnected) door.outerHTML = await answer.text();
    } catch { /* the next time */ }
  }, DOOR_MS);
  arrange();
})();
