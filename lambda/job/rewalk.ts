import type { Manifest } from "../archive/manifest.ts";
import { changeOf } from "../archive/merge.ts";
import { openUnit, type Unit, unitsOf } from "../archive/read.ts";
import { type Fill, identityOf } from "../core/fill.ts";
import { intersection, isWithin, overlaps, union } from "../core/ranges.ts";
import { count, counted } from "../core/text.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { readFirst, readUndated } from "../walk/first.ts";
import { believedAt } from "../walk/question.ts";
import { DatesIgnored, type FilingSession, WalkState, WalkStopped } from "../walk/walk-state.ts";
import type { Lacking, RunContext } from "./context.ts";

export interface Rewalk {
  /** Windows that were read again. */
  readonly rewalked: number;
  /** One sentence for each window that differs or could not be read. */
  readonly findings: readonly string[];
  /** Windows with fills that the service returns and the archive lacks or holds with other content. */
  readonly lacking: readonly Lacking[];
}

/** A difference counts only if so many readings show it: one answer may be empty by mistake. */
const READINGS = 3;

/** Reads the covered times once more, by windows and cursors, and compares each window with the archive. */
export async function rewalk(
  job: RunContext,
  manifest: Manifest,
  range: TimeRange | null,
  onRead: (fills: number) => void = () => undefined,
): Promise<Rewalk> {
  const { believedMs } = manifest.known;
  const width = (time: number) => believedAt(time, believedMs, job.clock.now());
  const covered = union(manifest.coverage);
  let asked = (range === null ? covered : intersection(range, covered)).flatMap((one) => piecesOf(one, width));
  let [rewalked, read] = [0, 0];
  let differences: readonly Difference[] = [];
  const problems: string[] = [];
  for (let reading = 1; asked.length > 0 && reading <= READINGS; reading += 1) {
    const comparison = compareWith(job, manifest, asked);
    const state = new WalkState({ ...job, report: () => undefined }, comparison.session);
    const before = read;
    state.onReport = () => {
      read = before + state.fillsSeen;
      onRead(read);
    };
    await readAgain(state, asked);
    await comparison.session.room();
    rewalked += reading === 1 ? comparison.windows() : 0;
    problems.push(...state.problems.map(({ message }) => message));
    differences = comparison.differences().sort((a, b) => a.from - b.from);
    asked = differences.map(({ from, to }) => ({ from, to }));
  }
  return {
    rewalked,
    findings: [...differences.map(({ finding }) => finding), ...new Set(problems)],
    lacking: differences.flatMap(({ finding: _, ...one }) => (one.missing + one.changed === 0 ? [] : [one])),
  };
}

/** No wider than the service was seen to answer whole. */
function piecesOf({ from, to }: TimeRange, width: (time: number) => number): TimeRange[] {
  const pieces: TimeRange[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + width(start));
    pieces.push({ from: start, to: end });
    start = end;
  }
  return pieces;
}

async function readAgain(state: WalkState<FilingSession>, ranges: readonly TimeRange[]): Promise<void> {
  const whole = { from: ranges[0]?.from ?? 0, to: ranges.at(-1)?.to ?? 0 };
  try {
    await readFirst(state, ranges).catch(async (error: unknown) => {
      if (!(error instanceof DatesIgnored)) {
        throw error;
      }
      await readUndated(state, whole);
      state.session.file({ fills: [], covers: { ...whole, readings: 1, silentIn: null } });
    });
  } catch (error) {
    if (!(error instanceof WalkStopped)) {
      throw error;
    }
    state.problems.push(error);
  }
}

interface Difference extends Lacking {
  readonly finding: string;
}

/** A session that compares what a reading brings with what is held. Nothing is written. */
function compareWith({ store }: RunContext, manifest: Manifest, ranges: readonly TimeRange[]) {
  const unequal: Window[] = [];
  const vanished = new Set(manifest.known.vanished);
  const units = unitsOf(manifest);
  /** Rows that came with other windows than their own, or with one that is read once more, in parts. */
  const strays = new Map<string, Fill>();
  const waiting: (() => Promise<void>)[] = [];
  let windows = 0;
  let last: { readonly unit: Unit; readonly fills: readonly Fill[] } | null = null;

  const compare = async (part: TimeRange, shown: readonly Fill[]) => {
    const isOwn = ({ txCreated }: Fill) => isWithin(part, txCreated);
    const own = [...strays.values(), ...shown].filter(isOwn);
    const served = new Map(own.map((fill) => [identityOf(fill), fill.row]));
    const held = new Map<string, string>();
    for (const unit of units.filter((one) => overlaps(one, part))) {
      last = last?.unit === unit ? last : { unit, fills: [...(await openUnit(store, manifest, unit))] };
      for (const fill of last.fills.filter(isOwn)) {
        held.set(identityOf(fill), fill.row);
      }
    }
    const window = { ...part, served, held };
    unequal.push(...(differenceOf(window, vanished) === null ? [] : [window]));
  };

  const session: FilingSession = {
    known: manifest.known,
    fills: manifest.fills,
    learn: () => undefined,
    file({ fills, covers }) {
      for (const fill of fills.filter(({ txCreated }) => covers === null || !isWithin(covers, txCreated))) {
        strays.set(identityOf(fill), fill);
      }
      windows += covers === null ? 0 : 1;
      const parts = covers === null ? [] : intersection(covers, ranges);
      waiting.push(...parts.map((part) => () => compare(part, fills)));
    },
    async room() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await next();
      }
    },
    setAside: () => Promise.resolve(), // the finding says which row cannot be filed
  };
  const differences = () =>
    unequal.flatMap((window) => {
      const lacking = [...window.held.keys()].filter((identity) => !window.served.has(identity));
      const came = lacking.flatMap((identity) => strays.get(identity) ?? []);
      const served = new Map([...window.served, ...came.map((fill) => [identityOf(fill), fill.row] as const)]);
      return differenceOf({ ...window, served }, vanished) ?? [];
    });
  return { session, differences, windows: () => windows };
}

/** The rows of a window, by identity. */
interface Window extends TimeRange {
  readonly served: ReadonlyMap<string, string>;
  readonly held: ReadonlyMap<string, string>;
}

function differenceOf({ from, to, served, held }: Window, vanished: ReadonlySet<string>): Difference | null {
  const missing = [...served.keys()].filter((identity) => !held.has(identity)).length;
  const changed = [...served].filter(([identity, row]) => changeOf(held.get(identity) ?? row, row) !== null).length;
  const gone = [...held.keys()].filter((identity) => !(served.has(identity) || vanished.has(identity))).length;
  const says = [
    ...(missing === 0 ? [] : [`${missing} not in the archive`]),
    ...(changed === 0 ? [] : [`${changed} with other content`]),
    ...(gone === 0 ? [] : [`${gone} no longer at the service`]),
  ];
  const counts = `the service returns ${counted(served.size, "fill")}, the archive holds ${count(held.size)}`;
  const finding = `window [${isoTime(from)}, ${isoTime(to)}) differs: ${counts} (${says.join(", ")})`;
  return says.length === 0 ? null : { from, to, missing, changed, finding };
}
