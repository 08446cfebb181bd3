// Stores the memory of a Python that has done the work common to all starts, for later starts.
import { keep, kept, started } from "./python.js";

if (!await kept()) {
  const python = await started({ toKeep: true });
  python.runPython(`
from referee.pack.tab import warm_up
warm_up("/scratch")
`);
  await keep(python.makeMemorySnapshot());
}
close();
