import { DataFileEncoder } from "../../lambda/archive/data-file-format.ts";
import type { DataFilePorts } from "../../lambda/archive/data-files.ts";
import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { type Filed, fileFills } from "../../lambda/archive/rewrite-data-files.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { ALL_TIME } from "../../lambda/core/ranges.ts";
import { fakeClock } from "./fake-clock.ts";
import { memoryStore } from "./memory-store.ts";

export type FilingPorts = Parameters<typeof fileFills>[0];

/** Ports for an archive that nobody else uses. */
export function filingPorts(ports: Partial<DataFilePorts> = {}): FilingPorts {
  return {
    account: "main",
    store: memoryStore(),
    clock: fakeClock({ auto: true }),
    epoch: 1,
    encoder: new DataFileEncoder(),
    ...ports,
  };
}

/** The index after the batches were filed, one commit for each. */
export async function fileAll(
  ports: FilingPorts,
  batches: readonly (readonly Fill[])[],
  before: ManifestIndex = ManifestIndex.empty(ports),
): Promise<ManifestIndex> {
  let manifestIndex = before;
  for (const batch of batches) {
    manifestIndex = await after(manifestIndex, await fileFills(ports, manifestIndex, batch));
  }
  return manifestIndex;
}

export async function after(manifestIndex: ManifestIndex, { removed, dataFiles }: Filed): Promise<ManifestIndex> {
  return await manifestIndex.change({ removed: { dataFiles: removed }, added: { dataFiles } });
}

export async function dataFilesOf(manifestIndex: ManifestIndex): Promise<readonly DataFile[]> {
  return await manifestIndex.dataFiles(ALL_TIME);
}
