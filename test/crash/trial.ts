import { isDeepStrictEqual } from "node:util";
import { FencedError } from "../../lambda/archive/head.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { faultyStore, type StoreFate, type StoreMethod, type StoreOperation } from "../support/faulty-store.ts";
import { aroundStore } from "./around-store.ts";
import type { Place } from "./place.ts";
import type { Subject } from "./subject.ts";

/** What happens to one run of a trial. */
export interface Disturbance {
  /** Called with the store as a new process opens it. */
  arrange(inner: Store): Arranged;
  /**
   * The operation of the next run before which this run's late write lands. Absent: it lands when this run is
   * over.
   */
  readonly landsAt?: number;
}

export interface Arranged {
  readonly store: Store;
  /** What happened, once the run is over. null: the run never reached that point. */
  said(): string | null | Promise<string | null>;
  isDead(): boolean;
  /** Lets late writes land. */
  settle(): Promise<void>;
}

const LOST: readonly StoreFate[] = ["lost-before", "lost-after", "late", "kill-late"];
const WRITES: readonly StoreMethod[] = ["createNew", "replaceIf", "finish", "remove"];
export const FATES: readonly StoreFate[] = ["kill-before", "kill-after", "fail-before", ...LOST];

/** Only a commit can be lost or late. A read that dies changes nothing, before or after. */
export function suits(fate: StoreFate, method: StoreMethod): boolean {
  return WRITES.includes(method) || fate === "kill-before" || fate === "fail-before";
}

/**
 * The fate for a run's operation number `at`, from 0. `said` gives null if there is no such operation or it
 * cannot have this fate.
 */
export function storeFate(at: number, fate: StoreFate, landsAt?: number): Disturbance {
  return {
    ...(landsAt === undefined ? {} : { landsAt }),
    arrange(inner) {
      const store = faultyStore(inner, ({ index, method }) => (index === at && suits(fate, method) ? fate : "ok"));
      return {
        store,
        said() {
          const operation = store.operations[at];
          return operation?.fate === fate ? `${fate} at operation ${at} (${operation.method} ${operation.key})` : null;
        },
        isDead: () => store.killed,
        settle: () => store.settle(),
      };
    },
  };
}

export interface Verdict {
  /** Every disturbance happened. */
  readonly met: boolean;
  /** null: no fault. */
  readonly failure: string | null;
}

/**
 * Disturbed runs, one after another, then an undisturbed one. In the end everything must equal `expected`.
 */
export async function tryRuns(
  place: Place,
  subject: Subject,
  expected: unknown,
  disturbances: readonly Disturbance[],
): Promise<Verdict> {
  await place.reset(subject.base, subject.baseAgeMs);
  const run = subject.begin(place.isBusy);
  const seen = new Set<string>();
  const story = [place.name as string, subject.name];
  let onItsWay: Landing | null = null;
  for (const { arrange, landsAt } of disturbances) {
    const arranged = arrange(withLanding(place.open(), onItsWay));
    const faults = await faultsOfRun(run, arranged);
    await onItsWay?.land();
    const said = await arranged.said();
    if (said === null || (onItsWay !== null && !onItsWay.landedInRun)) {
      return { met: false, failure: null };
    }
    story.push(said);
    faults.push(...(await faultsIn(place, subject, seen)));
    onItsWay = newLanding(landsAt, arranged.settle);
    if (onItsWay === null) {
      await arranged.settle();
      faults.push(...(await faultsIn(place, subject, seen)));
    }
    if (faults.length > 0) {
      return { met: true, failure: [...story, ...faults].join(": ") };
    }
  }
  const faults = await faultsOfLast(place, run, onItsWay);
  if (onItsWay !== null && !onItsWay.landedInRun) {
    return { met: false, failure: null };
  }
  faults.push(...(await faultsIn(place, subject, seen)));
  if (faults.length === 0 && !isDeepStrictEqual(await subject.outcome(place.reader()), expected)) {
    faults.push("it does not end in what an undisturbed run ends in");
  }
  return { met: true, failure: faults.length === 0 ? null : [...story, ...faults].join(": ") };
}

/** The outcome of an undisturbed run. */
export async function undisturbed(place: Place, subject: Subject): Promise<unknown> {
  await place.reset(subject.base, subject.baseAgeMs);
  const result = await subject.begin(place.isBusy)(place.open());
  if (!result.complete) {
    throw new Error(`${place.name}: ${subject.name}: not complete`, { cause: result });
  }
  return await subject.outcome(place.reader());
}

/** The store operations of an undisturbed run. */
export async function operationsOf(place: Place, subject: Subject): Promise<readonly StoreOperation[]> {
  await place.reset(subject.base, subject.baseAgeMs);
  const store = faultyStore(place.open(), () => "ok");
  await subject.begin(place.isBusy)(store);
  return store.operations;
}

interface Landing {
  readonly at: number;
  landedInRun: boolean;
  land(): Promise<void>;
}

function newLanding(at: number | undefined, land: () => Promise<void>): Landing | null {
  return at === undefined ? null : { at, landedInRun: false, land };
}

function withLanding(inner: Store, landing: Landing | null): Store {
  if (landing === null) {
    return inner;
  }
  let calls = 0;
  return aroundStore(inner, async (call) => {
    const number = calls;
    calls += 1;
    if (number === landing.at) {
      landing.landedInRun = true;
      await landing.land();
    }
    return await call();
  });
}

type Run = ReturnType<Subject["begin"]>;

async function faultsOfRun(run: Run, { store, isDead }: Arranged): Promise<string[]> {
  const result = await run(store).catch((error: unknown) => error);
  if (isDead()) {
    return [];
  }
  const problem = problemOf(result);
  const isForeseen = problem === null || (problem instanceof FillbookError && problem.kind === "incomplete");
  return isForeseen ? [] : [`it ended with ${describe(problem)}`];
}

async function faultsOfLast(place: Place, run: Run, landing: Landing | null): Promise<string[]> {
  let result = await run(withLanding(place.open(), landing)).catch((error: unknown) => error);
  if (landing?.landedInRun === true && problemOf(result) instanceof FencedError) {
    result = await run(place.open()).catch((error: unknown) => error); // the dead run has won: the next goes on
  }
  const isComplete = typeof result === "object" && result !== null && "complete" in result && result.complete === true;
  return isComplete ? [] : [`the last run is not complete: ${describe(problemOf(result))}`];
}

function problemOf(result: unknown): unknown {
  if (result instanceof Error) {
    return result;
  }
  return typeof result === "object" && result !== null && "problem" in result ? result.problem : null;
}

function describe(problem: unknown): string {
  return problem instanceof FillbookError ? `${problem.kind}: ${problem.message}` : String(problem);
}

async function faultsIn(place: Place, subject: Subject, seen: Set<string>): Promise<string[]> {
  try {
    return await subject.faults(place.reader(), seen);
  } catch (error) {
    return [`a reader fails: ${describe(error)}`];
  }
}
