import { type Fill, identityOf } from "../core/fill.ts";
import type { PageRequest } from "../service/service.ts";
import type { Finding } from "./knowledge.ts";
import type { ProbePorts } from "./probe.ts";
import { MARGIN_MS } from "./window.ts";

/** A window with its margins cannot separate two times of a fill that are closer than this. ms */
const TELLING_SKEW_MS = 4;
const MAX_PROBES = 3;
/** How often a fill that does not come is asked for: as often as any answer that may be empty by mistake. */
const MAX_ASKINGS = 8;
/** The most pages of one answer: one millisecond has fewer fills than they hold. */
const MAX_PAGES = 100;

/**
 * Finds out which time the dates of a request filter by; the interface does not say. A fill whose two times
 * differ tells: if it comes when only the millisecond of its `txCreated` is asked for, dates go by
 * `txCreated`. If no fill can tell, three are asked for anyway: if they do not come, dates go by a hidden
 * time.
 */
export class DateProof {
  #isProven: boolean;
  #telling: Fill | null = null;
  /**
   * A telling fill that came, but not at the first request. Already probed; inconclusive, so not probed
   * again.
   */
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

  /** Better fills will follow, so as many may be probed as at first. */
  renew(): void {
    this.#taken.clear();
  }

  /** True when a fill was offered that can prove the dates by itself, and they are not proven yet. */
  get canProve(): boolean {
    return !this.#isProven && this.#telling !== this.#told;
  }

  /** Probes the fills that were offered and not asked for yet. */
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

/**
 * Asks for a fill by its `txCreated` and `reachMs` before it. `untold`: the dates or cursors were refused, or
 * the answer has no end. `later`: it came on a page by cursor, which may have forgotten the dates. `never` is
 * asked for again, because an answer may be empty by mistake.
 */
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
 * The number of the page on which the fill came, from 1. 0: on no page. Null: no page could be read. An empty
 * cursor that is refused, or leads to itself, leads to no page.
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
