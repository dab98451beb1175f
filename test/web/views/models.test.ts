import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { customPeriod, listPeriods, type Period, parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS, isoTime } from "../../../lambda/core/time.ts";
import { INCOMPLETE_MARK } from "../../../lambda/pack/build/maker.ts";
import { TOOLS } from "../../../lambda/pack/files/imports/imports.ts";
import { comparePage } from "../../../lambda/web/views/compare.ts";
import { durationText, sizeText } from "../../../lambda/web/views/format.ts";
import { againRequest, packPage } from "../../../lambda/web/views/pack.ts";
import { purposeOf } from "../../../lambda/web/views/pack-files.ts";
import { pagingOf } from "../../../lambda/web/views/paging.ts";
import { SCRIPT } from "../../../lambda/web/views/script.ts";
import { STYLE } from "../../../lambda/web/views/style.ts";
import { NOTHING_DIFFERS } from "./comparisons.ts";
import { frameOf, packOf, samplesOf } from "./samples.ts";

const ZONES = ["UTC", "America/New_York", "Europe/London", "Asia/Kolkata", "Etc/GMT+5"];

describe("making a pack again requests the same period", () => {
  const named = ZONES.flatMap((zone) => listPeriods(2024).map(({ example }) => parsePeriod(example.name, zone)));
  const custom = ZONES.flatMap((zone) => [
    customPeriod("2025-01-01", "2025-02-01", zone),
    customPeriod("2025-01-01T00:00:00.001Z", "2025-01-02T12:30:00Z", zone),
  ]);

  test.each([...named, ...custom])("$name", (period) => {
    const { claim } = packOf();
    const pack = packOf({
      period: period.name,
      claim: { ...claim, from: isoTime(period.from), to: isoTime(period.to), zone: period.zone },
    });
    const { period: name, from = "", to = "", zone, method } = againRequest("main", pack);
    const again: Period = name === undefined ? customPeriod(from, to, zone) : parsePeriod(name, zone);
    expect(again).toEqual(period);
    expect(method).toBe(claim.method);
  });
});

describe("the purpose of a file", () => {
  const [, section = ""] =
    /^# What is in a pack\n(?<table>[\s\S]*?)\n## /.exec(
      readFileSync(join(import.meta.dirname, "../../../docs/pack.md"), "utf8"),
    ) ?? [];
  const listed = section.split("\n").flatMap((line) => line.split("|")[1]?.match(/(?<=`)[\w./-]+(?=`)/g) ?? []);

  test("is in docs/pack.md for each file", () => {
    expect(listed.length).toBeGreaterThan(25);
  });

  test.each([
    ...listed.map((path) => (path.endsWith("/") ? `${path}xero.csv` : path)),
    ...TOOLS.map(({ file }) => `imports/${file}`),
    "imports/README.txt",
    "imports/xero-2.csv",
    "imports/quickbooks.csv",
    "imports/datev/EXTF_main_2025-03.csv",
    "inputs/rates/own.csv",
  ])("%s", (path) => {
    const purpose = purposeOf(path);
    expect(purpose?.text).toMatch(/\w{4}/);
    expect(purposeOf(path.replace(/[^/]+$/, `${INCOMPLETE_MARK}$&`))).toEqual(purpose);
  });
});

test("durations and sizes in words", () => {
  const durations = [0, 999, 1000, 61_000, HOUR_MS, DAY_MS + 11 * HOUR_MS + 59 * 60_000, 400 * DAY_MS];
  expect(durations.map(durationText)).toEqual([
    "less than a second",
    "less than a second",
    "1 second",
    "1 minute 1 second",
    "1 hour",
    "1 day 11 hours",
    "400 days",
  ]);
  expect([0, 1, 999, 1000, 43_610_221, 5e15].map(sizeText)).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.0 kB",
    "43.6 MB",
    "5000.0 TB",
  ]);
});

describe("the page's own weight, in bytes", () => {
  const bytes = (text: string) => Buffer.byteLength(text);

  test("style and script", () => {
    expect(bytes(STYLE)).toBeLessThan(16_000);
    expect(bytes(SCRIPT)).toBeLessThan(1300);
  });

  test("every page of an account with four years", () => {
    const heaviest = Math.max(...samplesOf().map(({ page }) => bytes(page)));
    expect(heaviest).toBeLessThan(44_000);
  });

  const many = Array.from({ length: 1000 }, (_, at) =>
    packOf({ version: String(at).padStart(16, "0"), latest: at === 0 }),
  );
  const [newest = packOf(), oldest = packOf()] = [many.at(0), many.at(-1)].map(
    (pack) => pack && { ...pack, versions: many },
  );

  test("amounts of a comparison are rounded half even to the minor unit, with the exact ones beside them", () => {
    const sum = (currency: string, before: string, after: string, difference: string) => ({
      currency,
      market: null,
      figure: "gross_pnl" as const,
      before,
      after,
      difference,
    });
    const sums = [
      sum("USD", "1.005", "-2.015", "-3.02"),
      sum("JPY", "1200.5", "1201.5", "1"),
      sum("EUR", "1", "1.004", "0.004"),
    ];
    const changes = { ...NOTHING_DIFFERS, sums };
    const page = comparePage(frameOf(), { account: "main", before: packOf(), after: packOf(), changes });
    const shown = [...page.matchAll(/<data value="(?<exact>[^"]*)"[^>]*>(?<text>[^<]*)</g)].map(
      ({ groups }) => groups?.["text"],
    );
    expect(shown).toEqual(["+1.00", "−2.02", "−3.02", "+1,200", "+1,202", "+1", "+1.00", "+1.00", "+0.004"]);
  });

  test("a comparison of a period with 1,000 versions: the newest and the compared ones can be chosen", () => {
    const page = comparePage(frameOf(), { account: "main", before: oldest, after: newest, changes: NOTHING_DIFFERS });
    expect(bytes(page)).toBeLessThan(20_000);
    const options = [...page.matchAll(/<option value="(?<version>\d+)"(?<is> selected)?/g)].map(({ groups }) => groups);
    const offered = [...many.slice(0, 50), oldest].map(({ version }) => version);
    expect(options.map((option) => option?.["version"])).toEqual([...offered, ...offered]);
    const chosen = options.filter((option) => option?.["is"] !== undefined).map((option) => option?.["version"]);
    expect(chosen).toEqual([oldest.version, newest.version]);
  });

  test("an incomplete pack with 5,000 gaps", () => {
    const gap = { from: "2025-03-04T12:30:00.000Z", to: "2025-03-19T07:00:00.000Z" };
    const { claim } = packOf();
    const pack = packOf({ complete: false, claim: { ...claim, gaps: Array.from({ length: 5000 }, () => gap) } });
    const page = packPage(frameOf(), {
      account: "main",
      pack,
      figures: null,
      checks: { files: null, rewalk: null },
      restatementsSince: null,
      newest: null,
      others: [],
      paging: pagingOf(0, 25, null),
    });
    expect(bytes(page)).toBeLessThan(30_000);
    expect(page).toContain("4,950 later gaps");
  });
});
