import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { METHODS } from "../../../lambda/accounting/method.ts";
import type { Coverage } from "../../../lambda/archive/manifest.ts";
import { type Fill, identityOf, tradeTime } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { histories } from "../../accounting/draw.ts";
import { arbitraryFill } from "../../support/arbitrary-fill.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { prepareArchive } from "../archive.ts";
import { completenessOf, fillOn, MARCH, packFrom, packOf, WIDE } from "../pack.ts";

const UK = parsePeriod("uk-2025-26");
/** Counts fills by month of Europe/London, without code of the program. */
function recounted(fills: readonly Fill[]) {
  const groups = Map.groupBy(
    fills.map((fill) => fill.filledAt ?? fill.txCreated),
    monthInLondon,
  );
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, times]) => ({
      month,
      rows: times.length,
      first: iso(Math.min(...times)),
      last: iso(Math.max(...times)),
    }));
}

function monthInLondon(time: number): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: "Europe/London", year: "numeric", month: "2-digit" });
  const of = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${of["year"]}-${of["month"]}`;
}

describe("the months of a pack", () => {
  test("agree with a count of the fills, and add up to the whole", async () => {
    const inPeriod = fc
      .tuple(arbitraryFill, fc.integer({ min: UK.from, max: UK.to - 1 }), fc.boolean())
      .map(([drawn, time, isFilled]): Fill => {
        const isElsewhere = drawn.txCreated < UK.from || drawn.txCreated >= UK.to;
        const times = isFilled && isElsewhere ? { filledAt: time } : { filledAt: null, txCreated: time };
        return makeFill({ ...drawn, ...times });
      });
    const lists = fc.sample(fc.uniqueArray(inPeriod, { selector: identityOf, minLength: 40, maxLength: 80 }), 4);
    for (const fills of lists) {
      const store = memoryStore();
      const { months, totals } = completenessOf(store, await packOf(store, fills, { period: UK }, UK));
      const counted = months.filter(({ rows }: { rows: number }) => rows > 0);
      expect(counted).toMatchObject(recounted(fills));
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
      coverage: [{ from: "2025-04-05T23:00:00.000Z", to: "2026-04-05T23:00:00.000Z", readings: 2 }],
      gaps: [],
    });
    expect(said.assumptions.join(" ")).toContain("figures exclude funding unless they say");
    const { months } = said;
    expect(months).toHaveLength(13);
    const first = "2025-04-05T23:00:00.000Z";
    const april = { month: "2025-04", from: first, to: "2025-04-30T23:00:00.000Z", rows: 1, first, last: first };
    expect(months[0]).toMatchObject({ ...april, covered: true });
    const empty = { rows: 0, first: null, last: null };
    const lastDays = { from: "2026-03-31T23:00:00.000Z", to: "2026-04-05T23:00:00.000Z" };
    expect(months[12]).toEqual({ month: "2026-04", ...lastDays, covered: true, ...empty });
  });
});

property.prop(
  [
    histories({ markets: ["BTC-USDT", "ETH-USDT", "SOL-USD"] }),
    fc.constantFrom(7, DAY_MS, 3 * DAY_MS),
    fc.constantFrom(...METHODS),
  ],
  { numRuns: 15, endOnFailure: true }, // whole packs are too slow to shrink
)("a pack has the same bytes however its archive was cut into data files", async (drawn, cellMs, method) => {
  let time = MARCH.from;
  const fills = drawn.map((fill, at): Fill => {
    time += (fill.txCreated - (drawn[at - 1] ?? fill).txCreated) % (DAY_MS / 2);
    return makeFill({ ...fill, txCreated: time, filledAt: time });
  });
  const request = { method, beginning: WIDE.from };
  const [plain, other] = [memoryStore(), memoryStore()];
  const one = await packFrom(plain, prepareArchive(fills, 400 * DAY_MS, WIDE), request);
  const two = await packFrom(other, prepareArchive(fills.toReversed(), cellMs, WIDE), request);
  expect(two.files).toEqual(one.files);
});

const fills = Array.from({ length: 31 }, (_, day) => fillOn(day, { filledAt: tradeTimeOf(day) }));

test("completeness.json has these fields", async () => {
  const store = memoryStore();
  const said = completenessOf(store, await packOf(store, fills));
  expect(Object.keys(said).join(" ")).toBe(
    "format made_by read_twice_at account of period from to zone local_from local_to first_day last_day method method_chosen basis complete verdict breaks totals coverage gaps assumed months accounts assumptions notes",
  );
  expect(said.verdict).toEqual({
    claim: "Records complete; PnL missing for 1 of 1 market",
    text: expect.stringMatching(/with no gaps\. PnL could not be calculated for 31 fills; totals exclude them\.$/),
    points: expect.arrayContaining([
      {
        about: "pnl",
        text: expect.stringMatching(/^BTC-USDT?: PnL of 31 fills could not be calculated, because /),
        remedy: expect.stringMatching(/^Declare its opening position /),
        see: "results",
      },
    ]),
  });
  expect(said.totals).toMatchObject({ fills: 31, restatements: { late: 0, changed: 0, enriched: 0 } });
  expect(said.assumed).toEqual({ silence_days: null, vanished_fills: 0 });
  expect(said.months).toHaveLength(1);
  expect(fills.every((fill) => tradeTime(fill) < MARCH.to)).toBe(true);
});

describe("what a pack assumes", () => {
  const at = (day: number) => MARCH.from + day * DAY_MS;
  const fills = [-30, 2, 40].map((day) => fillOn(day));

  async function saidWith(silences: readonly (number | null)[], vanished: readonly string[] = []) {
    const archive = prepareArchive(fills, 400 * DAY_MS, WIDE);
    const ends = [WIDE.from, at(-35), at(-20), at(40), WIDE.to];
    const coverage = ends.slice(1).map((to, place): Coverage => {
      const readings = place === 0 ? 1 : 2;
      return { from: ends[place] ?? 0, to, readings, silentIn: silences[place] ?? null };
    });
    const store = memoryStore();
    const manifest = { ...archive.manifest, coverage, known: { ...archive.manifest.known, vanished } };
    const pack = await packFrom(store, { ...archive, manifest });
    return { version: pack.version, said: completenessOf(store, pack) };
  }

  test("is the widest silence in the period and in the history before it, rounded up to tenths of a day", async () => {
    const { said } = await saidWith([9 * DAY_MS, 2.1 * DAY_MS, 6.41 * DAY_MS, 8 * DAY_MS]);
    expect(said.assumed).toEqual({ silence_days: 6.5, vanished_fills: 0 });
    expect(said.assumptions.at(-1)).toMatch(/^Times without a known fill .* in ranges of up to 6\.5 days\./);
  });

  test("changes the version, except for differences of milliseconds; what is outside the pack does not", async () => {
    const plain = await saidWith([]);
    const outside = await saidWith([7 * DAY_MS, null, null, 7 * DAY_MS]);
    const one = await saidWith([null, 3 * DAY_MS]);
    const other = await saidWith([null, null, 3 * DAY_MS - 7]);
    const wider = await saidWith([null, 4 * DAY_MS]);
    const vanished = await saidWith([], ["m2 o2"]);
    expect(outside).toEqual(plain);
    expect(one).toEqual(other);
    expect(new Set([plain, one, wider, vanished].map(({ version }) => version)).size).toBe(4);
    expect(vanished.said.assumed).toEqual({ silence_days: null, vanished_fills: 1 });
  });
});

test("times that were read once make a pack incomplete, and it says so", async () => {
  const archive = prepareArchive([], DAY_MS, MARCH);
  const middle = MARCH.from + 10 * DAY_MS;
  const coverage: Coverage[] = [
    { from: MARCH.from, to: middle, readings: 2, silentIn: null },
    { from: middle, to: middle + DAY_MS, readings: 1, silentIn: null },
    { from: middle + DAY_MS, to: middle + 2 * DAY_MS, readings: 1, silentIn: null },
    { from: middle + 3 * DAY_MS, to: MARCH.to, readings: 2, silentIn: null },
  ];
  const store = memoryStore();
  const once = { ...archive, manifest: { ...archive.manifest, coverage } };
  await expect(packFrom(store, once)).rejects.toMatchObject({ kind: "incomplete" });
  const pack = await packFrom(store, once, { allowIncomplete: true });
  const text = Buffer.from(store.snapshot().get(`${pack.dir}/INCOMPLETE-completeness.json`) ?? []).toString();
  expect(JSON.parse(text)).toMatchObject({
    complete: false,
    coverage: [
      { from: iso(MARCH.from), to: iso(middle), readings: 2 },
      { from: iso(middle), to: iso(middle + 2 * DAY_MS), readings: 1 },
      { from: iso(middle + 3 * DAY_MS), to: iso(MARCH.to), readings: 2 },
    ],
    gaps: [{ from: iso(middle + 2 * DAY_MS), to: iso(middle + 3 * DAY_MS) }],
    months: [{ month: "2025-03", covered: false }],
  });
});

const iso = (ms: number) => new Date(ms).toISOString();

function tradeTimeOf(day: number): number | null {
  return day % 2 === 0 ? null : MARCH.from + day * DAY_MS + 500;
}
