"use strict";
// "Send this check": the phone's own share sheet, else the clipboard, else the plain link.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-share]");
  if (!link || !(navigator.share || navigator.clipboard)) return;
  event.preventDefault();
  try {
    if (navigator.share) {
      await navigator.share({title: document.title, url: link.href});
    } else {
      await navigator.clipboard.writeText(link.href);
      link.textContent = link.dataset.share;
    }
  } catch (refused) {
    if (refused.name !== "AbortError") location.assign(link.href);
  }
});
