import { cpus, totalmem } from "node:os";
import process from "node:process";

/** Where and when a result was measured. */
export interface Machine {
  /** `2025-11-26` */
  readonly date: string;
  readonly machine: string;
}

export function machine(): Machine {
  const model = cpus()[0]
    ?.model.replace(/ \d+-Core.*| Processor.*/, "")
    .trim();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  };
}
