import { readdir, stat } from "node:fs/promises";
import { allProblems, asFillbookError, FillbookError } from "../core/errors.ts";
import { checkOutFolder } from "../pack/make/copy.ts";
import { FILLS_CSV } from "../pack/make/fill-tables.ts";
import { INCOMPLETE_MARK } from "../pack/make/maker.ts";
import type { Store } from "../storage/store.ts";
import type { ExportResult } from "./context.ts";
import { writableFinding } from "./doctor.ts";

const ANOTHER = "give another folder with --out, a new or an empty one";
/** What a copy writes first. */
const OF_PACK = [FILLS_CSV, INCOMPLETE_MARK + FILLS_CSV];

/** Throws `usage`, before anything is written, if a copy of a pack could not go to the folder. */
export async function requireOutFolder(
  out: string | undefined,
  stores: readonly Pick<Store, "location">[],
): Promise<void> {
  checkOutFolder(out, stores);
  if (out === undefined) {
    return;
  }
  const found = await stat(out).catch(() => null);
  if (found !== null && !found.isDirectory()) {
    throw new FillbookError("usage", `--out ${out} is not a folder`, { hint: ANOTHER });
  }
  const { problem } = await writableFinding(out);
  if (problem !== null) {
    throw new FillbookError("usage", problem.message, { hint: ANOTHER, cause: problem });
  }
  const names = found === null ? [] : (await readdir(out)).filter((name) => !name.startsWith("."));
  if (names.length > 0 && !names.some((name) => OF_PACK.includes(name))) {
    throw new FillbookError("usage", `--out ${out} has files that are not of a pack`, { hint: ANOTHER });
  }
}

/**
 * The result of an export that is also copied to `out`. If the copy fails, the result is the pack that was
 * made, and the problem says so. Rejects if the pack itself is damaged.
 */
export async function copiedTo<Result extends ExportResult>(
  out: string,
  result: Result,
  copying: Promise<void>,
): Promise<Result> {
  try {
    await copying;
    return { ...result, dir: out };
  } catch (thrown) {
    const { kind, message, hint } = asFillbookError(thrown);
    if (kind === "untrusted") {
      throw thrown;
    }
    const todo = kind === "usage" ? `export again, and ${ANOTHER}` : hint;
    const what = `${message}; the pack is in ${result.dir}; only the copy to ${out} was not made`;
    const failed = new FillbookError(kind, what, { ...(todo === undefined ? {} : { hint: todo }), cause: thrown });
    return { ...result, problem: allProblems([failed, ...(result.problem === null ? [] : [result.problem])]) };
  }
}
