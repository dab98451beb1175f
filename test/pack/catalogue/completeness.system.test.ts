import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { METHODS } from "../../../lambda/accounting/method.ts";
import type { AssumedRange } from "../../../lambda/archive/manifest.ts";
import { identityOf, tradeTime } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import type { PlainFill } from "../../../lambda/core/plain-fill.ts";
import { FILL_COLUMNS } from "../../../lambda/fills/columns.ts";
import { copyPack } from "../../../lambda/pack/build/copy.ts";
import { histories } from "../../accounting/draw.ts";
import { arbitraryFill } from "../../support/arbitrary-fill.ts";
import { duckdb } from "../../support/duckdb.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { prepareArchive } from "../archive.ts";

import { completenessOf, MARCH, packFrom, packOf, WIDE } from "../pack.ts";

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "fillbook-completeness-"));
afterAll(() => rmSync(folder, { recursive: true }));

const UK = parsePeriod("uk-2025-26");
const NAMES = [...FILL_COLUMNS.map(({ name }) => name), "extra"];
const TIMES = ["filled_at", "tx_created"];
const AMOUNTS = ["quantity", "price", "notional", "fee", "trigger_price"];

/**
 * Recomputes the set-hash by month of Europe/London from fills.parquet alone, by the notes in
 * completeness.json and without code of the program.
 */
async function recomputed(path: string) {
  // Text as bytes, because DuckDB's client drops a byte order mark.
  const cells = NAMES.map((name) => {
    if (TIMES.includes(name)) {
      return `epoch_ms(${name})::VARCHAR AS ${name}`;
    }
    return AMOUNTS.includes(name) ? `${name}::VARCHAR AS ${name}` : `hex(${name}) AS ${name}`;
  });
  const months = new Map<string, { rows: number; set: bigint; times: number[] }>();
  for (const row of await duckdb(`SELECT ${cells.join(", ")} FROM '${path}'`)) {
    const values = NAMES.map((name) => {
      const value = row[name];
      if (typeof value !== "string" || AMOUNTS.includes(name)) {
        return value;
      }
      return TIMES.includes(name) ? Number(value) : Buffer.from(value, "hex").toString();
    });
    const digest = createHash("sha256").update(JSON.stringify(values)).digest("hex");
    const time = Number(row["filled_at"] ?? row["tx_created"]);
    const month = monthInLondon(time);
    const known = months.get(month) ?? { rows: 0, set: 0n, times: [] };
    months.set(month, {
      rows: known.rows + 1,
      set: (known.set + BigInt(`0x${digest}`)) % 2n ** 256n,
      times: [...known.times, time],
    });
  }
  return months;
}

function monthInLondon(time: number): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: "Europe/London", year: "numeric", month: "2-digit" });
  const of = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${of["year"]}-${of["month"]}`;
}

const hex = (set: bigint) => set.toString(16).padStart(64, "0");

/** Later times cannot be filed, ms UTC. */
const FILED_UNTIL = Date.UTC(9990, 0);

describe("the months of a pack", () => {
  test("agree with an independent reader of fills.parquet, and add up to the whole", async () => {
    const inPeriod = fc
      .tuple(arbitraryFill, fc.integer({ min: UK.from, max: UK.to - 1 }), fc.boolean())
      .map(([drawn, time, isFilled]): PlainFill => {
        const fill = { ...drawn, txCreated: Math.abs(drawn.txCreated) % FILED_UNTIL };
        const isElsewhere = fill.txCreated < UK.from || fill.txCreated >= UK.to;
        return isFilled && isElsewhere ? { ...fill, filledAt: time } : { ...fill, filledAt: null, txCreated: time };
      });
    const lists = fc.sample(fc.uniqueArray(inPeriod, { selector: identityOf, minLength: 40, maxLength: 80 }), 4);
    for (const [at, fills] of lists.entries()) {
      const store = memoryStore();
      const pack = await packOf(store, fills, { period: UK }, UK);
      const out = join(folder, String(at));
      await copyPack(store, pack, out);
      const { months, totals } = completenessOf(store, pack);
      const expected = await recomputed(join(out, "fills.parquet"));
      expect(
        months
          .filter(({ rows }: { rows: number }) => rows > 0)
          .map(({ month, rows, set_hash, first, last }: Record<string, string>) => ({
            month,
            rows,
            set_hash,
            first,
            last,
          })),
      ).toEqual(
        [...expected]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([month, { rows, set, times }]) => ({
            month,
            rows,
            set_hash: hex(set),
            first: new Date(Math.min(...times)).toISOString(),
            last: new Date(Math.max(...times)).toISOString(),
          })),
      );
      expect(totals.set_hash).toBe(hex([...expected.values()].reduce((sum, { set }) => sum + set, 0n) % 2n ** 256n));
      expect(totals.fills).toBe(fills.length);
    }
  });

  test("are complete, including empty ones, and clipped to the period in its zone", async () => {
    const store = memoryStore();
    const fill = makeFill({ txCreated: UK.from, filledAt: null });
    const said = completenessOf(store, await packOf(store, [fill], { period: UK }, UK));
    expect(said).toMatchObject({
      account: "main",
      period: "uk-2025-26",
      from: "2025-04-05T23:00:00.000Z",
      to: "2026-04-05T23:00:00.000Z",
      zone: "Europe/London",
      local_from: "2025-04-06T00:00:00.000+01:00",
      local_to: "2026-04-06T00:00:00.000+01:00",
      complete: true,
      coverage: [{ from: "2025-04-05T23:00:00.000Z", to: "2026-04-05T23:00:00.000Z" }],
      gaps: [],
    });
    expect(said.assumptions.join(" ")).toContain("figures exclude funding unless they say");
    const { months } = said;
    expect(months).toHaveLength(13);
    const first = "2025-04-05T23:00:00.000Z";
    const april = { month: "2025-04", from: first, to: "2025-04-30T23:00:00.000Z", rows: 1, first, last: first };
    expect(months[0]).toMatchObject({ ...april, covered: true });
    const empty = { rows: 0, first: null, last: null, set_hash: "0".repeat(64) };
    const lastDays = { from: "2026-03-31T23:00:00.000Z", to: "2026-04-05T23:00:00.000Z" };
    expect(months[12]).toEqual({ month: "2026-04", ...lastDays, covered: true, ...empty });
  });

  test("tell for each whether it is covered", async () => {
    const store = memoryStore();
    const period = parsePeriod("calendar-2025");
    const covered = { from: period.from, to: MARCH.to };
    const pack = await packOf(store, [], { period, allowIncomplete: true }, covered);
    const said = JSON.parse(
      Buffer.from(store.snapshot().get(`${pack.dir}/INCOMPLETE-completeness.json`) ?? []).toString(),
    );
    expect(said.months.map((month: { covered: boolean }) => month.covered)).toEqual(
      Array.from({ length: 12 }, (_, month) => month < 3),
    );
  });
});

property.prop(
  [
    histories({ markets: ["BTC-USDT", "ETH-USDT", "SOL-USD"] }),
    fc.constantFrom(7, DAY_MS, 3 * DAY_MS),
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
    fc.nat(),
    fc.constantFrom(...METHODS),
  ],
  { numRuns: 15, endOnFailure: true }, // whole packs are too slow to shrink
)(
  "a pack has the same bytes however its archive was walked and cut into data files",
  async (drawn, cellMs, days, pages, method) => {
    let time = MARCH.from;
    const fills = drawn.map((fill, at): PlainFill => {
      time += (fill.txCreated - (drawn[at - 1] ?? fill).txCreated) % (DAY_MS / 2);
      return { ...fill, txCreated: time, filledAt: time };
    });
    const request = { method, beginning: WIDE.from };
    const [plain, other] = [memoryStore(), memoryStore()];
    await packFrom(plain, prepareArchive(fills, 400 * DAY_MS, WIDE), request);
    const { entries, ...archive } = prepareArchive(fills.toReversed(), cellMs, WIDE);
    const [record] = entries.windows;
    let { from } = WIDE;
    const windows = days.flatMap((width) => {
      const to = Math.min(WIDE.to, from + width * DAY_MS);
      const window = { ...record, from, to, pages, duplicates: pages, pagesHash: String(pages) };
      const walked = from < to ? [window] : [];
      from = to;
      return walked;
    });
    await packFrom(other, { ...archive, entries: { ...entries, windows: windows as typeof entries.windows } }, request);
    expect([...other.snapshot()]).toEqual([...plain.snapshot()]);
  },
);

describe("completeness.json", () => {
  const fills = Array.from({ length: 31 }, (_, day) =>
    makeFill({ matchId: `m${day}`, txCreated: MARCH.from + day * DAY_MS, filledAt: tradeTimeOf(day) }),
  );

  test("has these fields", async () => {
    const store = memoryStore();
    const said = completenessOf(store, await packOf(store, fills));
    expect(Object.keys(said)).toEqual([
      ...["format", "account", "period", "from", "to", "zone", "local_from", "local_to", "first_day", "last_day"],
      ...["method", "method_chosen", "basis", "complete", "breaks", "totals", "coverage", "gaps", "assumed"],
      ...["months", "accounts", "assumptions", "notes"],
    ]);
    expect(said.totals).toMatchObject({ fills: 31, restatements: { late: 0, changed: 0, enriched: 0 } });
    expect(said.assumed).toEqual([]);
    expect(said.months).toHaveLength(1);
    expect(fills.every((fill) => tradeTime(fill) < MARCH.to)).toBe(true);
  });
});

describe("an assumption about time without fills", () => {
  const at = (day: number) => MARCH.from + day * DAY_MS;
  const fills = [-30, -10, 2, 20, 40].map((day) =>
    makeFill({ matchId: `m${day}`, txCreated: at(day), filledAt: null }),
  );

  async function saidWith(assumed: readonly AssumedRange[]) {
    const archive = prepareArchive(fills, 400 * DAY_MS, WIDE);
    const checkpoint = { ...archive.manifest.checkpoint, assumed };
    const store = memoryStore();
    const pack = await packFrom(store, { ...archive, manifest: { ...archive.manifest, checkpoint } });
    return { version: pack.version, said: completenessOf(store, pack) };
  }

  test("names the silence from fill to fill, in the period and in the history before it", async () => {
    const assumed = [
      { from: at(-35), to: at(-31), widthMs: 2 * DAY_MS },
      { from: at(-8), to: at(-5), widthMs: 2.1 * DAY_MS },
      { from: at(-2), to: at(1), widthMs: 1.9 * DAY_MS },
      { from: at(25), to: at(33), widthMs: 7 * DAY_MS },
      { from: at(42), to: at(50), widthMs: 7 * DAY_MS },
    ];
    const { said } = await saidWith(assumed);
    expect(said.assumed).toEqual([
      { from: iso(WIDE.from), to: iso(at(-30)), width_days: 2 },
      { from: iso(at(-10) + 1), to: iso(at(2)), width_days: 3 },
      { from: iso(at(20) + 1), to: iso(MARCH.to), width_days: 7 },
    ]);
    expect(said.assumptions.slice(-3)).toEqual([
      expect.stringContaining("Assumed to have no fills: 2025-01-20 to 2025-01-30."),
      "Assumed to have no fills: 2025-02-19 00:00:00.001 UTC to 2025-03-03. The venue reported none, but this time was requested in ranges of up to 3 days. If the venue silently shortens such answers, fills could be missing there. Part of this time is checked again each week.",
      expect.stringContaining("ranges of up to 7 days"),
    ]);
  });

  test("changes the version, except for differences of milliseconds; one outside the pack does not", async () => {
    const plain = await saidWith([]);
    const outside = await saidWith([{ from: at(42), to: at(50), widthMs: 7 * DAY_MS }]);
    const one = await saidWith([{ from: at(5), to: at(9), widthMs: 3 * DAY_MS }]);
    const other = await saidWith([{ from: at(8), to: at(15) - 7, widthMs: 3 * DAY_MS - 7 }]);
    const wider = await saidWith([{ from: at(5), to: at(9), widthMs: 4 * DAY_MS }]);
    expect(outside).toEqual(plain);
    expect(one).toEqual(other);
    expect(new Set([plain, one, wider].map(({ version }) => version)).size).toBe(3);
    expect(plain.said.assumptions.join()).not.toContain("Assumed to have no fills");
  });
});

const iso = (ms: number) => new Date(ms).toISOString();

function tradeTimeOf(day: number): number | null {
  return day % 2 === 0 ? null : MARCH.from + day * DAY_MS + 500;
}
