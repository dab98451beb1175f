import type { Store } from "../../store/store.ts";
import type { PackCatalogue, PackChange, PackDetails, PackEntry, PackFileEntry } from "../ports.ts";
import { mapAtOnce } from "./at-once.ts";
import { type Completeness, parseCompleteness } from "./claim.ts";
import { figureChanges, fileChanges } from "./comparison.ts";
import { damaged, filesOf, isReadable, keyOf, type PackPlace, readPackText, readSums, sumsPathOf } from "./contents.ts";
import { restatementsSince } from "./restated.ts";
import { addedRestatements } from "./restated-rows.ts";
import { markOf, packPrefix, periodsOf, versionsOf } from "./versions.ts";

/** Lists of keys that are under way together. */
const LISTS_AT_ONCE = 32;

/** The packs of `packStore`; `store` has the archives that they are of. */
export function openCatalogue({ store, packStore }: { store: Store; packStore: Store }): PackCatalogue {
  const completenessOf = async (place: PackPlace, files: readonly PackFileEntry[]): Promise<Completeness> => {
    const { account, pack } = place;
    const read = parseCompleteness(await readPackText(place, files, "completeness.json"), account, pack.period);
    if (read === null) {
      throw damaged(`${keyOf(place, "completeness.json")} is not what this fillbook writes for ${pack.period}`);
    }
    return read;
  };

  /** As the store names them: all, or the one that is asked for. */
  const knownPeriods = async (account: string, asked?: string): Promise<string[]> => {
    const periods = await periodsOf(packStore, account);
    return asked === undefined ? periods : periods.filter((period) => period === asked);
  };

  return {
    async list(account, period) {
      const periods = await knownPeriods(account, period);
      const versions = await mapAtOnce(periods, LISTS_AT_ONCE, (one) => versionsOf(packStore, account, one));
      return versions.flat().map(({ entry }) => entry);
    },
    async find(account, period, version): Promise<PackDetails | null> {
      const [known] = await knownPeriods(account, period);
      const versions = known === undefined ? [] : await versionsOf(packStore, account, known);
      const found = versions.find(({ entry }) => entry.version === version);
      if (found === undefined) {
        return null;
      }
      const place = { packStore, account, pack: found.entry };
      const files = await filesOf(place, found);
      const completeness = await completenessOf(place, files);
      const since = await restatementsSince(store, account, completeness);
      return { ...found.entry, files, claim: completeness.claim, restatementsSince: since };
    },
    async compare(account, before, after) {
      const places = [before, after].map((pack) => ({ place: { packStore, account, pack }, files: pack.files }));
      const [was, is] = await Promise.all(places.map(({ place, files }) => completenessOf(place, files)));
      return [
        ...figureChanges(was?.document, is?.document),
        ...(await restatedBetween(places)),
        ...fileChanges(before.files, after.files),
      ];
    },
    async open(account, pack, path) {
      const place = { packStore, account, pack };
      const isOfPack = path === sumsPathOf(pack) || (await readSums(place)).has(path);
      return isOfPack ? await packStore.openStream(packPrefix(account, pack) + path) : null;
    },
  };
}

interface Side {
  readonly place: PackPlace & { readonly pack: PackEntry };
  readonly files: readonly PackFileEntry[];
}

async function restatedBetween(sides: readonly Side[]): Promise<PackChange[]> {
  const name = "restatements.csv";
  const isShort = ({ place, files }: Side) =>
    files.some((file) => file.path === markOf(place.pack.version) + name && isReadable(file));
  if (!sides.every(isShort)) {
    return [{ what: `${name}: its rows`, before: "", after: "too many to compare here" }];
  }
  const [before = "", after = ""] = await Promise.all(
    sides.map(({ place, files }) => readPackText(place, files, name)),
  );
  return addedRestatements(before, after);
}
