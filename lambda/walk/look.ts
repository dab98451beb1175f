import type { Proven } from "../archive/manifest.ts";
import { readPart } from "../archive/parts.ts";
import type { ArchiveSession } from "../archive/session.ts";
import type { Job } from "../job.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { holds, isWithin } from "../model/ranges.ts";
import { DAY_MS, type TimeRange } from "../model/time.ts";
import type { PageRequest } from "../service/service.ts";
import type { Seen } from "./chain.ts";
import { NOTHING_PROVEN, provenBy } from "./cover.ts";
import { MARGIN_MS } from "./plan.ts";

const MAX_EMPTY_PAGES = 20;

/** Single requests whose rows are not filed: they show what the service's answers mean. */
type LookPorts = Pick<Job, "reader" | "signal"> & { readonly onPage: (rows: number) => void };

export interface Look {
  readonly proven: Proven;
  /** A row lies outside what was asked. */
  readonly strays: boolean;
}

/** The first page of a whole range: how wide a range does the service answer? Rows of an unfinished chain tell as well as those of a whole one. */
export async function lookAt(ports: LookPorts, range: TimeRange): Promise<Look> {
  const askFrom = range.from - MARGIN_MS;
  const askTo = range.to + MARGIN_MS;
  const times = (await firstPage(ports, { startDate: askFrom, endDate: askTo })).map(({ txCreated }) => txCreated);
  if (times.length === 0) {
    return { proven: NOTHING_PROVEN, strays: false };
  }
  const lowest = Math.min(...times);
  const highest = Math.max(...times);
  const strays = lowest < askFrom || highest > askTo;
  return { proven: strays ? NOTHING_PROVEN : provenBy({ askFrom, askTo, lowest, highest }), strays };
}

/** The first page without dates, whatever they mean. */
export async function lookUndated(ports: LookPorts): Promise<Fill[]> {
  return await firstPage(ports, {});
}

/**
 * Whether `fills` hold one of the covered times that the archive lacks. Asked while no fill has proven what the dates filter by: a few fills,
 * each filtered into another window by a time that is not shown, would leave no other trace.
 */
export async function lacksAny(
  { store }: Pick<Job, "store">,
  { manifest, calendar }: Pick<ArchiveSession, "manifest" | "calendar">,
  fills: readonly Fill[],
): Promise<boolean> {
  const missing = new Map<string, Fill>(
    fills.filter(({ txCreated }) => holds(manifest.coverage, txCreated)).map((fill) => [identityOf(fill), fill]),
  );
  while (true) {
    const [next] = missing.values();
    if (next === undefined) {
      return false;
    }
    const [part] = await calendar.parts({ from: next.txCreated, to: next.txCreated + 1 });
    for (const fill of part === undefined ? [] : await readPart(store, part)) {
      missing.delete(identityOf(fill));
    }
    if (missing.has(identityOf(next))) {
      return true;
    }
  }
}

/**
 * How many fills of `window`, older than the oldest of an answer without dates (`lowest`), pages by dates show that the answer lacked (`seen`): it
 * may have been cut to the newest stretch. Dates that go by another time still show that there is something. The stretches asked double in width
 * going back, so that they are few, and so that no clamp hides all of a busy account.
 */
export async function countCutOff(
  ports: LookPorts,
  window: TimeRange,
  { lowest, seen }: { lowest: number | null; seen: Seen },
): Promise<number> {
  const top = Math.min(lowest ?? window.to, window.to);
  let to = top;
  for (let reach = DAY_MS; to > window.from; reach *= 2) {
    const from = Math.max(window.from, top - reach);
    const fills = await firstPage(ports, { startDate: from - MARGIN_MS, endDate: to + MARGIN_MS });
    const lacking = fills.filter((fill) => isWithin(window, fill.txCreated) && !seen.has(fill)).length;
    if (lacking > 0) {
      return lacking;
    }
    to = from;
  }
  return 0;
}

/** The rows of the first page that has any: an empty one with `last` says nothing. */
async function firstPage({ reader, signal, onPage }: LookPorts, request: PageRequest): Promise<Fill[]> {
  let next: PageRequest = request;
  for (let page = 0; page < MAX_EMPTY_PAGES; page += 1) {
    const answer = await reader.completedOrders(next, signal);
    if (answer.kind !== "page") {
      return [];
    }
    onPage(answer.rows.length);
    if (answer.rows.length > 0 || answer.last === undefined) {
      return answer.rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
    }
    next = { ...request, start: answer.last };
  }
  return [];
}
