// Starts Python, from nothing or from the memory that an earlier start has stored.
import { loadPyodide } from "./PYODIDE/pyodide.mjs";

const MODULES = "/modules", MEMORIES = "memories", MEMORY = "/BUNDLE.memory", PAGE = 65536;

// Python with the app's modules. From "memory", if it can be used; else from nothing, with "toKeep"
// so that its memory can be stored.
export async function started({ memory, toKeep = false } = {}) {
  const bundle = fetch("BUNDLE").then((answer) => answer.arrayBuffer());
  const python = await loaded(memory, toKeep);
  unpack(python.FS, new Uint8Array(await bundle));
  for (const [path, address, size] of "LATER") later(python.FS, `${MODULES}/${path}`, address, size);
  python.runPython(`
import sys
if "${MODULES}" not in sys.path: sys.path.insert(0, "${MODULES}")
`);
  return python;
}

export async function kept() {
  const answer = await (await caches.open(MEMORIES)).match(MEMORY);
  return answer && new Uint8Array(await answer.arrayBuffer());
}

export async function keep(memory) {
  const cache = await caches.open(MEMORIES);
  for (const old of await cache.keys()) await cache.delete(old);
  if (memory) await cache.put(MEMORY, new Response(memory));
}

async function loaded(memory, toKeep) {
  if (memory) {
    try {
      return await withRoom(memory.length, () => loadPyodide({ indexURL: "PYODIDE/", _loadSnapshot: memory }));
    } catch (fault) {
      console.error(fault);
      await keep(null);
    }
  }
  return loadPyodide({ indexURL: "PYODIDE/", _makeSnapshot: toKeep });
}

// Pyodide restores a memory, but does not enlarge its own first for one that has grown.
async function withRoom(bytes, load) {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...source) => {
    const result = await instantiateStreaming.apply(WebAssembly, source), { memory } = result.instance.exports;
    if (memory) memory.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / PAGE)));
    return result;
  };
  try { return await load(); } finally { WebAssembly.instantiateStreaming = instantiateStreaming; }
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

// A file that is fetched when it is opened.
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
