// Types the numbers of a round on the phone, with and without network: the keys are those that
// screens/score_pad/board.py draws for the same address. Whether a round is right, the server says;
// here stands only its sum.
(() => {
  "use strict";
  const { one, every, table } = page;
  const LONGEST = 8, NUMBER = /^-?(0|[1-9]\d{0,6})(\.\d{1,2})?$/;   // as core/written.py
  const fits = (text) => text.replace("-", "").length <= LONGEST && (text === "-" || NUMBER.test(text) || NUMBER.test(`${text}0`));
  const data = (within = table()) => one(".npad", within)?.dataset;
  const shown = (text) => text.replace("-", "−");

  page.takes = (key, was) => {
    if (was !== table() || !data()?.begins) return false;
    if (key.matches(".npad button[name=line]")) {
      page.play(key, "", was);
      draw("", 0);
      return true;
    }
    if (key.localName !== "a" || !key.closest(".npad,.spl") || !/^\?v=/.test(key.search)) return false;
    draw(key.search);
    return true;
  };

  async function draw(query) {
    const params = new URLSearchParams(query), fresh = page.parsed(table().outerHTML), rows = every(".spl [data-side]", fresh);
    const typed = (params.get("v") ?? "").split(","), texts = rows.map((_, i) => typed[i] ?? "");
    const from = page.given(), { stands } = table();
    write(fresh, rows, texts, Number(params.get("at") ?? 0));
    if (!await page.exchange(fresh.documentElement.outerHTML, () => page.given() === from)) return;
    page.choice = query;
    table().stands = stands;
  }

  function write(fresh, rows, texts, at) {
    const to = (next, row = at) => `?${new URLSearchParams({ v: next.join(","), at: row })}`;
    const put = (text) => to(texts.map((old, i) => (i === at ? text : old)));
    const more = (text, sign) => fits(text + sign) ? put(text + sign) : "";
    const missing = texts.filter((text) => !NUMBER.test(text)).length, text = texts[at], says = data(fresh);
    const sum = (list) => Math.round(list.reduce((all, each) => all + 100 * each, 0)) / 100;
    rows.forEach((row, i) => {
      const field = one(".n a", row);
      row.classList.toggle("cur", i === at);
      field.textContent = shown(texts[i]) || "–";
      field.href = to(texts, i);
      field.ariaLabel = `${one("th .nm", row).textContent} ${field.textContent}`;
      if (i === at) field.setAttribute("aria-current", "true");
      else field.removeAttribute("aria-current");
    });
    one("h1", fresh).textContent = says.heading.replace("…", one("th .nm", rows[at]).textContent);

    one("#undo button", fresh).disabled = !page.seen() && !texts.some(Boolean);

    const digit = (sign) => more(text === "0" ? "" : text === "-0" ? "-" : text, sign), points = says.sum !== undefined;
    const due = (list) => String(sum([says.sum, ...list.map((each) => NUMBER.test(each) ? -each : 0)])), left = due(texts.filter((_, i) => i !== at));
    const rest = points ? put(left) : missing ? to(texts.map((each) => (NUMBER.test(each) ? each : "0"))) : "";
    const half = text.includes(".") ? "" : more(text || "0", ".5"), turned = text.startsWith("-") ? text.slice(1) : `-${text}`;
    const typed = [...texts.keys()].map((i) => (at + texts.length - 1 - i) % texts.length).find((i) => texts[i]);   // the row before
    const back = text ? put(text.slice(0, -1)) : typed === undefined ? "" : to(texts, typed);
    const places = "places" in says, beside = [back, places ? "" : put(turned), places ? "" : half];
    const hrefs = ["123", "456", "789"].flatMap((line, i) => [...[...line].map(digit), beside[i]]);
    const keys = every(".npad .key", fresh);
    [...hrefs, places ? "" : rest, digit("0")].forEach((href, i) => enable(keys[i], href));
    if (back) keys[3].id = "kback";   // what undo means meanwhile, see taps
    else keys[3].removeAttribute("id");
    if (!places) note(keys[12], points ? shown(left) : missing ? says.others.split("\n")[missing - 1] : "");

    const order = [...texts.keys()].map((i) => (at + 1 + i) % texts.length), next = order.find((i) => !NUMBER.test(texts[i])) ?? at;
    const wrong = points && !missing && sum(texts) !== Number(says.sum);
    const line = missing ? "" : `${says.begins} ${rows.map((row, i) => `${row.dataset.side}=${Number(texts[i])}`).join(" ")}`;
    const label = texts.map(shown).join(" ");
    keys[14].replaceWith(last(line, label, wrong, to(texts, next), missing, says));
    const strip = one("#counted", fresh).content.cloneNode(true);
    one(".mk", strip).hidden = one("form", strip).hidden = !wrong;
    one("p>span", strip).textContent = missing
      ? says.left.split("\n")[missing - 1] + (points ? says.rest.replace("…", shown(due(texts))) : "")
      : wrong ? says.wrong.replace("…", shown(String(sum(texts)))) : says.whole;
    Object.assign(one("button", strip), { value: line }).dataset.label = label;
    one("form", strip).action = one("#play", fresh).getAttribute("action");
    for (const name of ["seen", "key"]) one(`[name=${name}]`, strip).value = one(`#play [name=${name}]`, fresh).value;
    one(".pad>.strip,.pad>.clash", fresh)?.replaceWith(strip);
  }
  function enable(key, href) {
    key.classList.toggle("off", !href);
    if (href) key.href = href;
    else key.removeAttribute("href");
  }
  function note(key, text) {
    one("small", key)?.remove();
    if (text) key.append(Object.assign(document.createElement("small"), { textContent: text }));
  }
  function last(line, label, wrong, href, missing, says) {
    const key = document.createElement(wrong ? "span" : line ? "button" : "a");
    key.className = `key ${wrong ? "off" : "go"} w2`;
    key.textContent = line ? says.record : says.next;
    if (wrong) key.insertAdjacentHTML("beforeend", `<em> ${says.off}</em>`);
    else if (line) {
      Object.assign(key, { name: "line", value: line });
      key.dataset.label = label;
    }
    else {
      key.href = href;
      note(key, says.left.split("\n")[missing - 1]);
    }
    return key;
  }
})();
