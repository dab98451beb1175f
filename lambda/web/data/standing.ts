import { counted } from "../../core/text.ts";
import { type Point, type Verdict, withLater } from "../../core/verdict.ts";
import type { AccountStores, PackEntry, PackStatement } from "../packs.ts";
import type { ArchiveView } from "./archives.ts";
import { packClaims } from "./catalogue.ts";
import type { StoredInput } from "./input-files.ts";
import { type HashOf, type InputsSince, inputsSince } from "./inputs-since.ts";
import { newestOf } from "./newest-pack.ts";
import { restatedSince } from "./restated.ts";
import type { PeriodVersions } from "./versions.ts";

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
  const lines = periods.flatMap(({ versions }) => {
    const pack = newestOf(versions);
    return pack === null ? [] : [{ pack, otherVersions: versions.length - 1 }];
  });
  const packs = lines.map(({ pack }) => pack);
  const all = periods.flatMap(({ versions }) => versions);
  const standings = await standingsOf(stores, packs, all, now);
  return standings.map((standing, at) => ({ ...standing, ...(lines[at] as (typeof lines)[number]) })); // one each
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
  const restated = await restatedSince(stores, now.archive, claims);
  return await Promise.all(
    packs.map(async (pack, at): Promise<Standing> => {
      const claim = claims[at] ?? null;
      const own = versions.filter(({ period }) => period === pack.period);
      const version = versionPoints(pack, own);
      if (claim === null) {
        return { claim, verdict: withLater(UNREADABLE, version) };
      }
      const later =
        claim.accounts.length > 1
          ? []
          : [
              ...latePoints(restated[at] ?? null),
              ...filePoints(await inputsSince(pack, claim, now.inputs, now.hashOf)),
            ];
      return { claim, verdict: withLater(claim.verdict, [...version, ...later]) };
    }),
  );
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

function filePoints({ uploaded, unused, gone }: InputsSince): Point[] {
  const point = (names: readonly string[], text: string, remedy: string): Point[] =>
    names.length === 0 ? [] : [{ about: "files", text, remedy }];
  return [
    ...point(
      uploaded,
      `It was made before ${uploaded.join(", ")} ${uploaded.length === 1 ? "was" : "were"} uploaded.`,
      "Make it again.",
    ),
    ...point(unused, `It was made without ${unused.join(", ")}.`, "Make it again."),
    ...point(
      gone,
      `It was made with ${gone.join(", ")}, which ${gone.length === 1 ? "is" : "are"} not among your files.`,
      `Upload what is missing: a pack made now will not use ${gone.length === 1 ? "it" : "them"}.`,
    ),
  ];
}
