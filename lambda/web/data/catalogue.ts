import { sha256Of } from "../../archive/keys.ts";
import { FillbookError } from "../../core/errors.ts";
import { fieldsIn, fieldsOf } from "../../core/record.ts";
import { isoTime, type TimeRange } from "../../core/time.ts";
import { type Point, SUBJECTS, type Verdict } from "../../core/verdict.ts";
import { COMPLETENESS_FORMAT } from "../../pack/catalogue/completeness.ts";
import { parseChecksums } from "../../pack/make/pack-files.ts";
import { bytesUpTo } from "../bytes-up-to.ts";
import type { AccountStores, PackDetails, PackEntry, PackFileEntry, PackStatement } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { parseNets } from "./nets.ts";
import {
  AT_ONCE,
  markOf,
  packKey,
  packPeriods,
  packVersions,
  type StoredVersion,
  storeOf,
  sumsPathOf,
} from "./versions.ts";

const CLAIM = "completeness.json";

/** Null if the period has no such version. Throws `untrusted` if the pack is not as it was written. */
export async function findPack(stores: AccountStores, period: string, version: string): Promise<PackDetails | null> {
  const known = (await packPeriods(stores)).filter(({ name }) => name === period);
  const versions = await packVersions(stores, known);
  const found = versions.find((one) => one.version === version);
  if (found === undefined) {
    return null;
  }
  const files = await filesOf(stores, found);
  const text = await readPackText(stores, { ...found, files }, CLAIM);
  const claim = parseCompleteness(text, stores.account, period);
  if (claim === null) {
    throw damaged(`${placeOf(stores, found, CLAIM)} is not a file that this version of fillbook writes for ${period}`);
  }
  return { ...found, files, claim, versions };
}

/**
 * The statement of each pack, without checking its hash; null if it is missing or unreadable. One read a
 * pack.
 */
export async function packClaims(
  stores: AccountStores,
  packs: readonly PackEntry[],
): Promise<(PackStatement | null)[]> {
  return await mapConcurrent(packs, AT_ONCE, async (pack) => {
    const text = await readUnchecked(stores, pack, CLAIM);
    return text === null ? null : parseCompleteness(text, stores.account, pack.period);
  });
}

/** In a pack of many years these files have about 100 kB. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
const MAX_UNCHECKED_BYTES = 1024 * 1024;
/** The form of the paths that fillbook gives a pack's files. No such path leads out of the pack. */
const PATH = /^[\w=-][\w.=-]*(?:\/[\w=-][\w.=-]*)*$/;

/**
 * The files that SHA256SUMS lists, in its order, then SHA256SUMS itself. Throws `untrusted` if one is
 * missing: a pack is delivered whole or not at all. Files that it does not list are not part of the pack.
 */
async function filesOf(stores: AccountStores, pack: StoredVersion): Promise<PackFileEntry[]> {
  const sumsPath = sumsPathOf(pack.version);
  const sumsBytes = pack.sizes.get(sumsPath) ?? 0;
  checkSize(stores, pack, sumsPath, sumsBytes);
  const sums = await storeOf(stores, pack.store).get(packKey(stores.account, pack, sumsPath));
  const listed = [...parseChecksums(Buffer.from(sums?.body ?? []).toString())].filter(([path]) => PATH.test(path));
  const entries = listed.map(([path, sha256]) => {
    const bytes = pack.sizes.get(path);
    if (bytes === undefined) {
      throw damaged(`${placeOf(stores, pack, path)} is missing, but ${sumsPath} lists it`);
    }
    return { path, bytes, sha256 };
  });
  return [...entries, { path: sumsPath, bytes: sumsBytes, sha256: null }];
}

interface ListedPack extends PackEntry {
  readonly files: readonly PackFileEntry[];
}

/** The pack's file of this name. `name`: without the prefix of an incomplete pack. */
export function fileNamed({ version, files }: Pick<ListedPack, "version" | "files">, name: string) {
  return files.find(({ path }) => path === markOf(version) + name);
}

/**
 * A file of the pack as text, after checking its hash. `name`: without the prefix of an incomplete pack.
 * Throws `untrusted`.
 */
export async function readPackText(stores: AccountStores, pack: ListedPack, name: string): Promise<string> {
  const path = markOf(pack.version) + name;
  const file = fileNamed(pack, name);
  if (file === undefined) {
    throw damaged(`${placeOf(stores, pack, path)} is not in its SHA256SUMS`);
  }
  checkSize(stores, pack, path, file.bytes);
  const stored = await storeOf(stores, pack.store).get(packKey(stores.account, pack, path));
  const actual = stored === null ? null : sha256Of(stored.body);
  if (stored === null || actual !== file.sha256) {
    throw damaged(`${placeOf(stores, pack, path)} is damaged: its sha256 is ${actual}, not ${file.sha256}`);
  }
  return Buffer.from(stored.body).toString();
}

/**
 * A file as text, without checking its hash; null if it is missing or too large. `name`: without the prefix
 * of an incomplete pack. For views that show many packs at once: each pack's own page checks the hash.
 */
async function readUnchecked(stores: AccountStores, pack: PackEntry, name: string): Promise<string | null> {
  const key = packKey(stores.account, pack, markOf(pack.version) + name);
  const pieces = await storeOf(stores, pack.store).openStream(key);
  const bytes = pieces === null ? null : await bytesUpTo(pieces, MAX_UNCHECKED_BYTES);
  return bytes?.toString() ?? null;
}

/** True if the file is small enough to be read whole. */
export function isReadable({ bytes }: Pick<PackFileEntry, "bytes">): boolean {
  return bytes <= MAX_READ_BYTES;
}

/** The `untrusted` error of a pack that is not as it was written. */
function damaged(message: string): FillbookError {
  return new FillbookError("untrusted", message, {
    hint: "run fillbook verify; restore the pack from a copy, or move it away and export again",
  });
}

function checkSize(stores: AccountStores, pack: PackEntry, path: string, bytes: number): void {
  if (!isReadable({ bytes })) {
    throw damaged(`${placeOf(stores, pack, path)} has ${bytes} bytes, more than the page reads of such a file`);
  }
}

/** The file's full address, for messages. */
function placeOf(stores: AccountStores, pack: PackEntry, path: string): string {
  return `${storeOf(stores, pack.store).location}/${packKey(stores.account, pack, path)}`;
}

/**
 * Parses completeness.json. Null if this version of fillbook does not write such a text
 * for this account and period.
 */
function parseCompleteness(text: string, account: string, period: string): PackStatement | null {
  const document = fieldsIn(text);
  const { zone, method, basis } = document;
  const range = rangeOf(document);
  const figures = fieldsOf(document["accounts"]);
  const currency = figures["report_currency"] ?? null;
  const nets = parseNets(figures["net_realised_pnl"]);
  const verdict = verdictIn(document["verdict"]);
  const totals = fieldsOf(document["totals"]);
  const { fills, exceptions } = totals;
  const { late, changed, enriched } = fieldsOf(totals["restatements"]);
  const gaps = Array.isArray(document["gaps"]) ? document["gaps"].map(rangeOf) : [null];
  if (
    document["format"] !== COMPLETENESS_FORMAT ||
    document["account"] !== account ||
    document["period"] !== period ||
    range === null ||
    !isText(zone) ||
    !isText(method) ||
    !isText(basis) ||
    !(currency === null || isText(currency)) ||
    nets === null ||
    verdict === null ||
    !isCount(fills) ||
    !isCount(exceptions) ||
    !isCount(late) ||
    !isCount(changed) ||
    !isCount(enriched) ||
    !gaps.every((gap) => gap !== null)
  ) {
    return null;
  }
  const made = { zone, method, isMethodChosen: document["method_chosen"] === true, basis, currency };
  const counts = { fills, exceptions, restatements: { late, changed, enriched } };
  const { silence_days: days, vanished_fills: vanished } = fieldsOf(document["assumed"]);
  const assumed = { silenceDays: isCount(days) ? days : null, vanished: isCount(vanished) ? vanished : 0 };
  const inputs = inputsIn(figures["inputs"]);
  const accounts = Array.isArray(document["of"]) ? document["of"].filter(isText) : [];
  return {
    ...rangeText(range),
    ...made,
    ...counts,
    assumed,
    inputs,
    nets,
    accounts,
    verdict,
    gaps: gaps.map(rangeText),
  };
}

function verdictIn(value: unknown): Verdict | null {
  const { claim, text, points } = fieldsOf(value);
  return isText(claim) && isText(text) && Array.isArray(points) && points.every(isPoint)
    ? { claim, text, points }
    : null;
}

function isPoint(value: unknown): value is Point {
  const { about, text, remedy = "-" } = fieldsOf(value);
  return SUBJECTS.some((one) => one === about) && isText(text) && isText(remedy);
}

function inputsIn(value: unknown): PackStatement["inputs"] {
  return (Array.isArray(value) ? value : []).flatMap((one) => {
    const { path, sha256 } = fieldsOf(one);
    return isText(path) && isText(sha256) ? [{ name: path.replace(/^inputs\//, ""), sha256 }] : [];
  });
}

/** `[from, to)` of two times in the form that fillbook writes; null for anything else. */
function rangeOf(value: unknown): TimeRange | null {
  const { from, to } = fieldsOf(value);
  const [fromMs, toMs] = [timeOf(from), timeOf(to)];
  return fromMs === null || toMs === null || fromMs >= toMs ? null : { from: fromMs, to: toMs };
}

function timeOf(value: unknown): number | null {
  const ms = isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function rangeText({ from, to }: TimeRange) {
  return { from: isoTime(from), to: isoTime(to) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
