import { expect } from "vitest";
import { patienceMs } from "../patience.ts";
import type { StoreFate, StoreOperation } from "../support/faulty-store.ts";
import { permutation } from "../support/prng.ts";
import type { Place } from "./place.ts";
import type { Subject } from "./subject.ts";
import { type Disturbance, FATES, operationsOf, storeFate, suits, tryRuns, undisturbed } from "./trial.ts";

/** `FILLBOOK_CRASH=all` leaves no operation and no pair out. */
export const ALL = process.env["FILLBOOK_CRASH"] === "all";
export const TEST_TIMEOUT_MS = patienceMs(ALL ? 7200 : 300);

/**
 * Where in a list of kinds those are that stand for all of a kind: so many of each, the first, the last and
 * some between them.
 */
export function ofEachKind(kinds: readonly string[], count: number): readonly number[] {
  const places = [...Map.groupBy(kinds.keys(), (at) => kinds[at]).values()];
  return places.flatMap((all) =>
    ALL || all.length <= count
      ? all
      : Array.from({ length: count }, (_, nth) => all[Math.round((nth * (all.length - 1)) / (count - 1))] as number),
  );
}

/**
 * What sort of object a key or a path names: its folder, without what time, number and content have made of
 * it. The files of a pack are alike but for its last two.
 */
export function sortOf(key: string): string {
  const name = /(?:SHA256SUMS|latest\.json)$/.exec(key)?.[0] ?? "";
  return `${key.replace(/(?:^|\/)[^/]*(?:\d|\.tmp-).*$/, "")} ${name}`;
}

/** Makes a trial of each, says how many there were, and expects that none fails. */
export async function tryEach(
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

/** Every fate of a run's operations: of so many of each kind. */
export async function singles(place: Place, subject: Subject, ofKind: number): Promise<void> {
  const operations = await operationsOf(place, subject);
  const trials = FATES.flatMap((fate) => suited(operations, fate, ofKind).map((at) => [storeFate(at, fate)]));
  await tryEach("single", place, subject, trials);
}

/**
 * Killed after a write, and the next run after another: so many writes of each kind, and so many that are
 * drawn for each of them.
 */
export async function doubleKills(place: Place, subject: Subject, ofKind: number, draws: number): Promise<void> {
  // In front of an operation, or after the one before it, is the same point; and what reads changes nothing.
  const pairs = await pairsOf(place, subject, { first: ["kill-after", ofKind], second: "kill-after", draws });
  const trials = pairs.map(([one, two]) => [storeFate(one, "kill-after"), storeFate(two, "kill-after")]);
  await tryEach("killed twice", place, subject, trials);
}

/**
 * A run dies with a write on its way, which lands in front of an operation of the run that has taken over;
 * chosen in the same way.
 */
export async function lateLandings(place: Place, subject: Subject, ofKind: number, draws: number): Promise<void> {
  const pairs = await pairsOf(place, subject, { first: ["kill-late", ofKind], second: null, draws });
  const trials = pairs.map(([one, two]) => [storeFate(one, "kill-late", two)]);
  await tryEach("a dead run's write lands in the next", place, subject, trials);
}

/** Every pair of fates. */
export async function doubleFates(place: Place, subject: Subject): Promise<void> {
  for (const fate of FATES) {
    for (const next of FATES) {
      const first = [fate, Number.POSITIVE_INFINITY] as const;
      const pairs = await pairsOf(place, subject, { first, second: next, draws: Number.POSITIVE_INFINITY });
      const trials = pairs.map(([one, two]) => [storeFate(one, fate), storeFate(two, next)]);
      await tryEach(`${fate}, then ${next}`, place, subject, trials);
    }
  }
}

/** Where the operations are that can have the fate: so many of each kind. */
function suited(operations: readonly StoreOperation[], fate: StoreFate, ofKind: number): readonly number[] {
  const able = operations.filter(({ method }) => suits(fate, method));
  return ofEachKind(
    able.map(({ method, key }) => `${method} ${sortOf(key)}`),
    ofKind,
  ).map((nth) => able[nth]?.index ?? 0);
}

interface Pairs {
  readonly first: readonly [fate: StoreFate, ofKind: number];
  /** null: any operation. */
  readonly second: StoreFate | null;
  readonly draws: number;
}

/** An operation of a run, and one of the next. */
async function pairsOf(
  place: Place,
  subject: Subject,
  { first: [fate, ofKind], second, draws }: Pairs,
): Promise<readonly (readonly [number, number])[]> {
  const operations = await operationsOf(place, subject);
  const next = operations.filter(({ method }) => second === null || suits(second, method)).map(({ index }) => index);
  // A run that goes on from what another has left has at most twice as many.
  const all = ALL ? Array.from({ length: 2 * operations.length }, (_, at) => at) : next;
  return suited(operations, fate, ofKind).flatMap((one) =>
    [...permutation(all.length, one)].slice(0, ALL ? all.length : draws).map((nth) => [one, all[nth] ?? 0] as const),
  );
}
