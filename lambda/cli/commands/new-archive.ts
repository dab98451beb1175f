import { newArchiveNote } from "../../job/store-place.ts";
import type { CommandContext } from "./command.ts";

/**
 * Prints a note before a new archive is begun, because its place may be mistyped. Throws `usage`, with
 * everything that is missing, if the service cannot be asked for fills.
 */
export async function sayIfNew(live: CommandContext): Promise<void> {
  const note = await newArchiveNote(live.settings.account, await live.store());
  if (note !== null) {
    await live.requireAccountAccess();
    live.say(note);
  }
}
