// The voice of this phone for the language of the page. Voices that are not on the phone are left
// out: their sentences would be sent somewhere.
const speech = (() => {
  "use strict";
  const RATES = { slow: .75, fast: 1.35 };
  const { lang } = document.documentElement;
  let said = null;   // or the browser forgets it, and with it that it has ended
  const all = () => window.speechSynthesis?.getVoices() ?? [];
  function found() {
    const own = all().filter((voice) => voice.localService && voice.lang.toLowerCase().startsWith(lang));
    return own.find((voice) => voice.default) ?? own[0];
  }
  // ``ended``: with the name of the error, if it was not read to its end.
  function say(text, rate, ended) {
    const voice = found();
    if (!voice) return false;
    said = Object.assign(new SpeechSynthesisUtterance(text), { voice, lang: voice.lang, rate: RATES[rate] ?? 1 });
    said.onend = () => ended("");
    said.onerror = ({ error }) => ended(error);
    speechSynthesis.speak(said);
    return true;
  }
  const stop = () => window.speechSynthesis?.cancel();
  const changed = (then) => window.speechSynthesis?.addEventListener?.("voiceschanged", then);
  return { all, found, say, stop, changed };
})();
