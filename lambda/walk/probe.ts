import type { ArchiveSession } from "../archive/session.ts";
import { type Fill, identityOf } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import { holds, isWithin } from "../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import type { Seen } from "./chain-ports.ts";
import { whyNotFiled } from "./problems.ts";
import { MARGIN_MS } from "./window.ts";

const MAX_PAGES = 20;
/** Pages in a row without a new row. After that many the answer may have no end. */
const MAX_UNPRODUCTIVE_PAGES = 20;

/** What single requests need whose rows are not filed: they show what the service's answers mean. */
export type ProbePorts = Pick<RunContext, "reader" | "clock" | "signal"> & { readonly onPage: (rows: number) => void };

/** A row that cannot be filed, and its number on the page, from 1. */
export interface Unfilable {
  readonly row: number;
  readonly reason: string;
  /** `txCreated`; null: not known. */
  readonly at: number | null;
  /** True when its time is further in the future than clocks differ. */
  readonly isAhead: boolean;
  /** The page as it came. */
  readonly body: string;
}

/** What a probe finds on a page. */
interface SeenPage {
  readonly fills: readonly Fill[];
  readonly unfilable: readonly Unfilable[];
}

export const NOTHING_SEEN: SeenPage = { fills: [], unfilable: [] };

/**
 * The first page, asked for without dates, that has a row from before `until` (ms); else the last page. An
 * empty page says nothing, and the first page may have newer rows only.
 */
export async function probeUndated(
  { reader, clock, signal, onPage }: ProbePorts,
  until = Number.POSITIVE_INFINITY,
): Promise<SeenPage> {
  let request: PageRequest = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await reader.completedOrders(request, signal);
    if (answer.kind !== "page") {
      break;
    }
    onPage(answer.rows.length);
    const isTelling = answer.rows.some((row) => !("fill" in row) || row.fill.txCreated < until);
    if (isTelling || answer.last === undefined) {
      return seenOn(answer, clock.now());
    }
    request = { start: answer.last };
  }
  return NOTHING_SEEN;
}

/**
 * One of `fills` that lies in covered time and is not in the archive; null: there is none. A few fills whose
 * dates go by a hidden time, or newer fills that older dates do not reach, leave no other trace.
 */
export async function firstLacking(
  session: Pick<ArchiveSession, "manifest" | "manifestIndex" | "fillsOf">,
  fills: readonly Fill[],
): Promise<Fill | null> {
  const missing = new Map<string, Fill>(
    fills
      .filter(({ txCreated }) => holds(session.manifest.coverage, txCreated))
      .map((fill) => [identityOf(fill), fill]),
  );
  while (true) {
    const [next] = missing.values();
    if (next === undefined) {
      return null;
    }
    const [dataFile] = await session.manifestIndex.dataFiles({ from: next.txCreated, to: next.txCreated + 1 });
    for (const fill of dataFile === undefined ? [] : await session.fillsOf(dataFile)) {
      missing.delete(identityOf(fill));
    }
    if (missing.has(identityOf(next))) {
      return next;
    }
  }
}

/**
 * Counts the fills of `window` that an answer without dates lacked (it had rows from `lowest` to `highest`,
 * and the fills `seen`). Such an answer may be cut to its newest or oldest rows. Even dates that go by
 * another time show that there is something. `mostMs`: no wider range is accepted. Null: the service refuses
 * the dates or its own cursor, so nothing can be said.
 */
export async function countCutOff(
  ports: ProbePorts,
  window: TimeRange,
  { lowest, highest, seen }: { lowest: number | null; highest: number | null; seen: Seen },
  mostMs: number,
): Promise<number | null> {
  const older = { from: window.from, to: Math.min(lowest ?? window.to, window.to) };
  const newer = { from: Math.max(highest === null ? window.to : highest + 1, window.from), to: window.to };
  let widthMs = mostMs;
  const near = {
    down: ({ from, to }: TimeRange) => ({ from: Math.max(from, to - widthMs), to }),
    up: ({ from, to }: TimeRange) => ({ from, to: Math.min(to, from + widthMs) }),
  };
  const below = doubling(older, "down").map((stretch) => () => near.down(stretch));
  const above = doubling(newer, "up").map((stretch) => () => near.up(stretch));
  const isLacking = (fill: Fill) => isWithin(window, fill.txCreated) && !seen.has(fill);
  for (const next of [...below, ...above]) {
    let lacking = await countIn(ports, next(), isLacking);
    for (; lacking === "range-refused" && widthMs > DAY_MS; lacking = await countIn(ports, next(), isLacking)) {
      const { from, to } = next();
      widthMs = Math.max(DAY_MS, Math.floor((to - from) / 2));
    }
    if (lacking !== 0) {
      return typeof lacking === "number" ? lacking : null;
    }
  }
  return 0;
}

/**
 * The number of such fills on the first page that has one, or what was refused. A refused empty cursor is the
 * end.
 */
async function countIn(
  { reader, signal, onPage }: ProbePorts,
  { from, to }: TimeRange,
  isWanted: (fill: Fill) => boolean,
): Promise<number | "range-refused" | "cursor-refused"> {
  const dates = { startDate: from - MARGIN_MS, endDate: to + MARGIN_MS };
  let request: PageRequest = dates;
  const met = new Identities();
  for (let unproductive = 0; unproductive < MAX_UNPRODUCTIVE_PAGES; ) {
    const answer = await reader.completedOrders(request, signal);
    if (answer.kind !== "page") {
      return request.start === "" ? 0 : answer.kind;
    }
    onPage(answer.rows.length);
    const fills = answer.rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
    const wanted = fills.filter(isWanted).length;
    if (wanted > 0 || answer.last === undefined) {
      return wanted;
    }
    unproductive = met.addNew(fills).length > 0 ? 0 : unproductive + 1;
    request = { ...dates, start: answer.last };
  }
  return 0;
}

/**
 * Ranges that double in width, from one end of the range. They are few, and no clamp hides all of a busy
 * account.
 */
function doubling({ from, to }: TimeRange, way: "down" | "up"): TimeRange[] {
  const stretches: TimeRange[] = [];
  let done = 0;
  for (let reach = DAY_MS; done < to - from; reach *= 2) {
    const end = Math.min(to - from, reach);
    stretches.push(way === "down" ? { from: to - end, to: to - done } : { from: from + done, to: from + end });
    done = end;
  }
  return stretches;
}

function seenOn({ rows, body }: Extract<PageAnswer, { kind: "page" }>, now: number): SeenPage {
  const fills: Fill[] = [];
  const unfilable: Unfilable[] = [];
  for (const [index, row] of rows.entries()) {
    const reason = whyNotFiled(row, now);
    const at = "unfilable" in row ? (row.at ?? null) : row.fill.txCreated;
    if (reason !== null) {
      unfilable.push({ row: index + 1, reason, at, isAhead: "fill" in row, body });
    } else if ("fill" in row) {
      fills.push(row.fill);
    }
  }
  return { fills, unfilable };
}
