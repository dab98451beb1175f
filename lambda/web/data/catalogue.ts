import { compareText } from "../../core/text.ts";
import type { Store } from "../../storage/store.ts";
import type {
  PackCatalogue,
  PackChange,
  PackDetails,
  PackEntry,
  PackFileEntry,
  PackPeriod,
  PackStatement,
  PackStoreName,
  SumChange,
} from "../ports.ts";
import { figureChanges, fileChanges } from "./comparison.ts";
import { type Completeness, parseCompleteness } from "./completeness-statement.ts";
import {
  damaged,
  filesOf,
  isReadable,
  keyOf,
  type PackPlace,
  readPackText,
  readSums,
  readUnchecked,
  sumsPathOf,
} from "./contents.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { restatedSince } from "./restated.ts";
import { addedRestatements } from "./restated-rows.ts";
import { sumChanges } from "./sums.ts";
import { listFolder, markOf, packPrefix, periodNamesOf, type StoredVersion, versionsOf } from "./versions.ts";

/** Requests that are under way together. */
const AT_ONCE = 32;
const CLAIM = "completeness.json";

/** The packs of an account. `store` has its archive, and packs that were made before there was a `packStore`. */
export function openCatalogue({ store, packStore }: { store: Store; packStore: Store | null }): PackCatalogue {
  const storeOf = (name: PackStoreName): Store => (name === "packs" ? (packStore ?? store) : store);
  const names: readonly PackStoreName[] = packStore === null ? ["archive"] : ["archive", "packs"];
  const placeOf = (account: string, pack: PackEntry): PackPlace => ({ packStore: storeOf(pack.store), account, pack });

  const periods = async (account: string): Promise<PackPeriod[]> => {
    const known = await Promise.all(names.map((name) => periodNamesOf(storeOf(name), account)));
    const all = [...new Set(known.flat())].sort(compareText);
    const having = known.map((periodNames) => new Set(periodNames));
    return all.map((name) => ({ name, stores: names.filter((_, at) => having[at]?.has(name)) }));
  };

  const versionsOfAll = async (account: string, asked: readonly PackPeriod[]): Promise<StoredVersion[][]> => {
    const toList = asked.flatMap(({ name, stores }) => stores.map((one) => ({ period: name, store: one })));
    const listed = await mapConcurrent(toList, AT_ONCE, (one) => listFolder(storeOf(one.store), account, one));
    return await mapConcurrent(asked, AT_ONCE, ({ name }) => {
      const folders = listed.filter((_, at) => toList[at]?.period === name);
      return versionsOf(storeOf, account, name, folders);
    });
  };

  /** Null: it is not there, or cannot be read. */
  const claimOf = async (account: string, pack: PackEntry): Promise<PackStatement | null> => {
    const text = await readUnchecked(placeOf(account, pack), CLAIM);
    return text === null ? null : (parseCompleteness(text, account, pack.period)?.claim ?? null);
  };

  return {
    periods,
    async list(account, asked) {
      return (await versionsOfAll(account, asked)).flat().map(({ entry }) => entry);
    },
    async find(account, period, version): Promise<PackDetails | null> {
      const known = (await periods(account)).filter(({ name }) => name === period);
      const versions = (await versionsOfAll(account, known)).flat();
      const found = versions.find(({ entry }) => entry.version === version);
      if (found === undefined) {
        return null;
      }
      const place = placeOf(account, found.entry);
      const files = await filesOf(place, found);
      const { claim } = await completenessOf(place, files);
      return { ...found.entry, files, claim, versions: versions.map(({ entry }) => entry) };
    },
    claims: (account, packs) => mapConcurrent(packs, AT_ONCE, (pack) => claimOf(account, pack)),
    async restatedSince({ restatements }, claims) {
      if (restatements === null) {
        return claims.map(() => null);
      }
      const known = claims.filter((claim) => claim !== null);
      const from = Math.min(...known.map((claim) => Date.parse(claim.from)));
      const to = Math.max(...known.map((claim) => Date.parse(claim.to)));
      const since = await restatedSince(store, from < to ? await restatements({ from, to }) : [], known);
      return claims.map((claim) => (claim === null ? null : (since[known.indexOf(claim)] ?? null)));
    },
    async compare(account, before, after) {
      const places = [before, after].map((pack) => ({ place: placeOf(account, pack), files: pack.files }));
      const [[was, is], sums, fills] = await Promise.all([
        Promise.all(places.map(({ place, files }) => completenessOf(place, files))),
        sumsBetween(places),
        restatedBetween(places),
      ]);
      const figures = figureChanges(was?.document, is?.document);
      return { sums, figures, fills, files: fileChanges(before.files, after.files) };
    },
    async open(account, pack, path) {
      const place = placeOf(account, pack);
      const isOfPack = path === sumsPathOf(pack) || (await readSums(place)).has(path);
      return isOfPack ? await place.packStore.openStream(packPrefix(account, pack) + path) : null;
    },
  };
}

/** Its hash compared. Throws `untrusted`. */
async function completenessOf(place: PackPlace, files: readonly PackFileEntry[]): Promise<Completeness> {
  const { account, pack } = place;
  const read = parseCompleteness(await readPackText(place, files, CLAIM), account, pack.period);
  if (read === null) {
    throw damaged(`${keyOf(place, CLAIM)} is not what this fillbook writes for ${pack.period}`);
  }
  return read;
}

interface Side {
  readonly place: PackPlace;
  readonly files: readonly PackFileEntry[];
}

async function restatedBetween(sides: readonly Side[]): Promise<PackChange[]> {
  const name = "restatements.csv";
  const texts = await textsOf(sides, name);
  return texts === null
    ? [{ what: `${name}: its rows`, before: "", after: "too many to compare here" }]
    : addedRestatements(...texts);
}

async function sumsBetween(sides: readonly Side[]): Promise<SumChange[] | null> {
  const texts = await textsOf(sides, "summary.csv");
  return texts === null ? null : sumChanges(...texts);
}

/** A file of both packs; null: one of them has none, or one that is too large. */
async function textsOf(sides: readonly Side[], name: string): Promise<[string, string] | null> {
  const isShort = ({ place, files }: Side) =>
    files.some((file) => file.path === markOf(place.pack.version) + name && isReadable(file));
  if (!sides.every(isShort)) {
    return null;
  }
  const [before = "", after = ""] = await Promise.all(
    sides.map(({ place, files }) => readPackText(place, files, name)),
  );
  return [before, after];
}
