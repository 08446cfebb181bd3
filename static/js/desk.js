// Pages of a desk follow what others do; the clock counts down, the projector turns its pages.
(() => {
  "use strict";
  const POLL_MS = 5000;
  const own = document.currentScript.dataset;
  const main = () => document.querySelector("main");
  let known = Number(own.seq), news = known, asking = false, poll = 0, source = null;

  // ---- the present page; what is being typed or chosen stays
  const busy = () => main().querySelector("input:focus,select:focus,details.house[open]")
    || [...main().querySelectorAll("input:not([type=hidden])")].some((field) => field.value !== field.defaultValue);
  async function show(address) {
    const answer = await fetch(address, { cache: "no-store" });
    if (!answer.ok || !answer.headers.has("X-Fudami")) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (busy() || !page.querySelector("main")) return;
    main().replaceWith(page.querySelector("main"));
    known = Number(page.querySelector("script[data-seq]").dataset.seq);
    begin();
  }
  async function heard(number) {
    news = Math.max(news, number);
    if (news <= known || asking || document.hidden || busy()) return;
    asking = true;
    try { await show(location.href); } catch { /* the next number comes */ }
    asking = false;
  }
  setInterval(() => heard(news), 1000);

  // ---- new numbers come by a stream, else by asking
  async function ask() {
    clearTimeout(poll);
    try {
      const answer = await fetch(own.live, { cache: "no-store" });
      if (answer.ok) heard(Number(await answer.text()));
    } catch { /* without network: again later */ }
    if (source?.readyState !== EventSource.OPEN) poll = setTimeout(ask, POLL_MS);
  }
  function listen() {
    if (document.hidden || source) return;
    if (!("streams" in own)) return ask();
    source = new EventSource(own.live);
    source.onmessage = (event) => heard(Number(event.data));
    source.onerror = ask;
  }
  function deaf() {
    source?.close();
    source = null;
    clearTimeout(poll);
  }
  document.addEventListener("visibilitychange", () => document.hidden ? deaf() : listen());
  addEventListener("pagehide", deaf);
  addEventListener("pageshow", listen);
  listen();

  // ---- the clock; it only says that the time is over
  let ends = 0, turn = 0;
  function begin() {
    const clock = document.querySelector(".clock[data-runs]"), screen = main().dataset;
    ends = clock ? performance.now() + clock.dataset.left * 1000 : 0;
    clearTimeout(turn);
    if (Number(screen.turn)) turn = setTimeout(() => show(screen.next).catch(begin), screen.turn * 1000);
  }
  setInterval(() => {
    const clock = document.querySelector(".clock[data-runs]");
    if (!clock || !ends) return;
    const left = Math.max(0, Math.round((ends - performance.now()) / 1000));
    clock.querySelector("b").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (!left && Number(clock.dataset.left)) over(clock);
  }, 500);
  function over(clock) {
    ends = 0;
    try {
      const sound = new AudioContext(), tone = sound.createOscillator();
      tone.connect(sound.destination);
      tone.start();
      tone.stop(sound.currentTime + 1);
      speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(clock.dataset.over), { lang: document.documentElement.lang }));
    } catch { /* a phone that makes no sound */ }
  }
  begin();
})();
