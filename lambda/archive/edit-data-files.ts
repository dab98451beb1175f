import { byTxCreated, type Fill, identityOf } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { type DataFilePorts, fillsOfDataFile, rowsIn, writeCell } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import type { DataFile } from "./manifest-entries.ts";
import { halvesOf, MAX_DATA_FILE_ROWS, monthOf } from "./partitioning.ts";

/** A fill that the archive holds at `held.txCreated`, and what takes its place there: null where nothing does. */
export interface Edit {
  readonly held: Fill;
  readonly current: Fill | null;
}

export interface Edited {
  readonly removed: readonly DataFile[];
  readonly parts: readonly DataFile[];
}

/** Writes the parts anew that hold the fills, cut as if what is taken out had never been there. */
export async function editDataFiles(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  edits: readonly Edit[],
): Promise<Edited> {
  const out: Edited[] = [];
  for (const ofMonth of Map.groupBy(edits, ({ held }) => monthOf(held.txCreated).from).values()) {
    const cell = monthOf(ofMonth[0]?.held.txCreated ?? 0);
    out.push(await editCell(ports, manifestIndex, cell, ofMonth));
  }
  return joined(out);
}

function joined(edited: readonly Edited[]): Edited {
  return {
    removed: edited.flatMap(({ removed }) => removed),
    parts: edited.flatMap(({ parts }) => parts),
  };
}

async function editCell(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  cell: TimeRange,
  edits: readonly Edit[],
): Promise<Edited> {
  const existing = await manifestIndex.parts(cell);
  const left = (await rowsIn(manifestIndex, cell)) - edits.filter(({ current }) => current === null).length;
  const halves = left > MAX_DATA_FILE_ROWS ? halvesOf(cell) : null;
  // A part of another cut may reach over the middle.
  if (halves === null || existing.some((part) => part.from < halves[1].from && part.to > halves[1].from)) {
    return await editWhole(ports, cell, existing, edits);
  }
  const out: Edited[] = [];
  for (const half of halves) {
    const own = edits.filter(({ held }) => isWithin(half, held.txCreated));
    out.push(own.length === 0 ? joined([]) : await editCell(ports, manifestIndex, half, own));
  }
  return joined(out);
}

async function editWhole(
  ports: DataFilePorts,
  cell: TimeRange,
  existing: readonly DataFile[],
  edits: readonly Edit[],
): Promise<Edited> {
  const byIdentity = new Map(edits.map((edit) => [nameOf(edit.held), edit.current]));
  const fills: Fill[] = [];
  for (const part of existing) {
    for (const fill of await fillsOfDataFile(ports, part)) {
      const current = byIdentity.get(nameOf(fill));
      if (current !== null) {
        fills.push(current ?? fill);
      }
    }
  }
  return { removed: existing, parts: await writeCell(ports, cell, fills.sort(byTxCreated)) };
}

function nameOf(fill: Fill): string {
  return `${identityOf(fill)}\u0000${fill.txCreated}`;
}
