import type { Part, RestatementFile, WindowRecord } from "../manifest.ts";
import type { Entries } from "./node.ts";

/** As manifests had them before the calendar: restatements in the order of their filing, which nothing else said. */
export interface Lists {
  readonly parts: readonly Part[];
  readonly windows: readonly WindowRecord[];
  readonly restatements: readonly (Omit<RestatementFile, "seq"> & Partial<RestatementFile>)[];
}

/** A commit filed one object of restatements at most, so that its place in the list is no larger than the number of the manifest that first named it. */
export function entriesOfLists({ parts, windows, restatements }: Lists): Entries {
  return { parts, windows, restatements: restatements.map((file, seq) => ({ seq, ...file })) };
}
