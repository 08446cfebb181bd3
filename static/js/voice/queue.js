// Which sentence is read next. Nothing is read that the table no longer says: a new table empties the
// queue. Only a sentence that is being read goes on, if a card that follows leaves it true and no
// correction came since. ``voice``: ``say`` a line and call back at its end, or return false; ``stop``.
const readingQueue = (voice, at) => {   // the sentences of this entry are known
  "use strict";
  let waiting = [], reading = null;
  function go() {
    if (reading || !waiting[0]) return;
    const line = reading = waiting[0];
    if (voice.say(line, () => ended(line))) waiting.shift();
    else reading = null;
  }
  function ended(line) {
    if (reading !== line) return;
    reading = null;
    go();
  }
  function empty() {
    waiting = [];
    if (reading) voice.stop();
    reading = null;
  }
  function show(table) {
    const again = table.at === at, lines = table.lines.filter(({ kind }) => !again || kind === "refused");
    at = table.at;
    if (again && !lines[0] && reading?.kind !== "refused") return;
    if (!reading?.lasts || reading.at < table.changed) empty();
    waiting = lines.map((line) => ({ ...line, at }));
    go();
  }
  function also(line) {   // what the table does not say, as the desk's clock
    waiting.push({ ...line, at });
    go();
  }
  return { show, also, empty, go };
};
