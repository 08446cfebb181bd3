// No tap is lost. When the finger comes down, seat, line and the preceding entry are fixed. Plays
// wait here in order and are sent one after the other, with or without network; the page goes on at
// once.
(() => {
  "use strict";
  const AGAIN_MS = 4000;
  const SHOWN_MS = 250;     // an answer within this time needs no "waiting" message
  const { one, every, table } = page;
  const here = () => one(".bar[data-table]")?.dataset.table;
  const [NEXT, BETWEEN] = document.documentElement.lang === "ja" ? ["次の手番", "　"] : ["Next", " · "];
  const offline = () => document.documentElement.dataset.net === "off";   // as live.js has found out

  // ---- the waiting items, the oldest first; localStorage outlives page and restart. An item has the
  // ``fields`` of a play, or is ``held``: a key whose seat depends on an answer that has not come
  // yet, given by its sign or the signs of the steps to it. ``half``: it was only a step of a play:
  // dropped without network. ``cut``: it was tapped without network. ``plain``: its key had no
  // declaration on it. ``person``: who used this phone then, by ``data-person`` of the table. Each has
  // a place of its own in the storage, so that pages that write at the same time do not undo what the
  // other wrote.
  const PLACE = "unsent ";
  let spare = null;   // used if the browser gives no storage
  const dropped = new Set();   // another page, which does not know yet, may store it once more
  function all() {
    let items = spare;
    try { items ??= Object.keys(localStorage).filter((name) => name.startsWith(PLACE)).map((name) => JSON.parse(localStorage[name])); } catch { return []; }
    return items.filter(({ key }) => !dropped.has(key)).sort((a, b) => a.order - b.order);
  }
  function keep(item) {
    try {
      if (!spare) localStorage[PLACE + item.key] = JSON.stringify(item);
    } catch { spare = all(); }
    if (spare) spare = [...spare.filter(({ key }) => key !== item.key), item];
  }
  function drop(key) {
    dropped.add(key);
    try { localStorage.removeItem(PLACE + key); } catch { /* it is not there */ }
  }
  const at = (address) => all().filter((item) => item.table === address);
  const waiting = () => at(here()).filter((item) => !item.asked);
  const keyless = () => "keyless" in table().dataset;   // this phone may record nothing here
  const person = () => one(".bar").dataset.person;
  const atTheEnd = () => Math.max(Date.now(), (all().at(-1)?.order ?? 0) + 1);   // as an item's ``order``
  const change = (match, how) => all().filter(match).forEach((item) => keep({ ...item, ...how(item) }));
  const ask = (items) => change((item) => items.some((other) => other.key === item.key), () => ({ asked: true }));
  const newKey = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 9);
  const idle = () => waiting().every((item) => item.held);   // no waiting item can be sent yet

  // ---- a key is found again on another table by its id, or by its line without the seat
  const SEAT = /^("[^"]*"|\S+) (?=\S)/;
  const token = (name) => (/[\s#]|^and$/.test(name) ? `"${name}"` : name);   // as core/record/text.py
  const bare = (line) => line.replace(SEAT, "");
  const number = (key) => one("[name^=r]", formOf(key) ?? key)?.value ?? "";   // typed beside the key: rank or rest
  const lineOf = (key) => `${key.value} ${number(key)}`.trim();
  const sign = (key) => key.id || (key.search ?? (key.name === "line" ? `line=${bare(lineOf(key))}` : key.name ? `${key.name}=${key.value}` : key.textContent.trim()));
  const seenAt = (was) => Number(one("#play [name=seen]", was).value);
  const find = (wanted, within) => every("button,a", within).find((key) => !key.disabled && sign(key) === wanted);
  Object.assign(page, { waits: () => asking || waiting().length > 0, waiting, sign, find, play, fetchPage, at, drop, question, refused });
  // A table that was replaced is no document: its keys have no ``form`` property, and its forms no
  // keys. A link has no form, even inside of one.
  const formOf = (key) => (key.isConnected || key.localName === "a" ? key.form : one(`#${key.getAttribute("form") || "none"}`, key.getRootNode()) ?? key.closest("form"));
  const said = (form, key) => ({ ...Object.fromEntries(new FormData(form)), ...(key.name && { [key.name]: key.value }) });
  // A card of a suit is named by the sign of its row, as it is drawn.
  const suited = (key) => key.closest(".sr") && key.closest(".sr").firstElementChild.textContent.replace("★", "") + key.firstChild.textContent;
  const first = (key) => (suited(key) ?? (/^k[\dA-Z]/.test(key.id) ? key.id.slice(1) : number(key) || key.dataset.label || key.innerText || key.ariaLabel || key.textContent)).trim().split("\n")[0];
  // The label of a waiting item names all taps that led to it.
  const labelOf = (key) => (key.matches(".pick") ? one("b", key).textContent : path[0] ? `${path.label} ${first(key)}` : first(key));

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
  // ``data-parts``: the parts of each first value; without it they are separated by hyphens.
  function partsOf({ dataset: { parts } }, first) {
    return parts ? [...parts.split(" ").find((of) => of.startsWith(first)).slice(first.length)] : first.split("-");
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
    const parts = partsOf(step, first);
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
      on.setAttribute(on.href ? "aria-current" : "aria-pressed", "true");
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
  const itemOf = ({ id }) => /^of-(.+)/.exec(id)?.[1];
  // ``key`` recorded its item alone; in the step it leads to a list with this item.
  function itself(key, name, seat, stepTo) {
    const [, first, , item] = bare(key.value).split(" "), value = `${first}:${item}`, link = document.createElement("a");
    if (!stepTo(value)) return;
    link.append(...key.childNodes);
    key.replaceWith(Object.assign(link, { id: `of-${item}`, className: key.className, href: `?${new URLSearchParams({ seat, [name]: value })}` }));
  }
  // ``key`` adds its item to the list, or removes it.
  function among(key, name, first, list, stepTo) {
    const params = new URLSearchParams(queryOf(key)), item = itemOf(key), on = list.includes(item);
    if (params.get(name)?.split(":")[0] !== first) return;
    const items = on ? list.filter((other) => other !== item) : [...list, item].sort();
    const value = items[0] ? `${first}:${items.join(" ")}` : first;
    params.set(name, value);
    if (stepTo(value)) key.href = `?${params}`;
    else key.href = `?${new URLSearchParams({ seat: params.get("seat") })}`;
    key.classList.toggle("on", on);
    if (on) key.setAttribute("aria-current", "true");
  }
  function copy(key, tile) {   // the value of a kanji
    const value = one(":scope>b", key);
    tile.classList.add(value ? `v${value.textContent}` : "v0");
    if (value) tile.append(value.cloneNode(true));
  }
  // Marks table cards that go with what was tapped, with the signs of the sets that each is in.
  function light(signs, fresh) {
    every(".tableau .card", fresh).forEach((card, i) => {
      if (!signs[i]) return;
      const lit = document.createElement("span"), mark = document.createElement("i");
      const pick = every(".pick", fresh).find((one) => one.firstChild.textContent === signs[i]);
      const own = document.createElement(pick ? "button" : "span");
      if (pick) {
        own.name = "line";
        own.value = pick.value;
        own.setAttribute("form", "play");
      }
      card.replaceWith(lit);
      own.className = card.className.replace(" laid", "") + " can";
      own.append(...card.childNodes);
      lit.className = "lit";
      mark.textContent = signs[i];
      lit.append(own, mark);
    });
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

  // ---- a tap
  let asking = false;   // another page of this table is being requested: a step of a play, or another seat
  let turned = "";      // the seat for which somebody has chosen the keys
  let twin = { until: 0 }, replayed = null;

  const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  function ours(key) {
    const form = key && formOf(key), path = form ? new URL(form.action).pathname : key?.pathname;
    return path && [here(), `${here()}/play`, `${here()}/undo`].includes(path);
  }
  document.addEventListener("submit", (event) => {
    if (!event.submitter?.closest("#table") || !ours(event.submitter)) return;
    stop(event);
    tapped(event.submitter);
  }, true);
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const key = event.target.closest("#table :is(a,button)"), left = page.under();
    if (left === undefined ? key?.localName !== "a" || !ours(key) : !ours(left) && !ours(key)) return;
    stop(event);
    if (left === undefined) tapped(key);
    else if (ours(left)) tapped(left);
  }, true);

  function tapped(shown) {
    const was = replayed ? table() : page.meant();
    const key = was === table() || !shown.isConnected ? shown : find(sign(shown), was) ?? shown, form = formOf(key);
    if (!replayed) {
      if (sign(key) === twin.key && page.tappedAt() < twin.until) return;   // one play, tapped twice
      const mine = twin = { key: sign(key), until: Infinity };
      page.painted(() => { mine.until = performance.now(); });
    }
    const undo = form?.id === "undo" || key.rel === "prev", back = undo && one("#kback,.bar [rel=prev]", was);
    if (undo && path[0]) return stepBack();
    if (undo && back !== key) return back ? tapped(back) : undone(was);
    if (page.takes?.(key, was)) return;
    const last = !replayed && waiting().at(-1), tail = tailOf(key), steps = isStep(key);
    const early = steps && was !== table() && seenAt(was) === page.seen();   // a key of the step that has just arrived, before it was painted
    const beside = form?.matches(":not(#play,#pick,.number)");   // a key above the pad
    if (!form && (last ? !last.held : cut()) && turnTo(key.search)) return;
    if (last && last.fields.line === lineOf(key) && (beside || !tail)) return;   // it is being sent already
    else if ((last || asking) && beside) add({ held: "-", label: `${NEXT} ${labelOf(key)}` });   // the person decides about it later
    else if (steps && cut() && !replayed && !asking && known(was)) fetchPage(key);
    else if (asking || early || (!replayed && was.matches(".waits")) || (last && !tail)) {
      const held = path[0] && !steps ? [...path, sign(key)] : sign(key);
      add({ held, tail, half: steps, cut: cut(), own: isOwn(key), plain: isPlain(key), label: `${NEXT} ${labelOf(key)}` });
      if (path[0] && !steps) goTo(given, []);
    } else if (steps) fetchPage(key);
    else {
      play(key, tail, was);
      if (path[0]) goTo(given, []);
    }
    if (tail) form.reset();   // clears a number that was typed
    draw();
  }
  const isPlain = (key) => key.matches("[id]:not(.dot,.off)");
  // Whether the steps of the table can be taken: not if they mark table cards, of which a waiting play
  // may have taken some.
  const known = (at) => !at.matches(".waits") || !one("template[data-lit]", at);
  const isOwn = (key) => tailOf(key) !== "" || /seat=./.test(queryOf(key));   // a play of a seat
  // The line of a key without its seat, if it is a single play of a seat; else "".
  function tailOf(key) {
    const line = key.name === "line" ? lineOf(key) : "";
    return line.includes("\n") || line.startsWith("table ") ? "" : bare(line);
  }

  function play(key, tail, was) {
    const form = formOf(key), fields = said(form, key), seats = (table().dataset.turns || "").split("\n");
    const seat = tail && SEAT.exec(lineOf(key))[1].replaceAll('"', ""), next = seats.indexOf(seat) + 1;
    add({
      action: new URL(form.action).pathname, fields,
      count: fields.line.trim().split("\n").length + (fields.overrule ? 1 : 0),
      plain: replayed ? replayed.plain : isPlain(key),
      label: (replayed?.label ?? `${NEXT} ${labelOf(key)}`).replace(NEXT, () => seat).trim(),
      then: next && !turned ? seats.slice(next) : [],
    }, was);
  }
  // ``back``: the button beside the waiting items, which also removes a waiting undo.
  function undone(was, back = false) {
    const last = waiting().at(-1), form = one("#undo"), action = new URL(form.action).pathname;
    if (!last || last.tried || (!back && last.action === action)) return add({ action, label: labelOf(one("button", form)) }, was);
    drop(last.key);
    turned = page.choice = "";
    page.exchange(page.reopened?.(last) ?? given);
  }
  // Removes one of the waiting items. The table will show whether the others still fit; those whose
  // seat depended on it become questions.
  function without(key) {
    const queue = waiting(), i = queue.findIndex((item) => item.key === key), later = queue.slice(i + 1);
    if (i < 0 || queue[i].tried) return;
    drop(key);
    change((item) => item.key === later[0]?.key, (item) => ({ seen: item.seen ?? queue[i].seen }));
    const first = later.findIndex((item) => item.held);
    if (first >= 0) ask(later.slice(first));
    turned = page.choice = "";
    page.exchange(given);
  }
  // Appends an item, or puts it in place of the held key that has just found its seat.
  function add(item, was = table()) {
    turned = "";
    const seen = !replayed && waiting().length ? null : was.stands ?? seenAt(was);
    keep({ fields: {}, count: 1, then: [], person: replayed?.person ?? person(), ...item, table: here(), key: newKey(), seen, order: replayed?.order ?? atTheEnd() });
    if (replayed) drop(replayed.key);
    draw();
    flush();
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

  // ---- changes the keys to another seat: the next one, or one that was tapped
  function turnTo(search) {
    const [[name, seat] = [], more] = new URLSearchParams(search);
    if (name !== "seat" || more || path[0]) return false;
    if (seat === turned) {   // tapped again: it is left
      turned = page.choice = "";
      page.exchange(given);
      return true;
    }
    if (!turn(seat)) return false;
    one(".who h1 small")?.remove();   // whether it is its turn
    turned = seat;
    page.choice = search;
    draw();
    return true;
  }
  function turn(seat) {
    const old = seatOf(document);
    const keys = every("#play button[name=line],.number button");
    const start = `${token(old || "")} `;
    if (!old || !keys[0] || table().dataset.alike === "" || !keys.every((key) => key.value.startsWith(start) && !key.value.includes("\n"))) return false;
    if (old === seat) return true;
    for (const key of keys) key.value = `${token(seat)} ${key.value.slice(start.length)}`;
    named(document, seat);
    one(".who .need")?.remove();   // the hint was about another card of another seat
    for (const plate of every("#table .seat")) {
      const now = one(".nm", plate)?.textContent === seat;
      plate.classList.toggle("turn", now);
      const from = one("#table .slot.now"), to = now && from && one(".slot:not(.none)", plate);
      if (!to) continue;
      from.className = "slot";
      to.className = "slot now";
      to.append(...from.childNodes);
    }
    return true;
  }

  // ---- sends one item after the other, until one is not simply recorded
  let sending = false, later = 0;
  async function flush() {
    if (sending) return;
    sending = true;
    const stuck = new Set();
    const work = async () => { while (await step(stuck)); };
    // Pages of one phone take turns by a lock. A page that the browser has suspended is not waited
    // for: the server recognises repetitions by their key.
    try { await navigator.locks.request("unsent", { signal: AbortSignal.timeout(AGAIN_MS) }, work); } catch { await work().catch(console.error); }
    sending = false;
    clearTimeout(later);
    if (all().some((item) => !item.asked)) later = setTimeout(flush, AGAIN_MS);
    else document.dispatchEvent(new Event("idle"));
  }
  // Sends the first item of a table, preferably this one; returns whether there may be more to do.
  // ``stuck``: tables at which nothing can be done now.
  async function step(stuck) {
    if (table() && offline()) return false;
    const items = all().filter((item) => !item.asked && !stuck.has(item.table));
    const first = items.find((item) => item.table === here()) ?? items[0];
    if (!first) return false;
    if (!await (first.held ? replay(first) : send(first))) stuck.add(first.table);
    return true;
  }
  // Sends a held key: as the same key on the present table, or as its line for the seat whose turn it
  // is. It becomes a question if its key means something else now, or if it follows a half-entered
  // play: the player may have meant the key before it as a whole play.
  function replay(item) {
    if (asking || item.table !== here()) return false;   // the page that it follows is still being requested
    const found = arrive(item), seat = seatOf(document);
    replayed = item;
    if (!keyless() && (!path[0] || item.half || item.held.pop) && (item.seen ?? page.seen()) === page.seen()) {   // otherwise another phone has played meanwhile
      if (found) tapped(found);
      else if (item.tail && seat && !item.held.pop && !find(item.held)) add({ action: `${here()}/play`, fields: { line: `${token(seat)} ${item.tail}` }, plain: item.plain, label: item.label.replace(NEXT, () => seat) });
    }
    replayed = null;
    const left = all().some((other) => other.key === item.key);
    if (left && asking) {   // it was a step, and the item held behind it is about the same table
      drop(item.key);
      const next = waiting()[0]?.key;
      change((other) => other.key === next, () => ({ seen: page.seen() }));
    } else if (left && keyless()) return refused(item);
    else if (left) question(item.table);
    draw();
    return !asking;
  }
  // The held key on the present table; if it was tapped without network, only with the same line.
  function arrive({ held, tail, own, half, cut: alone }) {
    let within = table(), key = null;
    for (const wanted of [held].flat()) {
      if (key && !isStep(key)) break;   // one tap is enough in this step
      const text = key && stepOn(table().outerHTML, key);
      if (key && !text) return undefined;
      if (text) within = page.parsed(text);
      key = find(wanted, within);
      if (!key) return undefined;
    }
    const said = tailOf(key);
    if (alone && own !== undefined && (own !== isOwn(key) || (half && !isStep(key)))) return undefined;
    return (alone || held.pop) && said && tail && said !== tail ? undefined : key;
  }
  async function send(item) {
    change((other) => other.key === item.key, () => ({ tried: true }));
    const local = item.table === here(), body = new URLSearchParams({ ...item.fields, ...(item.plain && { undeclared: 1 }), person: item.person ?? "", seen: item.seen, key: item.key });
    let answer;
    try { answer = await page.ask(item.action, { method: "POST", body }); } catch {
      lost = true;
      letGo();
      return false;
    }
    lost = false;
    if (answer.reply === "never") return refused(item, answer.text);
    const { status, text, reply } = answer, whole = text.includes('id="table"'), stands = item.seen + item.count;
    page.unkept = status === 503;   // the server is there, and cannot store anything
    if (page.unkept) document.dispatchEvent(new Event("unkept"));
    if (status > 500 || status === 429 || (status === 500 && !item.failed)) {
      change((other) => other.key === item.key, () => ({ failed: status === 500 }));
      return false;
    }
    const [next] = all().filter((other) => other.table === item.table && other.key !== item.key && !other.asked);
    if (reply === "recorded") {
      drop(item.key);
      change((other) => other.key === next?.key, (other) => ({ seen: other.seen ?? stands }));
      if (local) await show(text, stands);
      return true;
    }
    // a single refused item is shown as the server answers it, if the page is visible; otherwise it
    // becomes a question
    if (local && !next && !document.hidden && ["refused", "asks"].includes(reply)) drop(item.key);
    else question(item.table, (whole ? one(".strip.refused p,[data-why]", page.parsed(text)) : page.parsed(text).body)?.textContent ?? "");
    if (local) await page.exchange(whole ? text : given);
    return true;
  }
  // Shows the table of the answer, unless this phone can handle further taps by itself.
  async function show(text, stands) {
    given = text;
    table().stands = stands;
    const chosen = path;
    if (turned && idle()) fetchPage(null, page.choice);
    else if (idle() && !page.drafts?.(stands) && await page.exchange(text, idle)) {
      page.choice = "";
      if (!chosen.owner || chosen.owner === seatOf(document)) retake(chosen);   // it stays the play of its seat
    }
  }
  // Repeats the steps of a half-entered play on the new table.
  async function retake(signs) {
    for (const wanted of signs) {
      const key = find(wanted, table());
      if (!key || !isStep(key)) return;
      await fetchPage(key);
    }
  }
  // Steps that waited for an answer which does not come are made on the present table.
  function letGo() {
    const halves = known(table()) ? waiting().filter((item) => item.half) : [];
    for (const item of halves) drop(item.key);
    if (halves[0]) retake(halves.map((item) => item.held));
  }
  // What the server will never record needs the network to be known, so this part is loaded then.
  async function refused(item, text = table().outerHTML) {
    return (await import("/static/js/refused.js")).denied(item, text);
  }
  function question(address, why = "") {
    change((item) => item.table === address, () => ({ asked: true, why }));
  }

  // ---- shows waiting items, clearly distinct from cards on the table
  function fill(id, items) {
    const block = one(id).content.cloneNode(true);
    const text = items.map((item) => item.label).join(BETWEEN);
    for (const place of block.querySelectorAll("[data-n]")) place.textContent = place.textContent.replace("0", items.length);
    one("[data-what]", block).textContent = text;
    const list = one("ol", block), row = list?.firstElementChild;
    list?.replaceChildren(...items.map((item, i) => {
      const entry = row.cloneNode(true);
      one("span", entry).textContent = item.label;
      one("[data-unsent=back]", entry).value = items.length - i;
      if (i + 1 < items.length && !item.tried) one("[data-unsent=one]", entry).value = item.key;
      else one("[data-unsent=one]", entry).remove();
      return entry;
    }));
    return block;
  }
  let timer = 0;
  function draw() {
    clearTimeout(timer);
    if (!table()) return elsewhere();
    const asked = at(here()).some((item) => item.asked), queue = keyless() ? [] : waiting(), next = turned || queue.at(-1)?.then?.[0];
    if (queue.length && !page.takes && !(next && turn(next))) {   // only the answer says whose turn it is
      table().classList.add("waits");
      one("#table .slot.now")?.replaceChildren();
      for (const mark of every("#table :is(.turn,.now)")) mark.classList.remove("turn", "now");
      for (const key of every("#table .key.off")) {   // it was illegal for the seat before
        one("em", key)?.remove();
        key.classList.remove("off");
        key.ariaLabel = first(key);
      }
    } else table().classList.remove("waits");
    const head = one("[data-next]");
    if (head) head.ariaLabel = head.closest(".waits") && head.dataset.next;
    for (const item of queue) {
      if (!/ bid /.test(item.fields.line)) lay(item.label);   // a bid is no card
      if (next) lies(item);
      one("#undo button").disabled = false;
    }
    if (asked || one(".unsent-strip") || offline()) tell();
    else if (queue.length) timer = setTimeout(tell, SHOWN_MS);
  }
  function tell() {
    const asked = at(here()).filter((item) => item.asked), queue = waiting(), place = one(".pad .strip,.pad .clash");
    if (!place || !(asked[0] || queue[0])) return;
    const open = one("details[open]", place);
    place.replaceWith(asked[0] ? fill("#unsent-asked", asked) : fill("#unsent-waiting", queue));
    if (open && one(".unsent-strip details")) one(".unsent-strip details").open = true;
    one("[data-what]").scrollLeft = 9999;   // the newest is in sight
    if (asked[0]?.why) one("[data-why]").textContent = asked[0].why;
    document.dispatchEvent(new Event("told"));
  }
  function lay(text) {
    const [, name, face] = text.match(/^(.*) (\S+)$/) || [], suits = every(".sr>i").map((sign) => sign.textContent);
    const seat = every("#table .seat").find((li) => one(".nm", li)?.textContent === name);
    if (!seat || !one(".cap", seat) || !(suits[0] || face <= 10)) return;
    const card = document.createElement("span"), sign = suits.find((each) => face.startsWith(each)) ?? "";
    card.className = suits[0] ? "card fs" : `card r${face}`;
    card.textContent = `${face.slice(sign.length)}\n${sign}`;
    one(".slot,.card", seat)?.replaceWith(card);
    seat.classList.remove("over");   // it does not belong to the finished trick
    one(".cap", seat).replaceChildren(one("#unsent-mark").content.cloneNode(true));
  }
  // A card played with a key is public here, too: one copy less is unseen, and a number that is in
  // the trick requires a declaration, or may not be played.
  function lies({ key: name, fields: { line = "" } }) {
    const known = table().lies ??= new Set(), ranks = / [a-z]+ ([\d ]+)$/.exec(line)?.[1].split(" ");
    if (!ranks || known.has(name)) return;
    known.add(name);
    for (const rank of ranks) less(rank, table());
  }
  function less(rank, within) {
    one(`#k${rank} .pips b:last-of-type`, within)?.replaceWith(document.createElement("s"));
    const look = one(`#k${rank} .pips:not(:has(b))`, within) ? "off" : within.dataset?.lies;
    for (const key of look ? every(`:is(#k${rank},#p${rank}):not(.off)`, within) : []) {
      const sign = one(`#look-${look}`);
      one("em", key)?.remove();
      key.classList.add(look);
      key.append(sign.content.cloneNode(true));
      key.ariaLabel = `${rank} ${sign.dataset.label}`;
    }
  }
  function elsewhere() {
    const first = all()[0];
    if (!first || here()) return;
    const block = fill("#unsent-elsewhere", at(first.table));
    one("a", block).href = first.table;
    one("#notice").replaceChildren(block);
  }
  // The table in the server's last answer, to be drawn again.
  let given = "";
  page.given = (text) => (given = text ?? given);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-unsent]");
    if (!button) return;
    event.preventDefault();
    const asked = at(here()).filter((item) => item.asked);
    if (button.dataset.unsent === "back") {
      if (path[0] && !button.value) return stepBack();
      for (let last = Number(button.value || 1); last; last -= 1) undone(table(), true);
      return;
    }
    if (button.dataset.unsent === "one") return without(button.value);
    // of "again": after the present table and the items that are being sent to it
    const seen = waiting().length || asked[0]?.held ? null : table().stands ?? page.seen();
    const again = { person: person(), asked: false, plain: false, cut: false, why: "", tried: false, failed: false };
    asked.forEach((item, i) => {
      if (button.dataset.unsent === "again") keep({ ...item, ...again, key: newKey(), seen: i ? null : seen, order: atTheEnd() });
      drop(item.key);
    });
    if (button.dataset.unsent === "drop") return page.exchange(given);
    draw();
    flush();
  });

  // ---- caches the present page for the next time it is opened without network
  async function remember() {
    given = table().outerHTML;
    if (!("caches" in window) || location.pathname !== here()) return;
    const whole = document.documentElement.cloneNode(true);
    whole.removeAttribute("data-net");
    for (const undo of whole.querySelectorAll("[data-count]")) {   // by then its time is over
      undo.dataset.count = 0;
      one("i", undo)?.remove();
    }
    one("#notice", whole).replaceChildren();
    const type = { "Content-Type": "text/html; charset=utf-8", Date: new Date().toUTCString() };
    const cache = await caches.open("pages");
    await cache.put(here(), new Response(`<!doctype html>\n${whole.outerHTML}`, { headers: type }));
  }
  function settled() {
    if (!table()) return elsewhere();
    path = next;
    next = [];
    if (!waiting().length && !one(".unsent-strip", table())) {
      turned = "";
      if (!path[0]) remember();
    }
    draw();
  }

  document.addEventListener("exchanged", settled);
  document.addEventListener("network", (event) => { if (event.detail) flush(); else letGo(); });
  addEventListener("online", flush);
  for (const kind of ["storage", "pageshow"]) addEventListener(kind, draw);   // another page of this phone has sent items
  if (table()) given = table().outerHTML;
  settled();
  flush();
})();
