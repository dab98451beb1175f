import { getOrMake } from "../core/get-or-make.ts";
import { covers, subtract, union } from "../core/ranges.ts";
import { fieldsIn } from "../core/record.ts";
import type { TimeRange } from "../core/time.ts";
import { linesOf } from "../formats/lines.ts";
import type { Store } from "../storage/store.ts";
import { readingsPrefix, sha256InKey } from "./keys.ts";
import type { Manifest } from "./manifest.ts";
import { readText } from "./objects.ts";

const AT_ONCE = 16;

/**
 * Since when a range counts as read twice, by the archive's evidence, ms UTC. Later readings do not change it,
 * unless it was doubted before them. Null: the evidence does not say.
 */
export async function readTwiceAt(
  store: Store,
  { account, seq }: Pick<Manifest, "account" | "seq">,
  range: TimeRange,
): Promise<number | null> {
  const commits = new Map<number, string[]>();
  for await (const { key } of store.list(readingsPrefix(account))) {
    getOrMake(commits, Number.parseInt(key.slice(readingsPrefix(account).length), 10), () => []).push(key);
  }
  // Evidence that was never committed has a number that is still to come, or that another run's commit has too.
  const keys = [...commits].flatMap(([number, own]) => (number <= seq && own.length === 1 ? own : []));
  let read: readonly TimeRange[] = [];
  let since: number | null = null;
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const texts = keys.slice(at, at + AT_ONCE).map((key) => readText(store, key, sha256InKey(key)));
    for (const { from, to, readings, at: when } of (await Promise.all(texts))
      .flatMap((text) => [...linesOf(text)])
      .map(fieldsIn)) {
      const one = { from: Date.parse(String(from)), to: Date.parse(String(to)) };
      if (readings === 2) {
        read = union([...read, one]);
      } else if (readings === 0) {
        read = read.flatMap((known) => subtract(known, [one]));
      }
      since = covers(read, range) ? (since ?? Date.parse(String(when))) : null;
    }
  }
  return since;
}
