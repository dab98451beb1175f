import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { customPeriod } from "../../../../lambda/core/period.ts";
import type { FillFields } from "../../../../lambda/core/plain-fill.ts";
import {
  type AccountSettings,
  DEFAULT_ACCOUNT_SETTINGS,
  parseAccountSettings,
} from "../../../../lambda/pack/build/account-settings.ts";
import { beancountMaker } from "../../../../lambda/pack/files/journals/beancount.ts";
import { commodityOf } from "../../../../lambda/pack/files/journals/commodity.ts";
import { hledgerMaker } from "../../../../lambda/pack/files/journals/hledger.ts";
import { booksOf, fillsFrom } from "../../../accounting/make.ts";
import { hostileText } from "../../../support/arbitrary-fill.ts";
import { drawnBooks, textOf } from "./draw.ts";

const MAKERS = [
  { name: "beancount", make: beancountMaker },
  { name: "hledger", make: hledgerMaker },
] as const;

const EXAMPLE = fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21").map((fill) => ({
  ...fill,
  matchId: "MATCHID",
  orderId: "ORDERID",
}));

function settings(value: unknown): AccountSettings {
  return parseAccountSettings(JSON.stringify(value), "accounts.json");
}

/** What both journals state about their entries. The programs themselves check the sums. */
function readEntries(journal: string) {
  return journal.split("\n\n").flatMap((block) => {
    const { day, flag } = /^(?<day>\d{4}-\d{2}-\d{2}) (?<flag>[*!]) /m.exec(block)?.groups ?? {};
    const { time } = /(?:filled-at|tx-created|paid-at|transferred-at): "?(?<time>[-:.TZ\d]+)/.exec(block)?.groups ?? {};
    return time === undefined ? [] : [{ day, flag, time }];
  });
}

describe.each(MAKERS)("the journal of $name", ({ name, make }) => {
  test.prop([drawnBooks()])("has an entry for each fill with an effect, on its local day, oldest first", (books) => {
    const entries = readEntries(textOf(make(books.context, DEFAULT_ACCOUNT_SETTINGS), books));
    const { zone } = books.context.period;
    const date = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
    expect(entries.map(({ day }) => day)).toEqual(entries.map(({ time }) => date.format(Date.parse(time))));
    expect(entries.map(({ time }) => time)).toEqual(entries.map(({ time }) => time).toSorted());
    const { funding, transfers } = books.context;
    const effects = books.booked.filter(
      ({ trade, realised, closed, before }) =>
        trade === null ||
        trade.fee !== 0n ||
        before === null ||
        (realised === null ? closed > 0n : realised.gross !== 0n),
    );
    const payments = funding?.filter(({ amount }) => amount !== 0n) ?? [];
    expect(entries.length).toBe(effects.length + payments.length + (transfers?.length ?? 0));
    const unknown = books.statement.marketMonths.reduce(
      (sum, { untyped, blankCloses }) => sum + untyped + blankCloses,
      0,
    );
    expect(entries.filter(({ flag }) => flag === "!").length).toBe(unknown);
  });

  test.prop([hostileText, hostileText, hostileText])(
    "keeps its lines whatever the text",
    (market, matchId, orderId) => {
      const lines = (fields: Partial<FillFields>) => {
        const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33").map((fill) => ({ ...fill, ...fields })));
        return textOf(make(books.context, DEFAULT_ACCOUNT_SETTINGS), books).split("\n");
      };
      const [tame, wild] = [lines({ market: "A-USDT" }), lines({ market: `A${market}-USDT`, matchId, orderId })];
      expect(wild.length).toBe(tame.length);
      expect(wild.join("")).not.toMatch(/[^\P{C}]|[\p{Zl}\p{Zp}\u00A0]|<script>/u);
      expect(wild.filter((line) => line.startsWith(" ") && line.endsWith("USDT"))).toEqual(
        tame.filter((line) => line.startsWith(" ") && line.endsWith("USDT")),
      );
    },
  );

  plainTest("uses the user's account names, and opens each account once", () => {
    const books = booksOf([...EXAMPLE, ...fillsFrom("B1@5/1", { market: "X-USD", from: Date.UTC(2025, 4, 1) })]);
    const own = {
      beancount: {
        cash: "Assets:Börse",
        realised: "Income:{currency}:{account}",
        fees: "Expenses:X",
        funding: "Expenses:X",
      },
      hledger: { cash: "Börse & co", realised: "income:{currency}:{account}", fees: "kosten:x", funding: "kosten:x" },
    };
    const context = { ...books.context, account: "-my-2nd", funding: [] };
    const text = textOf(make(context, settings(own)), books);
    const opened = [...text.matchAll(/^(?:\S+ open|account) (?<name>.+?)(?: {2,}.*)?$/gm)].map(
      ({ groups }) => groups?.["name"],
    );
    expect(opened).toEqual(
      name === "beancount"
        ? ["Assets:Börse", "Expenses:X", "Income:USDT:A-my-2nd", "Income:USD:A-my-2nd"]
        : ["Börse & co", "kosten:x", "income:usdt:a-my-2nd", "income:usd:a-my-2nd"],
    );
  });

  test.prop([hostileText])("books transfers from the user's own account, and keeps a note within its line", (note) => {
    const time = Date.UTC(2025, 2, 1, 11);
    const transfers = [
      { time, currency: "USDT", amount: 10n ** 36n, note, line: 2 },
      { time: time + 1, currency: "USDT", amount: -(10n ** 35n), note: "", line: 3 },
    ];
    const books = booksOf(EXAMPLE, { transfers });
    const own = { beancount: { transfers: "Assets:Bank" }, hledger: { transfers: "assets:bank" } };
    const lines = textOf(make(books.context, settings(own)), books).split("\n");
    const cash = name === "beancount" ? "Assets:Perps:Main:USDT" : "assets:perps:main:usdt";
    const bank = name === "beancount" ? "Assets:Bank" : "assets:bank";
    const legs = lines
      .map((line) => line.trim().replaceAll(/ +/g, " "))
      .filter((line) => / \d?-?[\d.]+ USDT$/.test(line));
    expect(legs.slice(0, 4)).toEqual([`${cash} 1 USDT`, `${bank} -1 USDT`, `${cash} -0.1 USDT`, `${bank} 0.1 USDT`]);
    const opened = lines.filter((line) => line.includes(bank) && /open|^account/.test(line));
    expect(opened).toEqual([name === "beancount" ? `2025-01-01 open ${bank}` : `account ${bank}`]);
    expect(lines.join("")).not.toMatch(/[^\P{C}]|[\p{Zl}\p{Zp}\u00A0]|<script>/u);
    const tame = booksOf(EXAMPLE, { transfers: transfers.map((one) => ({ ...one, note: "x" })) });
    const more = note === "" && name === "beancount" ? 2 : 1; // a line of metadata for a note
    expect(textOf(make(tame.context, settings(own)), tame).split("\n").length - lines.length).toBe(
      name === "beancount" ? more : 0,
    );
  });

  plainTest("tells if it is incomplete, and what is unknown", () => {
    const books = booksOf(EXAMPLE, { fromBeginning: false });
    const text = textOf(make({ ...books.context, complete: false }, DEFAULT_ACCOUNT_SETTINGS), books);
    expect(text).toContain("; INCOMPLETE: the period was not read in full.\n");
    expect(text).toContain("it is not known what this fill closes and opens");
    expect(text).toContain("not known");
    expect(text).toContain("\n; Entries with the flag !, whose PnL is not known and excluded from all sums: 3\n");
    expect(text).not.toMatch(/income:perps:realised .*\d/i);
  });

  plainTest("asserts the final balances", () => {
    const period = customPeriod("2025-03-01", "2025-03-02", "Asia/Tokyo");
    const books = booksOf(fillsFrom("B1@100/0.10 S1@110/0.33", { from: period.to - 2, stepMs: 1 }), { period });
    const days = [...textOf(make(books.context, DEFAULT_ACCOUNT_SETTINGS), books).matchAll(/^(\d\S+) [*b]/gm)].map(
      ([, day]) => day,
    );
    expect(new Set(days.slice(0, 2))).toEqual(new Set(["2025-03-01"]));
    expect(days.at(-1)).toBe(name === "beancount" ? "2025-03-02" : "2025-03-01");
  });
});

describe("the reference's example", () => {
  const books = booksOf(EXAMPLE);

  // Unlike the reference: the titles name the period, notes come first, an account for several currencies is
  // opened without one, and whole amounts have no decimal places.
  plainTest("is beancount's, to the byte of its entry", () => {
    const text = textOf(beancountMaker(books.context, { ...DEFAULT_ACCOUNT_SETTINGS, bookCurrency: "USD" }), books);
    expect(text).toContain(`
2025-03-01 * "BTC-USDT" "sell 3 @ 110: closes long 1 from 100, opens short 2 (FIFO)"
  fill: "MATCHID/ORDERID"
  filled-at: "2025-03-01T13:00:00.000Z"
  Assets:Perps:Main:USDT     10.00 USDT
  Income:Perps:Realised     -10.00 USDT
  Assets:Perps:Main:USDT     -0.33 USDT
  Expenses:Perps:Fees         0.33 USDT

`);
    for (const line of [
      'option "title" "fillbook main calendar-2025, excl. funding"',
      'option "operating_currency" "USD"',
      "2025-01-01 open Assets:Perps:Main:USDT   USDT",
      "2025-01-01 open Income:Perps:Realised",
      "2025-01-01 open Expenses:Perps:Fees",
      "2026-01-01 balance Assets:Perps:Main:USDT   5.36 ~ 0 USDT",
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  plainTest("is hledger's, to the byte of its entry", () => {
    const text = textOf(hledgerMaker(books.context, DEFAULT_ACCOUNT_SETTINGS), books);
    expect(text).toContain(`
2025-03-01 * (MATCHID) BTC-USDT | sell 3 @ 110, closes long 1 from 100, opens short 2 (FIFO)
    ; order: ORDERID, filled-at: 2025-03-01T13:00:00.000Z
    assets:perps:main:usdt     10.00 USDT
    income:perps:realised     -10.00 USDT
    assets:perps:main:usdt     -0.33 USDT
    expenses:perps:fees         0.33 USDT

`);
    for (const line of ["decimal-mark .", "commodity 1000.00 USDT", "account income:perps:realised  ; type: R"]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text).toMatch(/^2025-12-31 [^\n]*\n {4}assets:perps:main:usdt {4}0 USDT = 5\.36 USDT$/m);
  });
});

describe("the name of a commodity", () => {
  plainTest.each([
    ["USDT", "USDT"],
    ["A1B2", "A1B2"],
    ["1INCH", "X-1INCH"],
    ["U", "X-U"],
    ["NULL", "X-NULL"],
    ["usdt", "X-CD1634EF55B13679E59B"], // printf %s usdt | sha256sum
  ])("%s is %s", (currency, commodity) => {
    expect(commodityOf(currency)).toBe(commodity);
  });

  const currency = fc.oneof(hostileText, fc.stringMatching(/^[A-Z0-9]{1,26}$/)).filter((text) => !text.includes("-"));
  test.prop([currency, currency])("is valid in beancount, and unique to its currency", (one, other) => {
    expect(commodityOf(one)).toMatch(/^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/);
    expect(commodityOf(one) === commodityOf(other)).toBe(one === other);
  });
});
