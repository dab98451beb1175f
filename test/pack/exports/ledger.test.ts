import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { localTime } from "../../../lambda/core/period.ts";
import { journalTable } from "../../../lambda/pack/exports/journal.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import { commodityOf } from "../../../lambda/pack/exports/names.ts";
import {
  type AccountSettings,
  DEFAULT_ACCOUNT_SETTINGS,
  parseAccountSettings,
} from "../../../lambda/pack/make/account-settings.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { CsvMaker } from "../../../lambda/pack/writers/csv.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { exact } from "../tables/make.ts";
import { drawnBooks, made, textOf } from "./draw.ts";
import { cashBy, withoutZeros } from "./files.ts";
import { KINDS } from "./tools.ts";

const EXAMPLE = fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21");

function settings(value: unknown): AccountSettings {
  return parseAccountSettings(JSON.stringify(value), "accounts.json");
}

describe.each(["beancount", "hledger"] as const)("the journal of %s", (name) => {
  const make = made(name);

  test.prop([hostileText])("keeps its lines whatever the text", (market) => {
    const lines = (name: string) => {
      const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33", { market: name }));
      return textOf(make(books.context, DEFAULT_ACCOUNT_SETTINGS), books).split("\n");
    };
    const [tame, wild] = [lines("A-USDT"), lines(`A${market}-USDT`)];
    expect(wild.length).toBe(tame.length);
    expect(wild.join("")).not.toMatch(/[^\P{C}]|[\p{Zl}\p{Zp}\u00A0]|<script>/u);
    expect(wild.filter((line) => line.startsWith(" ") && line.endsWith("USDT"))).toEqual(
      tame.filter((line) => line.startsWith(" ") && line.endsWith("USDT")),
    );
  });

  plainTest("uses the user's account names, and opens each account once", () => {
    const fills = [...EXAMPLE, ...fillsFrom("B1@5/1", { market: "X-USD", from: Date.UTC(2025, 4, 1) })];
    const books = booksOf(fills, { account: "-my-2nd", funding: [] });
    const own = {
      beancount: {
        cash: "Assets:Börse",
        realised: "Income:{currency}:{account}",
        fees: "Expenses:X",
        funding: "Expenses:X",
      },
      hledger: { cash: "Börse & co", realised: "income:{currency}:{account}", fees: "kosten:x", funding: "kosten:x" },
    };
    const text = textOf(make(books.context, settings(own)), books);
    const opened = [...text.matchAll(/^(?:\S+ open|account) (?<name>.+?)(?: {2,}.*)?$/gm)].map(
      ({ groups }) => groups?.["name"],
    );
    expect(opened).toEqual(
      name === "beancount"
        ? ["Assets:Börse", "Expenses:X", "Income:USDT:AA-my-2nd", "Income:USD:AA-my-2nd"]
        : ["Börse & co", "kosten:x", "income:usdt:A-my-2nd", "income:usd:A-my-2nd"],
    );
  });

  plainTest("says that another method's cash is not the venue's", () => {
    const noted = (["average", "fifo"] as const).map((method) => {
      const books = booksOf(EXAMPLE, { method });
      return textOf(make(books.context, DEFAULT_ACCOUNT_SETTINGS), books).includes(
        "Venues book PnL to the cash by average",
      );
    });
    expect(noted).toEqual([false, true]);
  });

  const account = fc.stringMatching(/^[aA-]{1,4}$/).map((text) => text.toLowerCase());
  test.prop([account, account], { examples: [["-a", "a-a"]] })("never gives two accounts one name", (...accounts) => {
    const opened = accounts.map((one) => {
      const books = booksOf(EXAMPLE, { account: one });
      const text = textOf(make(books.context, DEFAULT_ACCOUNT_SETTINGS), books);
      return /^.*(?:open|account) (assets\S+)/im.exec(text)?.[1];
    });
    expect(opened[0] === opened[1]).toBe(accounts[0] === accounts[1]);
  });

  test.prop([hostileText])("books transfers from the user's own account, and keeps a note within its line", (note) => {
    const time = Date.UTC(2025, 1, 28, 11);
    const transfers = [
      { time, currency: "USDT", amount: exactly("1"), note, line: 2 },
      { time: time + 1, currency: "USDT", amount: exactly("-0.1"), note: "", line: 3 },
    ];
    const books = booksOf(EXAMPLE, { transfers });
    const own = { beancount: { transfers: "Assets:Bank" }, hledger: { transfers: "assets:bank" } };
    const lines = textOf(make(books.context, settings(own)), books).split("\n");
    const cash = name === "beancount" ? "Assets:Perps:Main:USDT" : "assets:perps:main:usdt";
    const bank = name === "beancount" ? "Assets:Bank" : "assets:bank";
    const legs = lines
      .map((line) => line.trim().replaceAll(/ +/g, " "))
      .filter((line) => /^\S+:\S+ -?[\d.]+ USDT$/.test(line));
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
    expect(text).toContain("\n; Left out: PnL of 3 fills for which it could not be calculated.\n");
    expect(text).not.toMatch(/income:perps:realised .*\d/i);
  });
});

describe("a small example", () => {
  const books = booksOf(EXAMPLE);

  plainTest("is beancount's, to the byte of its entries", () => {
    const text = textOf(made("beancount")(books.context, DEFAULT_ACCOUNT_SETTINGS), books);
    expect(text).toContain(`
2025-03-01 * "BTC-USDT" "profits of 2025-03-01 (1 fill)"
  id: "daily/2025-03-01/BTC-USDT/USDT/profit"
    Assets:Perps:Main:USDT    10 USDT
    Income:Perps:Realised     -10 USDT

2025-03-01 * "BTC-USDT" "losses of 2025-03-01 (1 fill)"
  id: "daily/2025-03-01/BTC-USDT/USDT/loss"
    Assets:Perps:Main:USDT    -4 USDT
    Income:Perps:Realised     4 USDT

2025-03-01 * "BTC-USDT" "fees less rebates of 2025-03-01 (3 fills)"
  id: "daily/2025-03-01/BTC-USDT/USDT/fee"
    Assets:Perps:Main:USDT    -0.64 USDT
    Expenses:Perps:Fees       0.64 USDT
`);
    for (const line of [
      'option "title" "fillbook main calendar-2025, excl. funding"',
      "2025-01-01 open Assets:Perps:Main:USDT   USDT",
      "2025-01-01 open Income:Perps:Realised",
      "2025-01-01 open Expenses:Perps:Fees",
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  plainTest("is hledger's, to the byte of its entry", () => {
    const text = textOf(made("hledger")(books.context, DEFAULT_ACCOUNT_SETTINGS), books);
    expect(text).toContain(`
2025-03-01 * BTC-USDT | fees less rebates of 2025-03-01 (3 fills)
    ; id: daily/2025-03-01/BTC-USDT/USDT/fee
    assets:perps:main:usdt    -0.64 USDT
    expenses:perps:fees       0.64 USDT
`);
    for (const line of ["decimal-mark .", "commodity USDT", "account income:perps:realised  ; type: R"]) {
      expect(text).toContain(`${line}\n`);
    }
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

function rowsOf(books: Books): string[][] {
  const cash = new DailyCash(books.context, new CashTally(books.context).transfers);
  return readCsv(textOf(new CsvMaker(journalTable(cash)), books).replace(/^\uFEFF/, "")).slice(1);
}

/** Debits less credits of the margin balances, by what `keyOf` takes. */
function sumsBy(rows: readonly string[][], keyOf: (date: string, counter: string, currency: string) => string) {
  const sums: Record<string, bigint> = {};
  for (const [date = "", , counter = "", currency = "", debit = "", credit = ""] of rows) {
    expect([debit, credit].filter((amount) => amount !== "")).toHaveLength(1);
    const key = keyOf(date, counter, currency);
    sums[key] = (sums[key] ?? 0n) + exact(debit || "0") - exact(credit || "0");
  }
  return withoutZeros(sums);
}

test.prop([drawnBooks()])("journal.csv moves the cash of each local day, oldest first", (books) => {
  const rows = rowsOf(books);
  expect(rows.map(([date]) => date)).toEqual(rows.map(([date]) => date).toSorted());
  expect(sumsBy(rows, (date, _, currency) => `${date} ${currency}`)).toEqual(
    cashBy(books, ({ time, currency }) => `${localTime(time, books.context.period.zone).slice(0, 10)} ${currency}`),
  );
});

test.prop([drawnBooks()])("journal.csv has gains, losses, fees, funding and transfers apart", (books) => {
  const counters = [
    ...["Realised gains", "Realised losses", "Fees less rebates", "Fees less rebates"],
    ...["Funding", "Funding", "Deposits and withdrawals", "Deposits and withdrawals"],
  ];
  expect(sumsBy(rowsOf(books), (_, counter, currency) => `${counter} ${currency}`)).toEqual(
    cashBy(books, ({ kind, currency }) => `${counters[KINDS.indexOf(kind)]} ${currency}`),
  );
});

plainTest("a small journal", () => {
  // A gain of 10 and a loss of 4 (short 2 at 110, closed at 112), and fees of 0.64.
  const transfers = [{ time: Date.UTC(2025, 2, 2), currency: "USDT", amount: exactly("-5"), note: "x", line: 2 }];
  const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21"), { transfers });
  expect(rowsOf(books).map((row) => row.join())).toEqual([
    "2025-03-01,main,Realised gains,USDT,10,,BTC-USDT profits of 2025-03-01 (1 fill)",
    "2025-03-01,main,Realised losses,USDT,,4,BTC-USDT losses of 2025-03-01 (1 fill)",
    "2025-03-01,main,Fees less rebates,USDT,,0.64,BTC-USDT fees less rebates of 2025-03-01 (3 fills)",
    "2025-03-02,main,Deposits and withdrawals,USDT,,5,withdrawal",
  ]);
});
