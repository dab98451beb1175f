import { FillbookError } from "../errors.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { intersection, isWithin, union, width } from "../model/ranges.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import type { Calendar } from "./calendar/calendar.ts";
import { type PartPorts, partFills } from "./parts.ts";
import { summariseBySums } from "./summary.ts";

/** So many fills are enough to tell by, though the window that they came with is not whole yet. */
const TELLING = 1000;

export interface LookedBack {
  readonly coverage: readonly TimeRange[];
  /** Covered times that were walked again and shown whole by `sightings`. */
  readonly again: readonly TimeRange[];
  readonly sightings: readonly Fill[];
  readonly lookBackMs: number;
}

/**
 * Throws `untrusted` where a look-back brought none of the fills that are held in its days: they are another trader's then, or the service has lost them. Older
 * times are left out: a service may drop what is old.
 */
export async function expectKnown(
  ports: PartPorts,
  calendar: Calendar,
  { coverage, again, sightings, lookBackMs }: LookedBack,
): Promise<void> {
  const newest = coverage.at(-1)?.to ?? 0;
  const recent = intersection({ from: newest - lookBackMs, to: newest }, coverage);
  const days = union([...recent.flatMap((one) => [...intersection(one, again), ...spanOf(one, sightings)])]);
  let held = 0;
  for (const range of days) {
    held += (await summariseBySums(ports, calendar, range)).rows;
  }
  if (held === 0 || (await isAnyKnown(ports, calendar, days, sightings))) {
    return;
  }
  const [first, last] = [days[0]?.from ?? 0, days.at(-1)?.to ?? 0];
  const brought = sightings.filter(({ txCreated }) => days.some((one) => isWithin(one, txCreated))).length;
  throw new FillbookError(
    "untrusted",
    `of the ${held} fills that the archive holds between ${isoTime(first)} and ${isoTime(last)} the service brings none, and ${brought} others: nothing was filed`,
    {
      hint: "check whose token this is: another trader's fills need another --account or --store; if the service has truly replaced them: fillbook sync --rebind",
    },
  );
}

/** The times of the sightings in the range, where they are many. */
function spanOf(range: TimeRange, sightings: readonly Fill[]): readonly TimeRange[] {
  const times = sightings.map(({ txCreated }) => txCreated).filter((time) => isWithin(range, time));
  const from = times.reduce((least, time) => Math.min(least, time), range.to);
  const to = times.reduce((most, time) => Math.max(most, time + 1), range.from);
  return times.length < TELLING ? [] : [{ from, to }];
}

async function isAnyKnown(
  ports: PartPorts,
  calendar: Calendar,
  days: readonly TimeRange[],
  sightings: readonly Fill[],
): Promise<boolean> {
  const shown = new Set(sightings.map(identityOf));
  for (const range of days.toSorted((a, b) => width([a]) - width([b]))) {
    for (const part of await calendar.parts(range)) {
      const fills = await partFills(ports, part);
      if (fills.some((fill) => isWithin(range, fill.txCreated) && shown.has(identityOf(fill)))) {
        return true;
      }
    }
  }
  return false;
}
