import { describe, expect, test } from "vitest";
import { readHead } from "../../lambda/archive/head.ts";
import { FillbookError } from "../../lambda/errors.ts";
import { exportPack } from "../../lambda/flow/export.ts";
import { syncArchive } from "../../lambda/flow/sync.ts";
import type { Owner } from "../../lambda/model/owner.ts";
import { parsePeriod } from "../../lambda/model/period.ts";
import { DAY_MS } from "../../lambda/model/time.ts";
import type { Store } from "../../lambda/store/store.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

const HERS: Owner = { address: "https://a.example/trade", subject: "her" };
const FROM = NOW - 30 * DAY_MS;

/** A run over a store by whoever asks; each owner has fills of their own. */
function benchOf(owner: Owner | null, store: Store = memoryStore()) {
  const history = makeHistory({ seed: owner?.subject === "him" ? 2 : 1, fills: 300, from: FROM, to: NOW });
  return makeBench({ history, job: { store, owner: () => Promise.resolve(owner) } });
}

async function synced() {
  const { job } = benchOf(HERS);
  expect(await syncArchive(job, { from: FROM })).toMatchObject({ complete: true, fills: 300 });
  return job.store;
}

describe("an archive is of one trader at one address", () => {
  test.each<[string, Owner, RegExp, RegExp]>([
    ["trader", { ...HERS, subject: "him" }, /the token is another trader's: nothing was asked/, /another --account/],
    ["address", { ...HERS, address: "https://b.example" }, /from https:\/\/a.*now https:\/\/b/, /sync --rebind/],
  ])(
    "another %s is refused by sync and export before the first request, and nothing is filed",
    async (_, other, message, hint) => {
      const store = await synced();
      const before = await readHead(store, "main");
      const { job } = benchOf(other, store);
      const refused = { kind: "untrusted", message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
      await expect(syncArchive(job, { from: FROM })).rejects.toMatchObject(refused);
      const period = parsePeriod("month-2025-12");
      const request = { period, method: "average", basis: "fill", allowIncomplete: false } as const;
      await expect(exportPack(job, request)).rejects.toMatchObject(refused);
      expect(job.reader.counts.requests).toBe(0);
      expect(await readHead(store, "main")).toEqual(before);
    },
  );

  test("told that it has moved, it is the new address's from then on", async () => {
    const store = await synced();
    const moved = { ...HERS, address: "https://b.example" };
    expect(await syncArchive(benchOf(moved, store).job, { from: FROM, rebinds: true })).toMatchObject({ fills: 300 });
    expect(await syncArchive(benchOf(moved, store).job, { from: FROM })).toMatchObject({ complete: true });
    await expect(syncArchive(benchOf(HERS, store).job, { from: FROM })).rejects.toMatchObject({ kind: "untrusted" });
  });

  test("a token that says no subject is told by the address alone, and takes nothing from what is known", async () => {
    const store = await synced();
    expect(await syncArchive(benchOf({ ...HERS, subject: null }, store).job, { from: FROM })).toMatchObject({
      complete: true,
    });
    expect((await readHead(store, "main"))?.head.owner).toEqual(HERS);
  });

  test("one of an earlier version, or whose token said none, takes the owner of its next run", async () => {
    const { job } = benchOf(null);
    await syncArchive(job, { from: FROM });
    expect((await readHead(job.store, "main"))?.head.owner).toBeUndefined();
    const next = benchOf(HERS, job.store);
    await next.clock.sleep(DAY_MS);
    await syncArchive(next.job, { from: FROM });
    expect((await readHead(job.store, "main"))?.head.owner).toEqual(HERS);
  });

  test("a token that the service refused owns nothing", async () => {
    const { job } = benchOf({ ...HERS, subject: "him" });
    const completedOrders = () => Promise.reject(new FillbookError("token", "refused"));
    await syncArchive({ ...job, reader: { ...job.reader, completedOrders } }, { from: FROM });
    expect((await readHead(job.store, "main"))?.head.owner).toBeUndefined();
    expect(await syncArchive(benchOf(HERS, job.store).job, { from: FROM })).toMatchObject({ complete: true });
  });
});

describe("a look-back that brings none of the fills that are held in its days", () => {
  /** Her archive of 300 fills of which some are of the last week, asked a day later by a token that says nothing of whose it is. */
  async function nextDay(emulated: ReturnType<typeof makeHistory>) {
    const lookBackMs = 7 * DAY_MS;
    const history = makeHistory({ seed: 1, fills: 300, from: FROM, to: NOW });
    const { job: first } = makeBench({ history, job: { lookBackMs } });
    await syncArchive(first, { from: FROM });
    const next = makeBench({ history: emulated, job: { store: first.store, lookBackMs } });
    await next.clock.sleep(DAY_MS);
    return next.job;
  }

  const HIS = { seed: 2, from: FROM, to: NOW };

  test.each([
    ["other fills", makeHistory({ ...HIS, fills: 300 }), /brings none, and \d\d others: nothing was filed/],
    ["more of them than a commit has", makeHistory({ ...HIS, fills: 40_000 }), /brings none, and \d{3,} others/],
    ["nothing", makeHistory({ ...HIS, fills: 20, to: FROM + 10 * DAY_MS }), /brings none, and 0 others/],
  ])("is not news where it brings %s: nothing is filed", async (_, history, message) => {
    const job = await nextDay(history);
    const result = await syncArchive(job, { from: FROM });
    expect(result).toMatchObject({ complete: false, fills: 300, added: 0, restated: 0 });
    expect(result.problem).toMatchObject({ kind: "untrusted", message: expect.stringMatching(message) });
    expect(result.problem?.hint).toContain("whose token");
    // Whoever says that it is right takes them.
    const rebound = await syncArchive(job, { from: FROM, rebinds: true });
    expect(rebound).toMatchObject({ complete: true });
  });

  test("is one where it brings one of them", async () => {
    const hers = makeHistory({ seed: 1, fills: 300, from: FROM, to: NOW });
    const job = await nextDay(hers);
    expect(await syncArchive(job, { from: FROM })).toMatchObject({ complete: true, fills: 300 });
  });
});
