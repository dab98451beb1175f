import { FillbookError } from "../core/errors.ts";
import { fieldsOf, jsonIn } from "../core/record.ts";
import type { Store } from "../storage/store.ts";
import { type Head, readHead } from "./head.ts";
import { ManifestIndex } from "./index/manifest-index.ts";
import { manifestKey, sha256Of } from "./keys.ts";
import { emptyManifest, MANIFEST_FORMAT, type Manifest } from "./manifest.ts";
import { wrongFieldOf } from "./manifest-fields.ts";
import { readContent } from "./objects.ts";

/** The archive as of one manifest. */
export interface Snapshot {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
  readonly ref: Head["manifest"];
}

/** The archive as a head names it, with hashes checked. Empty if nothing was committed yet. */
export async function loadArchive(store: Store, account: string, head: Head | null): Promise<Snapshot> {
  const ref = head?.manifest ?? null;
  const none = emptyManifest(account);
  if (head === null || ref === null) {
    return { manifest: none, manifestIndex: ManifestIndex.of({ store, account }, none.index), ref };
  }
  const key = manifestKey(account, ref.seq, ref.sha256);
  const manifest = currentIn(head, ref.sha256) ?? jsonIn(decode(await readContent(store, key, ref.sha256)));
  const { account: owner, seq, format } = fieldsOf(manifest);
  const isNamed = owner === account && seq === ref.seq && format === MANIFEST_FORMAT;
  const wrong = isNamed ? wrongFieldOf(manifest) : null;
  if (isNamed && wrong === null) {
    const checked = manifest as Manifest;
    return { manifest: checked, manifestIndex: ManifestIndex.of({ store, account }, checked.index), ref };
  }
  const why = wrong === null ? "" : `: its field ${wrong} is missing or of another kind`;
  throw new FillbookError("untrusted", `${store.location}/${key} is not a manifest that this version can read${why}`, {
    hint: "use the version of fillbook that wrote it, or sync the account into another, empty store",
  });
}

/**
 * The archive as the head names it now. A concurrent commit gives the old state or the new one, never a
 * mixture.
 */
export async function readArchive(store: Store, account: string): Promise<Snapshot> {
  const held = await readHead(store, account);
  return await loadArchive(store, account, held?.head ?? null);
}

/** The bytes of the manifest's object, from which its hash is made. */
export function manifestBody(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);
}

/** The current manifest, if the head holds it in full. */
function currentIn({ current }: Head, sha256: string): Manifest | null {
  return current !== null && sha256Of(manifestBody(current)) === sha256 ? current : null;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
