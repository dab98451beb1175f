import { readDataFile } from "../archive/data-files.ts";
import type { ManifestIndex } from "../archive/index/manifest-index.ts";
import { sha256InKey } from "../archive/keys.ts";
import type { OpenWindow } from "../archive/manifest.ts";
import { readContent } from "../archive/objects.ts";
import { decodePages } from "../archive/raw-responses.ts";
import type { Fill } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import type { Seen } from "./chain-ports.ts";
import { freshWindow } from "./window.ts";

/** Known cursors live for minutes up to an hour. A refused cursor costs one request. */
const YOUNG_MS = 10 * MINUTE_MS;
/**
 * A run may have waited hours for its quota. Without its cursors it would read the same pages each time and
 * never finish.
 */
const OLD_MS = DAY_MS;

/**
 * Whether the window can continue by its cursor at `now` (ms UTC). `dead`: it begins again. A window is also
 * dead when its chain ended and was not decided (it has pages and no cursor), and when it has no dates and
 * its cursor is old: then all its pages could come again, too many to tell from a cycle.
 */
export function ageOf({ cursor, cursorAt, pages, dated }: OpenWindow, now: number): "young" | "old" | "dead" {
  const ageMs = cursorAt === null ? 0 : now - cursorAt;
  if (cursor === null) {
    return pages === 0 ? "young" : "dead";
  }
  if (ageMs >= 0 && ageMs <= YOUNG_MS) {
    return "young";
  }
  return dated && ageMs >= 0 && ageMs <= OLD_MS ? "old" : "dead";
}

/** The same window, from its beginning. */
export function restarted(window: OpenWindow): OpenWindow {
  return { ...freshWindow(window), dated: window.dated };
}

/**
 * Reads the fills of earlier pages of this window from the raw responses, so that what was seen stays seen.
 */
export async function fillsKept(
  { store, reader }: Pick<RunContext, "store" | "reader">,
  window: OpenWindow,
): Promise<Fill[]> {
  const fills: Fill[] = [];
  for (const key of window.rawResponses) {
    for (const { body } of decodePages(await readContent(store, key, sha256InKey(key)))) {
      fills.push(...reader.decode(body).flatMap((row) => ("fill" in row ? [row.fill] : [])));
    }
  }
  return fills;
}

/** Counts the archive's fills in the range that are not among `seen`. A whole answer would have held them. */
export async function countLacking(
  { store }: Pick<RunContext, "store">,
  manifestIndex: ManifestIndex,
  range: TimeRange,
  seen: Seen,
): Promise<number> {
  let lacking = 0;
  for (const dataFile of range.from < range.to ? await manifestIndex.dataFiles(range) : []) {
    const fills = await readDataFile(store, dataFile);
    lacking += fills.filter((fill) => isWithin(range, fill.txCreated) && !seen.has(fill)).length;
  }
  return lacking;
}
