import { hash } from "node:crypto";
import type { AccountsState } from "../accounting/accounts.ts";
import type { TiesState } from "../accounting/ties.ts";
import type { Calendar } from "../archive/calendar/calendar.ts";
import { sha256Of } from "../archive/keys.ts";
import { readContent } from "../archive/objects.ts";
import { formatSetHash } from "../archive/set-hash.ts";
import { FillbookError } from "../errors.ts";
import { canonicalJson } from "../formats/json.ts";
import { isoTime } from "../model/time.ts";
import { type Store, StoreUnknownError } from "../store/store.ts";
import type { Basis } from "./basis.ts";
import { type ReadPart, setHashIn } from "./selection.ts";
import { readState, readTies, type StateRecord, stateRecord, type TiesRecord, tiesRecord } from "./state-file.ts";

/** Counts up with every change of what the accounts reckon, or of how a state is written. */
const FORMAT = "fillbook-accounts/1";

/** The accounts before the first fill at or after a time. */
export interface Opening {
  readonly state: AccountsState;
  readonly ties: TiesState;
  /** ms UTC */
  readonly time: number;
}

export interface HistoryPlan {
  readonly store: Store;
  readonly account: string;
  readonly calendar: Calendar;
  readonly basis: Basis;
  readonly readPart: ReadPart;
  /** Fills that count before it are not in the accounts, ms UTC or -Infinity. */
  readonly since: number;
  /** All that the accounts rest on beside the fills, as canonical JSON allows it. */
  readonly rests: object;
}

interface StateFile {
  readonly format: typeof FORMAT;
  readonly time: string;
  readonly markets: StateRecord;
  readonly ties: TiesRecord;
}

/**
 * The accounts at the beginnings of months (UTC), kept beside the archive so that a late year needs no reckoning from the account's beginning. A kept
 * state is named for the fills and the settings that it comes from, whatever parts held them: after a restatement it is not found again, and reckoned anew.
 * It may be deleted at any time.
 */
export class History {
  readonly #plan: HistoryPlan;
  readonly #prefix: string;
  readonly #settings: string;

  constructor(plan: HistoryPlan) {
    this.#plan = plan;
    this.#prefix = `${plan.account}/accounts/`;
    this.#settings = shortHash({
      format: FORMAT,
      basis: plan.basis.name,
      since: String(plan.since),
      rests: plan.rests,
    });
  }

  /** The latest kept state that is not after the time; null: there is none. */
  async newest(until: number): Promise<Opening | null> {
    const kept: { readonly key: string; readonly month: string; readonly fills: string }[] = [];
    for await (const { key } of this.#plan.store.list(this.#prefix)) {
      const name = NAME.exec(key.slice(this.#prefix.length))?.groups;
      if (name?.["settings"] === this.#settings && name["month"] !== undefined && name["fills"] !== undefined) {
        kept.push({ key, month: name["month"], fills: name["fills"] });
      }
    }
    for (const { key, month, fills } of kept.reverse()) {
      const time = Date.parse(`${month}-01T00:00:00Z`);
      if (time <= until && fills === (await this.#fillsBefore(time))) {
        return { ...(await this.#read(key)), time };
      }
    }
    return null;
  }

  /** Keeps the state before the first fill at or after the beginning of a month. What cannot be kept will be reckoned again. */
  async keep({ state, ties, time }: Opening): Promise<void> {
    const file: StateFile = {
      format: FORMAT,
      time: isoTime(time),
      markets: stateRecord(state),
      ties: tiesRecord(ties),
    };
    const body = Buffer.from(canonicalJson(file));
    const month = isoTime(time).slice(0, 7);
    const key = `${this.#prefix}${month}-${this.#settings}-${await this.#fillsBefore(time)}-${sha256Of(body)}.json`;
    try {
      await this.#plan.store.createNew(key, body);
    } catch (error) {
      if (!(error instanceof StoreUnknownError)) {
        throw error;
      }
    }
  }

  async #fillsBefore(time: number): Promise<string> {
    const { calendar, basis, readPart, since } = this.#plan;
    const set = await setHashIn(calendar, { from: since, to: time }, basis, readPart);
    return formatSetHash(set).slice(0, HASH_DIGITS);
  }

  async #read(key: string): Promise<Omit<Opening, "time">> {
    const { store } = this.#plan;
    const sha256 = key.slice(-".json".length - 64, -".json".length);
    const file: StateFile = JSON.parse(new TextDecoder().decode(await readContent(store, key, sha256)));
    if (file.format !== FORMAT) {
      throw new FillbookError("untrusted", `${store.location}/${key} is not what its name says`, {
        hint: "delete it: it is reckoned again",
      });
    }
    return { state: readState(file.markets), ties: readTies(file.ties) };
  }
}

const HASH_DIGITS = 32;
const NAME = /^(?<month>\d{4}-\d{2})-(?<settings>[0-9a-f]{32})-(?<fills>[0-9a-f]{32})-[0-9a-f]{64}\.json$/;

function shortHash(value: object): string {
  return hash("sha256", canonicalJson(value), "hex").slice(0, HASH_DIGITS);
}

/** Beginnings of months, UTC, after `from` and not after `to`, in order; ms. */
export function monthStarts(from: number, to: number): number[] {
  const starts: number[] = [];
  const first = new Date(from);
  for (let month = first.getUTCMonth() + 1; ; month += 1) {
    const start = Date.UTC(first.getUTCFullYear(), month, 1);
    if (start > to) {
      return starts;
    }
    starts.push(start);
  }
}
