// Comfort on top of pages that work without: nothing here knows a rule, and nothing is kept here.
(() => {
  "use strict";
  const UNDO_SECONDS = 10;
  const DOUBLE_TAP_MS = 400;
  const one = (selector, within = document) => within.querySelector(selector);

  // ---- where one play is expected, a double tap is one tap: the second would land on the next pad
  let tapped = { line: null, at: 0 };
  const rank = (button) => button.id || button.value;
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || !event.target.closest("#table")) return;
    const again = one("#table[data-once]") && rank(button) === tapped.line && event.timeStamp - tapped.at < DOUBLE_TAP_MS;
    if (again) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    tapped = { line: rank(button), at: event.timeStamp };
  }, true);

  // ---- the undo in the strip counts down; the one in the bar stays
  let counting = 0;
  function countDown() {
    clearInterval(counting);
    const button = one("[data-count]");
    if (!button) return;
    const left = document.createElement("i");
    left.setAttribute("aria-hidden", "true");
    left.textContent = UNDO_SECONDS;
    button.append(left);
    counting = setInterval(() => {
      left.textContent -= 1;
      if (Number(left.textContent) > 0) return;
      clearInterval(counting);
      button.classList.add("past");
    }, 1000);
  }

  // ---- what happened is read out, once: a live region must outlast the part that is exchanged
  const seen = () => one("#play [name=seen]")?.value;
  const text = (node) => node.textContent.trim().replace(/\s+/g, " ");
  let told = seen();
  function readOut() {
    const said = one("#said");
    if (!said || !one(".strip:not([role])")) return;   // a refusal reads itself
    const japanese = document.documentElement.lang === "ja";
    const comma = japanese ? "、" : ", ";
    const turn = [...one(".who h1").childNodes].map(text).filter(Boolean).join(japanese ? "" : " ");
    const parts = [[turn]];
    if (seen() === told) parts[0].push(...[...document.querySelectorAll(".need")].map(text));   // half a play
    else parts.unshift(...news(comma));
    told = seen();
    for (const line of document.querySelectorAll(".told,.in-deal .sums>li:has(.n),.ranking>li")) parts.push([line.innerText.trim().replace(/\s+/g, " ").replace(/[。.]$/, "")]);
    const sentence = parts.map((part) => part.join(comma)).join(japanese ? "。" : "; ");
    if (said.textContent !== sentence) said.textContent = sentence;
  }
  // "B: 7, legal", and what that has brought about
  function news(comma) {
    const strip = one(".strip p");
    if (!strip) return [];
    const names = [...document.querySelectorAll(".nm,.side b,.ranking .one")].map(text);
    const shown = [...strip.childNodes].filter((node) => node.localName !== "small").map((node) => node.textContent).join("\u3000");
    const [head, ...more] = inFull(shown, names).split("\u3000").map((part) => part.trim()).filter(Boolean);
    const who = names.find((name) => head.startsWith(`${name} `));
    const mark = one(".strip .mk[aria-label]");
    const play = [who && comma === ", " && /^[^a-z]/.test(head.slice(who.length + 1)) ? head.replace(`${who} `, `${who}: `) : head];
    if (mark && (who || mark.className !== "mk")) play.push(mark.getAttribute("aria-label").split(/[：:]\s*/)[1]);
    const declared = one("small", strip)?.lastChild;
    if (declared) play.push(text(declared));
    return more.length ? [play, more] : [play];
  }
  // Names that are cut on the strip are not cut in what is said; an arrow is a pause.
  function inFull(part, names) {
    for (const name of names) {
      for (let n = name.length; n > 2; n -= 1) part = part.replaceAll(`${name.slice(0, n)}…`, name);
    }
    return part.replace(/ → /g, document.documentElement.lang === "ja" ? "、" : ", ");
  }

  // ---- who moves by keyboard stays at the same place, or comes to what is to be done next
  const REACHED = "a,button,summary,input,select";
  let held = null;
  document.addEventListener("htmx:before:swap", () => {
    held = document.activeElement.matches(REACHED) ? document.activeElement : null;
  });
  function stay() {
    if (!held || held.isConnected || document.activeElement !== document.body) return;
    const found = [...document.querySelectorAll(REACHED)].filter((other) => other.localName === held.localName && !other.disabled);
    const like = (name) => held.getAttribute(name) && found.find((other) => other.getAttribute(name) === held.getAttribute(name));
    const next = like("id") || like("href") || like("value") || like("class") || one("#play button,#play a,.over a");
    if (next) next.focus({ preventScroll: true });
  }

  // ---- the screen stays on, and the lamp tells the truth about it. Plain http has no lock to give:
  // there a tap on the lamp plays a small still video, which browsers keep the screen on for.
  const lends = "wakeLock" in navigator;
  let lock = null, film = null, asking = false, refused = "off", wish = lends;
  try { wish ||= "awake" in sessionStorage; } catch { /* no storage: one more tap */ }
  function lamp() {
    const button = one(".lamp");
    if (!button) return;
    const state = lock ? "on" : film && !film.paused ? "film" : wish ? refused : "off";
    button.hidden = false;
    button.classList.toggle("on", state === "on" || state === "film");
    button.textContent = button.dataset[state];
  }
  async function stayAwake() {
    if (wish && one(".lamp") && !asking && !document.hidden) {
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
  function play() {
    if (!film) {
      film = document.createElement("video");
      film.className = "awake";
      film.ariaHidden = "true";
      film.playsInline = true;
      film.muted = !("GestureEvent" in window);   // Safari: the screen goes dark over a muted one,
      film.ontimeupdate = () => { if (film.currentTime > 4) film.currentTime = 0; };   // or one that loops
      film.onplaying = film.onpause = lamp;
      film.src = one(".lamp").dataset.src;
      document.body.append(film);
    }
    return film.play();
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".lamp")) return;
    wish = !one(".lamp.on");
    try { if (wish) sessionStorage.awake = 1; else sessionStorage.removeItem("awake"); } catch { /* as above */ }
    if (wish) stayAwake();
    else if (lock) lock.release();
    else film.pause();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden && film) film.pause(); else stayAwake(); });

  // ---- a request that did not arrive says so; the same form can be sent again
  document.addEventListener("htmx:error", () => {
    const unsent = one("#unsent");
    if (unsent) one("#notice").replaceChildren(unsent.content.cloneNode(true));
  });

  // ---- keys that type a hand into the field
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-add]");
    if (!key) return;
    const field = one("#ranks");
    const ranks = field.value.split(/\s+/).filter(Boolean);
    if (key.dataset.add) ranks.push(key.dataset.add);
    else ranks.pop();
    field.value = ranks.join(" ");
  });

  // ---- the menu closes when something else is tapped
  document.addEventListener("click", (event) => {
    const menu = one(".menu[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = one(".menu[open]");
    if (menu && event.key === "Escape") {
      menu.open = false;
      one("summary", menu).focus();
    }
  });

  function arrange() {
    countDown();
    stayAwake();
    for (const hidden of document.querySelectorAll(".typing[hidden],[data-add][hidden]")) hidden.hidden = false;
    const turn = one(".list .turn");
    if (turn) turn.parentElement.scrollTop = turn.offsetTop - turn.parentElement.offsetTop - 60;
  }
  document.addEventListener("htmx:after:swap", (event) => {
    stay();
    if (event.detail.ctx?.sourceElement?.id === "door") return;   // the table is as it was
    const status = event.detail.ctx && event.detail.ctx.response && event.detail.ctx.response.status;
    if (!(status >= 400) || status === 409) one("#notice").replaceChildren();
    readOut();
    arrange();
  });
  arrange();
})();
