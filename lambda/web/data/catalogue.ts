import type { Books, PackDetails, PackEntry, PackStatement } from "../packs.ts";
import { parseCompleteness } from "./completeness-statement.ts";
import { damaged, filesOf, placeOf, readPackText, readUnchecked } from "./contents.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { AT_ONCE, packPeriods, packVersions } from "./versions.ts";

const CLAIM = "completeness.json";

/** Null when there is no such version of such a period. Throws `untrusted` where it is not as it was written. */
export async function findPack(books: Books, period: string, version: string): Promise<PackDetails | null> {
  const known = (await packPeriods(books)).filter(({ name }) => name === period);
  const versions = await packVersions(books, known);
  const found = versions.find((one) => one.version === version);
  if (found === undefined) {
    return null;
  }
  const files = await filesOf(books, found);
  const text = await readPackText(books, { ...found, files }, CLAIM);
  const read = parseCompleteness(text, books.account, period);
  if (read === null) {
    throw damaged(`${placeOf(books, found, CLAIM)} is not what this fillbook writes for ${period}`);
  }
  return { ...found, files, ...read, versions };
}

/** What each pack claims, its hash not compared; null: it is not there, or cannot be read. A read each. */
export async function packClaims(books: Books, packs: readonly PackEntry[]): Promise<(PackStatement | null)[]> {
  return await mapConcurrent(packs, AT_ONCE, async (pack) => {
    const text = await readUnchecked(books, pack, CLAIM);
    return text === null ? null : (parseCompleteness(text, books.account, pack.period)?.claim ?? null);
  });
}
