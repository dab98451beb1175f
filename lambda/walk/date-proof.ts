import { type Fill, identityOf } from "../core/fill.ts";
import type { PageRequest } from "../service/service.ts";
import type { Finding } from "./knowledge.ts";
import type { ProbePorts } from "./probe.ts";
import { MARGIN_MS } from "./window.ts";

/** Times of a fill that are closer than this cannot be told apart by a window with its margins. ms */
const TELLING_SKEW_MS = 4;
const MAX_PROBES = 3;
/** Of a fill that does not come, as often as of any answer that may be empty by mistake. */
const MAX_ASKINGS = 8;
/** Of one answer: more fills than one millisecond has. */
const MAX_PAGES = 100;

/**
 * The interface does not say which time its dates filter by. A fill whose two times differ tells: asked for the millisecond of its `txCreated`
 * alone, it comes if the filter goes by that time. Where no fill tells, three in all are asked all the same: another, hidden time shows if they fail to come.
 */
export class DateProof {
  #isProven: boolean;
  #telling: Fill | null = null;
  /** A telling one that came, but not at once: asked again, it would say no more. */
  #told: Fill | null = null;
  readonly #others: Fill[] = [];
  readonly #taken = new Set<number>();

  constructor(isProven: boolean) {
    this.#isProven = isProven;
  }

  offer(fills: readonly Fill[]): void {
    if (this.#isProven) {
      return;
    }
    for (const fill of fills) {
      if (skew(fill) >= TELLING_SKEW_MS && skew(fill) > skew(this.#telling)) {
        this.#telling = fill;
      } else if (this.#taken.size < MAX_PROBES && !this.#taken.has(fill.txCreated)) {
        this.#taken.add(fill.txCreated);
        this.#others.push(fill);
      }
    }
  }

  /** Better ones are to come: as many may be asked as at first. */
  renew(): void {
    this.#taken.clear();
  }

  /** Whether a fill was offered that alone can prove it, and it is not proven yet. */
  get canProve(): boolean {
    return !this.#isProven && this.#telling !== this.#told;
  }

  /** Asks the probes that were offered and not asked yet. */
  async check(ports: ProbePorts, learn: (finding: Finding) => void): Promise<void> {
    const telling = this.#telling;
    const probes = telling === null ? this.#others.splice(0) : [telling].filter((fill) => fill !== this.#told);
    if (this.#isProven || probes.length === 0) {
      return;
    }
    let isSure = true;
    for (const fill of probes) {
      const came = await comesByTxCreated(ports, fill);
      if (came === "never") {
        learn({ kind: "dates-by-another-time" });
        return;
      }
      isSure &&= came === "at-once";
    }
    this.#told = telling;
    if (telling !== null && isSure) {
      this.#isProven = true;
      learn({ kind: "dates-by-txCreated" });
    }
  }
}

/** Whether a fill comes when it is asked for by its `txCreated`, and `reachMs` before it. `untold`: its dates or cursors were refused, or its answer has no end. `later`: on a page that came by a cursor, which may have forgotten the dates. `never` is asked for again: an answer may be empty by mistake. */
export async function comesByTxCreated(
  ports: ProbePorts,
  fill: Fill,
  reachMs = 0,
): Promise<"at-once" | "later" | "never" | "untold"> {
  for (let asking = 1; asking <= MAX_ASKINGS; asking += 1) {
    const page = await pageOf(ports, fill, reachMs);
    if (page === null) {
      return "untold";
    }
    if (page > 0) {
      return page === 1 ? "at-once" : "later";
    }
  }
  return "never";
}

/**
 * On which page of the answer for its millisecond the fill came, counted from 1; 0: on none; null: on none that could be read. Behind an empty cursor that is refused, or
 * leads to itself, there is no page.
 */
async function pageOf({ reader, signal, onPage }: ProbePorts, fill: Fill, reachMs: number): Promise<number | null> {
  const dates = { startDate: fill.txCreated - reachMs - MARGIN_MS, endDate: fill.txCreated + 1 + MARGIN_MS };
  let request: PageRequest = dates;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await reader.completedOrders(request, signal);
    if (answer.kind !== "page") {
      return request.start === "" ? 0 : null;
    }
    onPage(answer.rows.length);
    const fills = answer.rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
    if (fills.some(({ txCreated }) => txCreated < dates.startDate || txCreated > dates.endDate)) {
      return 0;
    }
    if (fills.some((one) => identityOf(one) === identityOf(fill))) {
      return page;
    }
    if (answer.last === undefined || (answer.last === "" && request.start === "")) {
      return 0;
    }
    request = { ...dates, start: answer.last };
  }
  return null;
}

function skew(fill: Fill | null): number {
  return fill === null || fill.filledAt === null ? 0 : Math.abs(fill.filledAt - fill.txCreated);
}
