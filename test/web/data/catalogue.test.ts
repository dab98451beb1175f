import { describe, expect, test } from "vitest";
import { findPack, packClaims } from "../../../lambda/web/data/catalogue.ts";
import { restatedSince } from "../../../lambda/web/data/restated.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { completeness, latestText, listAll, packByHand, storesIn, writeByHand } from "./hand-written.ts";

const PERIOD = "month-2025-03";
const [V1, V2] = ["0123456789abcdef", "fedcba9876543210"];

/** A catalogue with one pack, over a store in which each write is a second after the last. */
async function bench(files: Readonly<Record<string, string>> = {}) {
  let now = 0;
  const store = memoryStore("packs", () => {
    now += 1000;
    return now;
  });
  const folder = await writeByHand(store, {
    period: PERIOD,
    version: V1,
    files: { "completeness.json": completeness(PERIOD), "fills.csv": "a\r\n", "imports/koinly.csv": "b\r\n", ...files },
  });
  return { store, folder, stores: storesIn(store) };
}

const untrusted = (message: string) =>
  expect.objectContaining({ kind: "untrusted", message: expect.stringContaining(message) });

describe("the list", () => {
  test("leaves out unfinished packs, and folders that are not versions", async () => {
    const { store, stores } = await bench();
    for (const key of [
      `${PERIOD}/${V2}/fills.csv`,
      `${PERIOD}/stray.txt`,
      `${PERIOD}/x/SHA256SUMS/deeper`,
      // A complete file name would carry INCOMPLETE.
      `${PERIOD}/${V2}-INCOMPLETE/SHA256SUMS`,
      "stray.txt",
      "empty/latest.json",
    ]) {
      await store.createNew(`main/packs/${key}`, Buffer.from("x"));
    }
    await store.createNew(`other/packs/${PERIOD}/${V2}/SHA256SUMS`, Buffer.from("x"));
    expect((await listAll(stores)).map(({ period, version }) => [period, version])).toEqual([[PERIOD, V1]]);
    expect(await listAll(storesIn(store, "nobody"))).toEqual([]);
  });

  test("is sorted by period, then newest first, with the time of the last file and the total bytes", async () => {
    const { store, stores } = await bench();
    const files = { "completeness.json": completeness("calendar-2024") };
    await writeByHand(store, { period: PERIOD, version: "ab-INCOMPLETE", files });
    await writeByHand(store, { period: "calendar-2024", version: V2, files });
    await writeByHand(store, { period: PERIOD, version: V2, files });
    await store.createNew(`main/packs/${PERIOD}/latest.json`, latestText(V1));
    const listed = await listAll(stores);
    expect(
      listed.map(({ period, version, complete, latest, madeAt }) => [period, version, complete, latest, madeAt]),
    ).toEqual([
      ["calendar-2024", V2, true, true, 8000],
      // It has the files of 4000, and latest.json named it once more.
      [PERIOD, V1, true, true, 11_000],
      [PERIOD, V2, true, false, 10_000],
      [PERIOD, "ab-INCOMPLETE", false, false, 6000],
    ]);
    expect(await listAll(stores, PERIOD)).toEqual(listed.slice(1));
    const all = [...store.snapshot()].filter(([key]) => key.startsWith(`main/packs/${PERIOD}/${V1}/`));
    expect(listed[1]?.bytes).toBe(all.reduce((sum, [, body]) => sum + body.length, 0));
  });

  test.each([
    ["names no version", "{}"],
    ["is no JSON", "\0"],
    ["is too long", `${" ".repeat(20_000)}${latestText(V2)}`],
  ])("has no latest version if latest.json %s", async (_, text) => {
    const { store, stores } = await bench();
    await writeByHand(store, { period: PERIOD, version: V2, files: {} });
    await store.createNew(`main/packs/${PERIOD}/latest.json`, Buffer.from(text));
    expect((await listAll(stores)).map(({ latest }) => latest)).toEqual([false, false]);
  });
});

describe("one pack", () => {
  test("gives only what SHA256SUMS lists, and itself; no path that leads out of the pack, even if it is listed", async () => {
    const { store, folder, stores } = await bench();
    expect([await findPack(stores, PERIOD, V2), await findPack(stores, "month-2025-04", V1)]).toEqual([null, null]);
    await store.createNew(`${folder}/unlisted.csv`, Buffer.from("x"));
    const ways = ["../latest.json", "a/../../x", "/etc/passwd", "./fills.csv", "a//b", ".hidden", "a\\b", "é", "a b"];
    const sums = Buffer.from((await store.get(`${folder}/SHA256SUMS`))?.body ?? []).toString();
    const hostile = ways.map((path) => `${"0".repeat(64)}  ${path}\n`).join("");
    store.put(`${folder}/SHA256SUMS`, Buffer.from(`${sums}not a line\n${hostile}`));
    const pack = await findPack(stores, PERIOD, V1);
    const paths = pack?.files.map(({ path }) => path);
    expect(paths).toEqual(["completeness.json", "fills.csv", "imports/koinly.csv", "SHA256SUMS"]);
  });

  test("is refused as a whole if a file is missing", async () => {
    const { store, folder, stores } = await bench();
    store.delete(`${folder}/fills.csv`);
    await expect(findPack(stores, PERIOD, V1)).rejects.toEqual(untrusted(`packs/${folder}/fills.csv is missing`));
  });

  test("is not trusted if completeness.json was changed", async () => {
    const { store, folder, stores } = await bench();
    store.put(`${folder}/completeness.json`, Buffer.from(completeness(PERIOD, { gaps: [{}] })));
    await expect(findPack(stores, PERIOD, V1)).rejects.toEqual(untrusted("completeness.json is damaged"));
  });

  test("is not trusted without completeness.json, or with an impossibly large one", async () => {
    const store = memoryStore();
    const stores = storesIn(store);
    await writeByHand(store, { period: PERIOD, version: V1, files: { "fills.csv": "" } });
    const large = { "completeness.json": " ".repeat(17 * 1024 * 1024) };
    await writeByHand(store, { period: PERIOD, version: V2, files: large });
    await expect(findPack(stores, PERIOD, V1)).rejects.toEqual(untrusted("is not in its SHA256SUMS"));
    await expect(findPack(stores, PERIOD, V2)).rejects.toEqual(untrusted("more than the page reads of such a file"));
  });

  const counts = { fills: 3, exceptions: 0, restatements: { late: 0, changed: 0, enriched: 0 } };
  const figures = { report_currency: null, net_realised_pnl: [], inputs: [] };
  const WRONG: readonly Readonly<Record<string, unknown>>[] = [
    { format: "fillbook-completeness/2" },
    { account: "other" },
    { period: "month-2025-04" },
    ...[5, null].flatMap((value) => [
      { from: value },
      { zone: value },
      { method: value },
      { of: value },
      { of: [value] },
    ]),
    ...[{}, [null], [{}]].map((gaps) => ({ gaps })),
    ...[null, { claim: "", text: "" }, { claim: "", text: "", points: [{ text: 5 }] }].map((verdict) => ({ verdict })),
    ...[null, { ...counts, fills: "x" }, { ...counts, fills: 0.5 }, { ...counts, restatements: null }].map(
      (totals) => ({ totals }),
    ),
    ...["report_currency", "net_realised_pnl", "inputs"].map((name) => ({ accounts: { ...figures, [name]: {} } })),
    ...["net_realised_pnl", "inputs"].map((name) => ({ accounts: { ...figures, [name]: [{}] } })),
    { assumed: null },
  ];
  test.each([...WRONG.map((fields) => completeness(PERIOD, fields)), "", "null", "[]", "{"])(
    "cannot be read if completeness.json is %j",
    async (text) => {
      const { stores } = await bench({ "completeness.json": text });
      const says = untrusted("completeness.json is not a file that this version");
      await expect(findPack(stores, PERIOD, V1)).rejects.toEqual(says);
    },
  );
});

const archive = { restatements: [], skewMs: 0 };

test.each<[string, string | null, number | null]>([
  ["as it was written", completeness(PERIOD), 0],
  ["as it was written, and long", completeness(PERIOD).padEnd(1024 * 1024), 0],
  ["too long", completeness(PERIOD).padEnd(1024 * 1024 + 1), null],
  ["of another account", completeness(PERIOD, { account: "other" }), null],
  ["cut off", completeness(PERIOD).slice(0, -1), null],
  ["gone", null, null],
])(
  "changes since the pack are counted or unknown for a pack whose completeness.json is %s, without an error",
  async (_, text, since) => {
    const { store, folder, stores } = await bench();
    await writeByHand(store, {
      period: PERIOD,
      version: "ab-INCOMPLETE",
      files: { "INCOMPLETE-completeness.json": completeness(PERIOD) },
    });
    if (text === null) {
      store.delete(`${folder}/completeness.json`);
    } else {
      for (const [key, body] of packByHand({ period: PERIOD, version: V1, files: { "completeness.json": text } })) {
        store.put(key, body);
      }
    }
    const listed = await listAll(stores);
    const claims = await packClaims(stores, listed);
    const told = await Promise.all(claims.map((claim) => claim && restatedSince(stores, archive, claim)));
    expect(new Map(listed.map(({ version }, at) => [version, told[at]]))).toEqual(
      new Map([
        [V1, since],
        ["ab-INCOMPLETE", 0],
      ]),
    );
  },
);

test("a list shows no figure of a completeness.json that is another than SHA256SUMS lists", async () => {
  const { store, folder, stores } = await bench();
  const listed = await listAll(stores);
  expect(await packClaims(stores, listed)).toMatchObject([{ fills: 3 }]);
  store.put(`${folder}/completeness.json`, Buffer.from(completeness(PERIOD).replace('"fills":3', '"fills":4')));
  expect(await packClaims(stores, listed)).toEqual([null]);
});
