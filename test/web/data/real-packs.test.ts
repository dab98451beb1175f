import { describe, expect, test } from "vitest";
import { customPeriod, parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { archiveStatus } from "../../../lambda/job/inspect.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { accountsIn, groupsIn, viewArchive } from "../../../lambda/web/data/archives.ts";
import { readPackText } from "../../../lambda/web/data/pack-files.ts";
import { restatedSince } from "../../../lambda/web/data/restated.ts";
import { makeHistory } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { findPack, storesIn } from "./hand-written.ts";

const RANGE = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 20) };
const HISTORY = makeHistory({ seed: 3, fills: 50, ...RANGE });

function archiveIn(store: Store) {
  return viewArchive(storesIn(store));
}

const PACKS = ["family", "a-1_main", "UPPER", "zoe"].map((owner) => `${owner}/packs/month-2026-01/latest.json`);

describe("of a store", () => {
  test("accounts are the folders with a head, several together those with packs and none, sorted", async () => {
    const store = memoryStore();
    for (const account of ["zoe", "main", "a-1"]) {
      await syncArchive(makeBench({ history: HISTORY, job: { store, account } }).job, RANGE);
    }
    for (const key of ["inputs-only/inputs/x.json", "UPPER/head.json", "head.json", "deep/er/head.json", ...PACKS]) {
      await store.createNew(key, Buffer.from("{}"));
    }
    expect(await accountsIn(store)).toEqual(["a-1", "main", "zoe"]);
    expect(await groupsIn(store, store)).toEqual(["a-1_main", "family"]);
  });

  test("an archive is shown as the status command tells it: of what was read twice", async () => {
    const store = memoryStore();
    const { job } = makeBench({ history: HISTORY, job: { store } });
    const nothing = { coverage: [], fills: 0, seq: 0, firstTrade: null, lastRun: null, restatements: null };
    expect(await archiveIn(store)).toMatchObject({ account: "main", ...nothing });
    await syncArchive(job, { ...RANGE, pace: "once" });
    expect(await archiveIn(store)).toMatchObject({ coverage: [], fills: 50 });
    await syncArchive(job, { ...RANGE, pace: "hurry" });
    const { fills, lastRun, manifest } = await archiveStatus(job);
    const assumed = { silenceDays: expect.any(Number), vanished: 0 };
    const known = { fills: 50, lastRun: expect.anything(), seq: manifest?.seq, assumed, restatements: [] };
    expect(await archiveIn(store)).toMatchObject({ coverage: [RANGE], ...known });
    expect(await archiveIn(store)).toMatchObject({ fills, lastRun });
  });
});

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const RATES = ["date,base,quote,rate,source", ...["USD", "USDC", "USDT"].map((base) => `2025,${base},EUR,0.8,mine`)];
const FUNDING = ["time,market,amount,currency,source", "2025-06-01,BTC-USD,12.5,USD,mine"];

test.each([
  ["without funding", []],
  ["with funding", [["main/inputs/funding.csv", FUNDING]]],
] as const)("the figure of a pack's page is the one at the top of its report: %s", async (_, inputs) => {
  const store = memoryStore();
  for (const [key, lines] of [["main/inputs/rates/mine.csv", RATES] as const, ...inputs]) {
    store.put(key, Buffer.from(lines.join("\n")));
  }
  const { job } = makeBench({ history: makeHistory({ seed: 7, fills: 400, ...YEAR }), job: { store } });
  const request = { ...exportRequest(parsePeriod("calendar-2025")), currency: "EUR" };
  const { dir } = await exportPack(job, request);
  const stores = storesIn(store);
  const version = dir?.split("/").at(-1) ?? "";
  const pack = (await findPack(stores, "calendar-2025", version)) ?? expect.fail("no pack");
  const report = (await readPackText(stores, pack, "report.html")) ?? "";
  const [, exact = ""] =
    /<table id="statement-converted">.*?<strong>Net realised PnL.*?<data value="([-\d.]+)"/s.exec(report) ?? [];
  const funding = inputs.length > 0 ? "included" : "excluded";
  expect(pack.claim.accounts.net_realised_pnl).toEqual([{ currency: "EUR", amount: exact, funding, partial: false }]);
});

// Packs that the program itself has made are also shown by hosts/aws/recorded.system.test.ts and browser/.

const PERIOD = customPeriod("2026-01-02", "2026-02-01");
const LATER_MS = 46 * DAY_MS;
const FROM = NOW - 32 * DAY_MS;

const isIn = ({ filledAt, txCreated }: CompletedOrder) =>
  PERIOD.from <= (filledAt ?? txCreated) && (filledAt ?? txCreated) < PERIOD.to;

test("the fills that changed since a pack was made are as many as the service has changed", async () => {
  const history = makeHistory({ seed: 31, fills: 400, from: FROM, to: NOW });
  const switches = {
    lateRows: { share: 0.1, maxDelayMs: 40 * DAY_MS },
    changingRows: { share: 0.3, what: "content", afterMs: 45 * DAY_MS },
  } as const;
  const stores = { account: "main", store: memoryStore(), packs: memoryStore() };
  const { job, emulator, clock } = makeBench({ history, switches, job: { ...stores, packStore: stores.packs } });
  await syncArchive(job, { from: FROM, to: NOW });
  const { dir, files } = await exportPack(job, exportRequest(PERIOD));
  const pack = (await findPack(stores, PERIOD.name, dir?.split("/").at(-1) ?? "")) ?? expect.fail("no pack");
  expect(pack.files.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
  await clock.sleep(LATER_MS);
  await syncArchive({ ...job, lookBackMs: NOW + LATER_MS - FROM }, { from: FROM });
  const [was, is] = [emulator.truth(NOW), emulator.truth(NOW + LATER_MS)];
  const restated = [...is].filter(([key, now]) => {
    const then = was.get(key);
    return then === undefined ? isIn(now) : then.fees !== now.fees && (isIn(then) || isIn(now));
  });
  expect(restated.length).toBeGreaterThan(50);
  expect(await restatedSince(stores, await viewArchive(stores), pack.claim)).toBe(restated.length);
});
