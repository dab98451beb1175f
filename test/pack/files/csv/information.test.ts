import { fc, test } from "@fast-check/vitest";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test as plainTest } from "vitest";
import { METHODS, type Method } from "../../../../lambda/accounting/method.ts";
import type { Converter } from "../../../../lambda/accounting/rates/converter.ts";
import { parseDecimal } from "../../../../lambda/core/decimal.ts";
import { type Fill, tradeTime } from "../../../../lambda/core/fill.ts";
import { customPeriod, parsePeriod } from "../../../../lambda/core/period.ts";
import type { FileMaker } from "../../../../lambda/pack/build/maker.ts";
import { OpeningDays, type OpeningDaysPlan } from "../../../../lambda/pack/build/opening-days.ts";
import { carryForwardMaker } from "../../../../lambda/pack/files/csv/carry-forward.ts";
import { disposalsMaker } from "../../../../lambda/pack/files/csv/disposals.ts";
import { histories, makeFill } from "../../../accounting/draw.ts";
import { type BooksOptions, booksOf } from "../../../accounting/make.ts";
import { exact, type Row, rowsIn } from "./make.ts";

/**
 * The columns and the file of `--information`. Expected values come from 26 USC 1091(a), IRS Publication 550,
 * and the second implementation below.
 */

const YEAR = parsePeriod("us-2025");

interface Options extends BooksOptions {
  readonly plan?: Partial<OpeningDaysPlan>;
  readonly converter?: Converter;
}

function informationOf(fills: readonly Fill[], { plan = {}, converter, ...options }: Options = {}) {
  const period = options.period ?? YEAR;
  // Everything before the period is booked too, as in a pack.
  const whole = booksOf(fills, { ...options, period: { ...period, from: 0 } });
  const books = booksOf(fills, { ...options, period });
  const days = new OpeningDays({
    period,
    since: Number.NEGATIVE_INFINITY,
    breaks: books.context.breaks,
    complete: true,
    ...plan,
  });
  for (const one of whole.booked) {
    days.add([one]);
  }
  const context = { ...books.context, complete: plan.complete ?? true, information: days };
  const rows = (maker: FileMaker): Row[] => {
    const text = maker.begin() + books.booked.map((one) => maker.add([one])).join("");
    return rowsIn({ texts: new Map([["it", text + String(maker.end({} as never))]]) }, "it");
  };
  return {
    disposals: rows(disposalsMaker(context, converter ?? null)),
    carried: rows(carryForwardMaker(context, converter ?? null)),
  };
}

/** A buy (or a sell, if the quantity is negative) on a day, at noon in New York. */
function on(day: string, quantity: number, value: number, market = "M-USD"): (at: number) => Fill {
  const time = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: YEAR.zone, plainTime: "12:00" });
  return (at) =>
    makeFill(at, {
      time: time.epochMilliseconds,
      market,
      side: quantity > 0 ? "buy" : "sell",
      quantity: String(Math.abs(quantity)),
      price: String(value / Math.abs(quantity)),
      fee: "0",
    });
}

const made = (...fills: readonly ((at: number) => Fill)[]) => fills.map((fill, at) => fill(at + 1));
const cells = (rows: readonly Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name] ?? "?"));

describe("possible_wash_sale", () => {
  // IRS Publication 550 (2009), "More or less stock bought than sold".
  plainTest("is yes if Publication 550 finds purchases within 30 days before the sale", () => {
    const fills = made(
      on("2009-09-24", 100, 5000),
      on("2009-12-18", 50, 2750),
      on("2009-12-28", 25, 1125),
      on("2010-01-07", -100, 4000),
    );
    const period = customPeriod("2009-09-01", "2010-03-01", YEAR.zone);
    const { disposals } = informationOf(fills, { period });
    expect(cells(disposals, "gain_or_loss", "days_held", "possible_wash_sale")).toEqual([["-1000", "105", "yes"]]);
    // Without these two purchases there is no wash sale.
    const alone = informationOf([fills[0], fills[3]] as Fill[], { period });
    expect(cells(alone.disposals, "gain_or_loss", "possible_wash_sale")).toEqual([["-1000", "no"]]);
  });

  // The first example of the same publication: bought for 1,000, sold for 750, bought again for 800 within 30
  // days after the sale.
  plainTest.each([
    ["2025-06-01", "yes"],
    ["2025-07-01", "yes"],
    ["2025-07-02", "no"],
  ])("counts 30 days after a sale of 1 June: bought again on %s", (day, expected) => {
    const fills = made(on("2025-01-10", 100, 1000), on("2025-06-01", -100, 750), on(day, 100, 800));
    expect(cells(informationOf(fills).disposals, "gain_or_loss", "possible_wash_sale")).toEqual([["-250", expected]]);
  });

  plainTest.each([
    ["2025-05-01", "no"],
    ["2025-05-02", "yes"],
  ])("counts 30 days before a sale of 1 June: more bought on %s", (day, expected) => {
    const fills = made(on("2025-01-10", 100, 1000), on(day, 100, 800), on("2025-06-01", -100, 750));
    expect(cells(informationOf(fills).disposals, "possible_wash_sale")).toEqual([[expected]]);
  });

  // Rev. Rul. 56-602: if part of one lot, bought within the 30 days, is sold, the rest of the lot does not
  // replace it.
  plainTest("leaves out the fill that opened the closed position", () => {
    const fills = made(on("2025-06-01", 200, 10_000), on("2025-06-20", -100, 4000));
    expect(cells(informationOf(fills).disposals, "gain_or_loss", "possible_wash_sale")).toEqual([["-1000", "no"]]);
  });

  plainTest("needs the same market and side, and applies only to losses", () => {
    const short = made(on("2025-03-01", -1, 100), on("2025-03-03", 1, 120), on("2025-03-05", 1, 100, "N-USD"));
    expect(cells(informationOf(short).disposals, "side", "possible_wash_sale")).toEqual([["short", "no"]]);
    const longAfter = [...short, on("2025-03-04", 1, 100)(9)].sort((a, b) => tradeTime(a) - tradeTime(b));
    expect(cells(informationOf(longAfter).disposals, "possible_wash_sale")).toEqual([["no"]]);
    const shortAfter = made(on("2025-03-01", -1, 100), on("2025-03-03", 1, 120), on("2025-03-04", -1, 100));
    expect(cells(informationOf(shortAfter).disposals, "possible_wash_sale")).toEqual([["yes"]]);
    const gain = made(on("2025-03-01", 1, 100), on("2025-03-03", -1, 120), on("2025-03-04", 1, 100));
    expect(cells(informationOf(gain).disposals, "possible_wash_sale")).toEqual([[""]]);
  });

  plainTest("is not known if the window is cut off and the rest of it holds no purchase", () => {
    const [opened, closed] = made(on("2025-06-01", 1, 100), on("2025-12-02", -1, 90)) as [Fill, Fill];
    const flag = (fills: readonly Fill[], options: Options = {}) =>
      informationOf(fills, options).disposals.map((row) => row["possible_wash_sale"]);
    expect(flag([opened, closed])).toEqual(["not known"]); // 1 January 2026 is the window's last day
    expect(flag([opened, on("2025-12-01", -1, 90)(2)])).toEqual(["no"]);
    expect(flag([opened, closed, on("2025-12-20", 1, 90)(3)])).toEqual(["yes"]);
    const june = [opened, on("2025-07-01", -1, 90)(2)];
    expect(flag(june, { plan: { complete: false } })).toEqual(["not known"]);
    expect(flag(june, { plan: { since: Date.parse("2025-06-01T04:00:00Z") } })).toEqual(["no"]);
    expect(flag(june, { plan: { since: Date.parse("2025-06-01T04:00:01Z") } })).toEqual(["not known"]);
    const brokenAt = (day: string, market = "M-USD") => ({
      plan: {
        breaks: [
          { market, from: Date.parse(day), to: Date.parse(day), quantity: 0n, price: null, evidence: "a letter" },
        ],
      },
    });
    expect(flag(june, brokenAt("2025-07-31"))).toEqual(["not known"]);
    expect(flag(june, brokenAt("2025-08-02"))).toEqual(["no"]);
    expect(flag(june, brokenAt("2025-07-31", "N-USD"))).toEqual(["no"]);
  });

  plainTest("is not known beside a fill that may have opened the same position", () => {
    const fills = made(on("2025-01-10", 1, 100), on("2025-06-01", -1, 90), on("2025-06-10", 1, 90));
    const untyped = fills.with(2, { ...fills[2], price: "much" } as Fill);
    expect(cells(informationOf(untyped).disposals, "possible_wash_sale")).toEqual([["not known"]]);
    const blank = informationOf(fills, { fromBeginning: false }).disposals;
    expect(new Set(blank.map((row) => row["possible_wash_sale"]))).toEqual(new Set(["not known"]));
    expect(new Set(blank.map((row) => row["days_held"]))).toEqual(new Set([""]));
  });
});

/**
 * The purchases in the window of 26 USC 1091, from the fills alone: by summing quantities, with Temporal's
 * days.
 */
function expectedFlag(fills: readonly Fill[], row: Row): string {
  if (exact(row["gain_or_loss"] ?? "") >= 0n) {
    return "";
  }
  const closed = Temporal.PlainDate.from(row["date_closed"] ?? "");
  const [first, last] = [closed.subtract({ days: 30 }), closed.add({ days: 30 })];
  const isIn = (day: Temporal.PlainDate) =>
    Temporal.PlainDate.compare(first, day) <= 0 && Temporal.PlainDate.compare(day, last) <= 0;
  const others = openersOf(fills, row["market"] ?? "", row["side"] ?? "").filter(
    (fill) => fill.matchId !== row["open_match_id"] && tradeTime(fill) < YEAR.to && isIn(dayOf(fill)),
  );
  if (others.length > 0) {
    return "yes";
  }
  return Temporal.PlainDate.compare(last, YEAR.lastDay) <= 0 ? "no" : "not known";
}

/** The fills that increase the position of this side. */
function openersOf(fills: readonly Fill[], market: string, side: string): readonly Fill[] {
  let held = 0n;
  return fills.filter((fill) => {
    if (fill.market !== market) {
      return false;
    }
    const isMore = (fill.side === "buy") === (side === "long");
    const units = parseDecimal(fill.quantity ?? "")?.units ?? 0n;
    held += isMore ? units : -units; // below zero, the other side is open
    return isMore && held > 0n;
  });
}

function dayOf(fill: Fill): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(tradeTime(fill)).toZonedDateTimeISO(YEAR.zone).toPlainDate();
}

const drawn = fc.record({
  fills: histories({ markets: ["BTC-USDT", "ETH-USD"], most: 40, from: Date.UTC(2024, 10, 1) }),
  method: fc.constantFrom<Method>(...METHODS),
});

describe("drawn fills", () => {
  test.prop([drawn])("have the flags and days that a second implementation finds", ({ fills, method }) => {
    for (const row of informationOf(fills, { method }).disposals) {
      expect(row["possible_wash_sale"]).toBe(expectedFlag(fills, row));
      const opened = row["date_opened"] ?? "";
      const isDay = opened !== "VARIOUS" && opened !== "";
      const held = isDay
        ? Temporal.PlainDate.from(opened).until(row["date_closed"] ?? "", { largestUnit: "day" }).days
        : "";
      expect(row["days_held"]).toBe(String(held));
    }
  });

  test.prop([drawn])("carry forward the sum of the rows of disposals.csv", ({ fills, method }) => {
    const { disposals, carried } = informationOf(fills, { method });
    for (const row of carried) {
      const own = disposals.filter(({ currency }) => currency === row["currency"]);
      const gains = own.map((one) => exact(one["gain_or_loss"] ?? ""));
      const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
      const net = sum(gains);
      expect(exact(row["gains"] ?? "")).toBe(sum(gains.filter((gain) => gain > 0n)));
      expect(exact(row["losses"] ?? "")).toBe(sum(gains.filter((gain) => gain < 0n)));
      expect(exact(row["net_result_excl_funding"] ?? "")).toBe(net);
      expect(exact(row["loss_to_carry_forward_excl_funding"] ?? "")).toBe(net < 0n ? -net : 0n);
    }
    expect(new Set(disposals.map(({ currency }) => currency)).size).toBeLessThanOrEqual(carried.length);
  });
});

describe("carry-forward.csv", () => {
  const fills = made(
    on("2025-02-01", 1, 100),
    on("2025-02-02", -1, 70),
    on("2025-02-03", 1, 100),
    on("2025-02-04", -1, 110),
    on("2025-03-01", 2, 100, "M-EUR"),
    on("2025-03-02", -2, 140, "M-EUR"),
  );
  const names = ["currency", "amounts", "gains", "losses", "net_result_excl_funding"];
  const left = ["loss_to_carry_forward_excl_funding", "closes_with_unknown_gain", "is_complete"];

  plainTest("has a row for each currency, and one for everything converted", () => {
    const two = { amount: 0n, rate: "2", rateDate: "2025-03-02", source: "a bank" };
    const converter: Converter = {
      to: "USD",
      convert: (amount, currency) => ({ ...two, amount: currency === "USD" ? amount : 2n * amount }),
    };
    expect(cells(informationOf(fills, { converter }).carried, ...names, ...left)).toEqual([
      ["EUR", "settled", "40", "0", "40", "0", "0", "yes"],
      ["USD", "settled", "10", "-30", "-20", "20", "0", "yes"],
      ["USD", "converted", "90", "-30", "60", "0", "0", "yes"],
    ]);
  });

  plainTest("leaves the carry-forward blank if not everything is known", () => {
    const untyped = fills.with(1, { ...fills[1], price: "much" } as Fill);
    // The position of M-USD is unknown from the second fill on. That fill and the two after it may have
    // closed something.
    expect(cells(informationOf(untyped).carried, "currency", ...left)).toEqual([
      ["EUR", "0", "0", "yes"],
      ["USD", "", "3", "no"],
    ]);
    const one = { amount: 0n, rate: "1", rateDate: "2025-03-02", source: "a bank" };
    const converter: Converter = { to: "USD", convert: (amount) => ({ ...one, amount }) };
    const nothing = informationOf([], { converter, plan: { complete: false } });
    expect(cells(nothing.carried, "amounts", ...left)).toEqual([["converted", "", "0", "no"]]);
    const { carried } = informationOf(fills, { plan: { complete: false } });
    expect(cells(carried, ...left)).toEqual([
      ["", "0", "no"],
      ["", "0", "no"],
    ]);
  });
});
