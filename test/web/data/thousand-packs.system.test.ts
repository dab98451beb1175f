import { expect, test } from "vitest";
import { compareText } from "../../../lambda/core/text.ts";
import { openCatalogue } from "../../../lambda/web/data/catalogue.ts";
import { FILES } from "../../pack/pack.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { latestText, listAll } from "./hand-written.ts";
import { doubleStore } from "./places.ts";

// What a page costs over ten years of packs: requests, counted, and how many wait for one another.

const LIST_PAGE = 1000;

/** Packs of empty files: so many versions of each period. */
function packsOf(periods: number, versions: number): MemoryStore {
  const store = memoryStore();
  const names = Array.from(
    { length: periods },
    (_, at) => `month-${2015 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
  );
  for (const period of names) {
    for (let at = 0; at < versions; at += 1) {
      const version = at.toString(16).padStart(16, "0");
      for (const path of FILES) {
        store.put(`main/packs/${period}/${version}/${path}`, Buffer.from("x"));
      }
    }
    store.put(`main/packs/${period}/latest.json`, latestText((versions - 1).toString(16).padStart(16, "0")));
  }
  return store;
}

test.each([
  ["120 months with 9 versions", 120, 9],
  ["a thousand periods with one", 1000, 1],
  ["one period with a thousand", 1, 1000],
])(
  "the list of %s: the periods, the keys of each, and what is the latest where there is a choice",
  async (_, periods, versions) => {
    const store = faultyStore(packsOf(periods, versions), () => "ok");
    const packs = openCatalogue({ store, packStore: null });
    const listed = await listAll(packs);
    expect(listed).toHaveLength(periods * versions);
    expect(listed.filter(({ latest }) => latest)).toHaveLength(periods);
    expect(listed.map(({ period }) => period)).toEqual(listed.map(({ period }) => period).toSorted(compareText));
    const asked = () => Map.groupBy(store.operations, ({ method }) => method);
    expect([asked().get("folders")?.length, asked().get("list")?.length, asked().get("get")?.length ?? 0]).toEqual([
      1,
      periods,
      versions > 1 ? periods : 0,
    ]);
    const before = store.operations.length;
    expect(await listAll(packs, "main", listed[0]?.period)).toHaveLength(versions);
    expect(store.operations.length - before).toBe(versions > 1 ? 3 : 2);
  },
);

test("on S3 the keys of a period are a page or more, the periods one, at most 32 requests at a time", async () => {
  const { store, double } = await doubleStore();
  for (const [key, body] of packsOf(60, 40).snapshot()) {
    double.bucket.objects.set(`books/${key}`, { bytes: Buffer.from(body), etag: '"x"', modifiedMs: 0 });
  }
  let [underWay, most] = [0, 0];
  double.plan = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return "ok" as const;
  };
  expect(await listAll(openCatalogue({ store, packStore: null }))).toHaveLength(2400);
  const sent = (operation: string) => double.requests.filter((request) => request.operation === operation).length;
  const pages = Math.ceil((40 * FILES.length + 1) / LIST_PAGE);
  expect([sent("ListObjectsV2"), sent("GetObject")]).toEqual([1 + 60 * pages, 60]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(32);
});
