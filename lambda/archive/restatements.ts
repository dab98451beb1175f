import { tradeTime } from "../core/fill.ts";
import { fieldsOf } from "../core/record.ts";
import { numberOf, parseLossless } from "../formats/json.ts";
import { linesOf, textOf } from "../formats/lines.ts";
import { fillOfValue } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { restatementsKey } from "./keys.ts";
import type { RestatementFile } from "./manifest.ts";
import type { Restatement } from "./merge.ts";
import { encodeText, readText } from "./objects.ts";

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
    `{"kind":"${kind}","seenAt":${seenAt},"before":${before?.row ?? null},"after":${after.row}}`;
  const times = restated.flatMap(tradeTimesOf);
  const [firstTrade, lastTrade] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const { sha256, body } = encodeText(textOf(restated.map(line)));
  return { file: { sha256, run, seq, rows: restated.length, firstTrade, lastTrade }, body };
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
  const text = await readText(store, restatementsKey(account, file), file.sha256);
  return [...linesOf(text)].map((line) => {
    const { kind, seenAt, before, after } = fieldsOf(parseLossless(line));
    return {
      kind: kind as Restatement["kind"],
      seenAt: numberOf(seenAt) ?? 0,
      before: before === null ? null : fillOfValue(before),
      after: fillOfValue(after),
    };
  });
}
