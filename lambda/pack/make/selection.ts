import { createHash } from "node:crypto";
import type { HeldDataFile } from "../../archive/held-twice.ts";
import { dataFileKey } from "../../archive/keys.ts";
import type { Coverage } from "../../archive/manifest.ts";
import { type Unit, unitsOf } from "../../archive/read.ts";
import { FillbookError } from "../../core/errors.ts";
import type { Fill } from "../../core/fill.ts";
import { isWithin, union } from "../../core/ranges.ts";
import { isoTime, type TimeRange } from "../../core/time.ts";
import { restatementsIn } from "../tables/restatements.ts";
import { DATE_BY, type DateBy } from "./date-by.ts";
import type { PackRequest, PackSource, Source } from "./request.ts";

/** The units with fills that may count in the range, by `txCreated`. */
function unitsIn({ manifest }: Source, range: TimeRange, basis: DateBy): readonly Unit[] {
  return unitsOf(manifest).filter((unit) => basis.firstOf(unit) < range.to && basis.lastOf(unit) >= range.from);
}

/**
 * A hash of the fills that count in the range. Only units that reach across its ends are read: whatever else
 * they hold does not concern the pack.
 */
export async function hashOfFills(source: Source, range: TimeRange, basis: DateBy): Promise<string> {
  const hash = createHash("sha256");
  for (const unit of unitsIn(source, range, basis)) {
    const [only] = unit.files;
    const isWhole = unit.files.length === 1 && range.from <= basis.firstOf(unit) && basis.lastOf(unit) < range.to;
    hash.update(
      isWhole && only !== undefined ? only.sha256 : hashOfRows(await fillsOfUnit(source, unit, range, basis)),
    );
  }
  return hash.digest("hex");
}

/** As a data file's own hash. Empty: there are no fills. */
export function hashOfRows(fills: Iterable<Fill>): string {
  const hash = createHash("sha256");
  let isEmpty = true;
  for (const { row } of fills) {
    hash.update(`${row}\n`);
    isEmpty = false;
  }
  return isEmpty ? "" : hash.digest("hex");
}

/**
 * The fills of a unit that count in the range, made anew by each iteration. Checks them against the manifest: the
 * order of the pack depends on it.
 */
async function fillsOfUnit(
  { manifest, readUnit }: Source,
  unit: Unit,
  range: TimeRange,
  basis: DateBy,
): Promise<Iterable<Fill>> {
  const fills = await readUnit(unit);
  return {
    *[Symbol.iterator]() {
      for (const fill of fills) {
        const time = basis.timeOf(fill);
        if (time < basis.firstOf(unit) || time > basis.lastOf(unit)) {
          const [key] = unit.files.map((file) => dataFileKey(manifest.account, file));
          throw new FillbookError(
            "untrusted",
            `${key} holds a fill of ${isoTime(time)}, outside the times that the manifest states`,
          );
        }
        if (isWithin(range, time)) {
          yield fill;
        }
      }
    },
  };
}

/**
 * Fills that are given at once: what is made of them is short-lived, so that the garbage collector has little to
 * carry on.
 */
const PIECE_FILLS = 30;

/**
 * The fills that count in the range, in order, some at once. Units are cut by `txCreated`, so within them and among
 * them fills may overlap by the other time. Only those are in memory as fills that others may still precede.
 */
export async function* fillsOf(source: Source, range: TimeRange, basis: DateBy): AsyncGenerator<readonly Fill[]> {
  const units = unitsIn(source, range, basis).toSorted((a, b) => basis.firstOf(a) - basis.firstOf(b));
  const pending: Fill[] = [];
  /** The least of their times. */
  let first = Number.POSITIVE_INFINITY;
  for (const [at, unit] of units.entries()) {
    const fills = await fillsOfUnit(source, unit, range, basis);
    const next = units[at + 1];
    const settled = leastAfter(fills, basis, next === undefined ? Number.POSITIVE_INFINITY : basis.firstOf(next));
    for (const piece of piecesOf(fills)) {
      pending.push(...piece);
      first = Math.min(first, ...piece.map(basis.timeOf));
      const before = settled.shift() ?? first;
      if (first < before) {
        yield* takenFrom(pending, before, basis);
        first = Math.min(...pending.slice(0, 1).map(basis.timeOf));
      }
    }
  }
}

/** Takes those that count before a time, in order. */
function* takenFrom(pending: Fill[], before: number, basis: DateBy): Generator<readonly Fill[]> {
  const done = pending.sort(basis.compare).filter((fill) => basis.timeOf(fill) < before).length;
  for (const piece of piecesOf(pending.splice(0, done))) {
    if (piece.length > 0) {
      yield piece;
    }
  }
}

/** The last one may be empty. */
function* piecesOf(fills: Iterable<Fill>): Generator<readonly Fill[]> {
  let piece: Fill[] = [];
  for (const fill of fills) {
    piece.push(fill);
    if (piece.length === PIECE_FILLS) {
      yield piece;
      piece = [];
    }
  }
  yield piece;
}

/** For each piece: the least time of the fills after it, and `end`. */
function leastAfter(fills: Iterable<Fill>, basis: DateBy, end: number): number[] {
  const times = Array.from(piecesOf(fills), (piece) => Math.min(...piece.map(basis.timeOf)));
  let least = end;
  for (let at = times.length - 1; at >= 0; at -= 1) {
    [times[at], least] = [least, Math.min(least, times[at] ?? end)];
  }
  return times;
}

/** The same without an order, unit by unit. */
export async function* unorderedFillsOf(source: Source, range: TimeRange, basis: DateBy): AsyncGenerator<HeldDataFile> {
  for (const unit of unitsIn(source, range, basis)) {
    yield { key: String(unit.from), fills: [...(await fillsOfUnit(source, unit, range, basis))] };
  }
}

/**
 * Fills that count outside the period by the basis and inside by their other time. Auditors test the cut-off.
 * One unit at a time.
 */
export async function* cutOffFillsOf(
  { manifest, readUnit }: Source,
  period: TimeRange,
  basis: DateBy,
): AsyncGenerator<readonly Fill[]> {
  for (const unit of unitsOf(manifest)) {
    // If both times of all fills lie on the same side of the period, no fill crosses the border.
    const trades = placeOf(unit.firstTrade, unit.lastTrade, period);
    const created = placeOf(unit.from, unit.to - 1, period);
    const fills = trades === "across" || trades !== created ? await readUnit(unit) : [];
    const cutOff = Iterator.from(fills)
      .filter((fill) => !isWithin(period, basis.timeOf(fill)) && isWithin(period, basis.otherTimeOf(fill)))
      .toArray();
    if (cutOff.length > 0) {
      yield cutOff.sort(basis.compare);
    }
  }
}

/** Where the times of a unit lie relative to a range. */
function placeOf(first: number, last: number, { from, to }: TimeRange): "outside" | "inside" | "across" {
  if (last < from || first >= to) {
    return "outside";
  }
  return first >= from && last < to ? "inside" : "across";
}

/** The part of an account's archive that a pack is made from. It decides the pack's version. */
export interface Selected extends PackSource {
  /** Everything from here to the period was read twice, ms UTC. -Infinity: since the account's beginning. */
  readonly since: number;
  /**
   * Of the fills from there to the period's end, those outside the period whose other time lies in it, and
   * everything in restatements.csv.
   */
  readonly hash: string;
}

/** Texts about each account. In a pack of several accounts, each says whose it is. */
export function ofEach(selected: readonly Selected[], textsOf: (one: Selected) => readonly string[]): string[] {
  return selected.flatMap((one) =>
    textsOf(one).map((text) => (selected.length === 1 ? text : `${one.account}: ${text}`)),
  );
}

export async function selectContents(source: PackSource, request: PackRequest): Promise<Selected> {
  const { period, beginning } = request;
  const basis = DATE_BY[request.basis];
  const since = coveredSince(source.manifest.coverage, period.from, beginning);
  const hash = createHash("sha256");
  hash.update(await hashOfFills(source, { from: since, to: period.to }, basis));
  for await (const fills of cutOffFillsOf(source, period, basis)) {
    hash.update(hashOfRows(fills));
  }
  for await (const restated of restatementsIn(period, source)) {
    for (const { kind, before, after, seenAt } of restated) {
      hash.update(`${kind} ${seenAt}\n${before?.row ?? ""}\n${after.row}\n`);
    }
  }
  return { ...source, since, hash: hash.digest("hex") };
}

/** Since when all up to a time was read twice, ms UTC; -Infinity: since the beginning. */
function coveredSince(coverage: readonly Coverage[], until: number, beginning: number): number {
  const last = union(coverage.filter(({ readings }) => readings === 2)).find(
    ({ from, to }) => from < until && until <= to,
  );
  if (last === undefined) {
    return until;
  }
  return last.from <= beginning ? Number.NEGATIVE_INFINITY : last.from;
}
