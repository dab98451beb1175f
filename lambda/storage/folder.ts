import { createHash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { link, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Clock, systemClock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import { errorCode, folderError } from "./folder-errors.ts";
import {
  folderNames,
  isFile,
  listFolder,
  makeFolders,
  openTemporary,
  readIfThere,
  readPieces,
  removeIfThere,
  removeTemporaries,
  removeTemporary,
  STALE_MS,
  syncFolder,
  syncFolders,
  type Temporary,
} from "./folder-files.ts";
import { withFolderLock } from "./folder-lock.ts";
import { checkFolder, checkKey, checkPrefix } from "./keys.ts";
import { checkOpen, goneError, type Store, type StoreSink, StoreUnknownError } from "./store.ts";

/** In the store's folder. Its name is not a key. */
const LOCK_NAME = ".lock";
/** What link(2) answers on file systems without hard links (exFAT, some network and FUSE mounts). */
const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * A store in a local folder, which the first write makes. A file appears whole and synced, by link(2), which
 * fails if the name is taken. File systems without hard links get a check and rename(2) under the lock.
 * `replaceIf` compares and renames under a lock that the kernel frees when its process dies. A tag is the
 * content's SHA-256. The clock serves the wait for the lock, and says which files of dead processes are old.
 * @throws FillbookError `usage` if the path is not a folder or cannot be read.
 */
export function openFolderStore(path: string, clock: Clock = systemClock): Store {
  const root = resolve(path);
  checkRoot(root);
  const syncedFolders = new Set<string>();
  const tidiedFolders = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  const pathOf = (key: string): string => {
    checkKey(key);
    return join(root, key);
  };

  /** One call of this store polls for the lock at a time. The others wait for their turn. */
  const locked = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(() => withFolderLock(join(root, LOCK_NAME), clock, work));
    turn = mine.catch(() => undefined);
    return mine;
  };

  const tidy = async (folder: string): Promise<void> => {
    if (!tidiedFolders.has(folder)) {
      tidiedFolders.add(folder);
      await removeTemporaries(folder, clock.now() - STALE_MS); // what processes that were killed have left long ago
    }
  };

  const makeFolder = async (folder: string): Promise<void> => {
    const made = await makeFolders(folder);
    await tidy(folder);
    if (!syncedFolders.has(folder)) {
      await syncFolders(folder, root, made);
      syncedFolders.add(folder);
    }
  };

  /**
   * Gives the temporary file its name unless the name is taken. From here on the outcome is visible, and no
   * error may hide it.
   */
  const publish: Publish = async (temporary, target) => {
    const outcome = await linkOrRename(temporary, target, locked);
    if (outcome === "exists" && !(await isFile(target))) {
      throw new FillbookError("usage", `cannot write ${target}: it is not a file`, {
        hint: "move it away, or choose another folder with --store or --out",
      });
    }
    await syncNames(target); // also for "exists": the rival that made it may not have synced it yet
    return outcome;
  };

  const openSink = (target: string, give: Publish = publish): Promise<StoreSink> =>
    writing(target, async () => folderSink(target, await openTemporary(target), give));

  const createNew = async (key: string, body: Uint8Array): Promise<"created" | "exists"> => {
    const target = pathOf(key);
    await writing(target, () => makeFolder(dirname(target)));
    return await written(await openSink(target), body);
  };

  const read = async (key: string): Promise<Uint8Array> => {
    const body = await readIfThere(pathOf(key));
    if (body === null) {
      throw goneError(root, key);
    }
    return body;
  };

  const swap = async (key: string, body: Uint8Array, tag: string): Promise<string | null> => {
    if (tagOf(await read(key)) !== tag) {
      return null;
    }
    const target = pathOf(key);
    const replace: Publish = async (temporary) => {
      await rename(temporary, target);
      await syncNames(target);
      return "created";
    };
    await written(await openSink(target, replace), body);
    return tagOf(body);
  };

  return {
    location: root,
    async get(key) {
      const body = await readIfThere(pathOf(key));
      return body === null ? null : { body, tag: tagOf(body) };
    },
    createNew,
    async createStream(key) {
      const target = pathOf(key);
      await writing(target, () => makeFolder(dirname(target)));
      return await openSink(target);
    },
    async replaceIf(key, body, tag) {
      if (tag === null) {
        return (await createNew(key, body)) === "created" ? tagOf(body) : null;
      }
      const target = pathOf(key);
      return await writing(target, async () => {
        await read(key); // before the lock file is made in a folder that need not exist
        await tidy(dirname(target));
        return locked(() => swap(key, body, tag));
      });
    },
    async openStream(key) {
      const file = pathOf(key);
      return (await isFile(file)) ? readPieces(file) : null;
    },
    async *list(prefix, { foreign } = { foreign: false }) {
      checkPrefix(prefix);
      yield* listFolder(root, prefix.slice(0, prefix.lastIndexOf("/") + 1), { prefix, foreign });
    },
    async *folders(prefix) {
      checkFolder(prefix);
      yield* await folderNames(join(root, prefix));
    },
    async remove(key) {
      await removeIfThere(pathOf(key));
    },
  };
}

function checkRoot(root: string): void {
  try {
    if (statSync(root, { throwIfNoEntry: false }) === undefined) {
      return;
    }
    if (!statSync(root).isDirectory()) {
      throw new FillbookError("usage", `${root} is not a folder`, {
        hint: "name a folder, or one that does not exist yet, with --store or --out",
      });
    }
    accessSync(root, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw folderError(error, "read", root);
  }
}

function tagOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

async function writing<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreUnknownError ? error : folderError(error, "write", target);
  }
}

async function linkOrRename(
  temporary: string,
  target: string,
  locked: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<"created" | "exists"> {
  try {
    await link(temporary, target);
    return "created";
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "EEXIST") {
      return "exists";
    }
    if (!NO_HARD_LINKS.includes(code)) {
      throw error;
    }
  }
  return locked(async () => {
    if (await isFile(target)) {
      return "exists";
    }
    await rename(temporary, target);
    return "created";
  });
}

/**
 * Makes the new name survive a crash. The name is already visible, so a failure here leaves the outcome open.
 */
async function syncNames(target: string): Promise<void> {
  try {
    await syncFolder(dirname(target));
  } catch (error) {
    throw new StoreUnknownError(`${target} was written, but the disk did not confirm it`, { cause: error });
  }
}

/** Writes a whole body. */
async function written(sink: StoreSink, body: Uint8Array): Promise<"created" | "exists"> {
  try {
    await sink.write(body);
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return await sink.finish();
}

type Publish = (temporary: string, target: string) => Promise<"created" | "exists">;

function folderSink(target: string, { path, handle }: Temporary, publish: Publish): StoreSink {
  let open = true;
  const close = async (): Promise<void> => {
    if (open) {
      open = false;
      await handle.close();
    }
  };
  const requireOpen = () => checkOpen(open, target);
  return {
    async write(chunk) {
      requireOpen();
      await writing(target, () => handle.writeFile(chunk));
    },
    async finish() {
      requireOpen();
      return await writing(target, async () => {
        try {
          await handle.sync();
          await close();
          return await publish(path, target);
        } finally {
          await close();
          await removeTemporary(path);
        }
      });
    },
    async abort() {
      await close();
      await removeTemporary(path);
    },
  };
}
