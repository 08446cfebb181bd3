// The sheet of a deal, composed on the phone: from draft to draft as the addresses of the page have
// it (web/table/sheet_entry.py). No rule is known here but how many copies of a card there are; what
// the sheet comes to, and whether it can be, the server says as soon as it is heard.
(() => {
  "use strict";
  const { one, every } = page;
  const DONE = "-", GAP = "〓";

  // The table of ``text`` with the draft of the address ``wish`` on it; undefined for another page.
  page.sheetOn = (text, wish) => {
    if (wish.get("no")) return undefined;
    const fresh = page.parsed(text).querySelector(".entry") ? page.parsed(text) : ahead.seen === page.seen() && page.parsed(ahead.text);
    const rows = fresh ? every(".entry>li", fresh).map(({ dataset }) => ({ ...dataset, most: Number(dataset.most), seats: "seats" in dataset })) : [];
    if (!rows[0]) return undefined;
    const parts = wish.get("sheet").split(";");
    draw(fresh, rows, rows.map((_, i) => (parts[i] ?? "").split(" ").filter(Boolean)), Math.max(0, wish.get("at")), wish.has("edit"));
    return fresh.documentElement.outerHTML;
  };

  const done = (row, words) => words.at(-1) === DONE || (row.most > 0 && words.length >= row.most);
  const put = (draft, at, words) => draft.map((old, i) => (i === at ? words : old));
  function cursor(rows, draft, at) {
    const order = rows.map((_, step) => (at + step) % rows.length);
    return order.find((i) => !done(rows[i], draft[i])) ?? -1;
  }
  const written = (draft) => draft.map((words) => words.join(" ")).join(";");
  // ``9*3`` says how many of a card there are; a word after half a one makes it whole.
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
    every(".entry>li", fresh).forEach((li, i) => drawRow(fresh, li, rows[i], draft[i], i === at, query(draft, i, { edit: 1 })));
    for (const old of every(".board>:is(.says,.sums-v)", fresh)) old.remove();

    const board = one(".keyboard", fresh), half = row && !row.seats && words.at(-1)?.endsWith("+") ? words.at(-1) : "";
    board.replaceChildren();
    if (row && !done(row, words)) {
      board.append(one(`template[data-keys="${row.seats ? `@${row.key}` : half}"]`, fresh).content.cloneNode(true));
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
    if (row && !done(row, words) && (row.none || words[0])) {
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

  // A row whose words are others than before comes to something else, which only the server knows.
  function drawRow(fresh, li, row, words, here, to) {
    const link = one("a", li), told = words.join(" ");
    li.classList.toggle("here", here);
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.href = to;
    if (told !== li.dataset.draft || document.documentElement.dataset.net === "off") for (const old of every(".name small,.n", li)) old.remove();
    li.dataset.draft = told;
    const drawn = words.filter((word) => word !== DONE).flatMap((word) => (row.seats ? [make("span", nameOf(fresh, row, word), "said")] : [...look(fresh, word)]));
    const none = words[0] ? make("span", row.none, "said") : make("span", "", here ? "slot now" : "slot");
    one(".words", li).replaceChildren(...drawn[0] ? drawn : [none]);
  }
  const nameOf = (fresh, row, word) => one(`[data-word="${word}"] .one`, one(`template[data-keys="@${row.key}"]`, fresh).content).textContent;
  function look(fresh, word) {
    const own = one(`template[data-word="${word}"]`, fresh), copy = (own ?? one('template[data-word=""]', fresh)).cloneNode(true);
    if (!own) copy.innerHTML = copy.innerHTML.replaceAll(GAP, word);
    return copy.content.childNodes;
  }
  // Copies that lie on the sheet; whether none is left.
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
      save.value = `table draft ${written(draft)}`;
    }
    old.replaceWith(save);
  }

  // ---- the pad for the next deal, fetched ahead: it opens without network, too
  let ahead = {};
  async function lookAhead() {
    const enter = one("#kenter"), seen = page.seen();
    if (!enter || ahead.seen === seen) return;
    try {
      const answer = await fetch(enter.href, { headers: { "HX-Request": "true" } });
      if (answer.ok) ahead = { seen, text: await answer.text() };
    } catch { /* it is fetched when it is tapped */ }
  }
  const arrange = () => {
    one(".entry .here")?.scrollIntoView({ block: "nearest" });
    lookAhead();
  };
  document.addEventListener("exchanged", arrange);
  arrange();
})();
