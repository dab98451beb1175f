import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Clock } from "../clock.ts";
import type { Restatement } from "../fills/merge.ts";
import type { Store } from "../store/store.ts";
import { restatementsKey, sha256Of } from "./keys.ts";
import type { RestatementFile } from "./manifest.ts";
import { createContent, readContent } from "./objects.ts";

/** Keeps both versions of what was restated: JSON Lines, zstd. */
export async function storeRestatements(
  ports: { account: string; store: Store; clock: Clock },
  restated: readonly Restatement[],
): Promise<RestatementFile> {
  const body = zstdCompressSync(restated.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const sha256 = sha256Of(body);
  const key = restatementsKey(ports.account, sha256);
  await createContent(ports, key, body);
  return { key, sha256, rows: restated.length };
}

export async function readRestatements(store: Store, file: RestatementFile): Promise<Restatement[]> {
  const text = zstdDecompressSync(await readContent(store, file.key, file.sha256)).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Restatement);
}
