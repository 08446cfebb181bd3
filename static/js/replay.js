// Watching a match again: keys, swipes and the slider change the frame without loading a page.
// The server sends several frames at a time; they are kept, and the next ones requested early.
(() => {
  "use strict";
  const place = document.querySelector("#replay");
  if (!place) return;
  const reel = document.querySelector(".reel"), slider = reel.elements.at, play = reel.querySelector("[data-play]");
  const last = Number(place.dataset.last), PACE = 1500, AHEAD = 6;
  const frames = new Map(), coming = new Map();
  let at = Number(slider.value), wanted = at, timer = 0;

  const keep = (frame) => frames.set(Number(frame.dataset.at), frame);
  keep(place.firstElementChild);

  // The frames from ``first`` on; requested once.
  const load = (first) => {
    if (!coming.has(first)) {
      const address = new URL(place.dataset.frames, location.href);
      address.searchParams.set("at", first);
      const got = fetch(address).then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status)).then((html) => {
        const made = document.createElement("template");
        made.innerHTML = html;
        made.content.querySelectorAll(".film").forEach(keep);
      });
      got.catch(() => coming.delete(first));
      coming.set(first, got);
    }
    return coming.get(first);
  };
  // Frames are requested from the first one that is missing near ``number``.
  const ready = (number) => frames.has(number) ? undefined : load(Math.max(1, frames.has(number - 1) ? number : number - 4));

  const address = (number) => {
    const to = new URL(location.href);
    to.searchParams.delete("entry");
    to.searchParams.set("at", number);
    return to.pathname + to.search;
  };

  const draw = (number) => {
    const frame = frames.get(number);
    at = number;
    place.replaceChildren(frame);
    slider.value = number;
    slider.setAttribute("aria-valuetext", frame.dataset.says);
    reel.querySelector(".where").textContent = `${number}/${last}`;
    for (const link of reel.querySelectorAll("[data-step]")) {
      const to = Math.min(last, Math.max(1, number + Number(link.dataset.step)));
      link.href = address(to);
      link.toggleAttribute("aria-disabled", false);
      if (to === number) link.setAttribute("aria-disabled", "true");
    }
    for (const link of document.querySelectorAll(".deals a")) {
      const here = link.dataset.deal === frame.dataset.deal;
      link.classList.toggle("on", here);
      if (here) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
    history.replaceState(null, "", address(number));
    const next = Math.min(last, number + AHEAD);
    if (!frames.has(next)) load(firstMissing(number)).catch(() => {});
  };
  const firstMissing = (number) => { while (frames.has(number)) number += 1; return number; };

  const show = async (number) => {
    wanted = Math.min(last, Math.max(1, number));
    const goal = wanted;
    try { await ready(goal); } catch { return location.assign(address(goal)); }
    if (goal === wanted && frames.has(goal)) draw(goal);   // not if another one was chosen meanwhile
    if (at === last) stop();
  };

  const word = play.textContent;
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    play.textContent = word;
  };
  const go = async () => {
    await show(wanted + 1);
    if (timer) timer = setTimeout(go, PACE);
  };
  const toggle = () => {
    if (timer) return stop();
    play.textContent = play.dataset.play;
    if (at === last) wanted = 0;
    timer = setTimeout(go, wanted ? PACE / 3 : 0);
  };

  const step = (by) => { stop(); show(wanted + by); };
  play.hidden = false;
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  reel.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step], .deals [data-to]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.dataset.step) step(Number(link.dataset.step)); else step(Number(link.dataset.to) - wanted);
  });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (by) { event.preventDefault(); step(by); }
    else if (event.key === " " && !event.target.closest("a, button, summary")) { event.preventDefault(); toggle(); }
  });
  let from = null;
  place.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  place.addEventListener("touchend", (event) => {
    if (!from) return;
    const to = event.changedTouches[0], across = to.clientX - from.clientX;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) step(across < 0 ? 1 : -1);
    from = null;
  }, { passive: true });
})();
