// Improvements of forms on pages other than the table; the forms work without them.
(() => {
  "use strict";
  const { one, every } = page;

  // ---- says which time zone this phone is in; see http/local_time.py
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone) document.cookie = `zone=${timeZone};path=/;max-age=31536000;samesite=lax`;

  // ---- a form that did not arrive shows it and can be sent again; automatic requests are repeated
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx.request.method !== "GET") one("#notice").replaceChildren(one("#unsent").content.cloneNode(true));
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (!(event.detail.ctx?.response?.status >= 400)) one("#notice").replaceChildren();
    one("#fault")?.scrollIntoView({ block: "center" });
    shut(true);
  });

  // ---- a button whose action is not possible yet leads to what is missing; a name or another choice may change that
  const shut = (yes) => { for (const button of every("[data-shut]")) button.ariaDisabled = yes; };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shut][aria-disabled=true]");
    if (!button) return;
    event.preventDefault();
    const missing = one(button.dataset.shut);
    if (missing.localName === "details") missing.open = true;
    (missing.localName === "details" ? one("summary", missing) : missing).focus({ preventScroll: true });
    missing.scrollIntoView({ block: missing.localName === "details" ? "start" : "center" });
  });
  // a button beside a field leaves the keyboard open, as Enter does: the next name is typed at once
  document.addEventListener("mousedown", (event) => {
    const button = event.target.closest("[data-beside]");
    if (button && document.activeElement === one(button.dataset.beside)) event.preventDefault();
  });
  // how many house rules are changed follows each choice
  document.addEventListener("change", () => {
    const count = one("#house-rules [data-some]");
    const chosen = (set) => one("input:checked,select", set).value;
    const changed = every("#new [data-default]").filter((set) => chosen(set) !== set.dataset.default).length;
    if (count) count.textContent = changed ? count.dataset.some.replace("%(n)s", changed) : count.dataset.none;
  });
  document.addEventListener("input", (event) => { if (event.target.closest("#new")) shut(false); });
  shut(true);

  // ---- plays that a table did not send are sent from any page; most pages have none
  const { taps } = document.currentScript.dataset;
  function send() {
    let unsent = false;
    try { unsent = Object.keys(localStorage).some((name) => name.startsWith("unsent ")); } catch { /* a private window */ }
    if (unsent && !one(`script[src="${taps}"]`)) document.head.append(Object.assign(document.createElement("script"), { src: taps }));
  }
  for (const kind of ["storage", "pageshow"]) addEventListener(kind, send);   // another page of this phone has items
  send();

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
  for (const hidden of every(".typing[hidden],[data-add][hidden]")) hidden.hidden = false;
})();
