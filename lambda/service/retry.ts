import type { Random } from "../core/random.ts";
import { SECOND_MS } from "../core/time.ts";

/**
 * How often a failed request is repeated, and when. undici's own retries are not used: they know too few
 * failures and shorten Retry-After.
 */
export const MAX_ATTEMPTS = 8;
/** For a host that has not answered in this run: its address may be wrong, and a person is waiting. */
export const FIRST_ATTEMPTS = 3;
const BASE_MS = 500;
const CAP_MS = 30 * SECOND_MS;

/** The wait before the next attempt after `failures` failed ones, ms, with full jitter. Null: give up. */
export function nextDelayMs(failures: number, random: Random, attempts = MAX_ATTEMPTS): number | null {
  return failures >= attempts ? null : random.next() * backoffMs(failures);
}

/** 500 ms doubled with every failure after the first, at most 30 s. */
export function backoffMs(failures: number): number {
  return Math.min(CAP_MS, BASE_MS * 2 ** (failures - 1));
}
