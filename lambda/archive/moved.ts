import { contentOf, type Fill, identityOf, plainFill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import { intersection, isWithin, union } from "../core/ranges.ts";
import { compareText } from "../core/text.ts";
import type { TimeRange } from "../core/time.ts";
import { newest, type Restatement } from "../fills/merge.ts";
import { type DataFilePorts, fillsOfDataFile, holdsAny } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import type { DataFile } from "./manifest-entries.ts";
import { type Edit, editDataFiles, type Filed, nameOf } from "./rewrite-data-files.ts";
import { summariseBySums } from "./summary.ts";

/** Data files that are searched at once. */
const AT_ONCE = 4;

/** What a commit has filed, as far as it concerns fills whose `txCreated` was corrected. */
export interface Shown {
  /** All fills that came with the commit, in order of arrival. */
  readonly incomingFills: readonly Fill[];
  /** `added`: fills that were not held at their times. `late`: those of them in covered times. */
  readonly added: readonly Fill[];
  readonly late: readonly Fill[];
  /**
   * Covered times that were rechecked. `incomingFills` holds everything that the service returned for
   * them.
   */
  readonly rechecked: readonly TimeRange[];
}

/** What the archive no longer holds, or holds in a new version. */
export interface Moves extends Pick<Filed, "removed" | "dataFiles"> {
  readonly restated: readonly Restatement[];
  /** Versions that the archive no longer holds. */
  readonly gone: readonly Fill[];
  /** Of `added`: fills that are gone, and fills that are new versions of a held fill. */
  readonly notAdded: ReadonlySet<Fill>;
}

/** The fills that a run has filed in times that were not covered before: identity to `txCreated`. */
export type NewlyHeld = ReadonlyMap<string, number>;

const NOTHING: Moves = { removed: [], dataFiles: [], restated: [], gone: [], notAdded: new Set() };

/**
 * Makes every identity unique again after a commit has filed its fills. Filing puts a fill into the data file
 * of each time that it came with, so a fill whose `txCreated` was corrected is held twice. Searches all data
 * files, a few at a time, but only for fills that may be held elsewhere: late ones, ones that came with two
 * times, and ones that were not returned again at the time at which they are held.
 */
export async function settleMoves(ports: DataFilePorts, manifestIndex: ManifestIndex, shown: Shown): Promise<Moves> {
  const vanished = await vanishedFrom(ports, manifestIndex, shown);
  const wanted = new Identities();
  for (const fill of [...shown.late, ...withTwoTimes(shown.incomingFills), ...vanished]) {
    wanted.add(fill);
  }
  if (wanted.size === 0) {
    return NOTHING;
  }
  return await settled(ports, manifestIndex, await copiesOf(ports, allDataFiles(manifestIndex), wanted), {
    added: new Map(shown.added.map((fill) => [nameOf(fill), fill])),
    lastShown: new Map(shown.incomingFills.filter((fill) => wanted.has(fill)).map((fill) => [identityOf(fill), fill])),
    vanished: new Set(vanished.map(nameOf)),
  });
}

/**
 * As `settleMoves`, once at the end of a run. It finds a fill whose time was corrected into times that were
 * not covered before: it is still held at its old time if no single commit showed that it is missing there.
 * `near`: the range that is searched.
 */
export async function settleNewlyHeld(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  newlyHeld: NewlyHeld,
  near: TimeRange,
): Promise<Moves> {
  const wanted = { has: (fill: Pick<Fill, "matchId" | "orderId">) => newlyHeld.has(identityOf(fill)) };
  const dataFiles = await manifestIndex.dataFiles(near);
  const lastShown = new Map([...newlyHeld].map(([identity, txCreated]) => [identity, { txCreated }]));
  return await settled(ports, manifestIndex, await copiesOf(ports, [dataFiles], wanted), {
    added: new Map(),
    lastShown,
    vanished: new Set(),
  });
}

async function settled(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  found: readonly (readonly Fill[])[],
  about: About,
): Promise<Moves> {
  const several = found.filter((copies) => copies.length > 1);
  if (several.length === 0) {
    return NOTHING;
  }
  const all = several.map((copies) => settle(copies, about));
  const edits = all.flatMap((one) => one.edits);
  const restated = all.flatMap((one) => one.restated);
  const notAdded = new Set(all.flatMap((one) => one.notAdded));
  const gone = all.flatMap((one) => one.gone);
  const { removed, dataFiles } = await editDataFiles(ports, manifestIndex, edits);
  return { removed, dataFiles, restated, gone, notAdded };
}

/** `added` and `vanished` are by the fill's name at its time, `lastShown` by identity. */
interface About {
  readonly added: ReadonlyMap<string, Fill>;
  readonly lastShown: ReadonlyMap<string, Pick<Fill, "txCreated">>;
  readonly vanished: ReadonlySet<string>;
}

interface Settled {
  readonly edits: readonly Edit[];
  readonly gone: readonly Fill[];
  readonly restated: readonly Restatement[];
  readonly notAdded: readonly Fill[];
}

/**
 * Chooses the current copy of a fill: the one that came last (at the end of a run, the newly held one);
 * otherwise one that was not missing when its time was walked again.
 */
function settle(copies: readonly Fill[], { added, lastShown, vanished }: About): Settled {
  const last = lastShown.get(identityOf(copies[0] as Fill));
  const rank = (fill: Fill) => 2 * Number(fill.txCreated === last?.txCreated) + Number(!vanished.has(nameOf(fill)));
  const isAdded = (fill: Fill) => added.has(nameOf(fill));
  const ordered = copies.toSorted(
    (a, b) => rank(a) - rank(b) || Number(isAdded(a)) - Number(isAdded(b)) || byTimeAndContent(a, b),
  );
  const isHeld = !copies.every(isAdded);
  // A copy that this commit added and that is not current was never held, so it makes no restatement.
  const { current, steps } = mergedInOrder(
    ordered.filter((fill) => !(isHeld && isAdded(fill)) || fill === ordered.at(-1)),
  );
  const isCurrent = (fill: Fill) => fill.txCreated === current.txCreated;
  return {
    edits: copies.map((held) => ({
      ...{ txCreated: held.txCreated, name: nameOf(held) },
      current: isCurrent(held) ? current : null,
    })),
    gone: copies.filter((held) => !isCurrent(held)),
    restated: steps,
    notAdded: copies.filter((fill) => isHeld || !isCurrent(fill)).flatMap((fill) => added.get(nameOf(fill)) ?? []),
  };
}

/**
 * Merges the versions in order. The last is current, unless an earlier one notes that both versions came at
 * the same time.
 */
function mergedInOrder([first, ...others]: readonly Fill[]): {
  readonly current: Fill;
  readonly steps: readonly Restatement[];
} {
  let current = plainFill(first as Fill);
  const steps: Restatement[] = [];
  for (const fill of others) {
    const { after, kind } = newest(current, fill);
    if (kind !== "same") {
      steps.push({ kind, before: current, after });
    }
    current = plainFill(after);
  }
  return { current, steps };
}

/** The fills that came with more than one time. A fill may be listed several times. */
function withTwoTimes(incomingFills: readonly Fill[]): readonly Fill[] {
  const identities = new Identities();
  const times = new Float64Array(incomingFills.length);
  const found: Fill[] = [];
  for (const fill of incomingFills) {
    const known = identities.size;
    const number = identities.add(fill);
    if (number === known) {
      times[number] = fill.txCreated;
    } else if (times[number] !== fill.txCreated) {
      found.push(fill);
    }
  }
  return found;
}

/**
 * Fills that are held in times that were rechecked and were not returned there. Reads data files only if
 * more fills are held than were returned.
 */
async function vanishedFrom(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  { rechecked, incomingFills }: Shown,
): Promise<readonly Fill[]> {
  const vanished: Fill[] = [];
  for (const range of rechecked) {
    const seen = new Set(incomingFills.filter(({ txCreated }) => isWithin(range, txCreated)).map(nameOf));
    if ((await summariseBySums(ports, manifestIndex, range)).rows > seen.size) {
      for (const dataFile of await manifestIndex.dataFiles(range)) {
        const fills = await fillsOfDataFile(ports, dataFile);
        vanished.push(...fills.filter((fill) => isWithin(range, fill.txCreated) && !seen.has(nameOf(fill))));
      }
    }
  }
  return vanished;
}

async function* allDataFiles(manifestIndex: ManifestIndex): AsyncGenerator<readonly DataFile[]> {
  for await (const { dataFiles } of manifestIndex.leaves((sum) => sum.dataFiles > 0)) {
    yield dataFiles;
  }
}

/** All copies of these identities in these data files, one list per identity. */
async function copiesOf(
  ports: DataFilePorts,
  dataFiles: AsyncIterable<readonly DataFile[]> | Iterable<readonly DataFile[]>,
  wanted: Pick<Identities, "has">,
): Promise<readonly Fill[][]> {
  const copies = new Map<string, Fill[]>();
  for await (const some of dataFiles) {
    for (let at = 0; at < some.length; at += AT_ONCE) {
      const found = await Promise.all(
        some.slice(at, at + AT_ONCE).map((dataFile) => wantedIn(ports, dataFile, wanted)),
      );
      for (const fill of found.flat()) {
        const known = copies.get(identityOf(fill)) ?? [];
        copies.set(identityOf(fill), [...known, fill]);
      }
    }
  }
  return [...copies.values()];
}

async function wantedIn(
  ports: DataFilePorts,
  dataFile: DataFile,
  wanted: Pick<Identities, "has">,
): Promise<readonly Fill[]> {
  return (await holdsAny(ports, dataFile, wanted))
    ? (await fillsOfDataFile(ports, dataFile)).filter((fill) => wanted.has(fill))
    : [];
}

/** The parts of these windows that were covered before, and so were rechecked. */
export function recheckedRanges(windows: readonly TimeRange[], coverage: readonly TimeRange[]): readonly TimeRange[] {
  return union(windows).flatMap((window) => intersection(window, coverage));
}

function byTimeAndContent(a: Fill, b: Fill): number {
  return a.txCreated - b.txCreated || compareText(contentOf(a), contentOf(b));
}
