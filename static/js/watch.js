// The live page and the overlays show what comes by their stream; it begins with the table as it is.
(() => {
  "use strict";
  const AGAIN_MS = 5000;
  const live = document.getElementById("live");

  function listen() {
    const source = new EventSource(live.dataset.stream);
    source.onopen = () => { delete document.documentElement.dataset.net; };
    source.onmessage = (event) => { live.innerHTML = event.data; };
    source.onerror = () => {
      document.documentElement.dataset.net = "off";
      if (source.readyState === EventSource.CLOSED) again();   // else it connects again by itself
    };
  }

  // An overlay shows nothing any more once its address is not valid: it may be on the air.
  async function again() {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.status !== 404) setTimeout(listen, AGAIN_MS);
    else if (live.classList.contains("ov")) live.replaceChildren();
    else location.reload();
  }
  listen();
})();
