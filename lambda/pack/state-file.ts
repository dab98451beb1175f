import type { AccountsState, Origin } from "../accounting/accounts.ts";
import type { Blank } from "../accounting/booked.ts";
import type { OpenLot } from "../accounting/cost-book.ts";
import type { MarketState } from "../accounting/market-book.ts";
import type { Trip } from "../accounting/round-trip.ts";
import type { TiesState } from "../accounting/ties.ts";

/** The accounts at one moment as JSON, exactly: numbers × 10^18 and × 10^36 as text. */

type LotRecord = readonly [
  matchId: string | null,
  orderId: string | null,
  time: number,
  price: string,
  sign: number,
  quantity: string,
  value: string,
  fee: string,
];

type TripRecord = { readonly [Key in keyof Trip]: Trip[Key] extends bigint ? string : Trip[Key] };

interface HeldRecord {
  readonly market: string;
  readonly position: string | null;
  readonly blank: Blank | null;
  readonly lots: readonly [readonly LotRecord[], readonly LotRecord[]];
  readonly trip: TripRecord | null;
}

interface MarketRecord extends HeldRecord {
  readonly origin: Origin;
}

export type StateRecord = readonly MarketRecord[];
export type TiesRecord = readonly HeldRecord[];

export function stateRecord(state: AccountsState): StateRecord {
  return [...state].map(([market, entry]) => ({ ...heldRecord(market, entry.state), origin: entry.origin }));
}

export function readState(records: StateRecord): AccountsState {
  return new Map(records.map((record) => [record.market, { origin: record.origin, state: readHeld(record) }]));
}

export function tiesRecord(ties: TiesState): TiesRecord {
  return [...ties].map(([market, held]) => heldRecord(market, held));
}

export function readTies(records: TiesRecord): TiesState {
  return new Map(records.map((record) => [record.market, readHeld(record)]));
}

function heldRecord(market: string, { position, blank, lots, trip }: MarketState): HeldRecord {
  return {
    market,
    position: position?.toString() ?? null,
    blank,
    lots: [lots[0].map(lotRecord), lots[1].map(lotRecord)],
    trip: trip === null ? null : tripRecord(trip),
  };
}

function readHeld({ position, blank, lots, trip }: HeldRecord): MarketState {
  return {
    position: position === null ? null : BigInt(position),
    blank,
    lots: [lots[0].map(readLot), lots[1].map(readLot)],
    trip: trip === null ? null : readTrip(trip),
  };
}

function lotRecord({ opener, sign, quantity, value, fee }: OpenLot): LotRecord {
  const { matchId, orderId, time, price } = opener;
  return [matchId, orderId, time, String(price), Number(sign), String(quantity), String(value), String(fee)];
}

function readLot([matchId, orderId, time, price, sign, quantity, value, fee]: LotRecord): OpenLot {
  const opener = { matchId, orderId, time, price: BigInt(price) };
  return { opener, sign: sign < 0 ? -1n : 1n, quantity: BigInt(quantity), value: BigInt(value), fee: BigInt(fee) };
}

function tripRecord(trip: Trip): TripRecord {
  const { most, quantity, openValue, closeValue, fees, sign, open } = trip;
  return {
    ...trip,
    most: String(most),
    quantity: String(quantity),
    openValue: String(openValue),
    closeValue: String(closeValue),
    fees: String(fees),
    sign: String(sign),
    open: String(open),
  };
}

function readTrip(trip: TripRecord): Trip {
  const { most, quantity, openValue, closeValue, fees, sign, open } = trip;
  return {
    ...trip,
    most: BigInt(most),
    quantity: BigInt(quantity),
    openValue: BigInt(openValue),
    closeValue: BigInt(closeValue),
    fees: BigInt(fees),
    sign: sign === "-1" ? -1n : 1n,
    open: BigInt(open),
  };
}
