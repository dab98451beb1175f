import { describe, expect, test } from "vitest";
import { noteCheck } from "../../../lambda/pack/make/checks.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import { checksOf, lookAround, standingsOf } from "../../../lambda/web/data/standing.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { completeness, findPack, latestText, listAll, storesIn, writeByHand } from "./hand-written.ts";

const PERIOD = "month-2025-03";
const [V1, V2] = ["0123456789abcdef", "fedcba9876543210"];

/** A catalogue with one pack, over a store in which each write is a second after the last. */
async function bench() {
  let now = 0;
  const store = memoryStore("packs", () => {
    now += 1000;
    return now;
  });
  const folder = await writeByHand(store, {
    period: PERIOD,
    version: V1,
    files: { "completeness.json": completeness(PERIOD), "fills.csv": "a\r\n", "imports/koinly.csv": "b\r\n" },
  });
  return { store, folder, stores: storesIn(store) };
}

const UNLISTED = "fills.csv is not listed in its SHA256SUMS";

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

  test("is sorted by period, newest first, then the current version, then by the time of the last file", async () => {
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
      [PERIOD, V1, true, true, 4000],
      [PERIOD, V2, true, false, 10_000],
      [PERIOD, "ab-INCOMPLETE", false, false, 6000],
      ["calendar-2024", V2, true, false, 8000],
    ]);
    const all = [...store.snapshot()].filter(([key]) => key.startsWith(`main/packs/${PERIOD}/${V1}/`));
    expect(listed[0]?.bytes).toBe(all.reduce((sum, [, body]) => sum + body.length, 0));
  });

  test.each([
    ["names no version", "{}"],
    ["is no JSON", "\0"],
    ["names one that is gone", String(latestText("0123456789abcde0"))],
  ])("has no current version if latest.json %s", async (_, text) => {
    const { store, stores } = await bench();
    await writeByHand(store, { period: PERIOD, version: V2, files: {} });
    await store.createNew(`main/packs/${PERIOD}/latest.json`, Buffer.from(text));
    expect((await listAll(stores)).map(({ latest }) => latest)).toEqual([false, false]);
  });
});

describe("one pack", () => {
  test("gives what SHA256SUMS lists, and itself", async () => {
    const { stores } = await bench();
    expect([await findPack(stores, PERIOD, V2), await findPack(stores, "month-2025-04", V1)]).toEqual([null, null]);
    const paths = (await findPack(stores, PERIOD, V1))?.files.map(({ path }) => path);
    expect(paths).toEqual(["completeness.json", "fills.csv", "imports/koinly.csv", "SHA256SUMS"]);
  });

  const FOREIGN = [
    "../latest.json",
    "a/../../x",
    "/etc/passwd",
    "./fills.csv",
    "imports//koinly.csv",
    ".hidden",
    "a\\b",
  ];
  test.each<[string, (sums: string) => string, string]>([
    ...FOREIGN.map((path): [string, (sums: string) => string, string] => [
      `lists ${path}, which is none of its files`,
      (sums) => `${sums}${"0".repeat(64)}  ${path}\n`,
      `${path} is missing`,
    ]),
    ["lost the line of fills.csv", (sums) => sums.replace(/^.*fills\.csv\n/m, ""), UNLISTED],
    ["has that line garbled", (sums) => sums.replace(/^.(?=.*fills\.csv$)/m, "x"), UNLISTED],
    ["was cut off before it", (sums) => sums.slice(0, sums.indexOf("  fills.csv") - 9), UNLISTED],
  ])("is refused as a whole if SHA256SUMS %s", async (_, damage, says) => {
    const { store, folder, stores } = await bench();
    const sums = Buffer.from((await store.get(`${folder}/SHA256SUMS`))?.body ?? []).toString();
    store.put(`${folder}/SHA256SUMS`, Buffer.from(damage(sums)));
    await expect(findPack(stores, PERIOD, V1)).rejects.toEqual(untrusted(says));
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

  const others = [{ format: "fillbook-completeness/2" }, { account: "other" }, { period: "month-2025-04" }];
  test.each<[string | null, string]>([
    [null, "is not in its SHA256SUMS"],
    [" ".repeat(17 * 1024 * 1024), "more than the page reads of such a file"],
    ...[...others.map((fields) => completeness(PERIOD, fields)), "", "null", "[]", "{"].map(
      (text): [string, string] => [text, "completeness.json is not a file that this version"],
    ),
  ])("is not trusted if completeness.json is %.40j", async (text, says) => {
    const store = memoryStore();
    const files: Readonly<Record<string, string>> = text === null ? { "fills.csv": "" } : { "completeness.json": text };
    await writeByHand(store, { period: PERIOD, version: V1, files });
    await expect(findPack(storesIn(store), PERIOD, V1)).rejects.toEqual(untrusted(says));
  });
});

test("a pack of a list that is not as it was written is said to be so, with the reason; the others are shown", async () => {
  const { store, folder, stores } = await bench();
  const other = { "INCOMPLETE-completeness.json": completeness(PERIOD) };
  await writeByHand(store, { period: PERIOD, version: "ab-INCOMPLETE", files: other });
  const shown = async () => {
    const standings = await standingsOf(stores, await listAll(stores), await lookAround(stores));
    return new Map(standings.map(({ pack, claim, verdict }) => [pack.version, [claim?.totals.fills, verdict]]));
  };
  expect((await shown()).get(V1)).toMatchObject([3, { claim: expect.stringContaining("Records complete") }]);
  store.put(`${folder}/completeness.json`, Buffer.from(completeness(PERIOD).replace('"fills":3', '"fills":4')));
  const after = await shown();
  const text = expect.stringContaining(`packs/${folder}/completeness.json is damaged`);
  const remedy = expect.stringContaining("move it away and make it again"); // an export refuses to write over it
  const verdict = {
    claim: expect.stringContaining("Cannot be read"),
    points: expect.arrayContaining([expect.objectContaining({ text, remedy })]),
  };
  expect(after.get(V1)).toMatchObject([undefined, verdict]);
  expect(after.get("ab-INCOMPLETE")?.[0]).toBe(3);
});

test("a check of files counts if it is not older than the pack, and was made where the packs are", async () => {
  const { store, stores } = await bench(); // the pack is of 4000
  const [pack = null] = await listAll(stores);
  const check = { kind: "files", period: null, seq: 1, ok: true, checked: 9, findings: 0 } as const;
  const shown = async (checkedAt: number, packStore: string | null, apart: boolean) => {
    await noteCheck(store, "main", { ...check, checkedAt, ...(packStore === null ? {} : { packStore }) });
    const packs = apart ? memoryStore("apart") : store;
    return (await checksOf({ ...stores, packs }, 1, pack)).files?.checkedAt ?? null;
  };
  expect([await shown(3999, null, false), await shown(4000, null, false)]).toEqual([null, 4000]);
  expect([await shown(4001, null, true), await shown(4002, "apart", true)]).toEqual([null, 4002]);
});

test("a period's name that leads elsewhere in a folder finds nothing", async () => {
  const store = openFolderStore(temporaryFolder());
  const files = { "completeness.json": completeness(PERIOD) };
  await writeByHand(store, { account: "other", period: PERIOD, version: V1, files });
  await writeByHand(store, { period: PERIOD, version: V1, files });
  expect(await findPack(storesIn(store), PERIOD, V1)).not.toBeNull();
  for (const period of ["", ".", `../../other/packs/${PERIOD}`, `${PERIOD}/../${PERIOD}`]) {
    expect(await findPack(storesIn(store), period, V1)).toBeNull();
  }
});
