import { type ErrorKind, FillbookError } from "../core/errors.ts";

const REFUSALS: readonly (readonly [kind: ErrorKind, codes: string, says: string, hint: string])[] = [
  ["incomplete", "ENOSPC EDQUOT", "no space left", "what was committed is kept; free some space and run again"],
  [
    "usage",
    "EACCES EPERM EROFS",
    "not allowed",
    "give this user the right to do that there, or choose another folder with --store or --out",
  ],
  [
    "usage",
    "ENOTDIR EISDIR EEXIST ENAMETOOLONG ELOOP",
    "something else is in its place",
    "move it away, or choose another folder with --store or --out",
  ],
  [
    "untrusted",
    "ENOENT",
    "the file or its folder was removed meanwhile",
    "find what removes files there and stop it, restore them from a backup, and check the archive (fillbook verify)",
  ],
  ["incomplete", "EIO EBUSY EMFILE ENFILE ESTALE ETIMEDOUT", "it failed", "what was committed is kept; run again"],
];

/** The system's error code, e.g. "ENOENT". Null: not a system error. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Says what the file system refused, and what the reader can do about it. */
export function folderError(cause: unknown, action: "read" | "write" | "delete", path: string): FillbookError {
  if (cause instanceof FillbookError) {
    return cause;
  }
  const code = errorCode(cause) ?? "";
  const [kind, , says, hint] = REFUSALS.find(([, codes]) => codes.split(" ").includes(code)) ?? ["fault"];
  const why = says === undefined ? String(cause) : `${says} (${code})`;
  return new FillbookError(kind, `cannot ${action} ${path}: ${why}`, {
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}
