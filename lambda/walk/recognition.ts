import type { ManifestIndex } from "../archive/index/manifest-index.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { DataFile } from "../archive/manifest-entries.ts";
import type { ArchiveSession } from "../archive/session.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import { overlaps } from "../core/ranges.ts";
import { DAY_MS, isoTime, MINUTE_MS, type TimeRange } from "../core/time.ts";
import type { comesByTxCreated } from "./date-proof.ts";

/** How many fills are asked for, each of another order: cancelled fills do not come any more. */
const ASKED = 3;
const FIRST_REACH_MS = 2 * DAY_MS;

type Came = Awaited<ReturnType<typeof comesByTxCreated>>;
type Session = Pick<ArchiveSession, "manifest" | "manifestIndex" | "fillsOf" | "isSameTrader" | "isRebound">;

export interface RecognitionPorts {
  /** Covered ranges of the newest days that are to be rechecked. */
  readonly lookBack: readonly TimeRange[];
  readonly session: Session;
  /** Asks for the fill by its own time and this much before it. */
  readonly ask: (fill: Fill, reachMs: number) => Promise<Came>;
  /** The fills of the first page without dates. */
  readonly askUndated: () => Promise<readonly Fill[]>;
}

/**
 * Checks, before anything else is asked, that the service answers for the trader whose fills the archive
 * holds: one of the newest of them must come by its own time. A token that names the trader skips the check,
 * unless the days to be rechecked hold fills. Throws `untrusted` when none comes, or when none can be
 * asked for. With the user's consent (--rebind) it gives the time, ms, up to which fills need not come any
 * more; else null.
 */
export async function recognise(ports: RecognitionPorts): Promise<number | null> {
  const { manifest, isRebound } = ports.session;
  if (isRebound && !manifest.checkpoint.datesTrusted) {
    // No fill can be asked for by its time, and an answer without dates need not hold any of them.
    return newestOf(await newestFills(ports.session));
  }
  const wanted = await fillsToCome(ports);
  const cameTo: Came[] = [];
  for (const fill of wanted) {
    const came = await cameWithin(ports, fill);
    if (came === "at-once" || came === "later") {
      return null;
    }
    cameTo.push(came);
  }
  const isAsked = cameTo.includes("never");
  if (wanted.length === 0 || (isAsked ? !(await isTold(ports)) : await isShown(ports, wanted))) {
    return null;
  }
  const until = newestOf(wanted);
  if (!isRebound) {
    throw unknownTrader(wanted, until, isAsked);
  }
  return until;
}

function newestOf(fills: readonly Fill[]): number {
  return Math.max(0, ...fills.map(({ txCreated }) => txCreated));
}

/** Asks for a wider range if the service refuses such a narrow one. */
async function cameWithin({ ask }: RecognitionPorts, fill: Fill): Promise<Came> {
  for (const reachMs of [0, MINUTE_MS]) {
    const came = await ask(fill, reachMs);
    if (came !== "untold") {
      return came;
    }
  }
  return await ask(fill, DAY_MS);
}

/** True when the archive holds fills near the ranges. */
async function hasFills({ manifestIndex }: Session, ranges: readonly TimeRange[]): Promise<boolean> {
  for (const range of ranges) {
    if (
      (await manifestIndex.dataFiles(range)).some(({ first, last }) => overlaps(range, { from: first, to: last + 1 }))
    ) {
      return true;
    }
  }
  return false;
}

async function fillsToCome({ session, lookBack }: RecognitionPorts): Promise<readonly Fill[]> {
  const { fills, checkpoint } = session.manifest;
  const { datesTrusted, forgottenTo = Number.NEGATIVE_INFINITY } = checkpoint;
  // Dates that go by another time cannot ask for these fills.
  if (fills === 0 || !datesTrusted || (session.isSameTrader && !(await hasFills(session, lookBack)))) {
    return [];
  }
  return (await newestFills(session)).filter(({ txCreated }) => txCreated > forgottenTo);
}

/** True when fills are known to come by their own times. Until then, the page without dates decides. */
async function isTold(ports: RecognitionPorts): Promise<boolean> {
  if (ports.session.manifest.checkpoint.datesProven) {
    return true;
  }
  for (const fill of (await ports.askUndated()).slice(0, ASKED)) {
    if ((await cameWithin(ports, fill)) === "never") {
      return false;
    }
  }
  return true;
}

/** True when one of the fills is on the page without dates. */
async function isShown({ askUndated }: RecognitionPorts, wanted: readonly Fill[]): Promise<boolean> {
  const shown = Identities.of(await askUndated());
  return wanted.some((fill) => shown.has(fill));
}

/** The newest fill of each of the newest orders, newest first. */
async function newestFills(session: Session): Promise<readonly Fill[]> {
  const found = new Map<string, Fill>();
  for await (const dataFile of newestDataFiles(session.manifest, session.manifestIndex)) {
    for (const fill of (await session.fillsOf(dataFile)).toReversed()) {
      found.set(fill.orderId, found.get(fill.orderId) ?? fill);
    }
    if (found.size >= ASKED) {
      break;
    }
  }
  return [...found.values()].slice(0, ASKED);
}

/** Each range is twice as long as the one before, so that few index nodes are read where rows are dense. */
async function* newestDataFiles({ coverage }: Manifest, manifestIndex: ManifestIndex): AsyncGenerator<DataFile> {
  let to = Math.max(coverage.at(-1)?.to ?? 0, manifestIndex.sum.lastTrade ?? 0) + DAY_MS;
  const earliest = Math.min(BEGINNING_MS, coverage[0]?.from ?? BEGINNING_MS);
  for (let reach = FIRST_REACH_MS; to > earliest; reach *= 2) {
    const from = to - reach;
    const dataFiles = await manifestIndex.dataFiles({ from, to });
    // A data file that reaches beyond `to` came with the range before.
    yield* dataFiles.filter((dataFile) => dataFile.to <= to || reach === FIRST_REACH_MS).toReversed();
    to = from;
  }
}

/** `isAsked`: the service accepted the dates and did not bring the fills. */
function unknownTrader(wanted: readonly Fill[], until: number, isAsked: boolean): FillbookError {
  const how = isAsked
    ? "does not return the archive's newest fills"
    : "refuses requests for the archive's newest fills";
  return new FillbookError(
    "untrusted",
    `the service ${how} at their own times (${wanted.length} up to ${isoTime(until)}): nothing was filed`,
    {
      hint: "check whose token this is: another trader's fills need another --account or --store; if it is yours, and the service has lost or replaced them or no longer shows fills that old: fillbook sync --rebind",
    },
  );
}
