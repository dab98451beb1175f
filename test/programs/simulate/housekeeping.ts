import { DAY_MS, type TimeRange } from "../../../lambda/core/time.ts";
import type { Emulator } from "../../emulator/core.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import type { DataFileRows } from "../../support/auditor.ts";
import type { Published } from "../../support/published.ts";

/** A head that was written, with its time, ms. */
export interface LandedHead {
  readonly at: number;
  readonly body: string;
}

/** The same with the fields that the published format specifies. */
export interface DatedHead {
  readonly at: number;
  readonly seq: number;
  readonly commitId: string;
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** The last collection of orphans, by the store's clock, ms. */
  readonly collection: { readonly at: number } | null;
}

export function headOf({ at, body }: LandedHead): DatedHead {
  return { ...JSON.parse(body), at };
}

export function manifestKeyOf({ seq, sha256 }: { seq: number; sha256: string }): string {
  return `main/manifests/${seq}-${sha256}.json`;
}

/** Requires that each head follows the previous one in its numbers and its manifest. */
export function lineage(heads: readonly DatedHead[]): string[] {
  return heads.slice(1).flatMap((head, index) => {
    const before = heads[index] ?? head;
    const [old, next] = [before.manifest?.seq ?? 0, head.manifest?.seq ?? 0];
    const follows =
      head.seq === before.seq + 1 &&
      (next === old ? head.manifest?.sha256 === before.manifest?.sha256 : next === old + 1);
    return follows
      ? []
      : [`head ${head.seq} (${head.commitId}) does not follow head ${before.seq} (${before.commitId})`];
  });
}

/** Replaced objects are kept for this time, and no younger object is deleted. */
const SAFE_AGE_MS = 7 * DAY_MS;
const FOLDERS = ["main/manifests/", "main/fills/", "main/restatements/"];

/** The store's objects, and the time when each was written, ms. */
export type Listing = ReadonlyMap<string, number>;

/** The keys that a manifest names. */
export type NamesOf = (manifestKey: string) => readonly string[];

/** Objects that should exist but do not: those named by a manifest that was current within the last week. */
export function missing(heads: readonly DatedHead[], listing: Listing, namesOf: NamesOf, now: number): string[] {
  return namedBy(
    heads.filter((_, index) => (heads[index + 1]?.at ?? now) >= now - SAFE_AGE_MS),
    namesOf,
  )
    .filter((key) => !listing.has(key))
    .map((key) => `${key} is missing, but a manifest of the last week names it`);
}

/**
 * Orphans that a collection should have deleted but did not: a week older than its mark, and named neither by
 * a manifest that was current within the week before it or is current since, nor by one with such a number or
 * a younger one.
 */
export function overdue(heads: readonly DatedHead[], listing: Listing, namesOf: NamesOf): string[] {
  const last = heads.findLast(({ collection }, index) => collection?.at !== heads[index - 1]?.collection?.at);
  if (last === undefined || last.collection === null) {
    return [];
  }
  const oldest = last.collection.at - SAFE_AGE_MS;
  const current = heads.filter((_, index) => (heads[index + 1]?.at ?? last.at) >= oldest);
  const least = Math.min(...current.map(({ manifest }) => manifest?.seq ?? 0)) - 1;
  const near = [...listing.keys()].filter((key) => (seqOf(key) ?? -1) >= least);
  const needed = new Set([...namedBy(current, namesOf), ...near, ...near.flatMap(namesOf)]);
  return [...listing]
    .filter(([key, writtenAt]) => writtenAt <= oldest && !needed.has(key))
    .filter(([key]) => FOLDERS.some((folder) => key.startsWith(folder)))
    .map(([key]) => `${key} is an orphan that a collection did not delete`);
}

function namedBy(heads: readonly DatedHead[], namesOf: NamesOf): string[] {
  const keys = new Set(heads.flatMap(({ manifest }) => (manifest === null ? [] : [manifestKeyOf(manifest)])));
  return [...new Set([...keys, ...[...keys].flatMap(namesOf)])];
}

function seqOf(key: string): number | null {
  const seq = /^main\/manifests\/(\d+)-/.exec(key)?.[1];
  return seq === undefined ? null : Number(seq);
}

interface LateFillPorts {
  readonly emulator: Emulator;
  /** Whether a row shows the item, in this version or a later one, or nobody need find it (Inspector). */
  readonly isFound: (item: CompletedOrder, row: Record<string, unknown> | undefined) => boolean;
  readonly settleLagMs: number;
  readonly lookBackMs: number;
}

/**
 * Compares an archive with what its look-backs must have seen: rows within a look-back, or within a piece of
 * the rotation, that the service had when it began must be in the archive when it has ended. The function that is
 * returned judges the rows of each archive that a complete run has left.
 */
export function lateFills({ emulator, lookBackMs, settleLagMs, isFound }: LateFillPorts) {
  let began: number | null = null;
  let rotated: { readonly at: number; readonly to: number | null } | null = null;
  return ({ coverage, known }: Published, rows: DataFileRows): string[] => {
    const { lookedBackAt, rotatedAt, rotatedTo } = known;
    if (lookBackMs === 0) {
      return [];
    }
    if (lookedBackAt === null) {
      return ["a complete run did not look back"];
    }
    const held = new Map(rows.map((row) => [`${row["matchId"]} ${row["orderId"]}`, row]));
    const lacking = (beganAt: number, { from, to }: TimeRange, what: string) => {
      const found = [...emulator.truthItems(beganAt)]
        .filter(({ txCreated: at }) => from <= at && at < to)
        .filter(({ txCreated: at }) => coverage.some((one) => one.readings === 2 && one.from <= at && at < one.to))
        .filter((item) => !isFound(item, held.get(`${item.matchId} ${item.orderId}`)));
      return found.length === 0
        ? []
        : [`${what} did not find ${found.length} late or changed fills; the first is ${found[0]?.matchId}`];
    };
    const until = lookedBackAt - settleLagMs;
    const edge = until - lookBackMs;
    const findings = began === lookedBackAt ? [] : lacking(lookedBackAt, { from: edge, to: until }, "a look-back");
    began = lookedBackAt;
    const before = rotated;
    if (rotatedAt !== null && before !== null && rotatedAt !== before.at && rotatedTo !== null) {
      const to = before.to === null || before.to <= rotatedTo || before.to > edge ? edge : before.to;
      findings.push(...lacking(rotatedAt, { from: rotatedTo, to }, "a rotation"));
    }
    rotated = rotatedAt === null ? null : { at: rotatedAt, to: rotatedTo };
    return findings;
  };
}
