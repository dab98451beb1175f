import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readArchive, unitReader } from "../../../lambda/archive/read.ts";
import { readRestatements } from "../../../lambda/archive/restatements.ts";
import { ArchiveSession } from "../../../lambda/archive/session.ts";
import { writeTable } from "../../../lambda/archive/table.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { systemClock } from "../../../lambda/core/clock.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { customPeriod } from "../../../lambda/core/period.ts";
import { systemRandom } from "../../../lambda/core/random.ts";
import type { OpeningPosition } from "../../../lambda/inputs/opening-positions.ts";
import type { RunContext } from "../../../lambda/job/context.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { DEFAULT_ACCOUNT_SETTINGS } from "../../../lambda/pack/make/account-settings.ts";
import { DATE_BY } from "../../../lambda/pack/make/date-by.ts";
import { FILLS_CSV, FILLS_PARQUET, FillTables } from "../../../lambda/pack/make/fill-tables.ts";
import { PackFileWriter } from "../../../lambda/pack/make/pack-files.ts";
import { writePack } from "../../../lambda/pack/make/publish.ts";
import type { PackRequest } from "../../../lambda/pack/make/request.ts";
import { fillsOf } from "../../../lambda/pack/make/selection.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { walk } from "../../../lambda/walk/walk.ts";
import { WalkState } from "../../../lambda/walk/walk-state.ts";
import { NO_INPUTS } from "../../pack/inputs.ts";
import { AccountFile, accountReader, YEAR } from "./account-file.ts";
import type { CaseInput, Measured } from "./cases.ts";
import { countingStore } from "./counting-store.ts";
import type { Meter } from "./meter.ts";

const ACCOUNT = "main";

// From pages to an archive, and from an archive to files, as a run does it. Each works with the store and
// memory that a run would use.

/** One reading, as a sync does it, with pages from disk instead of the network; without the end of a run. */
export async function makeArchive({ dir, fills }: CaseInput, meter: Meter): Promise<Measured> {
  meter.aside(() => setAside(dir));
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  const job = jobOf({ store, reader: accountReader(new AccountFile(dir), meter) });
  const session = await ArchiveSession.open(job);
  const state = new WalkState(job, session);
  await walk(state, { range: YEAR, pace: "once", again: false });
  if (state.problems.length > 0 || session.manifest.fills !== fills) {
    throw new Error(`the archive holds ${session.manifest.fills} of ${fills} fills`, { cause: state.problems[0] });
  }
  return { store: counts };
}

/** The second reading of the same archive. `table/` is there already. */
export async function readAgain({ dir, fills }: CaseInput, meter: Meter): Promise<Measured> {
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  const reader = accountReader(new AccountFile(dir), meter);
  const result = await syncArchive(jobOf({ store, reader }), { ...YEAR, pace: "hurry" });
  if (!result.complete || result.fills !== fills) {
    throw new Error(`the archive holds ${result.fills} of ${fills} fills`, { cause: result.problem });
  }
  return { store: counts };
}

/** Only `table/` of that archive: what a sync writes at its end. */
export async function makeTable({ dir }: CaseInput, meter: Meter): Promise<Measured> {
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  meter.aside(() => rmSync(join(dir, "store", "table"), { recursive: true, force: true }));
  await writeTable(store, (await readArchive(store, ACCOUNT)).manifest, "all");
  return { store: counts };
}

/**
 * Moves an earlier archive away. It is not deleted, because for a minute after many files are deleted a file
 * system may need long to create new ones.
 */
function setAside(dir: string): void {
  const store = join(dir, "store");
  for (const large of [join(store, "tables"), join(store, ACCOUNT, "packs")]) {
    rmSync(large, { recursive: true, force: true });
  }
  if (existsSync(store)) {
    renameSync(store, join(mkdtempSync(join(dir, "earlier-")), "store"));
  }
}

/** Only fills.csv and fills.parquet of the year's pack. */
export async function makeTables({ dir }: CaseInput, meter: Meter): Promise<Measured> {
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  meter.aside(() => rmSync(join(dir, "store", "tables"), { recursive: true, force: true }));
  const csv = await PackFileWriter.open(store, "tables", FILLS_CSV.path);
  const parquet = await PackFileWriter.open(store, "tables", FILLS_PARQUET.path);
  const tables = new FillTables(PERIOD, DATE_BY.fill, { csv, parquet });
  await tables.begin();
  for await (const batch of fillsOfYear(store)) {
    for (let from = 0; from < batch.length; from += FILLS_AT_ONCE) {
      await tables.write(
        ACCOUNT,
        batch.slice(from, from + FILLS_AT_ONCE).map((fill) => ({ fill, trade: null })),
      );
    }
  }
  await tables.end();
  await csv.finish();
  await parquet.finish();
  return { store: counts };
}

async function* fillsOfYear(store: Store): AsyncGenerator<readonly Fill[]> {
  const { manifest } = await readArchive(store, ACCOUNT);
  yield* fillsOf({ manifest, readUnit: unitReader(store, manifest) }, YEAR, DATE_BY.fill);
}

const FLAT: OpeningPosition = {
  market: null,
  quantity: ZERO,
  price: null,
  asOf: YEAR.from,
  where: "bench",
  evidence: "",
};

/** The whole pack, with opening positions of nil. */
export async function makePack({ dir }: CaseInput, meter: Meter): Promise<Measured> {
  meter.aside(() => rmSync(join(dir, "store", ACCOUNT, "packs"), { recursive: true, force: true }));
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  const { manifest } = await readArchive(store, ACCOUNT);
  const request: PackRequest = {
    name: ACCOUNT,
    accounts: [
      {
        account: ACCOUNT,
        manifest,
        inputs: { ...NO_INPUTS, openings: [FLAT] },
        contractTypes: new Map(),
        readUnit: unitReader(store, manifest),
        readTwiceAt: () => Promise.resolve(null),
        readRestatements: (file) => readRestatements(store, ACCOUNT, file),
      },
    ],
    files: [],
    settings: DEFAULT_ACCOUNT_SETTINGS,
    packStore: store,
    period: PERIOD,
    isMethodChosen: true,
    method: "fifo",
    basis: "fill",
    currency: null,
    beginning: 0,
    allowIncomplete: false,
  };
  await writePack(request);
  return { store: counts };
}

/** The same number as when a pack is made. */
const FILLS_AT_ONCE = 30;
const PERIOD = customPeriod("2025-01-01", "2026-01-01");

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
