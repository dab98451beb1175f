import { DAY_MS, MINUTE_MS } from "../../../lambda/core/time.ts";
import { planHistory } from "../../emulator/history-plan.ts";
import type { Switches } from "../../emulator/switches.ts";
import { UNFILABLE_KINDS } from "../../emulator/switches.ts";
import { mostWithin } from "../../support/known-limits.ts";
import { NOW, type RunPlan, type Scenario } from "./scenario.ts";

/** Whether all rows can be read under these switches. If so, an undisturbed run must be complete. */
export function mustComplete({ account, isLive, switches }: Scenario): boolean {
  // A last page that is full of one millisecond is refused. Dates by filledAt are asked with a wide margin.
  const withinMs = switches.filterBy === "filledAt" ? 2 * MINUTE_MS : 9;
  const page = switches.pageLimit ?? 100;
  // As long as no page was followed, one of ten rows may be full.
  const isFollowed = account.fills > page && !switches.clamp;
  const room = isFollowed ? page / (switches.shortPages ? 4 : 1) : Math.min(10, page);
  const showsTies = mostWithin(withinMs, planHistory(account)) < room;
  // Cursors that forget their window end with the account's last page, which may be full.
  const hasOrder = (switches.order ?? "descending").endsWith("scending") && switches.filterBy !== "filledAt";
  const isMultiple = account.fills % page === 0;
  const endsFull = switches.cursorDates === "forgotten" && (isMultiple || !hasOrder || isLive);
  return (
    showsTies && !endsFull && MAY_END.every((name) => !switches[name]) && rowsSuffice(switches) && faultsPass(switches)
  );
}

/** Under any of these a run may be unable to read all, or be told two things. */
const MAY_END = [
  ...["cursorLoop", "cursorRefused", "cursorLifetimePages", "cursorLifetimeMs", "timeCursors"],
  ...["falseEmpty", "lostLast", "seconds"],
] as readonly (keyof Switches)[];

/** Wide margins bring more rows than a cap may show. */
function rowsSuffice({ filterBy, rowCap, rangeLimits, lastOnFinal, replicas }: Partial<Switches>): boolean {
  const isWide = filterBy === "filledAt" && rowCap !== undefined && rowCap !== null;
  const isWhole = replicas?.lacks === undefined && rangeLimits?.oldestAgeMs === undefined;
  return !isWide && isWhole && lastOnFinal !== "empty-string-restarts";
}

function faultsPass({ badRows, limits }: Partial<Switches>): boolean {
  const isFiled = !(badRows?.kinds ?? []).some((kind) => UNFILABLE_KINDS.includes(kind));
  return isFiled && (limits ?? []).every(({ kind }) => kind !== "ban");
}

/** Whether two answers may be wrong in the same way: then no reading can tell. */
export function mayFool({ falseEmpty, lostLast, replicas }: Partial<Switches>): boolean {
  return Boolean(falseEmpty || lostLast || replicas?.lacks);
}

/**
 * Whether a planned run must be complete too. It must run alone; it may be disturbed only in writes whose
 * outcome can be read back; and the service must always give the same answers.
 */
export function mustCompleteAtOnce(scenario: Scenario, plan: RunPlan, hardFaults: number): boolean {
  const isLeftAlone = plan.kill === null && plan.suspend === null && plan.stop === null && hardFaults === 0;
  const isPossible = plan.store.rate <= 0.05 && !(scenario.isLive && plan.range !== null);
  // A first page that is full of one millisecond may be a cut one, as long as no page was followed.
  const answersAlike = !scenario.switches.faults && mostWithin(3, planHistory(scenario.account)) < 10;
  return mustComplete(scenario) && !scenario.isRaced && answersAlike && isLeftAlone && isPossible;
}

/**
 * The most requests that a run may send, however it ends, to a service that answers as plainly as the
 * interface says. Null if the number of fills does not limit this service's pages or windows.
 */
export function mostRequests({ account, switches, range, tokenEndsMs, lookBackMs }: Scenario): number | null {
  const isPlain = UNBOUNDED.every((name) => switches[name] === undefined || switches[name] === null);
  // A first page that is full of one millisecond may be a cut one, as long as no page was followed.
  const isTied = mostWithin(9, planHistory(account)) >= Math.min(10, switches.pageLimit ?? 100);
  if (!isPlain || isTied || tokenEndsMs !== null) {
    return null;
  }
  const pages = Math.ceil(account.fills / (switches.pageLimit ?? 100));
  const silent = ((range.to ?? NOW) - range.from) / (SILENT_DAYS * DAY_MS);
  return REQUESTS_PER_PAGE * pages * (lookBackMs > 0 ? 2 : 1) + silent + REQUESTS_BESIDES;
}

const UNBOUNDED = [
  ...["clamp", "shortPages", "emptyPages", "repeatRows", "cursorDates", "cursorLifetimePages", "cursorLifetimeMs"],
  ...["cursorRefused", "cursorLoop", "lastOnFinal", "filterBy", "faults", "limits", "rowCap", "seconds", "replicas"],
  ...["rangeLimits", "falseEmpty", "lostLast", "offsetCursors", "timeCursors", "changingRows", "badRows"],
] as readonly (keyof Switches)[];
/** Both readings, where ties fill pages and fills have no order. */
const REQUESTS_PER_PAGE = 6;
const SILENT_DAYS = 6.5;
const REQUESTS_BESIDES = 60;
