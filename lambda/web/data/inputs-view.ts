import { locationOf, refusalOf } from "../../inputs/files.ts";
import type { AccountStores } from "../packs.ts";
import type { Obstacle } from "../ports.ts";
import { packClaims } from "./catalogue.ts";
import { checkTogether, faultOf, understandInput } from "./check-inputs.ts";
import {
  listAllInputs,
  type ReadInput,
  readStoredInputs,
  type StoredInput,
  type UnreadableInput,
} from "./input-files.ts";
import { newestOf } from "./newest-pack.ts";
import { newestFirst } from "./periods.ts";
import { packPeriods, packVersions } from "./versions.ts";

/** A file of the user, and what was understood of it. */
export interface InputLine extends StoredInput {
  /** SHA-256 of the content; null: it was not read. */
  readonly stamp: string | null;
  /** `3 opening positions`; null: it was not read, or cannot be understood. */
  readonly understood: string | null;
  readonly problem: Obstacle | null;
}

export interface InputsView {
  readonly inputs: readonly InputLine[];
  /** What lies beside them, is not read, and keeps packs from being made. */
  readonly unreadable: readonly { readonly name: string; readonly problem: Obstacle }[];
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
  const { inputs: listed, unreadable: others } = await listAllInputs(stores);
  const unreadable = others.flatMap((one) => {
    const problem = unusedOf(stores, one);
    return problem === null ? [] : [{ name: one.name, problem }];
  });
  if (listed.reduce((sum, { bytes }) => sum + bytes, 0) > mostTotalBytes) {
    const inputs = listed.map((one) => ({ ...one, stamp: null, understood: null, problem: null }));
    return { inputs, unreadable, isRead: false, problem: null };
  }
  const read = await readStoredInputs(stores, listed);
  const days = await zone;
  const inputs = read.map((one) => lineOf(stores, one, days));
  const isWhole = inputs.every(({ problem }) => problem === null);
  const files = read.map(({ file }) => file);
  return { inputs, unreadable, isRead: true, problem: isWhole ? problemOf(() => checkTogether(files, days)) : null };
}

function lineOf(stores: AccountStores, { file, tag: _, ...stored }: ReadInput, zone: string): InputLine {
  let understood: string | null = null;
  const problem =
    unusedOf(stores, stored) ??
    problemOf(() => {
      understood = understandInput(file, zone);
    });
  return { ...stored, stamp: file.sha256, understood, problem };
}

/** Null: packs use it. */
function unusedOf({ store, account }: AccountStores, entry: UnreadableInput): Obstacle | null {
  const refusal = refusalOf(entry, locationOf({ kind: "store", store, account }));
  return (
    refusal && { message: `not used: ${refusal.message}`, hint: "remove it: no pack can be made while it is there" }
  );
}

function problemOf(read: () => void): Obstacle | null {
  const fault = faultOf(read);
  return fault === null ? null : { message: fault.message, hint: fault.hint };
}

/** Where the days of the account's newest pack are; of one without packs, UTC. */
export async function usualZone(stores: AccountStores): Promise<string> {
  const pack = newestOf(await packVersions(stores, newestFirst(await packPeriods(stores)).slice(0, 1)));
  const [claim] = pack === null ? [] : await packClaims(stores, [pack]);
  return claim?.zone ?? "UTC";
}
