import { newArchiveNote } from "../../job/store-place.ts";
import type { CommandContext } from "./command.ts";

/**
 * Says so before an archive is begun: in a mistyped place it is not what is meant. Throws `usage`, with all
 * that is missing, where the service cannot be asked to fill it.
 */
export async function sayIfNew(live: CommandContext): Promise<void> {
  const note = await newArchiveNote(live.settings.account, await live.store());
  if (note !== null) {
    await live.requireAccountAccess();
    live.say(note);
  }
}
