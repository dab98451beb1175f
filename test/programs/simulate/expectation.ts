import { DAY_MS } from "../../../lambda/core/time.ts";
import type { Switches } from "../../emulator/switches.ts";
import { UNFILABLE_KINDS } from "../../emulator/switches.ts";
import { NOW, type RunPlan, type Scenario } from "./scenario.ts";

/** Whether all rows can be read under these switches. If so, an undisturbed run must be complete. */
export function mustComplete({ switches }: Scenario): boolean {
  return chainsEnd(switches) && datesSuffice(switches) && rangesSuffice(switches) && faultsPass(switches);
}

function chainsEnd(switches: Partial<Switches>): boolean {
  const { cursorLoop, cursorRefused, cursorLifetimePages, cursorLifetimeMs, lastOnFinal } = switches;
  return (
    !(cursorLoop || cursorRefused || cursorLifetimePages || cursorLifetimeMs) && lastOnFinal !== "empty-string-restarts"
  );
}

/**
 * If dates do not filter by `txCreated`, all rows must come without dates. Then nothing may cut that answer,
 * not even occasionally.
 */
function datesSuffice({ filterBy, cursorDates, clamp, falseEmpty, lostLast }: Partial<Switches>): boolean {
  const isWhole = clamp?.noDatesMs === undefined && !falseEmpty && !lostLast;
  return (filterBy === undefined && cursorDates !== "forgotten") || isWhole;
}

/**
 * Under a row cap, only windows can be complete. So dates must filter by `txCreated` on each page, and dates
 * of any age must be allowed.
 */
function rangesSuffice({ filterBy, cursorDates, rowCap, rangeLimits }: Partial<Switches>): boolean {
  const hasWindows = filterBy === undefined && cursorDates !== "forgotten";
  const isUncapped = rowCap === undefined || rowCap === null;
  return (hasWindows || isUncapped) && rangeLimits?.oldestAgeMs === undefined;
}

function faultsPass({ badRows, limits, seconds }: Partial<Switches>): boolean {
  const isFiled = !(badRows?.kinds ?? []).some((kind) => UNFILABLE_KINDS.includes(kind));
  const isInMs = seconds === undefined || seconds === null;
  return isFiled && isInMs && (limits ?? []).every(({ kind }) => kind !== "ban");
}

/**
 * Whether a planned run must be complete too. It must run alone; it may be disturbed only in writes whose
 * outcome can be read back; and the service must always give the same answers.
 */
export function mustCompleteAtOnce(scenario: Scenario, plan: RunPlan, hardFaults: number): boolean {
  const isLeftAlone = plan.kill === null && plan.suspend === null && plan.stop === null && hardFaults === 0;
  const isPossible = plan.store.rate <= 0.05 && !(scenario.isLive && plan.range !== null);
  const { faults, falseEmpty, lostLast } = scenario.switches;
  const answersAlike = !(faults || falseEmpty || lostLast);
  return mustComplete(scenario) && !scenario.isRaced && answersAlike && isLeftAlone && isPossible;
}

/**
 * The most requests that a run may send, however it ends, to a service that answers as plainly as the
 * interface says. Null if the number of fills does not limit this service's pages or windows.
 */
export function mostRequests({ account, switches, range, tokenEndsMs, lookBackMs }: Scenario): number | null {
  const isPlain = UNBOUNDED.every((name) => switches[name] === undefined || switches[name] === null);
  if (!isPlain || tokenEndsMs !== null) {
    return null;
  }
  const pages = Math.ceil(account.fills / (switches.pageLimit ?? 100));
  const walked = lookBackMs > 0 ? 2 * pages : pages;
  // A single page of fills may not prove how wide a range is answered completely. Then each day of it is
  // requested.
  const days = pages <= 1 ? ((range.to ?? NOW) - range.from) / DAY_MS : 0;
  const isInOrder = [undefined, "ascending", "descending"].includes(switches.order);
  return (
    (isInOrder ? REQUESTS_PER_PAGE : REQUESTS_PER_UNORDERED_PAGE) * walked + REQUESTS_PER_DAY * days + REQUESTS_BESIDES
  );
}

const UNBOUNDED = [
  "clamp",
  "shortPages",
  "emptyPages",
  "repeatRows",
  "cursorDates",
  "cursorLifetimePages",
  "cursorLifetimeMs",
  "cursorRefused",
  "cursorLoop",
  "lastOnFinal",
  "filterBy",
  "faults",
  "limits",
  "rowCap",
  "seconds",
  "replicas",
  "rangeLimits",
  "falseEmpty",
  "lostLast",
  "offsetCursors",
  "timeCursors",
] as const;
/**
 * Fills of one ms are requested again whenever a window below them grows, and in halves until the order is
 * proven.
 */
const REQUESTS_PER_PAGE = 5;
/**
 * Without an order, nothing is known about the rows before a page. The fullest window is then requested in
 * halves once more, and a dense millisecond together with both of its neighbours.
 */
const REQUESTS_PER_UNORDERED_PAGE = 8;
const REQUESTS_PER_DAY = 3;
/**
 * If a killed run has left little, days are requested one by one up to the next known fill. Before that, the
 * newest fills are requested by their own times. In addition, up to 42 weeks of silence are requested again.
 */
const REQUESTS_BESIDES = 126;
