// A tap on a quick check loads a page. A tap before this page has arrived is appended to the address
// on its way, which is requested again; the server applies all taps in order.
"use strict";

let going = "";  // the address on its way

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-tap]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const address = new URL(going || link.href);
  if (going) address.searchParams.append("tap", link.dataset.tap);
  going = address.href;
  location.assign(going);
});

// A page from the browser's cache comes back in its last state.
addEventListener("pageshow", (event) => { if (event.persisted) going = ""; });
