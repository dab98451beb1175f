import { calendarOf } from "../../lambda/archive/calendar/of-manifest.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { systemClock } from "../../lambda/clock.ts";
import type { Store } from "../../lambda/store/store.ts";
import { ACCOUNT } from "./case.ts";

/** The archive of a store as a pack is given it. */
export async function heldArchive(store: Store) {
  const { manifest } = await readArchive(store, ACCOUNT);
  return { manifest, calendar: await calendarOf({ account: ACCOUNT, store, clock: systemClock }, manifest) };
}
