// Pages of a desk, and its line on the page of a match: they follow what others do and keep presses
// while there is no network; the clock counts down, the projector turns its pages.
(() => {
  "use strict";
  const POLL_MS = 5000, PATIENCE_MS = 15000;
  const own = document.currentScript.dataset;
  const one = (selector, within = document) => within.querySelector(selector);
  const every = (selector, within = document) => [...within.querySelectorAll(selector)];
  const kind = "part" in own ? "#desk-line" : "main";
  const part = () => one(kind);
  let known = Number(own.seq), news = known, asking = false, poll = 0, source = null;
  let asked = false;   // a question or a refusal is shown, which no news may replace

  // ---- ask for the part that changes, and put it in its place; what is being typed stays
  const busy = () => part().querySelector("input:focus,select:focus,details.house[open]")
    || every("input:not([type=hidden])", part()).some((field) => field.value !== field.defaultValue);
  async function ask(address, options = {}) {
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS), ...options, headers: { "HX-Request": "true" } });
    if (!answer.headers.has("X-Fudami")) throw Error(answer.status);   // somebody else, as the login page of a network
    return answer;
  }
  const said = (when) => document.dispatchEvent(new CustomEvent(`htmx:${when}:swap`, { detail: {} }));   // page.js keeps the focus
  async function put(answer) {
    const text = await answer.text(), coming = one(kind, new DOMParser().parseFromString(text, "text/html"));
    if (!coming) {
      one("#notice").innerHTML = text;
      return;
    }
    said("before");
    part().replaceWith(coming);
    said("after");
    known = Number(answer.headers.get("X-Seq") ?? known);
    begin();
    draw();
  }
  async function show(address, wanted = () => true) {
    const answer = await ask(address);
    if (!answer.ok || !wanted()) return;
    asked = false;
    await put(answer);
  }
  async function heard(number) {
    news = Math.max(news, number);
    if (news <= known || asking || asked || document.hidden || busy()) return;
    asking = true;
    try { await show(own.part ?? location.href, () => !busy()); } catch { /* the next number comes */ }
    asking = false;
  }
  setInterval(() => heard(news), 1000);

  // ---- presses: what finds no network waits on this phone and is sent later, in its order
  const box = `desk ${own.desk}`;
  const kept = () => { try { return JSON.parse(localStorage.getItem(box)) ?? []; } catch { return []; } };
  function keep(presses) {
    try {
      if (presses.length) localStorage.setItem(box, JSON.stringify(presses));
      else localStorage.removeItem(box);
    } catch { one("#notice").replaceChildren(one("#unsent")?.content.cloneNode(true) ?? ""); }   // a private window
    draw();
  }
  const same = (one, other) => one.to === other.to && one.fields === other.fields;
  const send = ({ to, fields, key }) => ask(to, { method: "POST", body: new URLSearchParams(`${fields}&key=${key}`) });

  async function press(made) {
    const waits = kept();
    if (waits.some((other) => same(made, other))) return keep(waits.filter((other) => !same(made, other)));   // taken back
    asking = true;   // the news of this press come with its answer
    try {
      if (waits.length) throw Error("after those that wait");
      await follow(await send(made));
    } catch {
      keep([...waits, made]);
      flush();
    }
    asking = false;
  }
  async function follow(answer) {
    const to = answer.headers.get("HX-Redirect");
    if (!to) {
      asked = kind === "main";
      return put(answer);
    }
    const url = new URL(to, location.href);
    if (kind === "#desk-line") return show(own.part);
    if (url.pathname !== location.pathname) return location.assign(url);
    history.replaceState(null, "", url);
    return show(url);
  }
  let flushing = false;
  async function flush() {
    if (flushing) return;
    flushing = true;
    for (let next; (next = kept().find((press) => !press.refused));) {
      let done = false;
      try { done = (await send(next)).headers.has("HX-Redirect"); } catch { break; }
      keep(kept().flatMap((press) => press.key !== next.key ? [press] : done ? [] : [{ ...press, refused: true }]));
    }
    flushing = false;
  }
  setInterval(() => { if (kept().some((press) => !press.refused)) flush(); }, POLL_MS);
  addEventListener("online", flush);

  document.addEventListener("submit", (event) => {
    const form = event.target, { submitter } = event;
    if (form.method !== "post" || !part().contains(form)) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form));
    if (submitter?.name) fields.set(submitter.name, submitter.value);
    fields.delete("key");
    const says = [one("h1")?.textContent, submitter?.ariaLabel ?? submitter?.textContent];
    press({ to: form.action, fields: fields.toString(), key: fresh(), says: says.filter(Boolean).join(" ").replace(/\s+/g, " ") });
  });
  const fresh = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 12).padEnd(10, "0");

  // a name that is picked brings what each exchange costs; without network, the exchange alone
  let picked = null;
  document.addEventListener("click", async (event) => {
    const name = event.target.closest("a.pk"), at = one("#swap")?.dataset;
    if (!name || !at) return;
    event.preventDefault();
    const person = (link) => new URL(link.href).searchParams.get("pick");
    if (picked?.isConnected) {
      const fields = new URLSearchParams({ round: at.round, one: person(picked), other: person(name) });
      picked.classList.remove("sel");
      if (picked !== name) press({ to: at.to, fields: fields.toString(), key: fresh(), says: `${picked.textContent} ⇄ ${name.textContent}` });
      picked = null;
      return;
    }
    try {
      await show(name.href);
      history.replaceState(null, "", name.href);
    } catch {
      picked = name;
      name.classList.add("sel");
    }
  });

  // ---- what waits, and what was refused meanwhile: to be pressed again, or not
  function draw() {
    const waits = kept();
    one("#waits")?.remove();
    for (const key of every(".waits")) key.classList.remove("waits");
    if (!waits.length) return;
    const list = one("#waits-here").content.cloneNode(true), row = one("li", list);
    for (const press of waits) {
      const line = row.cloneNode(true);
      one("span", line).textContent = press.says;
      one(press.refused ? "[data-waits]" : "[data-refused]", line).remove();
      one("[data-again]", line).hidden = !press.refused;
      one("[data-again]", line).onclick = () => {
        keep(kept().filter((other) => other.key !== press.key));
        press.key = fresh();
        delete press.refused;
        sendAlone(press);
      };
      one("[data-drop]", line).onclick = () => keep(kept().filter((other) => other.key !== press.key));
      row.before(line);
      const form = every("form", part()).find((form) => form.action === press.to && [...new FormData(form)].every(([name, value]) => name === "key" || new URLSearchParams(press.fields).get(name) === value));
      one("button", form ?? list)?.classList.toggle("waits", Boolean(form));
    }
    row.remove();
    part().before(list);
  }
  async function sendAlone(press) {
    try { await follow(await send(press)); } catch { keep([...kept(), press]); }
  }

  // ---- new numbers come by a stream, else by asking
  async function poke() {
    clearTimeout(poll);
    try { heard(Number(await (await ask(own.live)).text())); } catch { /* without network: again later */ }
    if (source?.readyState !== EventSource.OPEN) poll = setTimeout(poke, POLL_MS);
  }
  function listen() {
    if (document.hidden || source) return;
    if (!("streams" in own)) return poke();
    source = new EventSource(own.live);
    source.onmessage = (event) => heard(Number(event.data));
    source.onerror = poke;
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
    const clock = one(".clock[data-runs]"), screen = part().dataset;
    ends = clock ? performance.now() + clock.dataset.left * 1000 : 0;
    clearTimeout(turn);
    if (Number(screen.turn)) turn = setTimeout(() => show(screen.next).catch(begin), screen.turn * 1000);
  }
  setInterval(() => {
    const clock = one(".clock[data-runs]");
    if (!clock || !ends) return;
    const left = Math.max(0, Math.round((ends - performance.now()) / 1000));
    one("b", clock).textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (!left && Number(clock.dataset.left)) over(clock);
  }, 500);
  function over(clock) {
    ends = 0;
    document.dispatchEvent(new CustomEvent("clock", { detail: clock.dataset.over }));
    try {
      const sound = new AudioContext(), tone = sound.createOscillator();
      tone.connect(sound.destination);
      tone.start();
      tone.stop(sound.currentTime + 1);
    } catch { /* a phone that makes no sound */ }
  }
  begin();
  draw();
  flush();
})();
