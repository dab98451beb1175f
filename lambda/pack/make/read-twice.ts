import { sha256InKey } from "../../archive/keys.ts";
import { readLines } from "../../archive/objects.ts";
import { covers, union } from "../../core/ranges.ts";
import { fieldsIn } from "../../core/record.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";

const AT_ONCE = 16;

/**
 * When the second reading of a range had ended for the first time, by the archive's evidence, ms UTC. Later
 * readings do not change it. Null: the evidence does not say.
 */
export async function readTwiceAt(store: Store, account: string, range: TimeRange): Promise<number | null> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${account}/readings/`)) {
    keys.push(key); // by the number of the commit
  }
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
