import { join } from "node:path";
import { readArchive } from "../../../lambda/archive/read.ts";
import { ArchiveSession } from "../../../lambda/archive/session.ts";
import { writeTable } from "../../../lambda/archive/table.ts";
import { systemClock } from "../../../lambda/core/clock.ts";
import { customPeriod } from "../../../lambda/core/period.ts";
import { systemRandom } from "../../../lambda/core/random.ts";
import type { RunContext } from "../../../lambda/job/context.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { walk } from "../../../lambda/walk/walk.ts";
import { WalkState } from "../../../lambda/walk/walk-state.ts";
import { AccountFile, accountReader, YEAR } from "./account-file.ts";
import type { CaseInput } from "./child.ts";
import type { Meter } from "./meter.ts";

const ACCOUNT = "main";

// From pages to an archive, and from an archive to files, as a run does it. Each works with the store and
// memory that a run would use.

/** One reading, as a sync does it, with pages from disk instead of the network; without the end of a run. */
export async function makeArchive({ dir, fills }: CaseInput, meter: Meter): Promise<void> {
  const store = openFolderStore(join(dir, "store"));
  const job = jobOf({ store, reader: accountReader(new AccountFile(dir), meter) });
  const session = await ArchiveSession.open(job);
  const state = new WalkState(job, session);
  await walk(state, { range: YEAR, pace: "once", again: false });
  if (state.problems.length > 0 || session.manifest.fills !== fills) {
    throw new Error(`the archive holds ${session.manifest.fills} of ${fills} fills`, { cause: state.problems[0] });
  }
}

/** The second reading of the same archive. `table/` is there already. */
export async function readAgain({ dir, fills }: CaseInput, meter: Meter): Promise<void> {
  const store = openFolderStore(join(dir, "store"));
  const reader = accountReader(new AccountFile(dir), meter);
  const result = await syncArchive(jobOf({ store, reader }), { ...YEAR, pace: "hurry" });
  if (!result.complete || result.fills !== fills) {
    throw new Error(`the archive holds ${result.fills} of ${fills} fills`, { cause: result.problem });
  }
}

/** Only `table/` of that archive: what a sync writes at its end. */
export async function makeTable({ dir }: CaseInput): Promise<void> {
  const store = openFolderStore(join(dir, "store"));
  await writeTable(store, (await readArchive(store, ACCOUNT)).manifest, "all");
}

const NOTHING_OPEN = "market,quantity,average_price,as_of,evidence\n*,0,,2025-01-01,\n";

/** The whole pack, with opening positions of nil. */
export async function makePack({ dir, fills }: CaseInput, meter: Meter): Promise<void> {
  const store = openFolderStore(join(dir, "store"));
  await store.createNew(`${ACCOUNT}/inputs/opening-positions.csv`, Buffer.from(NOTHING_OPEN));
  const reader = accountReader(new AccountFile(dir), meter);
  const period = customPeriod("2025-01-01", "2026-01-01");
  const request = { period, method: "fifo", isMethodChosen: true, basis: "fill", allowIncomplete: false } as const;
  const { complete, problem } = await exportPack({ ...jobOf({ store, reader }), packStore: store }, request);
  if (!complete) {
    throw new Error(`the pack of ${fills} fills was not made`, { cause: problem });
  }
}

function jobOf({ store, reader }: { readonly store: Store; readonly reader: RunContext["reader"] }): RunContext {
  return {
    account: ACCOUNT,
    reader,
    store,
    packStore: null,
    clock: systemClock,
    random: systemRandom,
    settleLagMs: 0,
    lookBackMs: 0,
    concurrency: 4,
    signal: new AbortController().signal,
    report: () => undefined,
  };
}
