import { counted } from "../core/text.ts";
import { MATCHES } from "../inputs/files.ts";
import type { Components } from "../job/components.ts";
import type { ExportResult } from "../job/context.ts";
import type { ExportRequest } from "../job/export-pack.ts";
import { goneFrom, newestMadeWith } from "../web/data/standing.ts";

/** At most this many files are named. */
const MOST = 8;

interface Asked extends Pick<ExportRequest, "period" | "inputsDir"> {
  readonly account: string;
  /** True: `inputsDir` has a folder for each account. */
  readonly isOfGroup: boolean;
}

/**
 * Call it before an export. The returned function names, after the export, the user's files that the pack
 * before was made with and the new one was not: in one sentence or none. If that pack cannot be read, none.
 * matches.csv is not named: no pack is made without it by the method that uses it, or with it by another.
 */
export async function goneInputs(
  { store }: Pick<Components, "store">,
  { account, period, inputsDir, isOfGroup }: Asked,
): Promise<(made: Pick<ExportResult, "dir" | "files">) => readonly string[]> {
  const stores = { account, store: await store(), packStore: null };
  const before = await newestMadeWith(stores, period.name);
  return ({ dir, files }) => {
    const used = files.map(({ path }) => ({ name: path.replace(/^inputs\//, "").replace("INCOMPLETE-", "") }));
    const gone = dir === null || before === null ? [] : goneFrom(before, used).filter((name) => name !== MATCHES);
    if (gone.length === 0) {
      return [];
    }
    const more = gone.length > MOST ? ` and ${counted(gone.length - MOST, "other file")}` : "";
    const place = `${stores.store.location}/${isOfGroup ? "<account>" : account}/inputs`;
    const hint =
      inputsDir === undefined
        ? `. Put what is missing into ${place} and export again`
        : `: with --inputs, the files in ${place} are not read. Copy what is missing into ${inputsDir} and export again`;
    return [
      `the pack of ${period.name} before this one was made with ${gone.slice(0, MOST).join(", ")}${more}, and this one was not${hint}`,
    ];
  };
}
