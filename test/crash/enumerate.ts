import { expect } from "vitest";
import { patienceMs } from "../patience.ts";
import type { StoreFate, StoreOperation } from "../support/faulty-store.ts";
import { permutation } from "../support/prng.ts";
import type { Place } from "./place.ts";
import type { Subject } from "./subject.ts";
import { type Disturbance, FATES, operationsOf, storeFate, suits, tryRuns, undisturbed } from "./trial.ts";

export const TEST_TIMEOUT_MS = patienceMs(300);

/**
 * The places in a list of kinds that represent each kind: up to `count` of each kind, the first, the last and
 * some between them.
 */
function ofEachKind(kinds: readonly string[], count: number): readonly number[] {
  const places = [...Map.groupBy(kinds.keys(), (at) => kinds[at]).values()];
  return places.flatMap((all) =>
    all.length <= count
      ? all
      : Array.from(
          { length: count },
          (_, nth) => all[Math.round((nth * (all.length - 1)) / Math.max(1, count - 1))] as number,
        ),
  );
}

/**
 * The kind of object that a key or path names: its folder, without the parts that depend on time, number and
 * content. All files of a pack count as one kind, except its last two.
 */
function sortOf(key: string): string {
  const name = /(?:SHA256SUMS|latest\.json)$/.exec(key)?.[0] ?? "";
  return `${key.replace(/(?:^|\/)[^/]*(?:\d|\.tmp-).*$/, "")} ${name}`;
}

/** Runs every trial, prints how many there were, and expects that none fails. */
async function tryEach(
  what: string,
  place: Place,
  subject: Subject,
  trials: readonly (readonly Disturbance[])[],
): Promise<void> {
  const startedAt = performance.now();
  const expected = await undisturbed(place, subject);
  const failures: string[] = [];
  let tried = 0;
  for (const disturbances of trials) {
    const { met, failure } = await tryRuns(place, subject, expected, disturbances);
    tried += Number(met);
    failures.push(...(failure === null ? [] : [failure]));
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `crash points, ${subject.name}, ${place.name} store, ${what}: ${tried} tried, ${failures.length} failed, ${seconds} s\n`,
  );
  expect(failures).toEqual([]);
  expect(tried).toBeGreaterThan(0);
}

/** Every fate, at up to `ofKind` operations of each kind. */
export async function singles(place: Place, subject: Subject, ofKind: number): Promise<void> {
  const operations = await operationsOf(place, subject);
  const trials = FATES.flatMap((fate) => suited(operations, fate, ofKind).map((at) => [storeFate(at, fate)]));
  await tryEach("single", place, subject, trials);
}

/**
 * A run is killed after a write, and the next run after another write: up to `ofKind` writes of each kind,
 * each with `draws` second writes. Before an operation and after the previous one are the same point, and reads
 * change nothing.
 */
export async function doubleKills(place: Place, subject: Subject, ofKind: number, draws: number): Promise<void> {
  const operations = await operationsOf(place, subject);
  const writes = operations.filter(({ method }) => suits("kill-after", method));
  const trials = pairsOf(suited(operations, "kill-after", ofKind), writes, draws).map((pair) =>
    pair.map((at) => storeFate(at, "kill-after")),
  );
  await tryEach("killed twice", place, subject, trials);
}

/**
 * A run dies with a write in flight. The write lands before an operation of the run that has taken over.
 * Operations are chosen in the same way.
 */
export async function lateLandings(place: Place, subject: Subject, ofKind: number, draws: number): Promise<void> {
  const operations = await operationsOf(place, subject);
  const pairs = pairsOf(suited(operations, "kill-late", ofKind), operations, draws);
  const trials = pairs.map(([one, two]) => [storeFate(one, "kill-late", two)]);
  await tryEach("a dead run's write lands in the next", place, subject, trials);
}

/** Indices of operations that can have the fate: up to `ofKind` of each kind. */
function suited(operations: readonly StoreOperation[], fate: StoreFate, ofKind: number): readonly number[] {
  const able = operations.filter(({ method }) => suits(fate, method));
  return ofEachKind(
    able.map(({ method, key }) => `${method} ${sortOf(key)}`),
    ofKind,
  ).map((nth) => able[nth]?.index ?? 0);
}

/** Each of the operations of one run with `draws` of the next run's. */
function pairsOf(
  first: readonly number[],
  next: readonly StoreOperation[],
  draws: number,
): readonly (readonly [number, number])[] {
  return first.flatMap((one) =>
    [...permutation(next.length, one)].slice(0, draws).map((nth) => [one, next[nth]?.index ?? 0] as const),
  );
}
