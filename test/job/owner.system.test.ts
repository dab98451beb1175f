import { describe, expect, test } from "vitest";
import { readHead } from "../../lambda/archive/head.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Owner } from "../../lambda/core/owner.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { archiveStatus } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { type History, historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { exportRequest } from "../support/exports.ts";
import { away, makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

const HERS: Owner = { address: "https://a.example/trade", subject: "her" };
const FROM = NOW - 30 * DAY_MS;

/** A run over a store with the given owner's token. Each owner has other fills. */
function benchOf(owner: Owner | null, store: Store = memoryStore()) {
  const history = makeHistory({ seed: owner?.subject === "him" ? 2 : 1, fills: 300, from: FROM, to: NOW, ties: 0 });
  return makeBench({ history, job: { store, owner: () => Promise.resolve(owner) } });
}

async function synced() {
  const { job } = benchOf(HERS);
  expect(await syncArchive(job, { from: FROM })).toMatchObject({ complete: true, fills: 300 });
  return job.store;
}

describe("an archive belongs to one trader at one address", () => {
  test.each<[string, Owner, RegExp, RegExp]>([
    ["trader", { ...HERS, subject: "him" }, /belongs to another trader; no request was sent/, /another --account/],
    ["address", { ...HERS, address: "https://b.example" }, /from https:\/\/a.*now https:\/\/b/, /sync --rebind/],
  ])(
    "another %s is refused by sync and export before the first request, and nothing is filed",
    async (_, other, message, hint) => {
      const store = await synced();
      const before = await readHead(store, "main");
      const { job } = benchOf(other, store);
      const refused = { kind: "untrusted", message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
      await expect(syncArchive(job, { from: FROM })).rejects.toMatchObject(refused);
      const request = exportRequest(parsePeriod("month-2025-12"));
      await expect(exportPack(job, request)).rejects.toMatchObject(refused);
      expect(job.reader.counts.requests).toBe(0);
      expect(await readHead(store, "main")).toEqual(before);
    },
  );

  test("belongs to the new address once it is told that it has moved", async () => {
    const store = await synced();
    const moved = { ...HERS, address: "https://b.example" };
    expect(await syncArchive(benchOf(moved, store).job, { from: FROM, rebinds: true })).toMatchObject({ fills: 300 });
    expect(await syncArchive(benchOf(moved, store).job, { from: FROM })).toMatchObject({ complete: true });
    await expect(syncArchive(benchOf(HERS, store).job, { from: FROM })).rejects.toMatchObject({ kind: "untrusted" });
  });

  test("is recognised by the address alone if the token has no subject, and keeps its known owner", async () => {
    const store = await synced();
    const { job } = benchOf({ ...HERS, subject: null }, store);
    expect(await syncArchive(job, { from: FROM })).toMatchObject({ complete: true });
    expect((await readHead(store, "main"))?.head.owner).toEqual(HERS);
  });

  test("takes the owner of its next run if the first token named none", async () => {
    const { job } = benchOf(null);
    await syncArchive(job, { from: FROM });
    expect((await readHead(job.store, "main"))?.head.owner).toBeUndefined();
    const next = benchOf(HERS, job.store);
    await next.clock.sleep(DAY_MS);
    await syncArchive(next.job, { from: FROM });
    expect((await readHead(job.store, "main"))?.head.owner).toEqual(HERS);
  });

  test("gets no owner from a token that the service refused", async () => {
    const { job } = benchOf({ ...HERS, subject: "him" });
    await syncArchive(away(job, new FillbookError("token", "refused")), { from: FROM });
    expect((await readHead(job.store, "main"))?.head.owner).toBeUndefined();
    expect(await syncArchive(benchOf(HERS, job.store).job, { from: FROM })).toMatchObject({ complete: true });
  });
});

describe("a run whose token does not name its trader", () => {
  const lookBackMs = 7 * DAY_MS;
  const HERS_NOW = makeHistory({ seed: 1, fills: 300, from: FROM, to: NOW, ties: 0 });

  /**
   * Her archive of 300 fills, and a job over it that many days later, when the service has the fills of
   * `emulated`.
   */
  async function later(emulated: History, { days = 1, owner = null as Owner | null } = {}) {
    const given = { store: memoryStore(), lookBackMs, owner: () => Promise.resolve(owner) };
    await syncArchive(makeBench({ history: HERS_NOW, job: given }).job, { from: FROM });
    const { job, clock } = makeBench({ history: emulated, job: given });
    await clock.sleep(days * DAY_MS);
    return { job, clock };
  }

  const HIS = { seed: 2, from: FROM, to: NOW, ties: 0 };

  test.each([
    ["other fills", makeHistory({ ...HIS, fills: 300 }), 1],
    ["some in the new time alone", makeHistory({ seed: 2, fills: 1000, from: NOW, to: NOW + DAY_MS, ties: 0 }), 1],
    ["nothing", makeHistory({ ...HIS, fills: 20, to: FROM + 10 * DAY_MS }), 1],
    ["nothing, weeks after the archive's last fill", makeHistory({ ...HIS, fills: 0 }), 20],
    ["other fills, weeks after it", makeHistory({ seed: 2, fills: 50, from: NOW, to: NOW + 20 * DAY_MS, ties: 0 }), 20],
  ])("is refused if the service returns %s; nothing is filed or covered", async (_, history, days) => {
    const { job } = await later(history, { days });
    const result = await syncArchive(job, { from: FROM });
    expect(result).toMatchObject({ complete: false, fills: 300, added: 0, restated: 0 });
    expect(result.coverage).toMatchObject([{ from: FROM, to: NOW }]);
    expect(result.problem).toMatchObject({
      kind: "untrusted",
      message: expect.stringMatching(/does not show the archive's newest fills.*\(4 up to .*nothing was filed/),
      hint: expect.stringContaining("whose token"),
    });
    // A run that is told that the token is right reads on: at most, known fills are lacking now.
    const told = await syncArchive(job, { from: FROM, rebinds: true });
    expect(told.problem?.kind).not.toBe("untrusted");
    expect(told.coverage.at(-1)?.to).toBe(NOW + days * DAY_MS);
  });

  test("is accepted if one of the known fills is returned, even if the newest order was cancelled", async () => {
    const newest = [...historyItems(HERS_NOW)].toSorted((a, b) => b.txCreated - a.txCreated)[0] as CompletedOrder;
    const others = [...historyItems(HERS_NOW)].filter(({ orderId }) => orderId !== newest.orderId);
    const { job, clock } = await later(historyOf(others));
    // The service has shown that fill a day ago: that it is lacking now is told, and later believed.
    expect((await syncArchive(job, { from: FROM })).problem).toMatchObject({ kind: "incomplete" });
    await clock.sleep(9 * DAY_MS);
    const again = { ...job, lookBackMs: 20 * DAY_MS };
    expect(await syncArchive(again, { from: FROM })).toMatchObject({ complete: true, fills: 300 });
    expect(await archiveStatus(job)).toMatchObject({ vanished: HERS_NOW.count - others.length });
  });

  test("with a token that names the trader, is told that the look-back's fills are lacking", async () => {
    const { job } = await later(historyOf([]), { owner: HERS });
    const message = expect.stringContaining("lacking now");
    expect((await syncArchive(job, { from: FROM })).problem).toMatchObject({ kind: "incomplete", message });
  });
});
