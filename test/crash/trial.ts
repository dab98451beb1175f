import { isDeepStrictEqual } from "node:util";
import { FencedError } from "../../lambda/archive/head.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { type FaultyStore, faultyStore, type StoreFate, type StoreOperation } from "../support/faulty-store.ts";
import { type Subject, storeOf } from "./subject.ts";

export const FATES: readonly StoreFate[] = [
  "kill-before",
  "kill-after",
  "fail-before",
  "lost-before",
  "lost-after",
  "late",
  "kill-late",
];

/** What happens to one run of a trial: the fate of its operation number `at`, from 0. */
export interface Disturbance {
  readonly at: number;
  readonly fate: StoreFate;
}

/** null: there was no such operation. Else one text for each fault. */
type Verdict = readonly string[] | null;

/**
 * Disturbed runs, one after another, then an undisturbed one. In the end everything must equal `expected`.
 * What the last disturbed run leaves in flight lands when it is over, or before the next run's operation number
 * `landsAt`.
 */
export async function tryRuns(
  subject: Subject,
  expected: unknown,
  disturbances: readonly Disturbance[],
  landsAt?: number,
): Promise<Verdict> {
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
export async function undisturbed(
  subject: Subject,
): Promise<{ readonly expected: unknown; readonly operations: readonly StoreOperation[] }> {
  const store = faultyStore(storeOf(subject), () => "ok");
  const result = await subject.begin()(store);
  if (!result.complete) {
    throw new Error(`${subject.name}: not complete`, { cause: result });
  }
  const operations = [...store.operations];
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
