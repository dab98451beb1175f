import { DAY_MS } from "../../../lambda/core/time.ts";
import type { DatedHead } from "./heads.ts";
import { manifestKeyOf } from "./heads.ts";

/** Replaced objects are kept for this time, and no younger object is deleted. */
const SAFE_AGE_MS = 7 * DAY_MS;
const FOLDERS = ["main/manifests/", "main/index/", "main/fills/", "main/pages/", "main/restatements/"];

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
 * Orphans that a collection should have deleted but did not. They are a week older than its mark. Since the
 * previous collection, no manifest named them that was current or was written to become current.
 */
export function overdue(heads: readonly DatedHead[], listing: Listing, namesOf: NamesOf): string[] {
  const marks = heads.filter(({ collection }, index) => collection?.at !== heads[index - 1]?.collection?.at);
  const [before, last] = marks.slice(-2);
  if (before?.collection === null || before === undefined || last === undefined || last.collection === null) {
    return [];
  }
  const { collection } = last;
  const sinceSeq = before.collection.seq;
  const written = [...listing.keys()].filter((key) => (seqOf(key) ?? -1) >= sinceSeq);
  const current = namedBy(
    heads.filter(({ seq }) => seq >= last.seq),
    namesOf,
  );
  const needed = new Set([...current, ...written, ...written.flatMap(namesOf)]);
  return [...listing]
    .filter(([key, writtenAt]) => writtenAt <= collection.at - SAFE_AGE_MS && !needed.has(key))
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
