import { readDataFile } from "../../../lambda/archive/data-files.ts";
import { readArchive } from "../../../lambda/archive/read.ts";
import { DAY_MS, type TimeRange } from "../../../lambda/core/time.ts";
import { archiveStatus } from "../../../lambda/job/inspect.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { DATE_BY } from "../../../lambda/pack/build/date-by.ts";
import { dataFilesIn, setHashIn } from "../../../lambda/pack/build/selection.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { createEmulator } from "../../emulator/core.ts";
import { historyItems, historyOf, makeHistory } from "../../emulator/history.ts";
import { KNOWN_TRADER, makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { ACCOUNT, type Case } from "./case.ts";
import { countingStore } from "./counting-store.ts";
import { describeHistory } from "./large-archive.ts";
import { storeRequests } from "./nights.ts";

/**
 * The newest month consists of real data files and is equally small in every archive, so the archives differ
 * only in the history before it.
 */
const MONTH = { from: Date.UTC(2026, 0, 1), to: NOW } as const;
const MONTH_FILLS = 2000;

/**
 * What an archive with that many years of history requests from the store: in a commit of ten fills, in a run
 * with nothing new, in `status`, and in reading the newest month's data files. The look-back is off, because
 * its cost depends on what it walks again.
 */
export function historyOfYears(years: number): Case {
  return async ({ fills }) => {
    const range = { from: Date.UTC(2026 - years, 0, 1), to: MONTH.from };
    const quiet = await nightAfter(fills, range, 0);
    const busy = await nightAfter(fills, range, 10);
    return {
      facts: {
        ...named("quiet", quiet.night),
        ...named("busy", busy.night),
        ...named("status", await asked(quiet.memory, (store) => archiveStatus({ account: ACCOUNT, store }))),
        ...named("month", await asked(quiet.memory, readMonth)),
      },
    };
  };
}

interface Asked {
  readonly requests: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

/**
 * The second night after the history was added. The first night would include the cost of rewriting the
 * manifest in the present format.
 */
async function nightAfter(fills: number, range: TimeRange, added: number) {
  const month = makeHistory({ seed: 1, fills: MONTH_FILLS, ...MONTH });
  const later = { from: NOW + DAY_MS, to: NOW + 1.5 * DAY_MS };
  const news = added === 0 ? [] : historyItems(makeHistory({ seed: 2, fills: added, ...later }));
  const emulator = createEmulator({ history: historyOf([...historyItems(month), ...news]) });
  const bench = makeBench({ emulator, job: { owner: KNOWN_TRADER } });
  const { clock } = bench;
  const memory = memoryStore("memory", () => clock.now());
  const job = { ...bench.job, store: memory };
  await syncArchive(job, { from: MONTH.from });
  await describeHistory(memory, ACCOUNT, fills, range);
  await clock.sleep(DAY_MS);
  await syncArchive(job, { from: range.from });
  await clock.sleep(DAY_MS);
  const night = await asked(memory, async (store) => {
    const result = await syncArchive({ ...job, store }, { from: range.from });
    if (!result.complete || result.added !== added) {
      throw new Error(`a night added ${result.added} of ${added} fills`, { cause: result.problem });
    }
  });
  return { memory, night };
}

async function asked(inner: Store, work: (store: Store) => Promise<unknown>): Promise<Asked> {
  const { store, counts } = countingStore(inner);
  await work(store);
  return { requests: storeRequests(counts), bytesOut: counts.bytesOut, bytesIn: counts.bytesIn };
}

/** Reads the month's fills as a pack does. */
async function readMonth(store: Store): Promise<void> {
  const { manifestIndex } = await readArchive(store, ACCOUNT);
  await setHashIn(manifestIndex, MONTH, DATE_BY.fill, (dataFile) => readDataFile(store, dataFile));
  for (const dataFile of await dataFilesIn(manifestIndex, MONTH, DATE_BY.fill)) {
    await readDataFile(store, dataFile);
  }
}

function named(name: string, { requests, bytesOut, bytesIn }: Asked): Record<string, number> {
  return { [`${name}Requests`]: requests, [`${name}BytesOut`]: bytesOut, [`${name}BytesIn`]: bytesIn };
}
