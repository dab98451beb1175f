import { expect } from "vitest";
import { patienceMs } from "../patience.ts";
import type { StoreFate } from "../support/faulty-store.ts";
import type { Place } from "./place.ts";
import type { Subject } from "./subject.ts";
import { FATES, storeFate, tryRuns, undisturbed, type Verdict } from "./trial.ts";

/** `FILLBOOK_CRASH=all` leaves no pair out. */
export const ALL = process.env["FILLBOOK_CRASH"] === "all";
export const TEST_TIMEOUT_MS = patienceMs(ALL ? 7200 : 300);

/** Counts trials, and at the end says how many there were and that none failed. */
export class Tally {
  readonly #what: string;
  readonly #failures: string[] = [];
  readonly #startedAt = performance.now();
  #tried = 0;

  constructor(what: string) {
    this.#what = what;
  }

  get tried(): number {
    return this.#tried;
  }

  note({ met, failure }: Verdict): void {
    if (met) {
      this.#tried += 1;
    }
    if (failure !== null) {
      this.#failures.push(failure);
    }
  }

  end(): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    process.stdout.write(
      `crash points, ${this.#what}: ${this.#tried} tried, ${this.#failures.length} failed, ${seconds} s\n`,
    );
    expect(this.#failures).toEqual([]);
    expect(this.#tried).toBeGreaterThan(0);
  }
}

/** Of a run's operations each so many-th is enough: they are many, and alike. */
export function thinOf({ thin = 1 }: Subject): number {
  return ALL ? 1 : thin;
}

/** For the name of what is tried. */
export function thinned(step: number): string {
  return step === 1 ? "" : `, 1 in ${step}`;
}

/** Every operation of a run, every fate that it can have; where they are many and alike, all of them in memory, and elsewhere some of them for each fate. */
export async function singles(
  place: Place,
  subject: Subject,
  step = place.name === "memory" ? 1 : thinOf(subject),
): Promise<Tally> {
  const expected = await undisturbed(place, subject);
  const tally = new Tally(`${subject.name}, ${place.name} store, single${thinned(step)}`);
  for (const [nth, fate] of FATES.entries()) {
    for (let at = nth % step, ended = false; !ended; at += step) {
      const disturbance = storeFate(at, fate);
      tally.note(await tryRuns(place, subject, expected, [disturbance]));
      ended = disturbance.ended();
    }
  }
  tally.end();
  return tally;
}

/** Killed after write i, and the next run after write j: with every i, each `step`th j, beginning elsewhere for each i. */
export async function doubleKills(place: Place, subject: Subject, step: number): Promise<Tally> {
  const thin = thinOf(subject);
  const tally = new Tally(`${subject.name}, ${place.name} store, killed twice${thinned(step * thin ** 2)}`);
  await pairs(place, subject, tally, { first: KILLS, second: KILLS, step });
  tally.end();
  return tally;
}

/** Every pair of fates. */
export async function doubleFates(place: Place, subject: Subject): Promise<Tally> {
  const tally = new Tally(`${subject.name}, ${place.name} store, every two fates`);
  await pairs(place, subject, tally, { first: FATES, second: FATES, step: 1 });
  tally.end();
  return tally;
}

/** In front of an operation, or after the one before it, is the same point; and what reads changes nothing. */
const KILLS: readonly StoreFate[] = ["kill-after"];

interface Pairs {
  readonly first: readonly StoreFate[];
  readonly second: readonly StoreFate[];
  readonly step: number;
}

async function pairs(place: Place, subject: Subject, tally: Tally, { first, second, step }: Pairs): Promise<void> {
  const expected = await undisturbed(place, subject);
  const thin = thinOf(subject);
  /** Whether the first run has an operation `i`. */
  const withEach = async (i: number, fate: StoreFate, nextFate: StoreFate): Promise<boolean> => {
    for (let j = i % step; ; j += step * thin) {
      const one = storeFate(i, fate);
      const two = storeFate(j, nextFate);
      tally.note(await tryRuns(place, subject, expected, [one, two]));
      if (one.ended() || two.ended()) {
        return !one.ended();
      }
    }
  };
  for (const [fate, nextFate] of first.flatMap((one) => second.map((two) => [one, two] as const))) {
    let i = 0;
    while (await withEach(i, fate, nextFate)) {
      i += thin;
    }
  }
}

/** A run dies with a write on its way, which lands in front of operation j of the run that has taken over. */
export async function lateLandings(place: Place, subject: Subject, step: number): Promise<Tally> {
  const thin = thinOf(subject);
  const tally = new Tally(
    `${subject.name}, ${place.name} store, a dead run's write lands in the next${thinned(step * thin ** 2)}`,
  );
  const expected = await undisturbed(place, subject);
  for (let i = 0, isOver = false; !isOver; i += thin) {
    for (let j = step === 1 ? 0 : i % step, landed = true; landed && !isOver; j += step * thin) {
      const disturbance = storeFate(i, "kill-late", j);
      const verdict = await tryRuns(place, subject, expected, [disturbance]);
      tally.note(verdict);
      landed = verdict.met;
      isOver = disturbance.ended();
    }
  }
  tally.end();
  return tally;
}
