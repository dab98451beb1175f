import type { TimeRange } from "../core/time.ts";
import { type PartPorts, partSums } from "./data-files.ts";
import type { Calendar } from "./index/manifest-index.ts";
import type { Part, Stretch, WindowRecord } from "./manifest.ts";
import { EMPTY_SET, formatSetHash, parseSetHash } from "./set-hash.ts";

export type Summary = Pick<WindowRecord, "rows" | "first" | "last" | "setHash">;

type Ports = Pick<PartPorts, "store" | "recent">;

/** Count, ends and hash of the fills that the archive holds in `range`, every part of it read. */
export async function summarise(ports: Ports, calendar: Calendar, range: TimeRange): Promise<Summary> {
  return await summariseParts(ports, await partsWithRows(calendar, range), range, () => false);
}

/** The same by what the calendar says of the parts that lie inside: only those are read that reach over the ends of `range`, or do not say when their fills were. */
export async function summariseBySums(ports: Ports, calendar: Calendar, range: TimeRange): Promise<Summary> {
  const isInside = ({ first, last }: Part) => range.from <= first && last < range.to;
  const isKnown = (part: Part) => isInside(part) && saysItsTimes(part);
  return await summariseParts(ports, await partsWithRows(calendar, range), range, isKnown);
}

/** One of an older format gives the ends of its cell for those of its fills. */
function saysItsTimes({ from, to, first, last }: Part): boolean {
  return first !== from || last !== to - 1;
}

async function partsWithRows(calendar: Calendar, range: TimeRange): Promise<readonly Part[]> {
  return (await calendar.parts(range)).filter(({ first, last }) => first < range.to && last >= range.from);
}

async function summariseParts(
  ports: Ports,
  parts: readonly Part[],
  range: TimeRange,
  isKnown: (part: Part) => boolean,
): Promise<Summary> {
  let rows = 0;
  let first: number | null = null;
  let last: number | null = null;
  let set = EMPTY_SET;
  for (const part of parts) {
    const held = isKnown(part)
      ? { ...part, set: parseSetHash(part.setHash) }
      : (await partSums(ports, part)).within(range);
    if (held.rows > 0) {
      rows += held.rows;
      first ??= held.first;
      last = held.last;
      set += held.set;
    }
  }
  return { rows, first, last, setHash: formatSetHash(BigInt.asUintN(256, set)) };
}

/** The same without its ends. */
export function stretchOf({ from, to }: TimeRange, { rows, setHash }: Summary): Stretch {
  return { from, to, rows, setHash };
}
