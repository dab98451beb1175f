import { zstdCompressSync } from "node:zlib";
import { FillbookError } from "../core/errors.ts";
import { tradeTime } from "../core/fill.ts";
import { fieldsOf } from "../core/record.ts";
import { numberOf, parseLossless } from "../formats/json.ts";
import { fillOfValue } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { textOf } from "./data-file.ts";
import { restatementsKey, sha256Of } from "./keys.ts";
import type { RestatementFile } from "./manifest.ts";
import type { Restatement } from "./merge.ts";

/** A restatement as the archive stores it. */
export interface SeenRestatement extends Restatement {
  /** Wall time of the commit that filed it, ms UTC. */
  readonly seenAt: number;
}

/** What one commit restated (at least one), as an object: JSON Lines, zstd. */
export function encodeRestatements(
  restated: readonly Restatement[],
  { seenAt, seq, run }: { readonly seenAt: number } & Pick<RestatementFile, "seq" | "run">,
): { readonly file: RestatementFile; readonly body: Uint8Array } {
  const line = ({ kind, before, after }: Restatement) =>
    `{"kind":"${kind}","seenAt":${seenAt},"before":${before?.row ?? null},"after":${after.row}}\n`;
  const text = Buffer.from(restated.map(line).join(""));
  const times = restated.flatMap(tradeTimesOf);
  const [firstTrade, lastTrade] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  return {
    file: { sha256: sha256Of(text), run, seq, rows: restated.length, firstTrade, lastTrade },
    body: zstdCompressSync(text),
  };
}

/** The trade times of both versions, or of the only one. */
export function tradeTimesOf({ before, after }: Restatement): readonly number[] {
  return before === null ? [tradeTime(after)] : [tradeTime(before), tradeTime(after)];
}

export async function readRestatements(
  store: Store,
  account: string,
  file: RestatementFile,
): Promise<readonly SeenRestatement[]> {
  const key = restatementsKey(account, file);
  const stored = await store.get(key);
  const text = stored === null ? null : textOf(stored.body)?.toString("utf8");
  if (typeof text !== "string" || sha256Of(text) !== file.sha256) {
    throw new FillbookError("untrusted", `${store.location}/${key} is missing or damaged`, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  }
  return text.split("\n").flatMap((line) => (line === "" ? [] : restatementIn(line)));
}

function restatementIn(line: string): SeenRestatement {
  const { kind, seenAt, before, after } = fieldsOf(parseLossless(line));
  return {
    kind: kind as Restatement["kind"],
    seenAt: numberOf(seenAt) ?? 0,
    before: before === null ? null : fillOfValue(before),
    after: fillOfValue(after),
  };
}
