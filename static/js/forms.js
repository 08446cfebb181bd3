// Improvements of forms on pages other than the table; the forms work without them.
(() => {
  "use strict";
  const { one, every } = page;

  // ---- a form that did not arrive shows it and can be sent again; automatic requests are repeated
  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx.request.method !== "GET") one("#notice").replaceChildren(one("#unsent").content.cloneNode(true));
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (!(event.detail.ctx?.response?.status >= 400)) one("#notice").replaceChildren();
    one("#fault")?.scrollIntoView({ block: "center" });
    shut(true);
  });

  // ---- disables buttons whose action is not possible yet; a name or another choice may change that
  const shut = (yes) => { for (const button of every("[data-shut]")) button.disabled = yes; };
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
