import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { FencedError } from "../../lambda/archive/head.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { patienceMs } from "../patience.ts";
import { type FaultyStore, faultyStore, type StoreFate, type StoreOperation, suits } from "../support/faulty-store.ts";
import { permutation } from "../support/prng.ts";
import { type Subject, storeOf } from "./subject.ts";

const FATES: readonly StoreFate[] = [
  "kill-before",
  "kill-after",
  "fail-before",
  "lost-before",
  "lost-after",
  "late",
  "kill-late",
];

interface Trial {
  /** What happens to each run: the fate of its operation number `at`, from 0. */
  readonly disturbances: readonly { readonly at: number; readonly fate: StoreFate }[];
  readonly landsAt?: number;
}

/** null: there was no such operation. Else one text for each fault. */
type Verdict = readonly string[] | null;

/**
 * Disturbed runs, one after another, then an undisturbed one. In the end everything must equal `expected`.
 * What the last disturbed run leaves in flight lands when it is over, or before the next run's operation number
 * `landsAt`.
 */
async function tryRuns(subject: Subject, expected: unknown, { disturbances, landsAt }: Trial): Promise<Verdict> {
  const inner = storeOf(subject);
  const run = subject.begin();
  const seen = new Set<string>();
  const story = [subject.name];
  let before: FaultyStore | null = null;
  for (const { at, fate } of disturbances) {
    const store = faultyStore(inner, ({ index }) => (index === at ? fate : "ok"));
    const faults = await faultsOfRun(run, store);
    const met = store.operations[at];
    if (met?.fate !== fate) {
      return null;
    }
    story.push(`${fate} at operation ${at} (${met.method} ${met.key})`);
    faults.push(...(await faultsIn(subject, inner, seen)));
    if (landsAt === undefined) {
      await store.settle();
      faults.push(...(await faultsIn(subject, inner, seen)));
    }
    if (faults.length > 0) {
      return [...story, ...faults];
    }
    before = store;
  }
  const last = faultyStore(inner, async ({ index }): Promise<StoreFate> => {
    await (index === landsAt ? before?.settle() : undefined);
    return "ok";
  });
  const faults = await faultsOfLast(run, last);
  if (landsAt !== undefined && last.operations.length <= landsAt) {
    return null;
  }
  faults.push(...(await faultsIn(subject, inner, seen)));
  if (faults.length === 0 && !isDeepStrictEqual(await subject.outcome(inner), expected)) {
    faults.push("it does not end in what an undisturbed run ends in");
  }
  return faults.length === 0 ? [] : [...story, ...faults];
}

/** What an undisturbed run ends in, and its operations. */
async function undisturbed(subject: Subject) {
  const store = faultyStore(storeOf(subject), () => "ok");
  const result = await subject.begin()(store);
  if (!result.complete) {
    throw new Error(`${subject.name}: not complete`, { cause: result });
  }
  const operations: readonly StoreOperation[] = [...store.operations];
  return { expected: await subject.outcome(store), operations };
}

type Run = ReturnType<Subject["begin"]>;

function endOf(run: Run, store: Store): Promise<{ readonly complete: boolean; readonly problem: unknown }> {
  return run(store).catch((problem: unknown) => ({ complete: false, problem }));
}

async function faultsOfRun(run: Run, store: FaultyStore): Promise<string[]> {
  const { problem } = await endOf(run, store);
  const isForeseen = problem === null || (problem instanceof FillbookError && problem.kind === "incomplete");
  return isForeseen || store.killed ? [] : [`it ended with ${describe(problem)}`];
}

async function faultsOfLast(run: Run, store: Store): Promise<string[]> {
  let { complete, problem } = await endOf(run, store);
  if (problem instanceof FencedError) {
    ({ complete, problem } = await endOf(run, store)); // the dead run has won: the next goes on
  }
  return complete ? [] : [`the last run is not complete: ${describe(problem)}`];
}

function describe(problem: unknown): string {
  return problem instanceof FillbookError ? `${problem.kind}: ${problem.message}` : String(problem);
}

async function faultsIn(subject: Subject, store: Store, seen: Set<string>): Promise<string[]> {
  try {
    return await subject.faults(store, seen);
  } catch (error) {
    return [`a reader fails: ${describe(error)}`];
  }
}

export const TEST_TIMEOUT_MS = patienceMs(300);

/** Runs every trial, prints how many there were, and expects that none fails. */
async function tryEach(
  what: string,
  subject: Subject,
  trialsOf: (operations: readonly StoreOperation[]) => readonly Trial[],
): Promise<void> {
  const { expected, operations } = await undisturbed(subject);
  const failures: string[] = [];
  let tried = 0;
  for (const trial of trialsOf(operations)) {
    const verdict = await tryRuns(subject, expected, trial);
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
