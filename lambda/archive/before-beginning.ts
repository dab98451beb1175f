import { BEGINNING_MS } from "../core/beginning.ts";
import { covers } from "../core/ranges.ts";
import type { Manifest } from "./manifest.ts";

/**
 * `txCreated` of the earliest known fill before the account's beginning, ms UTC. Null: none is known, or the
 * archive covers the time from there on. It stays in the checkpoint until the service is asked again.
 */
export function missingBeforeBeginning({ checkpoint, coverage }: Manifest): number | null {
  const { beforeBeginning: from } = checkpoint;
  return from === undefined || covers(coverage, { from, to: BEGINNING_MS }) ? null : from;
}
