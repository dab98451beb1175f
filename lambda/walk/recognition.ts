import type { Calendar } from "../archive/calendar/calendar.ts";
import type { Manifest, Part } from "../archive/manifest.ts";
import { shownAsHeld } from "../archive/recent.ts";
import type { ArchiveSession } from "../archive/session.ts";
import { FillbookError } from "../errors.ts";
import { BEGINNING_MS } from "../model/beginning.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { overlaps } from "../model/ranges.ts";
import { DAY_MS, isoTime, type TimeRange } from "../model/time.ts";
import type { comesByTxCreated } from "./date-proof.ts";

/** Fills that are asked for, of as many orders: what was cancelled does not come any more. */
const ASKED = 3;
const FIRST_REACH_MS = 2 * DAY_MS;

export interface RecognitionPorts {
  /** Covered times that are to be walked again. */
  readonly again: readonly TimeRange[];
  readonly session: Pick<ArchiveSession, "manifest" | "calendar" | "fillsOf" | "isSameTrader" | "isRebound">;
  /** Asks for the fill by its own time. */
  readonly ask: (fill: Fill) => ReturnType<typeof comesByTxCreated>;
  /** Fills of the first page without dates. */
  readonly askUndated: () => Promise<readonly Fill[]>;
  /** Fills up to this time, ms, need not come any more. */
  readonly forget: (until: number) => void;
}

/**
 * Whether the service answers for the trader whose fills are held. Before a run files anything, or counts silence, one held fill has to have come with it: among the rows of
 * that commit, or asked for by its own time, which the newest ones are. A token that names the archive's trader has to show none, unless some are held in the look-back's days.
 */
export class Recognition {
  readonly #ports: RecognitionPorts;
  #isDone: boolean;
  #refusal: FillbookError | null = null;

  constructor(ports: RecognitionPorts) {
    this.#ports = ports;
    this.#isDone = ports.session.manifest.fills === 0;
  }

  /** Throws `untrusted` where none of the fills comes. */
  async expect(sightings: readonly Fill[]): Promise<void> {
    if (this.#refusal !== null) {
      throw this.#refusal;
    }
    this.#isDone ||= shownAsHeld(this.#ports.session.manifest.recent, sightings).length > 0;
    if (this.#isDone) {
      return;
    }
    const wanted = await this.#wanted();
    if (wanted.length > 0 && !(isAnyAmong(wanted, sightings) || (await this.#doesAnyCome(wanted)))) {
      this.#missed(wanted);
    }
    this.#isDone = true;
  }

  #missed(wanted: readonly Fill[]): void {
    const until = Math.max(...wanted.map(({ txCreated }) => txCreated));
    if (!this.#ports.session.isRebound) {
      this.#refusal = unknownTrader(wanted, until);
      throw this.#refusal;
    }
    this.#ports.forget(until);
  }

  /** One that cannot be asked for, for being too old perhaps, shows nothing. */
  async #doesAnyCome(wanted: readonly Fill[]): Promise<boolean> {
    return (await this.#isAny(wanted, (came) => came !== "never")) || !(await this.#isTold());
  }

  /** Whether fills come by their own times at all: until one has proven it, what is shown without dates tells. */
  async #isTold(): Promise<boolean> {
    const { session, askUndated } = this.#ports;
    const isProven = session.manifest.checkpoint.datesProven;
    return isProven || !(await this.#isAny((await askUndated()).slice(0, ASKED), (came) => came === "never"));
  }

  async #isAny(fills: readonly Fill[], isSo: (came: Awaited<ReturnType<typeof comesByTxCreated>>) => boolean) {
    for (const fill of fills) {
      if (isSo(await this.#ports.ask(fill))) {
        return true;
      }
    }
    return false;
  }

  async #wanted(): Promise<readonly Fill[]> {
    const { session, again } = this.#ports;
    const { checkpoint, recent } = session.manifest;
    const { datesTrusted, forgottenTo = Number.NEGATIVE_INFINITY } = checkpoint;
    const isQuiet = !recent.some((one) => one.rows > 0 && again.some((range) => overlaps(range, one)));
    // Dates that go by another time ask for none of them.
    if (!datesTrusted || (session.isSameTrader && isQuiet)) {
      return [];
    }
    return (await newestFills(session)).filter(({ txCreated }) => txCreated > forgottenTo);
  }
}

function isAnyAmong(wanted: readonly Fill[], sightings: readonly Fill[]): boolean {
  const names = new Set(wanted.map(identityOf));
  return sightings.some((fill) => names.has(identityOf(fill)));
}

/** The newest fill of each of the newest orders, newest first. */
async function newestFills(session: RecognitionPorts["session"]): Promise<readonly Fill[]> {
  const found = new Map<string, Fill>();
  for await (const part of newestParts(session.manifest, session.calendar)) {
    for (const fill of (await session.fillsOf(part)).toReversed()) {
      found.set(fill.orderId, found.get(fill.orderId) ?? fill);
    }
    if (found.size >= ASKED) {
      break;
    }
  }
  return [...found.values()].slice(0, ASKED);
}

/** Few nodes are read where rows are dense: each stretch is twice as long as the one before. */
async function* newestParts({ coverage }: Manifest, calendar: Calendar): AsyncGenerator<Part> {
  let to = Math.max(coverage.at(-1)?.to ?? 0, calendar.sum.lastTrade ?? 0) + DAY_MS;
  for (let reach = FIRST_REACH_MS; to > BEGINNING_MS; reach *= 2) {
    const from = to - reach;
    const parts = await calendar.parts({ from, to });
    // One that reaches beyond `to` came with the stretch before.
    yield* parts.filter((part) => part.to <= to || reach === FIRST_REACH_MS).toReversed();
    to = from;
  }
}

function unknownTrader(wanted: readonly Fill[], until: number): FillbookError {
  return new FillbookError(
    "untrusted",
    `the service does not bring the archive's newest fills, asked for by their own times (${wanted.length} up to ${isoTime(until)}): nothing was filed`,
    {
      hint: "check whose token this is: another trader's fills need another --account or --store; if the service has lost or replaced them: fillbook sync --rebind",
    },
  );
}
