// node compile.mjs PYODIDE FOLDER CODE: runs compile_in of the file CODE on FOLDER, in Pyodide.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , home, folder, code] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${home}/` });
python.FS.mkdir("/modules");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/modules");
python.runPython(readFileSync(code, "utf-8"));
python.runPython("compile_in(Path('/modules'))");
