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
 * The window as the next run should take it up, at `now` (ms UTC). One whose chain had ended, and which was not judged yet, has pages and no cursor: it
 * begins again, and not with all of its rows seen.
 */
export function resumed(window: OpenWindow, now: number): OpenWindow {
  if (window.cursor === null) {
    return restarted(window);
  }
  const age = window.cursorAt === null ? 0 : now - window.cursorAt;
  return age >= 0 && age <= MAX_CURSOR_AGE_MS ? window : restarted(window);
}

/** The same window from its beginning. */
export function restarted(window: OpenWindow): OpenWindow {
  return { ...freshWindow(window, window.askTo), dated: window.dated };
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
