import { dirname } from "node:path";
import { type FileCall, realFiles } from "./file-calls.ts";

interface UnsyncedName {
  readonly folder: string;
  readonly undo: () => Promise<unknown>;
}

/**
 * What a disk may lose in a power cut: names that were added or removed since their folder was last synced,
 * and contents of files that were written since they were last synced.
 */
export class Disk {
  #names: UnsyncedName[] = [];
  readonly #contents = new Set<string>();

  /** Called before each call: remembers what the call will overwrite or remove. */
  async before({ name, path, to }: FileCall): Promise<void> {
    const gone = name === "rename" ? to : path;
    if (gone === undefined || (name !== "rename" && name !== "unlink")) {
      return;
    }
    const old = await realFiles.readFile(gone).catch(() => null);
    const undo = () => (old === null ? realFiles.rm(gone, { force: true }) : realFiles.writeFile(gone, old));
    this.#names.push({ folder: dirname(gone), undo });
  }

  after({ name, path, to = "" }: FileCall): void {
    switch (name) {
      case "mkdir":
        this.#names.push({ folder: dirname(path), undo: () => realFiles.rm(path, { recursive: true, force: true }) });
        break;
      case "open":
        this.#names.push({ folder: dirname(path), undo: () => realFiles.rm(path, { force: true }) });
        break;
      case "writeFile":
        this.#contents.add(path);
        break;
      case "sync":
        this.#contents.delete(path);
        break;
      case "syncFolder":
        this.#names = this.#names.filter(({ folder }) => folder !== path);
        break;
      case "link":
        this.#names.push({ folder: dirname(to), undo: () => realFiles.rm(to, { force: true }) });
        this.#sameContents(path, to);
        break;
      case "rename":
        this.#sameContents(path, to);
        break;
      case "unlink":
        break;
    }
  }

  /** `newest`: whether the last change of a name survives, although earlier changes are lost. */
  async lose(newest: "kept" | "lost"): Promise<void> {
    const names = newest === "kept" ? this.#names.slice(0, -1) : this.#names;
    for (const { undo } of names.toReversed()) {
      await undo().catch(() => undefined); // its folder is gone too
    }
    for (const path of this.#contents) {
      await realFiles.truncate(path, 0).catch(() => undefined);
    }
  }

  #sameContents(path: string, to: string): void {
    if (this.#contents.has(path)) {
      this.#contents.add(to);
    } else {
      this.#contents.delete(to);
    }
  }
}
