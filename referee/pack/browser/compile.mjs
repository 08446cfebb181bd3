// node compile.mjs PYODIDE CODE FOLDER …: runs compile_in of the file CODE on each FOLDER, in Pyodide.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , home, code, ...folders] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
// without columns, which only tracebacks show: a quarter of what is downloaded of it
const python = await loadPyodide({ indexURL: `${home}/`, env: { PYTHONNODEBUGRANGES: "1" } });
python.runPython(readFileSync(code, "utf-8"));
for (const [i, folder] of folders.entries()) {
  python.FS.mkdir(`/modules${i}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, `/modules${i}`);
  python.runPython(`compile_in(Path('/modules${i}'))`);
}
