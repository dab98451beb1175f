import fc from "fast-check";
import { METHODS } from "../../../lambda/accounting/method.ts";
import { quoteCurrencyOf } from "../../../lambda/core/currency.ts";
import { customPeriod } from "../../../lambda/core/period.ts";
import { ledgerMaker } from "../../../lambda/pack/exports/ledger.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import type { AccountSettings } from "../../../lambda/pack/make/account-settings.ts";
import type { FileMaker, PackContext } from "../../../lambda/pack/make/maker.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { histories } from "../../accounting/draw.ts";
import { type Books, booksOf } from "../../accounting/make.ts";
import { ofUnits } from "../../support/amounts.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { filesOf } from "../books.ts";

const MARKETS = ["BTC-USDT", "ETH-USDT", "BTC-USD", "X-1INCH", "ETH-usdt", "BTC-TRUE"];
const FROM = Date.UTC(2025, 0, 2);
const ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "America/Santiago"];

/** What the user's files name: few amounts and times, and any. */
const payment = fc.record({
  time: fc.oneof(fc.constantFrom(0, 1, 1000), fc.nat(40_000_000)).map((ms) => FROM + ms),
  amount: fc
    .oneof(fc.constantFrom(10n ** 18n, -(10n ** 17n), 1n), fc.bigInt(-(10n ** 24n), 10n ** 24n))
    .filter((units) => units !== 0n)
    .map(ofUnits),
});

/**
 * Books of drawn fills: several markets and currencies, flips, ties, rebates, a fill that cannot be typed,
 * funding, unknown opening positions.
 */
export function drawnBooks(): fc.Arbitrary<Books> {
  const of = { from: FROM };
  return fc
    .record({
      fills: fc.oneof(histories({ ...of, markets: MARKETS }), histories({ ...of, markets: MARKETS.slice(0, 2) })),
      broken: fc.nat(79),
      method: fc.constantFrom(...METHODS),
      zone: fc.constantFrom(...ZONES),
      fromBeginning: fc.constantFrom(true, true, true, true, false),
      inverse: fc.constantFrom(null, null, null, "BTC-USDT"),
      transfers: fc.option(fc.array(fc.tuple(payment, fc.constantFrom("USDT", "EUR"), hostileText), { maxLength: 8 })),
      funding: fc.option(fc.array(fc.tuple(payment, fc.constantFrom(...MARKETS)), { maxLength: 8 })),
    })
    .map(({ fills, broken, method, zone, fromBeginning, inverse, funding, transfers }) => {
      const all = fills.map((fill, at) => (at === broken ? { ...fill, side: "?" } : fill));
      const byTime = (a: { readonly time: number }, b: { readonly time: number }) => a.time - b.time;
      return booksOf(all, {
        method,
        period: customPeriod("2025-01-01", "2026-01-01", zone),
        fromBeginning,
        isLinear: (market) => market !== inverse,
        transfers:
          transfers?.map(([own, currency, note], at) => ({ ...own, currency, note, line: at + 2 })).sort(byTime) ??
          null,
        funding:
          funding?.map(([own, market]) => ({ ...own, market, currency: quoteCurrencyOf(market) ?? "" })).sort(byTime) ??
          null,
      });
    });
}

/** A maker of a journal with cash of its own. */
export function made(program: "beancount" | "hledger") {
  return (context: PackContext, settings: AccountSettings) =>
    ledgerMaker(program, context, settings[program], new DailyCash(context, new CashTally(context).transfers));
}

/** The text of a file. */
export function textOf(maker: FileMaker, books: Books): string {
  return filesOf([maker], books).get(maker.path)?.toString() ?? "";
}
