import { FillbookError } from "../core/errors.ts";
import type { Store } from "../storage/store.ts";
import { type Head, readHead } from "./head.ts";
import { ManifestIndex } from "./index/manifest-index.ts";
import { manifestKey, sha256Of } from "./keys.ts";
import { emptyManifest, MANIFEST_FORMAT, type Manifest } from "./manifest.ts";
import { readContent } from "./objects.ts";

/** The archive as one manifest has it. */
export interface Snapshot {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
  readonly ref: Head["manifest"];
}

/** The archive as a head names it, hashes checked; an empty one where nothing was committed yet. */
export async function loadArchive(store: Store, account: string, head: Head | null): Promise<Snapshot> {
  const ref = head?.manifest ?? null;
  const none = emptyManifest(account);
  if (head === null || ref === null) {
    return { manifest: none, manifestIndex: ManifestIndex.of({ store, account }, none.calendar), ref };
  }
  const key = manifestKey(account, ref.seq, ref.sha256);
  const manifest = currentIn(head, ref.sha256) ?? JSON.parse(decode(await readContent(store, key, ref.sha256)));
  if (manifest.account === account && manifest.seq === ref.seq && manifest.format === MANIFEST_FORMAT) {
    return { manifest, manifestIndex: ManifestIndex.of({ store, account }, manifest.calendar), ref };
  }
  throw new FillbookError("untrusted", `${store.location}/${key} is not a manifest that this version can read`, {
    hint: "use the version of fillbook that wrote it",
  });
}

/** The archive as its head names it now: the old state or the new one, never one between. */
export async function readArchive(store: Store, account: string): Promise<Snapshot> {
  const held = await readHead(store, account);
  return await loadArchive(store, account, held?.head ?? null);
}

/** The bytes of the manifest's object: those that its hash is of. */
export function manifestBody(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);
}

/** The manifest that the head names, where the head has it in full. */
function currentIn({ current }: Head, sha256: string): Manifest | null {
  return current !== null && sha256Of(manifestBody(current)) === sha256 ? current : null;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
