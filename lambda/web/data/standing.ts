import { counted } from "../../core/text.ts";
import { type Point, type Verdict, withLater } from "../../core/verdict.ts";
import { lastChecks } from "../../pack/make/checks.ts";
import type { AccountStores, PackEntry, PackStatement } from "../packs.ts";
import type { ArchiveView } from "./archives.ts";
import { packClaims } from "./catalogue.ts";
import type { HashOf, StoredInput } from "./input-files.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { restatedSince } from "./restated.ts";
import { newestOf, type PeriodVersions, packPeriods, versionsOf } from "./versions.ts";

/** What every screen says of a pack. */
export interface Standing {
  /** Null: completeness.json is missing or cannot be read. */
  readonly claim: PackStatement | null;
  /** The pack's own, with what became known since. */
  readonly verdict: Verdict;
}

/** What packs are compared with. */
export interface Now {
  readonly archive: Pick<ArchiveView, "restatements" | "skewMs">;
  readonly inputs: readonly StoredInput[];
  readonly hashOf: HashOf;
}

/** Packs, each with what changed in its period since. */
const COMPARED_AT_ONCE = 4;

const UNREADABLE: Verdict = {
  claim: "Cannot be read",
  text: "Nothing is known of this pack.",
  points: [
    {
      about: "records",
      text: "completeness.json is missing, or is not as this version of fillbook writes it.",
      remedy: "Restore the pack from a copy, or make it again.",
    },
  ],
};

/** A period with its newest complete version, or with its newest version if none is complete. */
export interface PackLine extends Standing {
  readonly pack: PackEntry;
  readonly otherVersions: number;
}

/** A line for each period that has a version. */
export async function packLines(
  stores: AccountStores,
  periods: readonly Pick<PeriodVersions, "versions">[],
  now: Now,
): Promise<PackLine[]> {
  const packs = periods.flatMap((period) => newestOf(period) ?? []);
  const all = periods.flatMap(({ versions }) => versions);
  const standings = await standingsOf(stores, packs, all, now);
  return packs.map((pack, at) => {
    const otherVersions = all.filter(({ period }) => period === pack.period).length - 1;
    return { pack, otherVersions, ...(standings[at] as Standing) }; // one each
  });
}

/**
 * The standing of each pack. `versions`: all versions of their periods. A pack of several accounts is not compared:
 * the files and the archives of its accounts lie elsewhere.
 */
export async function standingsOf(
  stores: AccountStores,
  packs: readonly PackEntry[],
  versions: readonly PackEntry[],
  now: Now,
): Promise<Standing[]> {
  const claims = await packClaims(stores, packs);
  return await mapConcurrent([...packs.entries()], COMPARED_AT_ONCE, async ([at, pack]): Promise<Standing> => {
    const claim = claims[at] ?? null;
    const own = versions.filter(({ period }) => period === pack.period);
    const version = versionPoints(pack, own);
    if (claim === null) {
      return { claim, verdict: withLater(UNREADABLE, version) };
    }
    const restated = claim.accounts.length > 1 ? 0 : await restatedSince(stores, now.archive, claim);
    const later = claim.accounts.length > 1 ? [] : await filePoints(claim, now);
    return { claim, verdict: withLater(claim.verdict, [...version, ...latePoints(restated), ...later]) };
  });
}

export type LastChecks = Awaited<ReturnType<typeof lastChecks>>;

/** The last checks of the archive and of this pack (null: of all packs); one from before it was made does not count. */
export async function checksOf(
  { account, store, packStore }: AccountStores,
  seq: number,
  pack: PackEntry | null,
): Promise<LastChecks> {
  const ofPeriod = pack === null ? {} : { period: pack.period };
  const apart = packStore === null || pack?.store === "archive" ? {} : { packStore: packStore.location };
  const { files, rewalk } = await lastChecks(store, account, { seq, ...ofPeriod, ...apart });
  return { files: files !== null && files.checkedAt >= (pack?.madeAt ?? 0) ? files : null, rewalk };
}

/** Of a period whose only version is missing. */
export function missingVerdict(latestGone: string): Verdict {
  return { claim: "Missing", text: "This pack is not in the store.", points: [missingPoint(latestGone)] };
}

function missingPoint(latestGone: string): Point {
  return {
    about: "stale",
    text: `The current version is missing: latest.json names version ${latestGone}, which is not in the store.`,
    remedy: "Restore it from a copy, or make the pack again.",
  };
}

function versionPoints(pack: PackEntry, versions: readonly PackEntry[]): Point[] {
  if (pack.latestGone !== null) {
    return [missingPoint(pack.latestGone)];
  }
  if (pack.latest || !pack.complete) {
    return [];
  }
  return versions.some(({ latest }) => latest)
    ? [{ about: "stale", text: "It is not the current version of this period.", remedy: "Use the current version." }]
    : [{ about: "stale", text: "It is not known which version is current.", remedy: "Make the pack again." }];
}

/** `fills`: null if their number is not known. */
function latePoints(fills: number | null): Point[] {
  if (fills === null) {
    return [{ about: "note", text: "It is not known whether fills came late or changed since it was made." }];
  }
  const text = `${counted(fills, "fill")} of this period came late or changed since this pack was made.`;
  const remedy = "Make it again: restatements.csv has them. Check what you have filed already.";
  return fills === 0 ? [] : [{ about: "stale", text, remedy }];
}

/**
 * Where the user's files are others than those that the pack was made with. Times do not tell: a file may be put up
 * while the pack is made.
 */
async function filePoints(claim: PackStatement, { inputs, hashOf }: Now): Promise<Point[]> {
  const used = inputs.filter(({ refusal }) => refusal === null);
  const had = new Map(claim.inputs.map(({ name, sha256 }) => [name, sha256]));
  const without: string[] = [];
  for (const one of used) {
    const before = had.get(one.name);
    if (before === undefined || (await hashOf(one.name)) !== before) {
      without.push(one.name);
    }
  }
  const gone = goneFrom(claim, used);
  const [are, them] = gone.length === 1 ? ["is", "it"] : ["are", "them"];
  const point = (names: readonly string[], text: string, remedy: string): Point[] =>
    names.length === 0 ? [] : [{ about: "files", text, remedy }];
  return [
    ...point(without, `It was made without the present ${without.join(", ")}.`, "Make it again."),
    ...point(
      gone,
      `It was made with ${gone.join(", ")}, which ${are} not among your files.`,
      `Upload what is missing: a pack made now will not use ${them}.`,
    ),
  ];
}

/** Names of files that a pack was made with, and that are not there now. */
export function goneFrom(
  { inputs }: Pick<PackStatement, "inputs">,
  listed: readonly Pick<StoredInput, "name">[],
): string[] {
  return inputs.map(({ name }) => name).filter((name) => listed.every((one) => one.name !== name));
}

/**
 * What the period's newest pack was made with: the newest complete one, if there is one. Nothing if the
 * period has no pack. Null: that pack cannot be read.
 */
export async function newestMadeWith(
  stores: AccountStores,
  period: string,
): Promise<Pick<PackStatement, "inputs"> | null> {
  const isThere = (await packPeriods(stores)).includes(period);
  const newest = isThere ? newestOf(await versionsOf(stores, period)) : null;
  const [claim = null] = newest === null ? [{ inputs: [] }] : await packClaims(stores, [newest]);
  return claim;
}
