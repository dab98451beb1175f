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

/** The newest month is real, and as small in every archive: what differs is the history before it. */
const MONTH = { from: Date.UTC(2026, 0, 1), to: NOW } as const;
const MONTH_FILLS = 2000;

/**
 * What an archive with so many years of history asks of the store: a commit of ten fills, a run with nothing
 * new, `status`, and the choice and the data files of the newest month. Without the look-back, which costs by
 * what it walks again.
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
 * The second night after the history was put there: a change of the manifest's format is the first one's
 * cost.
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
      throw new Error(`a night has added ${result.added} of ${added} fills`, { cause: result.problem });
    }
  });
  return { memory, night };
}

async function asked(inner: Store, work: (store: Store) => Promise<unknown>): Promise<Asked> {
  const { store, counts } = countingStore(inner);
  await work(store);
  return { requests: storeRequests(counts), bytesOut: counts.bytesOut, bytesIn: counts.bytesIn };
}

/** As a pack of the month reads its fills. */
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
