import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import { type ErrorKind, FillbookError } from "../core/errors.ts";
import { PRIVATE_FILE } from "./folder-files.ts";

/**
 * A held lock means a compare-and-swap in progress, which takes milliseconds. Whoever waits this long waits
 * for something that hangs.
 */
const MAX_WAIT_MS = 30_000;
const MAX_PAUSE_MS = 25;

// https://www.sqlite.org/rescode.html; node:sqlite gives the extended code, whose low byte is the primary one
const BUSY = 5;
const [PERM, READ_ONLY, IO, FULL, CANNOT_OPEN, AUTH] = [3, 8, 10, 13, 14, 23];
const NOT_WRITABLE = "make the store's folder writable, or choose another with --store";
const REFUSALS = new Map<number, readonly [kind: ErrorKind, hint: string]>([
  [FULL, ["incomplete", "what was committed is kept; free some space and run again"]],
  [PERM, ["usage", NOT_WRITABLE]],
  [READ_ONLY, ["usage", NOT_WRITABLE]],
  [CANNOT_OPEN, ["usage", NOT_WRITABLE]],
  [AUTH, ["usage", NOT_WRITABLE]],
  [IO, ["usage", "keep the store on a local disk or on s3://: a file system without locks cannot tell two runs apart"]],
]);

type Sqlite = typeof import("node:sqlite");

/**
 * Runs `work` while holding the operating system's exclusive lock on `lockFile`, in an existing folder. The
 * lock excludes other processes and other holders in this one. The kernel frees it when the process dies.
 * Node has no flock, so the lock is an exclusive transaction on an empty SQLite database; nothing is ever
 * written to the file. Do not open the file in any other way while the lock is held: closing any descriptor
 * of it drops the process's POSIX locks.
 * @throws FillbookError `incomplete` after 30 s of waiting, `usage` if the folder cannot be locked.
 */
export async function withFolderLock<T>(lockFile: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const release = await acquire(lockFile, clock);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(lockFile: string, clock: Clock): Promise<() => void> {
  const { DatabaseSync } = loadSqlite();
  closeToOthers(lockFile);
  const start = clock.monotonic();
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const release = tryAcquire(DatabaseSync, lockFile);
    if (release !== null) {
      return release;
    }
    if (clock.monotonic() - start >= MAX_WAIT_MS) {
      throw new FillbookError("incomplete", `another process has held ${lockFile} for ${MAX_WAIT_MS / 1000} s`, {
        hint: "what was committed is kept; if another fillbook hangs, end it; then run again",
      });
    }
    await clock.sleep(pauseMs);
  }
}

/**
 * Whoever can open the file for reading can lock it, and so keep out every writer. It is opened here only if
 * it does not exist yet: nobody can hold it then. The lock itself reports what the file system refuses.
 */
function closeToOthers(lockFile: string): void {
  try {
    if (existsSync(lockFile)) {
      chmodSync(lockFile, PRIVATE_FILE);
    } else {
      closeSync(openSync(lockFile, "wx", PRIVATE_FILE));
    }
  } catch {
    // Another process has just made it, or it is another user's, who has closed it, or there are no modes.
  }
}

/** Returns the release, or null if someone else holds the lock. */
function tryAcquire(DatabaseSync: Sqlite["DatabaseSync"], lockFile: string): (() => void) | null {
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(lockFile, { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    const code = resultCode(error);
    if (code === BUSY) {
      return null;
    }
    const [kind, hint = ""] = REFUSALS.get(code) ?? ["fault" as const];
    const reason = error instanceof Error ? error.message : String(error);
    throw new FillbookError(kind, `cannot lock ${lockFile}: ${reason}`, { hint, cause: error });
  }
  const held = database;
  return () => held.close();
}

function resultCode(error: unknown): number {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code % 256 : 0;
}

/**
 * Node 22 warns on stderr that node:sqlite is experimental. That warning is dropped while the module loads. A
 * builtin loads synchronously, so no other warning can be lost.
 */
function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
