import { sha256InKey } from "../archive/keys.ts";
import type { OpenWindow, Part } from "../archive/manifest.ts";
import { readContent } from "../archive/objects.ts";
import { decodePages } from "../archive/pages.ts";
import { readPart } from "../archive/parts.ts";
import type { Job } from "../job.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { overlaps } from "../model/ranges.ts";
import { MINUTE_MS, type TimeRange } from "../model/time.ts";
import { freshWindow } from "./plan.ts";

/** A cursor older than this is not followed into a new run: the window begins again instead. */
const MAX_CURSOR_AGE_MS = 10 * MINUTE_MS;

/**
 * Whether the window goes on by its cursor at `now` (ms UTC). One whose chain had ended, and which was not judged yet, has pages and no cursor: it begins
 * again, and not with all of its rows seen.
 */
export function isFresh({ cursor, cursorAt, pages }: OpenWindow, now: number): boolean {
  const age = cursorAt === null ? 0 : now - cursorAt;
  return cursor === null ? pages === 0 : age >= 0 && age <= MAX_CURSOR_AGE_MS;
}

/** The same window from its beginning. */
export function restarted(window: OpenWindow): OpenWindow {
  // An upper date beyond the window is kept where a known fill stands there, not where a part was given away.
  return { ...freshWindow(window, window.cut === null ? window.askTo : window.to), dated: window.dated };
}

/** Fills that an earlier run read in this window, from the evidence: so that what was seen stays seen. */
export async function fillsKept({ store, reader }: Pick<Job, "store" | "reader">, window: OpenWindow): Promise<Fill[]> {
  const fills: Fill[] = [];
  for (const key of window.evidence) {
    for (const { body } of decodePages(await readContent(store, key, sha256InKey(key)))) {
      fills.push(...reader.decode(body).flatMap((row) => ("fill" in row ? [row.fill] : [])));
    }
  }
  return fills;
}

/** How many fills of the archive in `window` are not among `seen`: a whole answer would have held them. */
export async function countLacking(
  { store }: Pick<Job, "store">,
  parts: readonly Part[],
  window: TimeRange,
  seen: ReadonlySet<string>,
): Promise<number> {
  let lacking = 0;
  for (const part of parts.filter((one) => overlaps(one, window))) {
    const fills = await readPart(store, part);
    lacking += fills.filter(
      (fill) => window.from <= fill.txCreated && fill.txCreated < window.to && !seen.has(identityOf(fill)),
    ).length;
  }
  return lacking;
}
