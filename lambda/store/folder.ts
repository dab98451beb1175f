import { createHash } from "node:crypto";
import { accessSync, constants, type Dirent, statSync } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Clock, systemClock } from "../clock.ts";
import { FillbookError } from "../errors.ts";
import { errorCode, folderError } from "./folder-errors.ts";
import { withFolderLock } from "./folder-lock.ts";
import { checkKey, checkPrefix, compareKeys, isKeySegment } from "./keys.ts";
import { type ListedObject, type Store, type StoreSink, StoreUnknownError } from "./store.ts";

/** In the store's folder; its name is no key. */
const LOCK_NAME = ".lock";
/** `.tmp-<process id>-<counter>`, beside the file that it is to become. What a killed process leaves is ignored. */
const TEMPORARY_PREFIX = ".tmp-";
const MAX_TEMPORARY_NAMES = 100_000;
const READ_BYTES = 256 * 1024;
const ABSENT = ["ENOENT", "ENOTDIR"];
/** What link(2) answers on file systems without hard links (exFAT, some network and FUSE mounts). */
const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

let temporaryCount = 0;

/**
 * A store in a local folder, made by the first write. A file appears whole and synced, by link(2), which fails when the name is taken; on file
 * systems without hard links by a check and rename(2) under the lock. `replaceIf` compares and renames under a lock that the kernel frees
 * when its process dies. Tags are the content's SHA-256. The clock serves the wait for that lock.
 * @throws FillbookError `usage` when the path is not a folder or cannot be read.
 */
export function openFolderStore(path: string, clock: Clock = systemClock): Store {
  const root = resolve(path);
  checkRoot(root);
  const syncedFolders = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  const pathOf = (key: string): string => {
    checkKey(key);
    return join(root, key);
  };

  /** Only one call of this store polls for the lock at a time; the others wait for it in order. */
  const locked = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(() => withFolderLock(join(root, LOCK_NAME), clock, work));
    turn = mine.catch(() => undefined);
    return mine;
  };

  const makeFolder = async (folder: string): Promise<void> => {
    const made = await mkdir(folder, { recursive: true });
    if (!syncedFolders.has(folder)) {
      await syncFolders(folder, root, made);
      syncedFolders.add(folder);
    }
  };

  /** Gives the temporary file its name unless that is taken. From here on the outcome shows: no error may hide it. */
  const publish = async (temporary: string, target: string): Promise<"created" | "exists"> => {
    const outcome = await linkOrRename(temporary, target, locked);
    if (outcome === "exists") {
      await refuseFolder(target);
    }
    await syncNames(target); // also for "exists": the rival that made it may not have synced it yet
    return outcome;
  };

  const createNew = (key: string, body: Uint8Array): Promise<"created" | "exists"> => {
    const target = pathOf(key);
    return writing(target, async () => {
      await makeFolder(dirname(target));
      return withTemporary(target, body, (temporary) => publish(temporary, target));
    });
  };

  const swap = async (target: string, body: Uint8Array, tag: string): Promise<string | null> => {
    const current = await readIfThere(target);
    if (current === null || tagOf(current) !== tag) {
      return null;
    }
    await withTemporary(target, body, (temporary) => rename(temporary, target));
    await syncNames(target);
    return tagOf(body);
  };

  return {
    location: root,
    async get(key) {
      const body = await readIfThere(pathOf(key));
      return body === null ? null : { body, tag: tagOf(body) };
    },
    async createNew(key, body) {
      return await createNew(key, body);
    },
    async createStream(key) {
      const target = pathOf(key);
      return await writing(target, async () => {
        await makeFolder(dirname(target));
        return folderSink(target, await openTemporary(target), publish);
      });
    },
    async replaceIf(key, body, tag) {
      if (tag === null) {
        return (await createNew(key, body)) === "created" ? tagOf(body) : null;
      }
      const target = pathOf(key);
      return await writing(target, async () => {
        if ((await readIfThere(target)) === null) {
          return null; // and no lock file in a folder that need not exist
        }
        return locked(() => swap(target, body, tag));
      });
    },
    async openStream(key) {
      const file = pathOf(key);
      return (await isFile(file)) ? readPieces(file) : null;
    },
    async *list(prefix) {
      checkPrefix(prefix);
      yield* listFolder(root, prefix.slice(0, prefix.lastIndexOf("/") + 1), prefix);
    },
  };
}

function checkRoot(root: string): void {
  try {
    if (statSync(root, { throwIfNoEntry: false }) === undefined) {
      return;
    }
    if (!statSync(root).isDirectory()) {
      throw new FillbookError("usage", `the store ${root} is not a folder`, {
        hint: "name a folder, or one that does not exist yet, with --store",
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

async function readIfThere(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCode(error) === "EISDIR" || ABSENT.includes(errorCode(error) ?? "")) {
      return null;
    }
    throw folderError(error, "read", file);
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if (ABSENT.includes(errorCode(error) ?? "")) {
      return false;
    }
    throw folderError(error, "read", file);
  }
}

interface Temporary {
  readonly path: string;
  readonly handle: FileHandle;
}

/** Process ids repeat (containers on one volume, a leftover of a dead process): the exclusive open decides. */
async function openTemporary(target: string): Promise<Temporary> {
  for (let attempt = 0; attempt < MAX_TEMPORARY_NAMES; attempt += 1) {
    temporaryCount += 1;
    const path = join(dirname(target), `${TEMPORARY_PREFIX}${process.pid}-${temporaryCount}`);
    try {
      return { path, handle: await open(path, "wx") };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") {
        throw error;
      }
    }
  }
  throw new FillbookError("fault", `${dirname(target)} is full of temporary files`, {
    hint: `no fillbook running? then delete its files ${TEMPORARY_PREFIX}*`,
  });
}

async function withTemporary<T>(target: string, body: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const { path, handle } = await openTemporary(target);
  try {
    try {
      await handle.writeFile(body);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await use(path);
  } finally {
    await removeTemporary(path);
  }
}

/** Best effort: a leftover is ignored by every reader, and renamed it is gone already. */
async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
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

async function refuseFolder(target: string): Promise<void> {
  if (!(await isFile(target))) {
    throw new FillbookError("usage", `cannot write ${target}: it is not a file`, {
      hint: "move it away, or choose another folder with --store",
    });
  }
}

/** Makes the new name survive a crash. The name is visible already, so a failure here leaves the outcome open. */
async function syncNames(target: string): Promise<void> {
  try {
    await syncFolder(dirname(target));
  } catch (error) {
    throw new StoreUnknownError(`${target} was written, but the disk did not confirm it`, { cause: error });
  }
}

/** A folder that another process has just made may not be synced yet, so the first use of each syncs all names down to it. */
async function syncFolders(folder: string, root: string, made: string | undefined): Promise<void> {
  const above = dirname(made !== undefined && made.length < root.length ? made : root);
  for (let current = folder; current.length > above.length; ) {
    current = dirname(current);
    if (current.length >= root.length) {
      await syncFolder(current);
    } else {
      await syncFolder(current).catch(() => undefined); // the user's own folders, which may be closed to us
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") {
    return; // Windows cannot open a folder; NTFS journals names
  }
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function folderSink(
  target: string,
  { path, handle }: Temporary,
  publish: (temporary: string, target: string) => Promise<"created" | "exists">,
): StoreSink {
  let open = true;
  const close = async (): Promise<void> => {
    if (open) {
      open = false;
      await handle.close();
    }
  };
  const requireOpen = (): void => {
    if (!open) {
      throw new FillbookError("fault", `the stream to ${target} has ended`);
    }
  };
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

/** Opens the file when it is read, so that a stream that nobody reads holds nothing. */
async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
  try {
    const handle = await open(file, "r");
    try {
      for (;;) {
        const { bytesRead, buffer } = await handle.read(new Uint8Array(READ_BYTES), 0, READ_BYTES);
        if (bytesRead === 0) {
          return;
        }
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw folderError(error, "read", file);
  }
}

/** `base` is "" or ends with a slash. A folder sorts by its name with a slash, since "a-b" < "a/x" < "ab". */
async function* listFolder(root: string, base: string, prefix: string): AsyncGenerator<ListedObject> {
  const entries = await readFolder(join(root, base));
  const names = entries
    .filter((entry) => isKeySegment(entry.name) && (entry.isFile() || entry.isDirectory()))
    .map((entry) => base + entry.name + (entry.isDirectory() ? "/" : ""))
    .filter((name) => name.startsWith(prefix))
    .sort(compareKeys);
  for (const name of names) {
    if (name.endsWith("/")) {
      yield* listFolder(root, name, prefix);
    } else {
      yield { key: name, bytes: await fileSize(join(root, name)) };
    }
  }
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (ABSENT.includes(errorCode(error) ?? "")) {
      return [];
    }
    throw folderError(error, "read", folder);
  }
}

async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw folderError(error, "read", file);
  }
}
