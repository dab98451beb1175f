import type { Store } from "../storage/store.ts";
import { ManifestIndex } from "./index/manifest-index.ts";
import { type Checkpoint, emptyManifest, type Manifest } from "./manifest.ts";
import type { DataFile, RestatementFile, WindowRecord } from "./manifest-entries.ts";

/** A manifest as it was before the index: one list of each, in one object. Read, and written anew by the next commit. */
export interface FirstManifest extends Omit<Manifest, "format" | "calendar" | "checkpoint"> {
  readonly format: "fillbook-manifest/1";
  readonly parts: readonly (Omit<DataFile, "first" | "last"> & { readonly pages: readonly string[] })[];
  readonly windows: readonly WindowRecord[];
  /** In the order of their filing. */
  readonly restatements: readonly Omit<RestatementFile, "seq">[];
  readonly checkpoint: Omit<Checkpoint, "rotatedAt" | "failed">;
}

export function isFirstFormat(manifest: { readonly format: string }): manifest is FirstManifest {
  return manifest.format === "fillbook-manifest/1";
}

/** The same archive; nothing is written. */
export async function upgraded(
  ports: { readonly store: Store; readonly account: string },
  { parts, windows, restatements, ...header }: FirstManifest,
): Promise<{ readonly manifest: Manifest; readonly manifestIndex: ManifestIndex }> {
  const added = {
    parts: parts.map(({ pages: _, ...dataFile }) => ({ ...dataFile, first: dataFile.from, last: dataFile.to - 1 })),
    windows,
    restatements: restatements.map((file, seq) => ({ ...file, seq })),
  };
  const manifestIndex = await ManifestIndex.empty(ports).change({ added });
  const { format, checkpoint } = emptyManifest(header.account);
  const manifest = {
    ...header,
    format,
    checkpoint: { ...header.checkpoint, rotatedAt: checkpoint.rotatedAt, failed: checkpoint.failed },
    calendar: manifestIndex.root,
  };
  return { manifest, manifestIndex };
}
