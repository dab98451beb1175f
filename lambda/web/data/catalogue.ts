import { hash } from "node:crypto";
import { readAmount } from "../../core/amount.ts";
import { type Fields, fieldsIn, fieldsOf } from "../../core/record.ts";
import { COMPLETENESS_FORMAT } from "../../pack/catalogue/completeness.ts";
import { parseChecksums } from "../../pack/make/pack-files.ts";
import { bytesUpTo } from "../bytes-up-to.ts";
import { damaged, openPackFile } from "../pack-bytes.ts";
import type { AccountStores, PackDetails, PackEntry, PackFileEntry, PackStatement } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import {
  AT_ONCE,
  markOf,
  packKey,
  packPeriods,
  type StoredVersion,
  storeOf,
  sumsPathOf,
  versionsOf,
} from "./versions.ts";

const CLAIM = "completeness.json";

/** Null if the period has no such version. Throws `untrusted` if the pack is not as it was written. */
export async function findPack(stores: AccountStores, period: string, version: string): Promise<PackDetails | null> {
  const isThere = (await packPeriods(stores)).includes(period);
  const { versions } = isThere ? await versionsOf(stores, period) : { versions: [] };
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
 * The statement of each pack; null if it is missing, too large, unreadable, or not the one that SHA256SUMS lists. No
 * other file is looked at, as each pack's own page does.
 */
export async function packClaims(
  stores: AccountStores,
  packs: readonly PackEntry[],
): Promise<readonly (PackStatement | null)[]> {
  return await mapConcurrent(packs, AT_ONCE, async (pack) => {
    const read = async (name: string) => {
      const pieces = await storeOf(stores, pack.store).openStream(packKey(stores.account, pack, name));
      return (pieces && (await bytesUpTo(pieces, MAX_LISTED_BYTES))) ?? Buffer.alloc(0);
    };
    const path = markOf(pack.version) + CLAIM;
    const [bytes, sums] = await Promise.all([read(path), read(sumsPathOf(pack.version))]);
    return parseChecksums(sums.toString()).get(path) === hash("sha256", bytes)
      ? parseCompleteness(bytes.toString(), stores.account, pack.period)
      : null;
  });
}

/** In a pack of many years these files have about 100 kB. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Of each of two files of all packs of a list, which are in memory together. */
const MAX_LISTED_BYTES = 1024 * 1024;
/** The form of the paths that fillbook gives a pack's files. No such path leads out of the pack. */
const PATH = /^[\w=-][\w.=-]*(?:\/[\w=-][\w.=-]*)*$/;

/**
 * The files that SHA256SUMS lists, in its order, then SHA256SUMS itself. Throws `untrusted` if one is
 * missing: a pack is delivered whole or not at all. Files that it does not list are not part of the pack.
 */
async function filesOf(stores: AccountStores, pack: StoredVersion): Promise<PackFileEntry[]> {
  const sumsPath = sumsPathOf(pack.version);
  const sumsBytes = pack.sizes.get(sumsPath) ?? 0;
  checkSize(stores, pack, { path: sumsPath, bytes: sumsBytes });
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
  const file = fileNamed(pack, name);
  if (file === undefined) {
    throw damaged(`${placeOf(stores, pack, markOf(pack.version) + name)} is not in its SHA256SUMS`);
  }
  checkSize(stores, pack, file);
  return Buffer.concat(await Array.fromAsync(await openPackFile(stores, pack, file))).toString();
}

/** True if the file is small enough to be read whole. */
export function isReadable({ bytes }: Pick<PackFileEntry, "bytes">): boolean {
  return bytes <= MAX_READ_BYTES;
}

function checkSize(stores: AccountStores, pack: PackEntry, file: Pick<PackFileEntry, "path" | "bytes">): void {
  if (!isReadable(file)) {
    const { path, bytes } = file;
    throw damaged(`${placeOf(stores, pack, path)} has ${bytes} bytes, more than the page reads of such a file`);
  }
}

/** The file's full address, for messages. */
function placeOf(stores: AccountStores, pack: PackEntry, path: string): string {
  return `${storeOf(stores, pack.store).location}/${packKey(stores.account, pack, path)}`;
}

/** What is true of a value, of its fields, or of each element of a list. */
type Form = ((value: unknown) => boolean) | readonly [Form] | { readonly [name: string]: Form };

function hasForm(value: unknown, form: Form): boolean {
  if (typeof form === "function") {
    return form(value);
  }
  return Array.isArray(form)
    ? Array.isArray(value) && value.every((one) => hasForm(one, form[0]))
    : Object.entries(form).every(([name, own]) => hasForm(fieldsOf(value)[name], own));
}

const text: Form = (value) => typeof value === "string";
const number: Form = (value) => Number.isSafeInteger(value);
const orNull =
  (form: Form): Form =>
  (value) =>
    value === null || hasForm(value, form);
/** Of what is used of completeness.json. */
const FORM: Form = {
  ...{ from: text, to: text, zone: text, method: text, basis: text, of: [text], gaps: [{ from: text, to: text }] },
  verdict: { claim: text, text, points: [{ about: text, text }] },
  totals: { fills: number, exceptions: number, restatements: { late: number, changed: number, enriched: number } },
  assumed: { silence_days: orNull(number), vanished_fills: number },
  accounts: {
    report_currency: orNull(text),
    net_realised_pnl: [{ currency: text }],
    inputs: [{ path: text }],
  },
};

/** Null if this version of fillbook does not write such a text for this account and period. */
function parseCompleteness(json: string, account: string, period: string): PackStatement | null {
  const document = fieldsIn(json);
  const { format, account: owner, period: name } = document;
  if (format !== COMPLETENESS_FORMAT || owner !== account || name !== period || !hasForm(document, FORM)) {
    return null;
  }
  const { from, to, zone, method, basis, gaps, verdict, of: accounts } = document;
  const { fills, exceptions, restatements } = fieldsOf(document["totals"]);
  const { silence_days: silenceDays, vanished_fills: vanished } = fieldsOf(document["assumed"]);
  const figures = fieldsOf(document["accounts"]);
  const [inputs, nets] = [figures["inputs"], figures["net_realised_pnl"]] as [Fields[], Fields[]];
  return {
    ...{ from, to, zone, method, basis, gaps, verdict, accounts, fills, exceptions, restatements },
    isMethodChosen: document["method_chosen"],
    currency: figures["report_currency"],
    assumed: { silenceDays, vanished },
    inputs: inputs.map(({ path, sha256 }) => ({ name: String(path).replace(/^inputs\//, ""), sha256 })),
    nets: nets.map(({ currency, amount, funding, partial }) => ({
      currency,
      net: typeof amount === "string" ? readAmount(amount) : null,
      isFundingIncluded: funding === "included",
      isPartial: partial,
    })),
  } as unknown as PackStatement;
}
