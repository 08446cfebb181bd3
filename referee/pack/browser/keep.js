// The data folder, stored in IndexedDB block by block. A transaction there is atomic, and with
// "strict" complete only when it is on the disk.
const BLOCK = 4096;
const SHARED = /-shm$/;   // SQLite creates it again from its journal

export class Keep {
  static async open(FS, folder) {
    const keep = new Keep();
    keep.db = await new Promise((resolve, reject) => {
      const request = indexedDB.open("fudami", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("files");    // name → size
        request.result.createObjectStore("blocks");   // [name, number] → bytes
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    keep.FS = FS;
    keep.folder = folder;
    keep.known = new Map();   // name → node, as stored
    keep.dirty = new Map();   // node → numbers of blocks that were written since
    FS.mkdirTree(folder);
    FS.mount(FS.filesystems.MEMFS, {}, folder);
    keep.watch();
    return keep;
  }

  // Intercepts every write to a file in the folder, through the operations of its node.
  watch() {
    const { FS, folder, dirty } = this;
    const file = FS.create(`${folder}/.probe`);
    const streams = FS.lookupPath(`${folder}/.probe`).node.stream_ops;
    FS.close?.(file);
    FS.unlink(`${folder}/.probe`);
    const { write } = streams;
    streams.write = (stream, buffer, offset, length, position, canOwn) => {
      const written = write(stream, buffer, offset, length, position, canOwn);
      if (stream.node.mount.mountpoint === folder) {
        if (!dirty.has(stream.node)) dirty.set(stream.node, new Set());
        const blocks = dirty.get(stream.node);
        for (let n = Math.floor(position / BLOCK); n * BLOCK < position + written; n += 1) blocks.add(n);
      }
      return written;
    };
  }

  async load() {
    const { FS, folder, known, dirty } = this;
    const work = this.db.transaction(["files", "blocks"]);
    const files = work.objectStore("files"), blocks = work.objectStore("blocks");
    const [names, sizes, places, contents] = await Promise.all(
      [files.getAllKeys(), files.getAll(), blocks.getAllKeys(), blocks.getAll()].map(result),
    );
    const whole = new Map(names.map((name, i) => [name, new Uint8Array(sizes[i])]));
    places.forEach(([name, n], i) => whole.get(name).set(contents[i].subarray(0, whole.get(name).length - n * BLOCK), n * BLOCK));
    for (const [name, bytes] of whole) {
      FS.writeFile(`${folder}/${name}`, bytes);
      known.set(name, FS.lookupPath(`${folder}/${name}`).node);
    }
    dirty.clear();
  }

  // Returns whether anything had to be stored.
  async save() {
    const { FS, folder, known, dirty } = this;
    const names = FS.readdir(folder).filter((name) => !name.startsWith(".") && !SHARED.test(name));
    const nodes = new Map(names.map((name) => [name, FS.lookupPath(`${folder}/${name}`).node]));
    const gone = [...known.keys()].filter((name) => !nodes.has(name));
    const changed = names.filter((name) => dirty.has(nodes.get(name)) || known.get(name) !== nodes.get(name));
    if (!gone.length && !changed.length) return false;
    const work = this.db.transaction(["files", "blocks"], "readwrite", { durability: "strict" });
    const files = work.objectStore("files"), blocks = work.objectStore("blocks");
    const done = new Promise((resolve, reject) => {
      work.oncomplete = resolve;
      work.onabort = () => reject(work.error);
    });
    for (const name of gone) {
      files.delete(name);
      blocks.delete(IDBKeyRange.bound([name], [name, []]));
    }
    for (const name of changed) {
      const node = nodes.get(name), size = node.usedBytes;
      const last = Math.ceil(size / BLOCK);
      const fresh = known.get(name) !== node;
      const numbers = fresh ? Array(last).keys() : [...dirty.get(node)].filter((n) => n < last);
      if (fresh) blocks.delete(IDBKeyRange.bound([name], [name, []]));
      else blocks.delete(IDBKeyRange.bound([name, last], [name, []]));
      files.put(size, name);
      for (const n of numbers) blocks.put(node.contents.slice(n * BLOCK, Math.min((n + 1) * BLOCK, size)), [name, n]);
    }
    dirty.clear();
    known.clear();
    for (const [name, node] of nodes) known.set(name, node);
    await done;
    return true;
  }
}

const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
