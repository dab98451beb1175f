import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Clock } from "../core/clock.ts";
import { tradeTime } from "../core/fill.ts";
import type { Restatement } from "../fills/merge.ts";
import { canonicalJson } from "../formats/json.ts";
import type { Store } from "../storage/store.ts";
import { restatementsKey, sha256Of } from "./keys.ts";
import type { RestatementFile } from "./manifest-entries.ts";
import { createContent, readContent } from "./objects.ts";

/** A restatement as the archive stores it. */
export interface SeenRestatement extends Restatement {
  /** Wall time of the commit that filed it, ms UTC. */
  readonly seenAt: number;
}

/** When a commit filed restatements (wall time, ms UTC), and their sequence number. */
export interface FiledAt {
  readonly seenAt: number;
  readonly seq: number;
}

/** Stores both versions of each fill that one commit restated (at least one): JSON Lines, zstd. */
export async function storeRestatements(
  ports: { account: string; store: Store; clock: Clock; epoch: number },
  restated: readonly Restatement[],
  { seenAt, seq }: FiledAt,
): Promise<RestatementFile> {
  const body = zstdCompressSync(restated.map((one) => `${canonicalJson({ ...one, seenAt })}\n`).join(""));
  const sha256 = sha256Of(body);
  const key = restatementsKey(ports.account, ports.epoch, sha256);
  await createContent(ports, key, body);
  const times = restated.flatMap(tradeTimesOf);
  return {
    key,
    sha256,
    seq,
    rows: restated.length,
    firstTrade: times.reduce((a, b) => Math.min(a, b)),
    lastTrade: times.reduce((a, b) => Math.max(a, b)),
  };
}

/** The trade times of both versions, or of the only one. */
export function tradeTimesOf({ before, after }: Restatement): readonly number[] {
  return before === null ? [tradeTime(after)] : [tradeTime(before), tradeTime(after)];
}

export async function readRestatements(store: Store, file: RestatementFile): Promise<SeenRestatement[]> {
  const text = zstdDecompressSync(await readContent(store, file.key, file.sha256)).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as SeenRestatement);
}
