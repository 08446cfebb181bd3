// Python with the app. It answers what the service worker passes on, one request after the other; an
// answer that follows a change is given when the change is kept.
import { loadPyodide } from "./PYODIDE/pyodide.mjs";
import { Keep } from "./keep.js";

const DATA = "/data", MODULES = "/modules", LOCK = "fudami";
const asked = new BroadcastChannel("asked"), answered = new BroadcastChannel("answered");

async function start() {
  const bundle = fetch("BUNDLE").then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: "PYODIDE/" });
  const { FS } = python;
  unpack(FS, new Uint8Array(await bundle));
  for (const [path, address, size] of "LATER") later(FS, `${MODULES}/${path}`, address, size);
  const keep = await Keep.open(FS, DATA);
  await keep.load();
  const own = python.toPy({ MODULES, DATA, ORIGIN: location.origin });
  python.runPython(`
import sys
sys.path.insert(0, MODULES)
from referee.pack.tab import opened
ask = opened(DATA, ORIGIN)
`, { globals: own });
  const ask = own.get("ask");
  await keep.save();
  let turn = Promise.resolve();
  asked.onmessage = ({ data }) => {
    turn = turn.then(() => answer(ask, keep, data)).catch(lost);
  };
  postMessage("ready");
}

async function answer(ask, keep, { id, method, target, headers, body }) {
  const [status, fields, content] = ask(method, target, headers, new Uint8Array(body));
  await keep.save();
  answered.postMessage({ id, status, headers: fields, body: content });
}

// What is in memory is not what is kept: nothing more is answered, and a new start reads what is.
function lost(fault) {
  console.error(fault);
  asked.close();
  postMessage("not kept");
}

function unpack(FS, bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const files = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  for (const [path, size] of files) {
    const file = `${MODULES}/${path}`;
    FS.mkdirTree(file.slice(0, file.lastIndexOf("/")));
    FS.writeFile(file, bytes.subarray(at, at += size), { canOwn: true });
  }
}

// A file that comes when it is opened.
function later(FS, path, address, size) {
  FS.writeFile(path, new Uint8Array());
  const { node } = FS.lookupPath(path);
  const { open } = node.stream_ops;
  node.usedBytes = size;
  node.stream_ops = { ...node.stream_ops, open(stream) {
    if (!node.contents?.length) {
      const request = new XMLHttpRequest();
      request.open("GET", address, false);
      request.responseType = "arraybuffer";
      request.send();
      if (request.status !== 200) throw new FS.ErrnoError(29);   // EIO
      node.contents = new Uint8Array(request.response);
    }
    open?.(stream);
  } };
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
