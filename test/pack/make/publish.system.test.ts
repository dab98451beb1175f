import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { customPeriod, parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { copyPack } from "../../../lambda/pack/make/copy.ts";
import { packObjects, verifyPacks } from "../../../lambda/pack/make/verify-packs.ts";
import { CASH } from "../../../lambda/pack/tables/cash.ts";
import { StoreUnknownError } from "../../../lambda/storage/store.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { makeFill } from "../../support/make-fill.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { bytesOf, CONTRACT, csvOf, FILES, fillOn, MARCH, packOf, WIDE } from "../pack.ts";

const DAYS = Array.from({ length: 40 }, (_, at) => fillOn(at - 3, { price: `${at + 1}.50` }));

async function made() {
  const store = memoryStore();
  return { store, pack: await packOf(store, DAYS) };
}

const verified = async (store: MemoryStore, period: string | null) =>
  await verifyPacks(store, await packObjects(store, "main", period));

describe("a pack", () => {
  test("has the files of the contract, with their size, hash and rows", async () => {
    const { store, pack } = await made();
    expect(FILES.filter((path) => CONTRACT.includes(path))).toEqual(CONTRACT);
    expect(pack.files.map(({ path }) => path)).toEqual(FILES);
    for (const { path, bytes, sha256 } of pack.files) {
      const body = bytesOf(store, pack, path);
      expect([body.length, createHash("sha256").update(body).digest("hex")]).toEqual([bytes, sha256]);
    }
    const rowsOf = (path: string) => pack.files.find((file) => file.path === path)?.rows;
    expect(["fills.csv", "fills.parquet", "restatements.csv", "report.html"].map(rowsOf)).toEqual([
      31,
      31,
      0,
      undefined,
    ]);
    for (const { path, rows } of pack.files.filter(({ path: one }) => one.endsWith(".csv"))) {
      expect([path, rows]).toEqual([path, csvOf(store, pack, path).length - 1]);
    }
    expect(pack).toMatchObject({ complete: true, dir: `main/packs/month-2025-03/${pack.version}` });
    expect(pack.version).toMatch(/^[0-9a-f]{16}$/);
    expect(
      JSON.parse(Buffer.from(store.snapshot().get("main/packs/month-2025-03/latest.json") ?? []).toString()),
    ).toMatchObject({
      version: pack.version,
      sums: { path: `${pack.version}/SHA256SUMS`, sha256: pack.files.at(-1)?.sha256 },
    });
  });

  test("has a ZIP beside it with all its files, the same in every run", async () => {
    const [store, again] = [memoryStore(), memoryStore()];
    const pack = await packOf(store, DAYS);
    expect(pack.zip).toBe(`${pack.dir}.zip`);
    const zip = store.snapshot().get(`${pack.dir}.zip`) ?? new Uint8Array();
    const within = Object.entries(unzipSync(zip)).map(([path, body]) => [path, Buffer.from(body)]);
    expect(within).toEqual(
      FILES.map((path) => [`main-month-2025-03-${pack.version}/${path}`, bytesOf(store, pack, path)]),
    );
    await packOf(again, DAYS);
    expect(Buffer.from(again.snapshot().get(`${pack.dir}.zip`) ?? []).equals(zip)).toBe(true);
  });

  test.each([
    ["before the period", -30],
    ["in the period", 20],
  ])("is refused if a fill is held twice, whatever time its other copy has: %s", async (_, day) => {
    const store = memoryStore();
    const other = fillOn(day, { matchId: "m5" });
    await expect(packOf(store, [...DAYS, other], { beginning: WIDE.from })).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("holds a fill twice: match m5"),
    });
    expect([...store.snapshot().keys()]).toEqual([]);
  });

  test("is described by its data package: every file with its hash and columns", async () => {
    const { store, pack } = await made();
    const { resources } = JSON.parse(bytesOf(store, pack, "datapackage.json").toString());
    const listed = pack.files.slice(0, -2); // without itself and the checksums
    expect(resources.map(({ path, bytes, hash }: Record<string, unknown>) => ({ path, bytes, hash }))).toEqual(
      listed.map(({ path, bytes, sha256 }) => ({
        ...{ path, hash: `sha256:${sha256}` },
        bytes: path.endsWith(".parquet") ? undefined : bytes,
      })),
    );
    const tables = resources.filter((one: { path: string; schema?: object }) => one.schema !== undefined);
    expect(resources[0].schema.primaryKey).toEqual(["match_id", "order_id"]);
    const restated = tables.find((one: { path: string }) => one.path === "restatements.csv");
    expect(restated).toMatchObject({ type: "table", rows: 0, mediatype: "text/csv" });
    expect(restated.schema.fields[1]).toMatchObject({ type: "datetime", constraints: { required: true } });
  });
});

describe("a pack made again", () => {
  test("is the existing one", async () => {
    const { store, pack } = await made();
    const before = [...store.snapshot()];
    expect(await packOf(store, DAYS)).toEqual(pack);
    expect([...store.snapshot()]).toEqual(before);
  });

  test("is a new version only if a fill of the period, the method or the zone differs", async () => {
    const store = memoryStore();
    const { version } = await packOf(store, DAYS);
    const outside = makeFill({ matchId: "new", txCreated: MARCH.to, filledAt: null });
    expect((await packOf(store, [...DAYS, outside])).version).toBe(version);
    const contractTypes = new Map([["TYPO-USD", null]]); // asked for, and not given
    expect((await packOf(store, DAYS, { contractTypes })).version).toBe(version);
    const others = [
      await packOf(store, [...DAYS, makeFill({ matchId: "new" })]),
      await packOf(store, DAYS, { method: "fifo" }),
      await packOf(store, DAYS, { period: customPeriod("2025-03-01", "2025-04-01", "Europe/London") }),
    ];
    expect(new Set([version, ...others.map((pack) => pack.version)]).size).toBe(4);
  });

  test("is a new version if a table has another name or column, so that the pack that is there gets no other files", async () => {
    const { store, pack } = await made();
    const { path, columns } = CASH;
    const other = async (change: object) => {
      Object.assign(CASH, change);
      const { version } = await packOf(store, DAYS).finally(() => Object.assign(CASH, { path, columns }));
      return version;
    };
    const versions = [pack.version, await other({ columns: columns.slice(1) }), await other({ path: "cash.csv" })];
    expect(new Set([...versions, await other({})]).size).toBe(3);
    expect((await verified(store, null)).findings).toEqual([]);
  });

  test("has its latest.json again, if that was damaged", async () => {
    const store = memoryStore();
    const { dir } = await packOf(store, DAYS);
    store.put(join(dir, "..", "latest.json"), Buffer.from("{}"));
    await packOf(store, DAYS);
    expect((await verified(store, null)).findings).toEqual([]);
  });

  test("is refused if an object of its version has other bytes", async () => {
    const { store, pack } = await made();
    store.put(`${pack.dir}/fills.csv`, Buffer.from("changed"));
    await expect(packOf(store, DAYS)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("fills.csv"),
    });
  });

  test.each([true, false])("is found by its hash after a lost answer (written: %s)", async (arrives) => {
    const store = memoryStore();
    const forgetful = {
      ...store,
      createStream: async (key: string) => {
        const sink = await store.createStream(key);
        const finish = async () => {
          if (arrives) {
            await sink.finish();
          }
          throw new StoreUnknownError("connection reset");
        };
        return { ...sink, finish };
      },
    };
    const made = packOf(forgetful, DAYS);
    await (arrives
      ? expect(made).resolves.toEqual(await packOf(memoryStore(), DAYS))
      : expect(made).rejects.toMatchObject({ kind: "incomplete" }));
  });
});

describe("a period that is not covered", () => {
  const COVERED = { from: MARCH.from, to: MARCH.to - DAY_MS };

  test("has no pack: nothing is written, and the message names what is missing", async () => {
    const store = memoryStore();
    await expect(packOf(store, DAYS, {}, COVERED)).rejects.toMatchObject({
      kind: "incomplete",
      message: expect.stringContaining("2025-03-31T00:00:00.000Z to 2025-04-01T00:00:00.000Z"),
    });
    expect(store.snapshot().size).toBe(0);
  });

  test("has a pack with INCOMPLETE in every name if it is still requested, and that is never the latest", async () => {
    const store = memoryStore();
    const pack = await packOf(store, DAYS, { allowIncomplete: true }, COVERED);
    expect(pack).toMatchObject({ complete: false, dir: `main/packs/month-2025-03/${pack.version}-INCOMPLETE` });
    expect(pack.files.map(({ path }) => path)).toEqual(FILES.map((path) => path.replace(/[^/]+$/, "INCOMPLETE-$&")));
    const marked = /-INCOMPLETE(?:\.zip|\/(?:.+\/)?INCOMPLETE-[^/]+)$/;
    expect([...store.snapshot().keys()].filter((key) => !marked.test(key))).toEqual([]);
    const said = JSON.parse(bytesOf(store, pack, "INCOMPLETE-completeness.json").toString());
    expect(said).toMatchObject({
      complete: false,
      gaps: [{ from: "2025-03-31T00:00:00.000Z", to: "2025-04-01T00:00:00.000Z" }],
    });
    const folder = temporaryFolder();
    await copyPack(store, pack, folder);
    execFileSync("sha256sum", ["--strict", "-c", "INCOMPLETE-SHA256SUMS"], { cwd: folder });
  });
});

type Harm = [what: string, harm: (store: MemoryStore, dir: string) => void, finding: string];

describe("verifying packs", () => {
  test("finds nothing in complete packs, also beside an unfinished version", async () => {
    const store = memoryStore();
    await packOf(store, DAYS);
    store.put("main/packs/month-2025-03/0000/fills.csv", Buffer.from("cut off"));
    expect(await verified(store, null)).toEqual({ checked: FILES.length, findings: [] });
    expect(await verified(store, "us-2025")).toEqual({ checked: 0, findings: [] });
  });

  test("of a period checks its packs of all zones, and no other period", async () => {
    const store = memoryStore();
    await packOf(store, DAYS);
    await packOf(store, DAYS, { period: parsePeriod("month-2025-03", "Europe/London") });
    const period = parsePeriod("month-2025-03", "Etc/GMT+5");
    const { dir } = await packOf(store, DAYS, { period });
    expect(period.name).toBe("month-2025-03-Etc_GMT=5");
    expect(await verified(store, "month-2025-03")).toEqual({ checked: 3 * FILES.length, findings: [] });
    store.put(`${dir}/fills.csv`, Buffer.from("x"));
    const { findings } = await verified(store, "month-2025-03");
    expect(findings).toEqual([expect.stringContaining(`${dir}/fills.csv is damaged`)]);
    // Its name begins with the name of another period.
    store.put("main/packs/uk-2024-25/0000/SHA256SUMS", Buffer.from(`${"0".repeat(64)}  fills.csv\n`));
    expect(await verified(store, "uk-2024")).toEqual({ checked: 0, findings: [] });
    expect((await verified(store, "uk-2024-25")).findings).toHaveLength(1);
  });

  const noSums = "SHA256SUMS is missing; latest.json says";
  const elsewhere = `{"sums": {"path": "../..//SHA256SUMS", "sha256": "${"0".repeat(64)}"}}`;

  test.each<Harm>([
    ["a changed file", (store, dir) => store.put(`${dir}/fills.csv`, Buffer.from("x")), "fills.csv is damaged"],
    ["a missing file", (store, dir) => store.delete(`${dir}/fills.csv`), "fills.csv is missing"],
    ["a file too many", (store, dir) => store.put(`${dir}/notes.txt`, Buffer.from("x")), "notes.txt is not listed"],
    ["missing sums", (store, dir) => store.delete(`${dir}/SHA256SUMS`), noSums],
    ...["{}", "", '{"format":', elsewhere].map(
      (text): Harm => [
        `the latest.json ${text}`,
        (store, dir) => store.put(join(dir, "..", "latest.json"), Buffer.from(text)),
        "latest.json",
      ],
    ),
  ])("finds %s", async (_, harm, finding) => {
    const { store, pack } = await made();
    harm(store, pack.dir);
    const { findings } = await verified(store, "month-2025-03");
    expect(findings).toEqual([expect.stringContaining(finding)]);
  });
});
