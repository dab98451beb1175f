import { expect } from "vitest";
import { patienceMs } from "../patience.ts";
import { type StoreFate, type StoreOperation, suits } from "../support/faulty-store.ts";
import { permutation } from "../support/prng.ts";
import type { Subject } from "./subject.ts";
import { type Disturbance, FATES, tryRuns, undisturbed } from "./trial.ts";

export const TEST_TIMEOUT_MS = patienceMs(300);

interface Trial {
  readonly disturbances: readonly Disturbance[];
  readonly landsAt?: number;
}

/** Runs every trial, prints how many there were, and expects that none fails. */
async function tryEach(
  what: string,
  subject: Subject,
  trialsOf: (operations: readonly StoreOperation[]) => readonly Trial[],
): Promise<void> {
  const { expected, operations } = await undisturbed(subject);
  const failures: string[] = [];
  let tried = 0;
  for (const { disturbances, landsAt } of trialsOf(operations)) {
    const verdict = await tryRuns(subject, expected, disturbances, landsAt);
    tried += verdict === null ? 0 : 1;
    failures.push(...(verdict === null || verdict.length === 0 ? [] : [verdict.join(": ")]));
  }
  process.stdout.write(`crash points, ${subject.name}, ${what}: ${tried} tried, ${failures.length} failed\n`);
  expect(failures).toEqual([]);
  expect(tried).toBeGreaterThan(0);
}

/** Every fate, at up to `ofKind` operations of each kind. */
export async function singles(subject: Subject, ofKind: number): Promise<void> {
  await tryEach("single", subject, (operations) =>
    FATES.flatMap((fate) => suited(operations, fate, ofKind).map((at) => ({ disturbances: [{ at, fate }] }))),
  );
}

/**
 * A run is killed after a write, and the next run after another write: up to `ofKind` writes of each kind,
 * each with `draws` second writes. Before an operation and after the previous one are the same point, and reads
 * change nothing.
 */
export async function doubleKills(subject: Subject, ofKind: number, draws: number): Promise<void> {
  const fate = "kill-after";
  await tryEach("killed twice", subject, (operations) => {
    const writes = operations.filter(({ method }) => suits(fate, method));
    const pairs = pairsOf(suited(operations, fate, ofKind), writes, draws);
    return pairs.map((pair) => ({ disturbances: pair.map((at) => ({ at, fate })) }));
  });
}

/**
 * A run dies with a write in flight. The write lands before an operation of the run that has taken over.
 * Operations are chosen in the same way.
 */
export async function lateLandings(subject: Subject, ofKind: number, draws: number): Promise<void> {
  const fate = "kill-late";
  await tryEach("a dead run's write lands in the next", subject, (operations) => {
    const pairs = pairsOf(suited(operations, fate, ofKind), operations, draws);
    return pairs.map(([at, landsAt]) => ({ disturbances: [{ at, fate }], landsAt }));
  });
}

/** Indices of operations that can have the fate: of each kind the first, the last, and some between, up to `ofKind`. */
function suited(operations: readonly StoreOperation[], fate: StoreFate, ofKind: number): readonly number[] {
  const able = operations.filter(({ method }) => suits(fate, method));
  const kinds = Map.groupBy(able, ({ method, key }) => `${method} ${sortOf(key)}`);
  return [...kinds.values()].flatMap((all) => {
    const step = (all.length - 1) / Math.max(1, ofKind - 1);
    const chosen = all.length <= ofKind ? all : Array.from({ length: ofKind }, (_, nth) => all[Math.round(nth * step)]);
    return chosen.map((operation) => operation?.index ?? 0);
  });
}

/**
 * The kind of object that a key or path names: its folder, without the parts that depend on time, number and
 * content. All files of a pack count as one kind, except its last two.
 */
function sortOf(key: string): string {
  const name = /(?:SHA256SUMS|latest\.json)$/.exec(key)?.[0] ?? "";
  return `${key.replace(/(?:^|\/)[^/]*\d.*$/, "")} ${name}`;
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
