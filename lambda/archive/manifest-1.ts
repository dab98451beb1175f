import type { Store } from "../storage/store.ts";
import { Calendar } from "./index/manifest-index.ts";
import {
  type Checkpoint,
  emptyManifest,
  type Manifest,
  type Part,
  type RestatementFile,
  type WindowRecord,
} from "./manifest.ts";

/** A manifest as it was before the calendar: one list of each, in one object. Read, and written anew by the next commit. */
export interface FirstManifest extends Omit<Manifest, "format" | "calendar" | "recent" | "checkpoint"> {
  readonly format: "fillbook-manifest/1";
  readonly parts: readonly (Omit<Part, "first" | "last"> & { readonly pages: readonly string[] })[];
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
): Promise<{ readonly manifest: Manifest; readonly calendar: Calendar }> {
  const added = {
    parts: parts.map(({ pages: _, ...part }) => ({ ...part, first: part.from, last: part.to - 1 })),
    windows,
    restatements: restatements.map((file, seq) => ({ ...file, seq })),
  };
  const calendar = await Calendar.empty(ports).change({ added });
  const { format, recent, checkpoint } = emptyManifest(header.account);
  const manifest = {
    ...header,
    format,
    checkpoint: { ...header.checkpoint, rotatedAt: checkpoint.rotatedAt, failed: checkpoint.failed },
    recent,
    calendar: calendar.root,
  };
  return { manifest, calendar };
}
