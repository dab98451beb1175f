import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS, isoTime } from "../../../lambda/core/time.ts";
import { type Point, type Verdict, withLater } from "../../../lambda/core/verdict.ts";
import type { Completeness } from "../../../lambda/pack/catalogue/completeness.ts";
import type { StatedNet } from "../../../lambda/pack/catalogue/net.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import type { PackDetails } from "../../../lambda/web/packs.ts";
import type { JobState } from "../../../lambda/web/ports.ts";
import type { PackLine } from "../../../lambda/web/views/packs.ts";
import { CONTRACT } from "../../pack/pack.ts";
import { completeness } from "../data/hand-written.ts";

// What the sample pages show, filled from one seed text wherever text from others may appear, so that a hostile text
// reaches every such place.

export const NOW = Date.UTC(2026, 1, 3, 14, 5);
export const SUM = "d330e5f958199aef2e2d4c0e7b05fea01f801f64fa51e56c183ffdce6eac1ea4";
const PATHS = [...CONTRACT, "form-8949.csv", "inputs/opening-positions.csv"];

/** The usual texts, or one text in place of all of them. */
export type Texts = (usual: string) => string;

export function packOf(changes: Partial<PackDetails> = {}, texts: Texts = (usual) => usual): PackDetails {
  return {
    period: texts("us-2025"),
    version: texts("830c0ce081cee4a6"),
    complete: true,
    ...{ latest: true, isOlder: false },
    sizes: new Map(),
    madeAt: NOW - 3 * DAY_MS,
    bytes: 43_610_221,
    zipBytes: 9_120_512,
    files: PATHS.map((path, at) => ({
      path: texts(path),
      bytes: 12 * 3 ** (at % 13),
      sha256: path === "SHA256SUMS" ? null : texts(SUM),
    })),
    claim: claimOf({}, texts),
    ...changes,
  };
}

/** As far as the page shows it. */
export function claimOf(changes: Partial<Completeness> = {}, texts: Texts = (usual) => usual): Completeness {
  const { from, to, zone } = parsePeriod("us-2025");
  const accounts = {
    report_currency: texts("EUR"),
    inputs: [{ path: texts("inputs/opening-positions.csv"), sha256: texts(SUM) }],
    net_realised_pnl: netsOf(texts),
  };
  const fields = {
    ...{ from: texts(isoTime(from)), to: texts(isoTime(to)), zone: texts(zone), of: [texts("main")] },
    ...{ method: texts("fifo"), basis: texts("fill"), accounts, verdict: verdictOf(texts) },
    totals: { fills: 19_982, exceptions: 36, restatements: { late: 2, changed: 1, enriched: 0 } },
    assumed: { silence_days: 7, vanished_fills: 0 },
  };
  return JSON.parse(completeness("us-2025", { ...fields, ...changes }));
}

function verdictOf(texts: Texts): Verdict {
  const cash = {
    text: texts("Cash in USD differs by 1,148.73 from balances.csv."),
    remedy: texts("Correct balances.csv and make the pack again."),
  };
  return {
    claim: texts("Records complete; cash differs in USD; PnL missing for 1 of 11 markets"),
    text: texts("Every fill the venue reports for this period was retrieved, with no gaps."),
    points: [
      { about: "cash", ...cash, see: "reconciliation" },
      { about: "note", text: texts("Opening position assumed to be nil: 11 markets.") },
    ],
  };
}

/** Two currencies: one that is a part, and one of which nothing is known. */
export function netsOf(texts: Texts = (usual) => usual): readonly StatedNet[] {
  return [
    { currency: texts("USD"), amount: "-120478.93", funding: "included", partial: true },
    { currency: texts("USDC"), amount: null, funding: "included", partial: false },
  ];
}

export function archiveOf(texts: Texts, changes: Partial<ArchiveView> = {}): ArchiveView {
  return {
    account: texts("main"),
    coverage: [
      { from: Date.UTC(2023, 0, 1), to: Date.UTC(2025, 2, 4, 12, 30) },
      { from: Date.UTC(2025, 2, 19, 7), to: NOW - HOUR_MS },
    ],
    fills: 41_377,
    seq: 12,
    firstTrade: Date.UTC(2023, 0, 9, 10, 30),
    lastRun: { endedAt: NOW - HOUR_MS, complete: false, problem: texts("the token was refused") },
    assumed: { silenceDays: 7, vanished: 1 },
    skewMs: 0,
    restatements: [],
    ...changes,
  };
}

/** Newest first: the year, and two months. */
export function linesOf(texts: Texts): PackLine[] {
  const { claim, ...pack } = packOf({}, texts);
  const good = { ...claim.verdict, claim: "Records complete; PnL calculated for 11 markets", points: [] };
  const together = { ...claim, of: [...claim.of, texts("hedge")] };
  const months = ["month-2025-02", "month-2025-01"].map((period) => ({
    ...{ pack: { ...pack, period: texts(period), bytes: 812_003 }, claim: together, verdict: good, others: 0 },
  }));
  return [{ pack, claim, verdict: withLater(claim.verdict, [laterPoint(texts)]), others: 3 }, ...months];
}

export function laterPoint(texts: Texts): Point {
  const text = texts("3 fills of this period came late or changed since this pack was made.");
  return { about: "stale", text, remedy: texts("Make it again.") };
}

export function jobOf(changes: Partial<JobState> = {}, texts: Texts = (usual) => usual): JobState {
  return {
    id: texts("j-20260203-1"),
    request: {
      ...{ account: texts("main"), kind: "export", period: texts("us-2025") },
      ...{ zone: texts("America/New_York"), method: texts("fifo") },
    },
    ...{ startedBy: texts("ada"), startedAt: NOW - 90_000, state: "running", covered: 0.4267 },
    note: texts("Reading March 2025: 12,400 fills so far."),
    pack: null,
    ...changes,
  };
}
