// Keys that copy what stands before them. Without this script a tap selects it (own_games.css).
(() => {
  "use strict";
  const { done } = document.currentScript.dataset;
  for (const key of document.querySelectorAll("[data-copy]")) key.hidden = false;
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-copy]");
    if (!key) return;
    getSelection().selectAllChildren(key.previousElementSibling);
    if (document.execCommand("copy")) key.textContent = done;   // works at plain HTTP addresses, too
  });
})();
