// Vibration and sound for entries from other phones. They are visible anyway: the strip lights up.
(() => {
  "use strict";
  const cue = document.documentElement.dataset.cue;
  const TONE_HZ = 660, TONE_SECONDS = .12;
  let audio = null;

  // browsers allow no sound before the first touch
  addEventListener("pointerdown", () => {
    if (cue !== "buzz") audio ||= new AudioContext();
  }, { capture: true });

  document.addEventListener("entry", () => {
    if (cue !== "sound" && navigator.vibrate) navigator.vibrate(40);
    if (!audio) return;
    const tone = audio.createOscillator(), loud = audio.createGain();
    const now = audio.currentTime;
    tone.frequency.value = TONE_HZ;
    loud.gain.setValueAtTime(.12, now);
    loud.gain.exponentialRampToValueAtTime(.001, now + TONE_SECONDS);
    tone.connect(loud).connect(audio.destination);
    tone.start(now);
    tone.stop(now + TONE_SECONDS);
  });
})();
