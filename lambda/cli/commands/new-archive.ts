import { newArchiveNote } from "../../job/store-place.ts";
import type { CommandContext } from "./command.ts";

/** Says so before an archive is begun: in a mistyped place it is not what is meant. */
export async function sayIfNew(live: CommandContext): Promise<void> {
  const note = await newArchiveNote(live.settings.account, await live.store());
  if (note !== null) {
    live.say(note);
  }
}
