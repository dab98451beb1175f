import { describe, expect, test } from "vitest";
import { customPeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, MINUTE_MS } from "../../../lambda/core/time.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { MAX_LATEST_BYTES } from "../../../lambda/pack/catalogue/noted.ts";
import { findPack } from "../../../lambda/web/data/catalogue.ts";
import { readKeyFigures } from "../../../lambda/web/data/key-figures.ts";
import { packPage } from "../../../lambda/web/views/pack.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { versionTitle } from "../../../lambda/web/views/version-title.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { listAll } from "../data/hand-written.ts";
import { frameOf, packOf } from "./samples.ts";

const PERIOD = customPeriod("2026-01-02", "2026-02-01");
const FROM = NOW - 32 * DAY_MS;

/** An account whose pack is made by each of the methods, a minute after one another. */
async function madeBy(methods: readonly ("average" | "fifo")[]) {
  let now = NOW;
  const store = memoryStore("memory", () => now);
  const { job } = makeBench({ history: makeHistory({ seed: 7, fills: 60, from: FROM, to: NOW }), job: { store } });
  await syncArchive(job, { from: FROM, to: NOW });
  for (const method of methods) {
    now += MINUTE_MS;
    const how = { method, basis: "fill", isMethodChosen: true, allowIncomplete: false } as const;
    await exportPack(job, { period: PERIOD, ...how });
  }
  return { store, stores: { account: "main", store, packStore: null } };
}

describe("made by average cost, by FIFO, and by average cost again", () => {
  test("the pack by average cost is the current one: named last, made now, and the later one of a comparison", async () => {
    const { stores } = await madeBy(["average", "fifo", "average"]);
    const [first, second, ...others] = await listAll(stores);
    expect(others).toEqual([]);
    expect([first, second].map((one) => [one?.note?.settings.method, one?.latest, one?.madeAt])).toEqual([
      ["average", true, NOW + 3 * MINUTE_MS],
      ["fifo", false, NOW + 2 * MINUTE_MS],
    ]);
    const fifo = await findPack(stores, PERIOD.name, second?.version ?? "");
    const newest = first === undefined ? null : { ...first, settings: first.note?.settings ?? null };
    const page = packPage(frameOf(), {
      account: "main",
      pack: fifo ?? packOf(),
      figures: null,
      checks: { files: null, rewalk: null },
      restatementsSince: 0,
      newest,
      others: newest === null ? [] : [newest],
      paging: pagingOf(1, 25, null),
    });
    expect(page.replaceAll(/<[^>]*>/g, "")).toContain(
      "The current pack of this period uses Average cost (this one: FIFO), made 1 Feb 2026 00:03 UTC.",
    );
    expect(page).toContain(`compare?before=${second?.version}&amp;after=${first?.version}`);
  });

  test("a version that is made again changes no file of it", async () => {
    const [once, thrice] = [await madeBy(["average", "fifo"]), await madeBy(["average", "fifo", "average"])];
    const files = ({ store }: typeof once) =>
      [...store.snapshot()].filter(([key]) => key.startsWith("main/packs/") && !key.endsWith("latest.json"));
    expect(files(thrice)).toEqual(files(once));
  });
});

test("a version is named by its method, what it comes to as its report begins, and when it was made", async () => {
  const { store, stores } = await madeBy(["fifo", "average"]);
  const [, fifo] = await listAll(stores);
  const pack = await findPack(stores, PERIOD.name, fifo?.version ?? "");
  const report = Buffer.from(
    store.snapshot().get(`main/packs/${PERIOD.name}/${fifo?.version}/report.html`) ?? [],
  ).toString();
  const tiles = [
    ...report.matchAll(/<dt>Net realised PnL, excl\. funding<\/dt><dd>.*?>([−+0-9,.]+)<.*?<bdi>(\w+)<\/bdi>/g),
  ].map(([, amount, currency]) => `${amount} ${currency}`);
  expect(tiles.length).toBeGreaterThan(1);
  expect(fifo && versionTitle(fifo)).toMatch(
    new RegExp(
      `^FIFO · ${tiles
        .slice(0, 2)
        .map((text) => text.replaceAll(/[+.]/g, String.raw`\$&`))
        .join(", ")} · 1 Feb 2026 00:01 UTC$`,
    ),
  );
  expect(pack?.claim.nets?.map(({ currency }) => currency)).toEqual(tiles.map((text) => text.split(" ")[1]));
  // The page's tiles come in the same order, from another file of the pack.
  const figures = pack && (await readKeyFigures(stores, pack));
  expect(figures?.totals.map(({ currency, net }) => [currency, net])).toEqual(
    pack?.claim.nets?.map(({ currency, net }) => [currency, net]),
  );
});

test("of a version of which nothing is known only its time is told", () => {
  expect(versionTitle({ madeAt: NOW, note: null })).toBe("1 Feb 2026 00:00 UTC");
});

test("latest.json stays small, however many versions it named", async () => {
  const { store, stores } = await madeBy(["average"]);
  const key = `main/packs/${PERIOD.name}/latest.json`;
  const named = JSON.parse(Buffer.from(store.snapshot().get(key) ?? []).toString());
  const [note] = named.noted;
  const noted = Array.from({ length: 100 }, (_, at) => ({ ...note, version: `v${at}` }));
  store.put(key, Buffer.from(JSON.stringify({ ...named, version: "v99", noted })));
  const { job } = makeBench({ history: makeHistory({ seed: 7, fills: 60, from: FROM, to: NOW }), job: { store } });
  await exportPack(job, {
    period: PERIOD,
    method: "fifo",
    basis: "fill",
    isMethodChosen: true,
    allowIncomplete: false,
  });
  const body = store.snapshot().get(key) ?? Buffer.alloc(0);
  expect(body.length).toBeLessThanOrEqual(MAX_LATEST_BYTES);
  const versions = JSON.parse(Buffer.from(body).toString()).noted.map(({ version }: { version: string }) => version);
  const [current] = (await listAll(stores)).filter(({ latest }) => latest);
  expect(versions.slice(-2)).toEqual(["v99", current?.version]);
});
