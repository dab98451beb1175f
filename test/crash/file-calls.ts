import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** A call that changes something on the disk. */
export interface FileCall {
  /** Counts from 0. */
  readonly index: number;
  readonly name: "mkdir" | "open" | "writeFile" | "sync" | "syncFolder" | "link" | "rename" | "unlink";
  readonly path: string;
  /** For `link` and `rename`: the new name. */
  readonly to?: string;
  /** For `writeFile`. */
  readonly data?: Uint8Array;
}

export interface Watcher {
  /** Called before the call. If it throws, the call fails with that error. */
  before(call: FileCall): void | Promise<void>;
  /** Called before a call that changes nothing. */
  read(): void;
  after(call: FileCall): void;
}

const REAL = { ...fs };

/**
 * Puts `watcher` between all modules of this process and the calls of node:fs/promises on paths below `root`,
 * until the returned function is called.
 */
export function watchFileCalls(root: string, watcher: Watcher): () => void {
  let count = 0;
  const change = async <T>(call: Omit<FileCall, "index">, effect: () => Promise<T>): Promise<T> => {
    if (!call.path.startsWith(root)) {
      return await effect();
    }
    const numbered = { ...call, index: count };
    count += 1;
    await watcher.before(numbered);
    const result = await effect();
    watcher.after(numbered);
    return result;
  };
  const watchHandle = (handle: FileHandle, path: string, flags: unknown): FileHandle => {
    const { writeFile, sync } = handle;
    const isFolder = flags === "r";
    handle.writeFile = (...args) => {
      const data = Buffer.from(args[0] as Uint8Array);
      return change({ name: "writeFile", path, data }, () => writeFile.apply(handle, args));
    };
    handle.sync = () => change({ name: isFolder ? "syncFolder" : "sync", path }, () => sync.call(handle));
    return handle;
  };
  const read =
    <A extends [path: string, ...rest: unknown[]], T>(effect: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (args[0].startsWith(root)) {
        watcher.read();
      }
      return await effect(...args);
    };
  const watched = {
    mkdir: (path: string) => change({ name: "mkdir", path }, () => REAL.mkdir(path)),
    link: (path: string, to: string) => change({ name: "link", path, to }, () => REAL.link(path, to)),
    rename: (path: string, to: string) => change({ name: "rename", path, to }, () => REAL.rename(path, to)),
    unlink: (path: string) => change({ name: "unlink", path }, () => REAL.unlink(path)),
    open: async (path: string, flags: string) =>
      watchHandle(
        await (flags === "r"
          ? read((file: string) => REAL.open(file, flags))(path)
          : change({ name: "open", path }, () => REAL.open(path, flags))),
        path,
        flags,
      ),
    readFile: read((path: string) => REAL.readFile(path)),
    stat: read((path: string) => REAL.stat(path)),
    readdir: read((path: string, options: { withFileTypes: true }) => REAL.readdir(path, options)),
  };
  Object.assign(fs, watched);
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, REAL);
    syncBuiltinESMExports();
  };
}

/** The original functions of node:fs/promises. */
export { REAL as realFiles };
