import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PublishedRates } from "../accounting/rates/published.ts";

/**
 * The folder beside this file in the repository, and beside the bundle in the package, where the build puts
 * it.
 */
const FOLDER = new URL("./published-rates/", import.meta.url);

export interface PublishedFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

export async function readPublished({ file }: PublishedRates): Promise<PublishedFile> {
  const bytes = await readFile(new URL(file, FOLDER));
  return { bytes, sha256: hash("sha256", bytes, "hex") };
}
