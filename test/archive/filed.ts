import type { Coverage } from "../../lambda/archive/manifest.ts";
import { openUnit, readArchive, unitsOf } from "../../lambda/archive/read.ts";
import { readRestatements } from "../../lambda/archive/restatements.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { makeBench, NOW } from "../support/job.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";

// Runs of an archive without a service: a test chooses what they file.

/** A month, read from its first day to its last. */
export const MARCH = { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };
export const DONE = { endedAt: NOW, complete: true, problem: null };

/** On a day of March. */
export function fillOn(day: number, fields: Partial<FillFields> = {}): Fill {
  const txCreated = MARCH.from + (day - 1) * DAY_MS;
  return makeFill({ matchId: `m-${day}`, txCreated, filledAt: txCreated + 5, ...fields });
}

export function read({ from, to }: TimeRange, readings: 1 | 2 = 1): Coverage {
  return { from, to, readings, silentIn: null };
}

let runs = 0;

/** The context of a new run. */
export function jobOf(store: Store = memoryStore(), more: Partial<RunContext> = {}): RunContext {
  runs += 1;
  return makeBench({ history: [], job: { store, random: namedRandom(`run-${runs}`), ...more } }).job;
}

export async function opened(store: Store = memoryStore(), more: Partial<RunContext> = {}) {
  const job = jobOf(store, more);
  return { store, job, session: await ArchiveSession.open(job) };
}

/** A run that reads a range `readings` times, and finds these fills. */
export async function fileOnce(store: Store, fills: readonly Fill[], range: TimeRange = MARCH, readings: 1 | 2 = 2) {
  const { session } = await opened(store);
  session.file({ fills, covers: read(range), requests: 1 });
  if (readings === 2) {
    session.file({ fills: [], covers: read(range, 2), requests: 1 });
  }
  await session.end(DONE);
  return session;
}

/** What an archive holds and says, and what `verify` finds. */
export async function contentsOf(store: Store) {
  const archive = await readArchive(store, "main");
  const { manifest } = archive;
  const held = (await Promise.all(unitsOf(manifest).map((unit) => openUnit(store, manifest, unit)))).flatMap(
    (fills) => [...fills],
  );
  const restated = await Promise.all(manifest.restatements.map((file) => readRestatements(store, "main", file)));
  const { findings } = await verifyArchiveObjects(store, archive, null);
  return { manifest, held, restated: restated.flat(), vanished: manifest.known.vanished, findings };
}
