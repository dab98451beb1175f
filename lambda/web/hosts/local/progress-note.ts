import { count, counted, rateText } from "../../../core/text.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/time.ts";
import type { CheckProgress, Progress } from "../../../job/context.ts";
import type { JobState } from "../../ports.ts";
import { dayText, sizeText } from "../../views/format.ts";

export type Told = Required<Pick<JobState, "covered" | "phase" | "note">>;

/** Rates are those of this time. */
const RATE_MS = MINUTE_MS;
/** A rate of a shorter time says nothing. */
const SHORTEST_MS = 2 * SECOND_MS;
/** All files are made only when the job is over. */
const MOST = 0.99;

/**
 * Says what a job does now, in the order in which its run reports it. The share of a phase never falls,
 * whatever a walk takes back. `now`: ms.
 */
export function createTeller(now: () => number): (progress: Progress) => Told {
  let last: Pick<Told, "covered" | "phase"> = { covered: null, phase: "reading" };
  const rates = createRates(now);
  return (progress) => {
    const phase = phaseOf(progress, last.phase);
    const share = phase === "packing" ? packedShare(progress) : progress.covered;
    const before = phase === last.phase ? last.covered : null;
    last = { phase, covered: share === null ? before : Math.max(before ?? 0, share) };
    return { ...last, note: noteOf(progress, rates(progress)) };
  };
}

/** A run that waits is where it was. */
function phaseOf({ stage }: Progress, before: Told["phase"]): Told["phase"] {
  return stage === "waiting" ? before : PHASES[stage];
}

const PHASES = { walking: "reading", packing: "packing", verifying: "checking" } as const;

function packedShare({ packed }: Progress): number | null {
  return packed === undefined || packed.of === 0 ? null : Math.min(MOST, packed.fills / packed.of);
}

function noteOf(progress: Progress, rates: string): string {
  const { stage, note, pages, fillsSeen, reached, packed, checked } = progress;
  if (stage === "waiting") {
    return note === undefined ? "Waiting." : `Waiting: ${note}.`;
  }
  if (stage === "packing") {
    const made = packed === undefined ? "" : `: ${count(packed.fills)} of ${counted(packed.of, "fill")}`;
    return `All fills were read. ${note === undefined ? "The files are" : `${note} is`} being made${made}.`;
  }
  if (checked !== undefined) {
    return checkNote(checked);
  }
  const what = note === undefined ? "" : ` of ${note}`;
  const to = reached === undefined ? "" : `, as far as ${dayText(reached)}`;
  return `${counted(fillsSeen, "fill")}${what} read so far, in ${counted(pages, "page")} of the venue's answers${to}.${rates}`;
}

function checkNote({ step, objects, done, of }: CheckProgress): string {
  const hashed = `${counted(objects, "object")} checked so far`;
  switch (step) {
    case "archive":
      return `${hashed}: ${count(done)} of ${counted(of, "fill")} of the archive.`;
    case "packs":
      return `${hashed}. Packs: ${sizeText(done)} of ${sizeText(of)}.`;
    case "rewalk":
      return `${hashed}. Asked again: ${count(done)} of ${counted(of, "fill")}.`;
  }
}

interface Sample {
  readonly at: number;
  readonly fills: number;
  readonly requests: number;
}

/** ` Now 810 fills and 8.1 requests a second.`; empty while too little was read to say it. */
function createRates(now: () => number): (progress: Progress) => string {
  let samples: readonly Sample[] = [];
  return ({ stage, fillsSeen, requests }) => {
    if (stage !== "walking") {
      samples = [];
      return "";
    }
    const current = { at: now(), fills: fillsSeen, requests };
    const kept = samples.filter(({ at }) => current.at - at <= RATE_MS);
    const [first = current, last = null] = [kept.at(0), kept.at(-1)];
    samples = last === null || current.at - last.at >= SECOND_MS ? [...kept, current] : kept;
    const ms = current.at - first.at;
    const rate = (many: number) => rateText((many * SECOND_MS) / ms);
    return ms < SHORTEST_MS
      ? ""
      : ` Now ${rate(current.fills - first.fills)} fills and ${rate(current.requests - first.requests)} requests a second.`;
  };
}
