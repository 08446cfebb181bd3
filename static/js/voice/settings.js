// Says which voice the phone has, and lets one hear it.
(() => {
  "use strict";
  const LOADING_MS = 2000;   // browsers know their voices only after a while, if at all
  const label = document.getElementById("voice"), key = document.getElementById("try");
  function draw(last = false) {
    const voice = speech.found();
    key.hidden = !voice;
    if (voice) label.textContent = label.dataset.found.replace("…", voice.name);
    else if (last || speech.all().length) label.textContent = label.dataset.none;
  }
  key.addEventListener("click", () => {
    speech.stop();
    speech.say(key.dataset.says, document.querySelector("[name=rate]:checked").value, () => {});
  });
  addEventListener("pagehide", speech.stop);
  speech.changed(() => draw());
  setTimeout(() => draw(true), LOADING_MS);
  draw();
})();
