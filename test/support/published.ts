import { emptyManifest, type Manifest } from "../../lambda/archive/manifest.ts";
import type { DataFile, RestatementFile, WindowRecord } from "../../lambda/archive/manifest-entries.ts";
import type { Store } from "../../lambda/storage/store.ts";

/** A manifest with everything that its index names, and the keys of the index's nodes. */
export interface Published extends Omit<Manifest, "index"> {
  readonly dataFiles: readonly DataFile[];
  readonly windows: readonly WindowRecord[];
  readonly restatements: readonly RestatementFile[];
  readonly nodes: readonly string[];
}

type Read = (key: string) => string | Promise<string>;

/**
 * Reads a manifest by its published format, without the program's own code. Nodes are below
 * `<account>/index/`.
 */
export async function readPublished(text: Read, key: string): Promise<Published> {
  const { index, ...manifest } = JSON.parse(await text(key));
  const found = await gathered((name) => text(`${manifest.account}/${name}`), index);
  return { ...manifest, ...found, nodes: found.nodes.map((name) => `${manifest.account}/${name}`) };
}

type Found = Pick<Published, "dataFiles" | "windows" | "restatements" | "nodes">;

// biome-ignore lint/suspicious/noExplicitAny: JSON, as it is on the store
async function gathered(text: Read, node: any): Promise<Found> {
  if (node.kind === "leaf") {
    return { dataFiles: node.dataFiles, windows: node.windows, restatements: node.restatements, nodes: [] };
  }
  const all: Found[] = [];
  for (const { from, to, at } of node.children) {
    const name = `index/${nameOf(from, to)}-${at.epoch}-${at.sha256}.json`;
    const isStored = at.kind === "stored";
    const inner = isStored ? JSON.parse(await text(name)) : at;
    const below = await gathered(text, inner);
    all.push(isStored ? { ...below, nodes: [name, ...below.nodes] } : below);
  }
  return {
    dataFiles: all.flatMap(({ dataFiles }) => dataFiles),
    windows: all.flatMap(({ windows }) => windows),
    restatements: all.flatMap(({ restatements }) => restatements),
    nodes: all.flatMap(({ nodes }) => nodes),
  };
}

function nameOf(from: number, to: number): string {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const digits = [minute, hour, day, 31 * day].findIndex((width) => to - from <= width);
  const length = [16, 13, 10, 7][digits] ?? 4;
  return new Date(from).toISOString().slice(0, length).replace(":", "");
}

/** All keys of the account `main` that occur anywhere in the manifest. */
export function keysIn(published: Published): readonly string[] {
  return Array.from(JSON.stringify(published).matchAll(/"(main\/[^"]+)"/g), ([, key]) => key ?? "");
}

/** The manifest that the head of an account in `store` names now. */
export async function readCurrent(store: Store, account: string): Promise<Published> {
  const text = async (key: string) => new TextDecoder().decode((await store.get(key))?.body);
  const { manifest } = JSON.parse(await text(`${account}/head.json`));
  if (manifest === null) {
    const { index: _, ...header } = emptyManifest(account);
    return { ...header, dataFiles: [], windows: [], restatements: [], nodes: [] };
  }
  return await readPublished(text, `${account}/manifests/${manifest.seq}-${manifest.sha256}.json`);
}
