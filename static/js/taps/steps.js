// The steps of a play that takes several taps: from the table, or from the server.

// ---- a step of a play that the table has in advance, as a template: its parts replace others, and
// what was tapped replaces 〓. A value is ``first`` or ``first:list``: further taps add to the list.
// ``data-of`` names values, ``first:*`` for any list, #2 for one of two parts, + and - for a list
// and none. ``7.1.3``: the element with ``data-each`` is repeated for every count from 1 to 3, with
// the parts that have this ``data-n``. ``data-like``: elements of the table that are copied into
// it. ``data-seat``: 〓s, as HTML. Other steps are pages.
const STEP = /^\p{Script=Han}$/u;
const queryOf = (key) => { const form = formOf(key); return form ? `?${new URLSearchParams(said(form, key))}` : key.search; };
const isStep = (key) => formOf(key)?.method !== "post";
const listed = (value) => (value.split(":")[1] || "").split(" ").filter(Boolean);
function ofStep({ dataset: { of } }, value) {
  const [first] = value.split(":");
  const marks = [value.replaceAll(" ", ""), `${first}:*`, `#${first.split("-").length}`, listed(value)[0] ? "+" : "-"];
  return of.split(" ").map((mark) => mark.split(".")).find(([mark]) => marks.includes(mark));
}
// The table in ``text`` at the step to which ``key`` leads, or one step back; undefined if that is
// a page.
function stepOn(text, key) {
  const fresh = page.parsed(text), params = new URLSearchParams(queryOf(key)), steps = every("template[data-step]", fresh);
  const seat = params.get("seat"), [[name, value] = [], more] = [...params].filter(([what, said]) => said && what !== "seat");
  if (!steps[0] || more) return undefined;
  const turned = seat && seat !== seatOf(fresh);
  if (turned && !seatOn(fresh, seat)) return undefined;
  if (!name && one(seat ? ".bar [rel=prev]" : ".bar [rel=prev],.board a[href$='?']", fresh)) return undefined;   // ``text`` is no page without choices
  if (!name) return turned ? fresh.documentElement.outerHTML : text;
  const stepTo = (said) => steps.find((other) => other.dataset.step === name && (other.dataset.of ? ofStep(other, said) : STEP.test(said)));
  const [first] = value.split(":"), list = listed(value), step = stepTo(value), on = find(list[0] ? `${name}=${first}` : sign(key), fresh);
  if (!step) return undefined;
  // ``data-parts``: the parts of each first value; without it they are separated by hyphens
  const { parts: each } = step.dataset, parts = each ? [...each.split(" ").find((of) => of.startsWith(first)).slice(first.length)] : first.split("-");
  const fill = (html, words) => html.replace(/〓([a-z\d]?)/g, (gap, what) => words[what] ?? gap);
  step.innerHTML = fill(step.innerHTML, {
    "": first, w: list[0] ? step.dataset.with + list.join(" ") : "", p: parts.slice(0, -1).join("-"), s: step.dataset.seat, ...["", ...parts],   // by number, from 1
  });
  for (const part of every("[data-of]", step.content)) if (!ofStep(part, value)) part.remove();
  for (const part of every("[data-like]", step.content)) {
    const like = every(part.dataset.like, fresh).map((one) => one.cloneNode(true));
    part.append(..."back" in part.dataset ? like.reverse() : like);
  }
  for (const each of every("[data-each]", step.content)) {
    const [, least, most] = ofStep(step, value);
    for (let n = +least; n <= most; n += 1) {
      const one = each.cloneNode(true);
      for (const part of every("[data-n]", one)) if (n < part.dataset.n.split(".")[0] || n > part.dataset.n.split(".")[1]) part.remove();
      each.before(one);
      one.outerHTML = fill(one.outerHTML, { n, t: Array(n).fill(first).join(" ") });
    }
    each.remove();
  }
  for (const part of [...step.content.children]) one(`[data-part=${part.dataset.part}]`, fresh)?.replaceWith(part);
  for (const tile of every("[data-tile]", fresh)) copy(key, tile);
  one(".strip [form=undo]", fresh)?.remove();   // the one in the bar is about the taps of this play
  if (step.dataset.lit) light(step.dataset.lit.split(","), fresh);
  if (step.dataset.less) for (const rank of parts) less(rank, fresh);
  for (const other of every(".pyr button", fresh)) itself(other, name, seat, stepTo);
  for (const other of every("[id^=of-]", fresh)) among(other, name, first, list, stepTo);
  if (on && !itemOf(on)) {
    on.classList.add("on");
    if (on.href) on.href = seat ? `?${new URLSearchParams({ seat })}` : "?";
    else on.value = "";
    on[on.href ? "ariaCurrent" : "ariaPressed"] = "true";
  }
  return fresh.documentElement.outerHTML;
}
// Changes the keys and steps to another of the seats of ``data-alike``: they differ only in its name.
function seatOn(fresh, seat) {
  if (!one("#table", fresh).dataset.alike?.split("\n").includes(seat)) return false;
  const old = seatOf(fresh), plate = every(".board .nm", fresh).find((name) => name.textContent === seat);
  const renamed = (link, name) => link.setAttribute("href", link.getAttribute("href").replace(/seat=[^&]*/, `seat=${encodeURIComponent(name)}`));
  named(fresh, seat);
  plate.textContent = old;
  renamed(plate.closest("a"), old);
  one(".ours", fresh).ariaLabel = one(".ours", fresh).ariaLabel.replace(old, seat);
  for (const part of [one(".pad", fresh), ...every("template", fresh).map((step) => step.content)]) {
    for (const link of every("a[href*='seat=']", part)) renamed(link, seat);
    for (const key of every("[name=line]", part)) key.value = key.value.replace(`${token(old)} `, `${token(seat)} `);
    for (const text of every(".plain small", part)) text.textContent = text.textContent.replace(old, seat);
  }
  return true;
}
const seatOf = (within) => one("#table", within)?.dataset.seat;   // whose keys they are
function named(within, seat) {
  const { dataset } = one("#table", within), head = one(".who h1", within), other = one("template", head), instead = one(".for", other?.content ?? head);
  if (other) head.replaceChildren(other.content);   // it was "your turn"
  dataset.seat = one(".nm", head).textContent = seat;
  if (instead) instead.hidden = seat === dataset.you;
}
let path = [], next = [];   // the signs of the steps that are shown; the same after the next exchange
let lost = false;           // the last play that was sent has not arrived
const cut = () => lost || offline();
// A key of a step is identified by the steps that lead there.
function pathTo(key) {
  const there = path[0] && find(sign(key), page.parsed(given)), whole = path[0] && !(there && queryOf(there) === queryOf(key));
  const label = whole ? path.label + (itemOf(key) ? "" : ` ${first(key)}`) : first(key);
  return Object.assign([...(whole ? path : []), sign(key)], { label: key.closest(".board") && !itemOf(key) ? "" : label.trim() });
}
// Takes back the last tap of a half-entered play.
function stepBack() {
  page.choice = path.choice;
  goTo(path.before.text ?? given, path.before);
}
async function goTo(text, signs) {
  const from = given;
  const wanted = () => { next = from === given ? signs : []; return from === given; };
  return page.exchange(text, wanted);
}
// ---- another seat, or a step of a play: requests a page and records nothing
async function fetchPage(key, search = queryOf(key)) {
  const step = key && stepOn(given, key), before = replayed ? [] : waiting().map((item) => item.key);
  asking = true;
  if (step) {
    const owner = path[0] ? path.owner : !table().matches(".waits") && seatOf(document);
    const taps = step === given ? [] : Object.assign(pathTo(key), { text: step, before: path, choice: page.choice, owner });
    if (await goTo(step, taps)) page.choice = search;
    asking = false;
    if (every("#play .on")[one(".key.go")?.dataset.most - 1]) one(".key.go").click();   // as many cards as it can have
    return cut() ? letGo() : flush();
  }
  table().classList.add("asks");
  try {
    const { status, text } = await page.ask(here() + search);
    if (!text.includes('id="table"')) {
      if (status < 429) location.assign(here() + search);   // that page says why
      throw Error(status);
    }
    if (await page.exchange(text, idle)) page.choice = search;
  } catch {   // a seat needs no page; keys that were held behind a step have no meaning without it
    if (!turnTo(search)) {
      const behind = waiting().filter((item) => item.held && !before.includes(item.key));
      ask(behind);
      draw();
      if (!behind[0]) one(".pad .strip,.pad .clash")?.replaceWith(one("#unsent-step").content.cloneNode(true));
    }
  }
  asking = false;
  table().classList.remove("asks");
  flush();
}
