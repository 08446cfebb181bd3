// Enters the sheet of a deal on the phone, from draft to draft as in the addresses of the page
// (web/table/sheet_entry.py). The only rule known here is the number of copies of each card; points
// and legality come from the server as soon as it is reachable.
(() => {
  "use strict";
  const { one, every } = page;
  const DONE = "-", GAP = "〓", DRAFT = "table draft ";

  // The pad with the draft of the address ``params``: the present pad or, if ``another`` is given,
  // one that was fetched ahead; undefined if the server has to draw it.
  function sheetOn(params, another = false) {
    const instead = params.get("instead") ?? "", drawn = params.get("sheet");
    const here = !another && one(".entry") && (one("#play [name=instead]")?.value ?? "") === instead;
    const text = here ? page.table().outerHTML : instead ? pads.get(instead) : ahead.seen === page.seen() && ahead.text;
    if (!text || params.get("no")) return undefined;
    const fresh = page.parsed(text);
    if (!here) follow(fresh, instead ? [] : deals());
    if (drawn === null) return fresh.documentElement.outerHTML;
    const rows = every(".entry>li", fresh).map(({ dataset }) => ({ ...dataset, most: Number(dataset.most), seats: "seats" in dataset }));
    const parts = drawn.split(";");
    draw(fresh, rows, rows.map((_, i) => (parts[i] ?? "").split(" ").filter(Boolean)), Math.max(0, params.get("at")), params.has("edit"));
    return fresh.documentElement.outerHTML;
  }
  // Updates a pad that was fetched ahead to the entries recorded since, and to the deals that wait.
  function follow(fresh, before) {
    for (const field of every("[name=seen]", fresh)) field.value = page.seen();
    if (before[0]) {
      one(".entry>[data-once]", fresh)?.remove();
      later(fresh, before.length);
    }
  }
  // The heading of a later deal; which seat leads there, the server knows.
  function later(within, count) {
    const heading = one("h1", within), { number } = one("#table", within).dataset;
    heading.textContent = heading.textContent.replace(number, Number(number) + count);
    one(".need", within)?.remove();
  }

  const done = (row, words) => words.at(-1) === DONE || (row.most > 0 && words.length >= row.most);
  const put = (draft, at, words) => draft.map((old, i) => (i === at ? words : old));
  function cursor(rows, draft, at) {
    const order = rows.map((_, step) => (at + step) % rows.length);
    return order.find((i) => !done(rows[i], draft[i])) ?? -1;
  }
  const written = (draft) => draft.map((words) => words.join(" ")).join(";");
  // ``9*3`` sets the number of copies of a card; a word after half a word completes it.
  function tapped(words, word) {
    const [card, count] = word.split("*");
    if (!count) return [...words.at(-1)?.endsWith("+") ? words.slice(0, -1) : words, word];
    const others = words.filter((other) => !other.startsWith(`${card}*`));
    return [...others, ...count > 0 ? [word] : []].sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  }
  const countOf = (words, card) => Number(words.find((word) => word.startsWith(`${card}*`))?.split("*")[1] ?? 0);
  const cardsOf = (word) => (word.includes("+") ? word.split(/[+=]/) : [word.split("/")[0]]);

  function draw(fresh, rows, draft, asked, edit) {
    const says = one("#says", fresh).dataset, fields = one("#play [name=instead]", fresh);
    const query = (next, at, more = {}) => `?${new URLSearchParams({ ...fields && { instead: fields.value }, sheet: written(next) || ";", at, ...more })}`;
    if (edit && (draft[asked].at(-1) === DONE || rows[asked].most === 1)) draft[asked].pop();
    const at = edit ? asked : cursor(rows, draft, asked), row = rows[at], words = draft[at];
    every(".entry>li", fresh).forEach((li, i) => drawRow(fresh, li, i, rows[i], draft[i], i === at, query(draft, i, { edit: 1 })));
    for (const old of every(".board>:is(.says,.sums-v)", fresh)) old.remove();

    const board = one(".keyboard", fresh), half = row && !row.seats && words.at(-1)?.endsWith("+") ? words.at(-1) : "";
    board.replaceChildren();
    if (row && !done(row, words)) {
      board.append(one(`template[data-keys="${row.seats ? `@${row.key}` : half}"]`, fresh).content.cloneNode(true));
      for (const key of every("[data-id]", board)) key.id = key.dataset.id; // an id stands once in a page
      const to = (word) => { const next = put(draft, at, tapped(words, word)); return query(next, cursor(rows, next, at)); };
      const laid = draft.flatMap((of, i) => (rows[i].seats ? [] : of.flatMap(cardsOf)));
      for (const key of every("[data-word]", board)) {
        const { word, card } = key.dataset;
        if (row.seats && words.includes(word)) key.remove();
        else if (card && drawCopies(key, laid.filter((other) => other === card).length)) {
          key.classList.add("off");
          key.insertAdjacentHTML("beforeend", `<em> ${says.off}</em>`);
          key.href = query(draft, at, { no: word });
        } else key.href = to(word);
      }
      for (const stair of every("[data-rank]", board)) drawStair(stair, draft, at, to);
    }

    const back = one("#kback", fresh), order = draft.map((_, i) => (2 * draft.length + (at < 0 ? draft.length - 1 : at) - i) % draft.length);
    const last = order.find((i) => draft[i][0]);
    back.textContent = last === undefined ? says.stop : says.back;
    back.href = last === undefined ? says.quit : query(put(draft, last, draft[last].slice(0, -1)), last);
    one("#knext", fresh)?.remove();
    if (row && !done(row, words) && (row.none || (words[0] && !row.most))) {
      const next = put(draft, at, [...words, DONE]);
      back.insertAdjacentHTML("afterend", '<a class="key" id="knext"></a>');
      one("#knext", fresh).textContent = row.most !== 1 && words[0] ? says.next : row.none;
      one("#knext", fresh).href = query(next, cursor(rows, next, at));
    }
    drawSave(one("#ksave", fresh), draft, says);
    one(".pad>:is(.strip,.clash)", fresh).outerHTML = '<div class="strip"><p></p></div>';
    const strip = one(".pad>.strip p", fresh);
    strip.textContent = row ? "" : says.whole;
    if (row) strip.append(make("b", one(".entry .here .name b", fresh).textContent), "　", ...row.seats ? [] : [make("span", says.asks)]);
  }
  function make(name, text, className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    made.className = className;
    return made;
  }

  // Hides the points of a row whose words have changed, since only the server can compute them.
  function drawRow(fresh, li, i, row, words, here, to) {
    const link = one("a", li), text = words.join(" ");
    link.id = `row${i}`;
    li.classList.toggle("here", here);
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.href = to;
    if (text !== li.dataset.draft || document.documentElement.dataset.net === "off") for (const old of every(".name small,.n", li)) old.remove();
    li.dataset.draft = text;
    const drawn = words.filter((word) => word !== DONE).flatMap((word) => (row.seats ? [make("span", nameOf(fresh, row, word), "said")] : [...look(fresh, word)]));
    const none = words[0] ? make("span", row.none, "said") : make("span", "", here ? "slot now" : "slot");
    one(".words", li).replaceChildren(...drawn[0] ? drawn : [none]);
  }
  const nameOf = (fresh, row, word) => one(`[data-word="${word}"] .one`, one(`template[data-keys="@${row.key}"]`, fresh).content).textContent;
  function look(fresh, word) {
    const own = one(`template[data-word="${word}"]`, fresh), copy = (own ?? one('template[data-word=""]', fresh)).cloneNode(true);
    if (!own) copy.innerHTML = copy.innerHTML.replaceAll(GAP, word.replace(/^-/, "−"));
    return copy.content.childNodes;
  }
  // Draws how many copies of a card are left; returns whether none is.
  function drawCopies(key, laid) {
    const rest = Math.max(0, key.dataset.copies - laid), left = one(".left", key);
    every(".pips>*", key).forEach((pip, i) => { if (i >= rest) pip.replaceWith(document.createElement("s")); });
    if (left) left.textContent = rest;
    return rest === 0;
  }
  function drawStair(stair, draft, at, to) {
    const { rank } = stair.dataset, own = countOf(draft[at], rank), steps = every("a", stair);
    const others = draft.reduce((sum, words, i) => sum + (i === at ? 0 : countOf(words, rank)), 0);
    steps.forEach((step, i) => {
      const n = steps.length - i;
      if (i < others) step.replaceWith(document.createElement("s"));
      step.classList.toggle("own", n <= own);
      if (n === own) step.setAttribute("aria-current", "true");
      step.href = to(`${rank}*${n - (n === own)}`);
    });
  }
  function drawSave(old, draft, says) {
    const save = make("button", "", "btn go"), left = draft.filter((words) => !words[0]).length;
    save.id = "ksave";
    save.dataset.label = old.dataset.label ?? old.textContent;
    save.textContent = left ? says.left.replace("0", left) : says.save;
    save.disabled = left > 0;
    if (!left) {
      save.name = "line";
      save.value = DRAFT + written(draft);
    }
    old.replaceWith(save);
  }

  // ---- a tap on the sheet or on a pad applies to its state after all earlier taps
  const home = () => one(".bar").dataset.table;
  const draftOf = ({ line = "", instead = "" }) => line.startsWith(DRAFT) && new URLSearchParams({ ...instead && { instead }, sheet: line.slice(DRAFT.length), at: 0 });
  // The sheets of new deals that wait to be sent.
  const deals = () => page.waiting().filter(({ fields }) => draftOf(fields) && !fields.instead);
  let turns = Promise.resolve();
  const inTurn = (what) => { turns = turns.then(what).catch(console.error); };
  page.takes = (key, was) => {
    if (key.id === "ksave" && key.value) {
      page.play(key, "", was);
      inTurn(backToPaper);
      return true;
    }
    if (key.localName !== "a" || key.pathname !== home() || !/^$|[?&](sheet|instead)=/.test(key.search)) return false;
    const wanted = page.sign(key);
    inTurn(() => goOn(wanted));
    return true;
  };
  async function goOn(wanted) {
    const key = page.find(wanted, page.table());
    if (!key) return;
    const { search } = key, text = search ? sheetOn(new URLSearchParams(search)) : paperText();
    if (!text) await page.fetchPage(key);
    else if (await shown(text)) {
      page.choice = search;
      judged(search);
    // what the server says about the draft may come while the finger goes up: the key is there, too
    } else if (same(page.find(wanted, page.table())?.search, search)) await goOn(wanted);
  }
  const same = (one, other) => `${new URLSearchParams(one)}` === `${new URLSearchParams(other)}`;
  async function shown(text) {
    const from = page.given(), { stands } = page.table();
    if (!await page.exchange(text, () => page.given() === from)) return false;
    page.table().stands = stands;
    return true;
  }
  // The sheet is being sent, or waits: the next deal can be entered meanwhile.
  async function backToPaper() {
    page.choice = "";
    if (paperText()) await shown(page.given(paperText()));
  }
  // Shows what the server answered, unless there were further taps meanwhile.
  async function judged(search) {
    const drawn = page.given(), still = () => !page.waiting()[0] && page.given() === drawn && page.choice === search;
    try {
      const { text } = still() && await page.ask(home() + search);
      await page.exchange(text, still);
    } catch { /* it is judged when it is saved */ }
  }
  // Whether the next deal is being entered when the answer to entry ``stands`` arrives.
  page.drafts = (stands) => {
    if (!one(".entry") || !page.choice) return false;
    for (const field of every("[name=seen]")) field.value = stands;
    judged(page.choice);
    return true;
  };
  // Puts a sheet that was undone back on its pad.
  page.reopened = ({ fields }) => {
    const params = draftOf(fields), text = params && sheetOn(params, true);
    if (text) page.choice = `?${params}`;
    return text || undefined;
  };

  // ---- available without network, too: the page, the pad for the next deal, those of corrections.
  // They are kept until the tab is closed, since the page may be loaded again without network.
  let { ahead = {}, paper = {}, pads = [] } = keptPages();
  pads = new Map(pads);
  function keptPages() {
    try {
      const kept = JSON.parse(sessionStorage.sheets);
      return kept.home === home() ? kept : {};
    } catch { return {}; }
  }
  function keepPages() {
    try { sessionStorage.sheets = JSON.stringify({ home: home(), ahead, paper, pads: [...pads] }); } catch { /* as before they were kept */ }
  }
  const paperText = () => paper.seen === page.seen() && paper.text;
  async function fetched(address) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    if (!answer.ok) throw Error(answer.status);
    return answer.text();
  }
  async function lookAhead() {
    const seen = page.seen(), enter = one("#kenter"), links = every(".paper [id^=deal]");
    if (page.waits()) return;
    try {
      if (one(".paper")) {
        // one more entry and one more deal: the sheets of the other deals are unchanged
        if (seen !== paper.seen && (seen !== paper.seen + 1 || links.length !== pads.size + 1)) pads.clear();
        paper = { seen, text: page.table().outerHTML };
      } else if (paper.seen !== seen) paper = { seen, text: await fetched(home()) };
      if (enter && ahead.seen !== seen) ahead = { seen, text: await fetched(enter.href) };
      for (const { href, search } of links) {
        const number = new URLSearchParams(search).get("instead");
        if (!pads.has(number) && page.seen() === seen) pads.set(number, await fetched(href));
      }
    } catch { /* they are fetched when they are tapped */ }
    keepPages();
  }
  // Adds a row for each deal that waits; its result is not known yet.
  function drawWaiting() {
    const body = one(".paper tbody"), count = body && deals().length;
    if (!count || one(".waiting", body)) return;
    const sums = one(".total", body), next = one("#kenter");
    for (let i = 0; i < count; i += 1) {
      const row = sums.cloneNode(true);
      row.className = "waiting";
      every("td", row).forEach((cell) => { cell.className = ""; cell.textContent = "–"; });
      one("th", row).textContent = Number(one("#table").dataset.number) + i;
      body.append(row);
    }
    for (const part of every("#table :is(.paper>.note,.deal-steps)")) part.remove();
    later(document, count);
    if (next && !("more" in next.dataset)) next.parentNode.remove();
  }
  const arrange = () => {
    one(".entry .here")?.scrollIntoView({ block: "nearest" });
    lookAhead();
    drawWaiting();
  };
  document.addEventListener("exchanged", arrange);
  document.addEventListener("DOMContentLoaded", arrange);
})();
