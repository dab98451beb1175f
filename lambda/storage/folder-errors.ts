import { FillbookError } from "../core/errors.ts";

const NO_SPACE = ["ENOSPC", "EDQUOT"];
const FORBIDDEN = ["EACCES", "EPERM", "EROFS"];
const IN_THE_WAY = ["ENOTDIR", "EISDIR", "EEXIST", "ENAMETOOLONG", "ELOOP"];
const PASSING = ["EIO", "EBUSY", "EMFILE", "ENFILE", "ESTALE", "ETIMEDOUT"];

/** The system's error code, e.g. "ENOENT". Null: not a system error. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Says what the file system refused, and what the reader can do about it. */
export function folderError(error: unknown, action: "read" | "write" | "delete", path: string): FillbookError {
  if (error instanceof FillbookError) {
    return error;
  }
  const code = errorCode(error) ?? "";
  const reason = error instanceof Error ? error.message : String(error);
  if (NO_SPACE.includes(code)) {
    return new FillbookError("incomplete", `no space left to write ${path} (${code})`, {
      hint: "what was committed is kept; free some space and run again",
      cause: error,
    });
  }
  if (FORBIDDEN.includes(code)) {
    return new FillbookError("usage", `cannot ${action} ${path}: not allowed (${code})`, {
      hint: `give this user the right to ${action} there, or choose another folder with --store or --out`,
      cause: error,
    });
  }
  if (IN_THE_WAY.includes(code)) {
    return new FillbookError("usage", `cannot ${action} ${path}: something else is in its place (${code})`, {
      hint: "move it away, or choose another folder with --store or --out",
      cause: error,
    });
  }
  if (code === "ENOENT") {
    return new FillbookError(
      "untrusted",
      `cannot ${action} ${path}: the file or its folder was removed meanwhile (ENOENT)`,
      {
        hint: "find what removes files there and stop it, restore them from a backup, and run fillbook verify",
        cause: error,
      },
    );
  }
  return new FillbookError(PASSING.includes(code) ? "incomplete" : "fault", `cannot ${action} ${path}: ${reason}`, {
    ...(PASSING.includes(code) ? { hint: "what was committed is kept; run again" } : {}),
    cause: error,
  });
}
