import { FillbookError } from "../../core/errors.ts";
import { counted } from "../../core/text.ts";
import { type Point, type Verdict, withLater } from "../../core/verdict.ts";
import type { Completeness } from "../../pack/catalogue/completeness.ts";
import { lastChecks } from "../../pack/make/checks.ts";
import type { AccountStores, PackDetails, PackEntry } from "../packs.ts";
import { sentenceOf } from "../words.ts";
import { type ArchiveView, viewArchive } from "./archives.ts";
import { type HashOf, hashesOf, listInputs, type StoredInput } from "./inputs.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { openPack } from "./pack-files.ts";
import { restatedSince } from "./restated.ts";

/** A pack, and what every screen says of it. */
export interface Standing {
  readonly pack: PackEntry;
  /** Null: the pack cannot be read. */
  readonly claim: Completeness | null;
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

export async function lookAround(stores: AccountStores) {
  const [archive, inputs] = await Promise.all([viewArchive(stores), listInputs(stores)]);
  return { archive, inputs, hashOf: hashesOf(stores) } satisfies Now;
}

/** The standing of each pack. One that cannot be read does not hide the others. */
export async function standingsOf(stores: AccountStores, packs: readonly PackEntry[], now: Now): Promise<Standing[]> {
  return await mapConcurrent(packs, COMPARED_AT_ONCE, async (pack) => {
    const opened = await openPack(stores, pack).catch(damageOf);
    return opened instanceof FillbookError
      ? { pack, claim: null, verdict: withLater(unreadable(opened), versionPoints(pack)) }
      : { pack, claim: opened.claim, verdict: await verdictSince(stores, opened, now) };
  });
}

function damageOf(error: unknown): FillbookError {
  if (error instanceof FillbookError && error.kind === "untrusted") {
    return error;
  }
  throw error;
}

function unreadable({ message }: FillbookError): Verdict {
  const remedy = "Restore the pack from a copy, or move it away and make it again.";
  const point: Point = { about: "records", text: sentenceOf(message), remedy };
  return { claim: "Cannot be read", text: "Nothing is known of this pack.", points: [point] };
}

/**
 * What is said of a pack now. One of several accounts is not compared: the files and the archives of its accounts lie
 * elsewhere.
 */
export async function verdictSince(stores: AccountStores, pack: PackDetails, now: Now): Promise<Verdict> {
  const { claim } = pack;
  const later =
    claim.of.length > 1
      ? []
      : [...latePoints(await restatedSince(stores, now.archive, claim)), ...(await filePoints(claim, now))];
  return withLater(claim.verdict, [...versionPoints(pack), ...later]);
}

export type LastChecks = Awaited<ReturnType<typeof lastChecks>>;

/** The last checks of the archive and of this pack (null: of all packs); one from before it was made does not count. */
export async function checksOf(
  { account, store, packs }: AccountStores,
  seq: number,
  pack: PackEntry | null,
): Promise<LastChecks> {
  const ofPeriod = pack === null ? {} : { period: pack.period };
  const apart = packs === store ? {} : { packStore: packs.location };
  const { files, rewalk } = await lastChecks(store, account, { seq, ...ofPeriod, ...apart });
  return { files: files !== null && files.checkedAt >= (pack?.madeAt ?? 0) ? files : null, rewalk };
}

/** An older version is none of these: the current one is listed before it. */
function versionPoints({ latest, isOlder, complete }: PackEntry): Point[] {
  const text = "latest.json does not name this version as the current one of its period.";
  const remedy = "Use the version that it names; if that is missing, make the pack again.";
  return latest || isOlder || !complete ? [] : [{ about: "stale", text, remedy }];
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
async function filePoints(claim: Completeness, { inputs, hashOf }: Now): Promise<Point[]> {
  const had = new Map(claim.accounts.inputs.map(({ path, sha256 }) => [path.replace(/^inputs\//, ""), sha256]));
  const used = inputs.filter(({ refusal }) => refusal === null).map(({ name }) => name);
  const hashes = await mapConcurrent(used, COMPARED_AT_ONCE, async (name) => had.has(name) && (await hashOf(name)));
  const others = used.filter((name, at) => hashes[at] !== had.get(name));
  const gone = [...had.keys()].filter((name) => !used.includes(name));
  const made = `It was made with ${gone.join(", ")}, which ${gone.length === 1 ? "is" : "are"} not in the store's inputs/.`;
  const same = "To make it again with the same files, put them there, or export with the same --inputs.";
  const points: readonly (readonly [names: readonly string[], point: Point])[] = [
    [
      others,
      { about: "files", text: `It was made without the present ${others.join(", ")}.`, remedy: "Make it again." },
    ],
    // Where the store has no files, it was made with --inputs, or they were removed: a pack does not say.
    [gone, { about: used.length === 0 ? "note" : "files", text: made, remedy: same }],
  ];
  return points.flatMap(([names, point]) => (names.length === 0 ? [] : [point]));
}
