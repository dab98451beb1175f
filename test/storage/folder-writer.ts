import { writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../lambda/core/clock.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { withFolderLock } from "../../lambda/storage/folder-lock.ts";
import { increment } from "../support/store-text.ts";

// Process for folder.system.test.ts. `increment FOLDER TIMES` prints a dot for each increment. `hold FOLDER`
// takes the lock, prints a dot and keeps the lock.
const [command, folder = "", times] = process.argv.slice(2);
const dot = (): void => void writeSync(1, ".");

if (command === "increment") {
  await increment(openFolderStore(folder), "count", Number(times), dot);
} else {
  await withFolderLock(join(folder, ".lock"), systemClock, () => {
    dot();
    return new Promise<never>(() => setInterval(() => undefined, 60_000));
  });
}
