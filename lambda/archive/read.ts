import { FillbookError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { type Head, readHead } from "./head.ts";
import { manifestKey } from "./keys.ts";
import { emptyManifest, MANIFEST_FORMAT, type Manifest } from "./manifest.ts";
import { readContent } from "./objects.ts";

/** The manifest that a head names, its hash checked; an empty one where nothing was committed yet. */
export async function loadManifest(store: Store, account: string, head: Head | null): Promise<Manifest> {
  if (head === null || head.manifest === null) {
    return emptyManifest(account);
  }
  const { seq, sha256 } = head.manifest;
  const key = manifestKey(account, seq, sha256);
  const bytes = await readContent(store, key, sha256);
  const manifest = JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
  if (manifest.format !== MANIFEST_FORMAT || manifest.account !== account || manifest.seq !== seq) {
    throw new FillbookError("untrusted", `${store.location}/${key} is not a manifest that this version can read`, {
      hint: "use the version of fillbook that wrote it",
    });
  }
  return manifest;
}

export interface Snapshot {
  readonly manifest: Manifest;
  readonly ref: { readonly seq: number; readonly sha256: string } | null;
}

/** The archive as its head names it now: the old state or the new one, never one between. */
export async function readArchive(store: Store, account: string): Promise<Snapshot> {
  const held = await readHead(store, account);
  return { manifest: await loadManifest(store, account, held?.head ?? null), ref: held?.head.manifest ?? null };
}
