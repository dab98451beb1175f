import type { AccountStores } from "../packs.ts";
import type { Obstacle } from "../ports.ts";
import { packClaims } from "./catalogue.ts";
import { checkTogether, faultOf, understandInput } from "./check-inputs.ts";
import { listAllInputs, readStoredInputs, type StoredInput } from "./input-files.ts";
import { newestFirst, newestOf, packPeriods, versionsOf } from "./versions.ts";

/** A file of the user, and what was understood of it. */
export interface InputLine extends Pick<StoredInput, "name" | "bytes" | "modifiedMs"> {
  /** SHA-256 of the content; null: it was not read. */
  readonly stamp: string | null;
  /** `3 opening positions`; null: it was not read, or cannot be understood. */
  readonly understood: string | null;
  readonly problem: Obstacle | null;
  /** False: while it is there, no pack can be made. */
  readonly isUsable: boolean;
}

export interface InputsView {
  readonly inputs: readonly InputLine[];
  /** False: they are too large together to be looked into. */
  readonly isRead: boolean;
  /** What each file alone does not show: two of them contradict each other. */
  readonly problem: Obstacle | null;
}

/** The files of an account, read as an export reads them; a date in them is a day of the zone. */
export async function readInputsView(
  stores: AccountStores,
  zone: Promise<string>,
  mostTotalBytes: number,
): Promise<InputsView> {
  const listed = await listAllInputs(stores);
  const isRead = listed.reduce((sum, { bytes }) => sum + bytes, 0) <= mostTotalBytes;
  const read = isRead
    ? await readStoredInputs(
        stores,
        listed.filter(({ isReadable }) => isReadable),
      )
    : [];
  const days = await zone;
  const contents = new Map(read.map(({ name, file }) => [name, file]));
  const inputs = listed.flatMap(({ refusal, isReadable, ...stored }): InputLine[] => {
    const file = contents.get(stored.name);
    if (isRead && isReadable && file === undefined) {
      return []; // removed meanwhile
    }
    const line = {
      ...stored,
      stamp: file?.sha256 ?? null,
      isUsable: refusal === null,
      understood: null,
      problem: null,
    };
    if (refusal !== null) {
      const message = `not used: ${refusal.message}`;
      return [{ ...line, problem: { message, hint: "remove it: no pack can be made while it is there" } }];
    }
    let understood: string | null = null;
    const problem =
      file === undefined
        ? null
        : faultOf(() => {
            understood = understandInput(file, days);
          });
    return [{ ...line, understood, problem }];
  });
  const isWhole = inputs.every(({ problem }) => problem === null);
  const files = read.map(({ file }) => file);
  return { inputs, isRead, problem: isWhole ? faultOf(() => checkTogether(files, days)) : null };
}

/** Where the days of the account's newest pack are; of one without packs, UTC. */
export async function usualZone(stores: AccountStores): Promise<string> {
  const [period] = newestFirst(await packPeriods(stores));
  const pack = period === undefined ? null : newestOf(await versionsOf(stores, period));
  const [claim] = pack === null ? [] : await packClaims(stores, [pack]);
  return claim?.zone ?? "UTC";
}
