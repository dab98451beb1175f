import { type DataFile, emptyManifest, type Manifest, type RestatementFile } from "../../lambda/archive/manifest.ts";
import type { Store } from "../../lambda/storage/store.ts";

/** A manifest with the keys of the objects that it names. */
export interface Published extends Manifest {
  readonly dataFiles: readonly (DataFile & { readonly key: string })[];
  readonly restatements: readonly (RestatementFile & { readonly key: string })[];
}

type Read = (key: string) => string | Promise<string>;

/** Reads a manifest by its published format, without the program's own code. */
export async function readPublished(text: Read, key: string): Promise<Published> {
  const manifest: Manifest = JSON.parse(await text(key));
  const { account, dataFiles, restatements } = manifest;
  return {
    ...manifest,
    dataFiles: dataFiles.map((file) => {
      const [from, to] = [file.from, file.to].map((ms) => new Date(ms).toISOString().replaceAll(/[-:]/g, ""));
      const month = new Date(file.from).toISOString().slice(0, 7);
      return { ...file, key: `${account}/fills/month=${month}/${from}-${to}-${file.sha256}-${file.run}.ndjson.zst` };
    }),
    restatements: restatements.map((file) => ({
      ...file,
      key: `${account}/restatements/${file.sha256}-${file.run}.ndjson.zst`,
    })),
  };
}

/** The keys of all objects that the manifest names. */
export function keysIn({ dataFiles, restatements }: Published): readonly string[] {
  return [...dataFiles, ...restatements].map(({ key }) => key);
}

/** The manifest that the head of an account in `store` names now. */
export async function readCurrent(store: Store, account: string): Promise<Published> {
  const text = async (key: string) => new TextDecoder().decode((await store.get(key))?.body);
  const head = await text(`${account}/head.json`);
  const { manifest } = head === "" ? { manifest: null } : JSON.parse(head);
  if (manifest === null) {
    return { ...emptyManifest(account), dataFiles: [], restatements: [] };
  }
  return await readPublished(text, `${account}/manifests/${manifest.seq}-${manifest.sha256}.json`);
}

/** Objects of the archive that its current manifest does not name. */
export async function unnamed(store: Store): Promise<string[]> {
  const current = await readCurrent(store, "main");
  const names = new Set(keysIn(current));
  const folders = ["manifests", "fills", "restatements"].map((folder) =>
    Array.fromAsync(store.list(`main/${folder}/`), ({ key }) => key),
  );
  const isCurrent = (key: string) => key.startsWith(`main/manifests/${current.seq}-`);
  return (await Promise.all(folders)).flat().filter((key) => !(names.has(key) || isCurrent(key)));
}
