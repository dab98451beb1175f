import type { Manifest } from "../archive/manifest.ts";
import { readPart } from "../archive/parts.ts";
import type { Job } from "../job.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { holds } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import type { PageRequest } from "../service/service.ts";
import { provenWidth } from "./cover.ts";
import { MARGIN_MS } from "./plan.ts";

const MAX_EMPTY_PAGES = 20;

/** Single requests whose rows are not filed: they show what the service's answers mean. */
type LookPorts = Pick<Job, "reader" | "signal"> & { readonly onPage: (rows: number) => void };

export interface Look {
  /** Width, ms, that the answer shows is never clamped; 0 when it shows nothing. */
  readonly provenMs: number;
  /** A row lies outside what was asked. */
  readonly strays: boolean;
}

/** The first page of a whole range: how wide a range does the service answer? Rows of an unfinished chain tell as well as those of a whole one. */
export async function lookAt(ports: LookPorts, range: TimeRange): Promise<Look> {
  const askFrom = range.from - MARGIN_MS;
  const askTo = range.to + MARGIN_MS;
  const times = (await firstPage(ports, { startDate: askFrom, endDate: askTo })).map(({ txCreated }) => txCreated);
  if (times.length === 0) {
    return { provenMs: 0, strays: false };
  }
  const lowest = Math.min(...times);
  const highest = Math.max(...times);
  const strays = lowest < askFrom || highest > askTo;
  return { provenMs: strays ? 0 : provenWidth({ askFrom, askTo, lowest, highest }), strays };
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
  { coverage, parts }: Manifest,
  fills: readonly Fill[],
): Promise<boolean> {
  for (const fill of fills.filter(({ txCreated }) => holds(coverage, txCreated))) {
    const part = parts.find(({ from, to }) => from <= fill.txCreated && fill.txCreated < to);
    const held = part === undefined ? [] : await readPart(store, part);
    if (!held.some((one) => identityOf(one) === identityOf(fill))) {
      return true;
    }
  }
  return false;
}

/**
 * How many fills of `window`, older than the oldest of an answer without dates (`lowest`), a page by dates shows that the answer lacked
 * (`seen`): it may have been cut to the newest stretch. Dates that go by another time still show that there is something.
 */
export async function countCutOff(
  ports: LookPorts,
  window: TimeRange,
  { lowest, seen }: { lowest: number | null; seen: ReadonlySet<string> },
): Promise<number> {
  if (lowest !== null && lowest < window.from) {
    return 0;
  }
  const endDate = (lowest ?? window.to) + MARGIN_MS;
  const fills = await firstPage(ports, { startDate: window.from - MARGIN_MS, endDate });
  return fills.filter((fill) => holds([window], fill.txCreated) && !seen.has(identityOf(fill))).length;
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
