import { Calendar } from "../../lambda/archive/calendar/calendar.ts";
import { entriesOfLists } from "../../lambda/archive/calendar/lists.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { systemClock } from "../../lambda/clock.ts";
import type { Store } from "../../lambda/store/store.ts";
import { ACCOUNT } from "./case.ts";

/** The archive of a store as a pack is given it. */
export async function heldArchive(store: Store) {
  const { manifest } = await readArchive(store, ACCOUNT);
  const calendar = await Calendar.empty({ account: ACCOUNT, store, clock: systemClock }).change({
    added: entriesOfLists(manifest),
  });
  return { manifest, calendar };
}
