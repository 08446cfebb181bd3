// Python with the app. It answers the requests from the service worker, and those from the page around
// the app, one after the other; an answer after a change is sent when the change is stored.
import { Keep } from "./keep.js";
import { kept, started } from "./python.js";

const DATA = "/data", LOCK = "fudami";
const asked = new BroadcastChannel("asked"), answered = new BroadcastChannel("answered");

async function start() {
  const python = await started({ memory: await kept() });
  const keep = await Keep.open(python.FS, DATA);
  await keep.load();
  const own = python.toPy({ DATA, ORIGIN: location.origin });
  python.runPython(`
from referee.pack.tab import opened
ask = opened(DATA, ORIGIN)
`, { globals: own });
  const ask = own.get("ask");
  await keep.save();
  let turn = Promise.resolve();
  const serve = (source, answers) => {
    source.onmessage = ({ data }) => {
      turn = turn.then(async () => { if (!failed) answers.postMessage(await answer(ask, keep, data)); }).catch(lost);
    };
  };
  serve(asked, answered);
  serve(self, self);
  postMessage("ready");
}

async function answer(ask, keep, { id, method, target, headers, body }) {
  // only the home page needs it; some browsers cannot say
  const persisted = target === "/" && await navigator.storage?.persisted?.() === true;
  const [status, fields, content] = ask(method, target, headers, new Uint8Array(body), persisted);
  await keep.save();
  return { id, status, headers: fields, body: content };
}

// Memory and stored data differ: no more requests are answered, not even those that wait already, and a
// new start reads the stored data.
let failed = false;
function lost(fault) {
  console.error(fault);
  failed = true;
  postMessage("not kept");
}

const end = new Promise(() => {});   // the lock is held as long as the worker lives
async function begin(lock) {
  if (!lock) return;
  postMessage("starting");
  await start().catch((fault) => { console.error(fault); postMessage(String(fault.message ?? fault).trim().split("\n").pop()); });
  await end;
}
await navigator.locks.request(LOCK, { ifAvailable: true }, begin);
postMessage("second");
await navigator.locks.request(LOCK, begin);
