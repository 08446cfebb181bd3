// The address has a piece of a file after its "#". Pieces are kept until all are there.
(() => {
  "use strict";
  const form = document.querySelector("#pieces"), piece = location.hash.slice(1);
  const file = (text) => text.split(".", 1)[0];
  const kept = () => { try { return (localStorage.pieces ?? "").split(" "); } catch { return []; } };
  const keep = (pieces) => { try { localStorage.pieces = pieces.join(" "); } catch { /* a private window */ } };
  if (document.querySelector("[data-whole]")) keep([]);
  if (!form || !piece) return;
  const all = [...new Set([...kept().filter((each) => file(each) === file(piece)), piece])];
  keep(all);
  history.replaceState(null, "", location.pathname);   // so that "back" leads here without sending the piece again
  form.elements.pieces.value = all.join("\n");
  form.requestSubmit();
})();
