import { DAY_MS } from "../../../lambda/core/time.ts";
import type { Switches } from "../../emulator/switches.ts";
import { UNFILABLE_KINDS } from "../../emulator/switches.ts";
import { NOW, type RunPlan, type Scenario } from "./scenario.ts";

/**
 * Whether the service can be read to its end under these switches, so that a run which nothing disturbs has
 * no excuse.
 */
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
 * Without dates that go by `txCreated`, the whole has to come without any: nothing may cut that answer, not
 * even now and then.
 */
function datesSuffice({ filterBy, cursorDates, clamp, falseEmpty, lostLast }: Partial<Switches>): boolean {
  const isWhole = clamp?.noDatesMs === undefined && !falseEmpty && !lostLast;
  return (filterBy === undefined && cursorDates !== "forgotten") || isWhole;
}

/**
 * Under a row cap, only windows can be whole: dates have to go by `txCreated`, with each page. And every time
 * that is asked for may be.
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
 * Whether a run has no excuse either: alone, undisturbed but for writes whose outcome is found out by
 * reading, and a service that answers, the same each time.
 */
export function mustCompleteAtOnce(scenario: Scenario, plan: RunPlan, hardFaults: number): boolean {
  const isLeftAlone = plan.kill === null && plan.suspend === null && plan.stop === null && hardFaults === 0;
  const isPossible = plan.store.rate <= 0.05 && !(scenario.isLive && plan.range !== null);
  const { faults, falseEmpty, lostLast } = scenario.switches;
  const answersAlike = !(faults || falseEmpty || lostLast);
  return mustComplete(scenario) && !scenario.isRaced && answersAlike && isLeftAlone && isPossible;
}

/**
 * The most requests that a run may send, whatever its end: a service that answers as plainly as the interface
 * says has no excuse for more. Null: this service makes pages or windows that the number of fills does not
 * bound.
 */
export function mostRequests({ account, switches, range, tokenEndsMs, lookBackMs }: Scenario): number | null {
  const isPlain = UNBOUNDED.every((name) => switches[name] === undefined || switches[name] === null);
  if (!isPlain || tokenEndsMs !== null) {
    return null;
  }
  const pages = Math.ceil(account.fills / (switches.pageLimit ?? 100));
  const walked = lookBackMs > 0 ? 2 * pages : pages;
  // A page of fills may show nothing of how wide a range is answered whole: then each day of it is asked for.
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
 * Fills of one ms are asked for again with each step by which a window below them grows, and in halves until
 * the order is proven.
 */
const REQUESTS_PER_PAGE = 5;
/**
 * In no order nothing is known to be before a page: the fullest window is asked for in halves once more, and
 * a dense millisecond with both of its neighbours.
 */
const REQUESTS_PER_UNORDERED_PAGE = 8;
const REQUESTS_PER_DAY = 3;
/**
 * Where a killed run has left little behind, days are asked for one by one up to the next known fill; before
 * that, the newest fills by their own times; and up to 42 weeks of silence once more.
 */
const REQUESTS_BESIDES = 126;
