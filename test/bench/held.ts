import { readArchive, type Snapshot } from "../../lambda/archive/read.ts";
import type { Store } from "../../lambda/store/store.ts";
import { ACCOUNT } from "./case.ts";

export async function heldArchive(store: Store): Promise<Snapshot> {
  return await readArchive(store, ACCOUNT);
}
