import { readFile } from "node:fs/promises";
import type { PublishedRates } from "../accounting/rates/published.ts";

/**
 * The folder beside this file in the repository, and beside the bundle in the package, where the build puts
 * it.
 */
const FOLDER = new URL("./published-rates/", import.meta.url);

export async function readPublished({ file }: PublishedRates): Promise<Uint8Array> {
  return await readFile(new URL(file, FOLDER));
}
