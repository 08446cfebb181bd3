// A tap on a quick check loads a page. A tap before that page is there counts on top of the taps
// before it: their address goes out again with this tap at its end, and the server reads them in
// order.
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

// A page that the browser kept comes back as it was left.
addEventListener("pageshow", (event) => { if (event.persisted) going = ""; });
