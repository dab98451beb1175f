import { getOrMake } from "../core/get-or-make.ts";
import { covers, union } from "../core/ranges.ts";
import { fieldsIn } from "../core/record.ts";
import type { TimeRange } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { readingsPrefix, sha256InKey } from "./keys.ts";
import type { Manifest } from "./manifest.ts";
import { readLines } from "./objects.ts";

const AT_ONCE = 16;

/**
 * When the second reading of a range had ended for the first time, by the archive's evidence, ms UTC. Later
 * readings do not change it. Null: the evidence does not say.
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
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const texts = keys.slice(at, at + AT_ONCE).map((key) => readLines(store, key, sha256InKey(key)));
    for (const { from, to, readings, at: when } of (await Promise.all(texts)).flat().map(fieldsIn)) {
      if (readings === 2) {
        read = union([...read, { from: Date.parse(String(from)), to: Date.parse(String(to)) }]);
        if (covers(read, range)) {
          return Date.parse(String(when));
        }
      }
    }
  }
  return null;
}
