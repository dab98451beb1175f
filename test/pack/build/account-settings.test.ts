import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { FillbookError } from "../../../lambda/core/errors.ts";
import { fillIn } from "../../../lambda/pack/build/account-forms.ts";
import {
  type AccountSettings,
  DEFAULT_ACCOUNT_SETTINGS,
  parseAccountSettings,
} from "../../../lambda/pack/build/account-settings.ts";
import { refusal } from "../../inputs/make.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";

const XERO = { cash: "610", realised: "260", fees: "404", funding: "261", rounding: "860", taxRate: "Tax Exempt" };
const QUICKBOOKS = {
  cash: "Trading:Perps {currency}",
  realised: "Realised trading PnL",
  fees: "Trading fees",
  funding: "Funding",
  rounding: "Rounding",
  dateOrder: "DMY",
};
const DATEV = {
  consultant: "29098",
  client: "55003",
  accountLength: "4",
  yearBegins: "07-01",
  cash: "70000",
  realised: "4830",
  fees: "6855",
  funding: "7110",
  rounding: "0999",
};

function parse(value: unknown): AccountSettings {
  return parseAccountSettings(JSON.stringify(value), "accounts.json");
}

const refused = (text: string) => refusal(() => parseAccountSettings(text, "accounts.json"));

describe("accounts.json", () => {
  plainTest("without content leaves the defaults", () => {
    expect(parse({})).toEqual(DEFAULT_ACCOUNT_SETTINGS);
    expect(parse({ par: {}, beancount: {}, hledger: {} })).toEqual(DEFAULT_ACCOUNT_SETTINGS);
  });

  plainTest("has one line each for the names in the statement", () => {
    expect(parse({ statement: { client: "Änne Händler", reference: "2025/17" } }).statement).toEqual({
      venue: null,
      client: "Änne Händler",
      preparer: null,
      reference: "2025/17",
    });
    for (const client of ["", " ", "two\nlines", "a".repeat(101), 7, null]) {
      expect(refused(JSON.stringify({ statement: { client } })).message).toContain("statement.client");
    }
    expect(refused('{"statement": {"clients": "x"}}').message).toContain("statement.clients");
  });

  plainTest("with every setting is read completely", () => {
    const all = {
      accounts: ["hedge", "main"],
      par: { USDT: "USD", USDC: "USD" },
      bookCurrency: "GBP",
      statement: { venue: "V", client: "C", preparer: "P", reference: "R" },
      beancount: {
        cash: "Assets:Börse:{account}:1{currency}",
        realised: "Income:Perps",
        fees: "Expenses:Perps:Fees-2",
        funding: "Expenses:Funding",
        transfers: "Assets:Bank",
        standalone: false,
      },
      hledger: {
        cash: "aktiva:Börse & Co.:{account}:{currency}",
        realised: "erträge:kontrakte",
        fees: "aufwand:gebühren",
        funding: "erträge:funding",
        transfers: "aktiva:bank",
        standalone: false,
      },
      xero: { ...XERO, narration: "perps" },
      quickbooks: QUICKBOOKS,
      datev: DATEV,
    };
    expect(parse(all)).toEqual(all);
    expect(parseAccountSettings(`\uFEFF${JSON.stringify(all, null, 2)}\r\n`, "accounts.json")).toEqual(all);
  });

  plainTest("books in euros and by the calendar year by default if DATEV is set up", () => {
    const { yearBegins: _, ...datev } = DATEV;
    expect(parse({ datev }).datev?.yearBegins).toBe("01-01");
    expect(parse({ datev }).bookCurrency).toBe("EUR");
    expect(parse({ datev, bookCurrency: "CHF" }).bookCurrency).toBe("CHF");
  });

  // developer.datev.de/datev/platform/de/dtvf/formate/header: consultants 1001 to 9999999, clients 1 to
  // 99999, accounts of 4 to 8 digits.
  plainTest.each([
    ["consultant", ["1001", "9999999"], ["1000", "999", "10000000", "01001", "12a4"]],
    ["client", ["1", "99999"], ["0", "100000", "01", ""]],
    ["accountLength", ["4"], ["3", "9", "5", "44"]],
    ["yearBegins", ["01-01", "12-01"], ["13-01", "01-02", "1-1", "2025-01-01"]],
    ["cash", ["1200", "0001", "10000"], ["120", "0000", "01200", "120000", "12.0"]],
  ])("accepts for datev.%s what the format accepts", (key, good, bad) => {
    for (const text of good) {
      expect(parse({ datev: { ...DATEV, [key]: text } }).datev).toEqual({ ...DATEV, [key]: text });
    }
    for (const text of bad) {
      expect(() => parse({ datev: { ...DATEV, [key]: text } })).toThrow(FillbookError);
    }
  });

  const ledger = "each part begins with a capital letter or a digit";
  plainTest.each<[string, unknown, string, string]>([
    [
      "an unknown key",
      { beancout: {} },
      '"beancout" is not known',
      "did you mean beancount? the file takes accounts, par, bookC",
    ],
    [
      "an unknown key within",
      { xero: { cahs: "1" } },
      '"xero.cahs" is not known',
      "did you mean cash? xero takes cash",
    ],
    ["no object", [], "the file is []", "write a JSON object: {…}"],
    ["null", { xero: null }, "xero is null", "write a JSON object: {…}"],
    ["a missing account", { xero: { ...XERO, fees: undefined } }, "xero.fees is missing", "the code of the account"],
    ["a code as a number", { xero: { ...XERO, cash: 610 } }, "xero.cash is 610", "in quotes, 1 to 10 digits"],
    ["a tax rate that is a formula", { xero: { ...XERO, taxRate: "=1" } }, 'xero.taxRate is "=1"', "full name"],
    ["a name with a comma", { quickbooks: { ...QUICKBOOKS, fees: "a,b" } }, 'quickbooks.fees is "a,b"', "no comma"],
    [
      "a name too long",
      { quickbooks: { ...QUICKBOOKS, fees: "a".repeat(101) } },
      "quickbooks.fees is",
      "100 characters",
    ],
    ["a date order", { quickbooks: { ...QUICKBOOKS, dateOrder: "YMD" } }, 'dateOrder is "YMD"', '"MDY" for 03/31/2025'],
    ["a lower-case part", { beancount: { fees: "Expenses:fees" } }, 'beancount.fees is "Expenses:fees"', ledger],
    ["a root alone", { beancount: { fees: "Expenses" } }, 'beancount.fees is "Expenses"', "begins with Assets"],
    ["an unknown placeholder", { beancount: { cash: "Assets:{market}" } }, 'cash is "Assets:{market}"', ledger],
    ["a comment", { hledger: { fees: "fees ; x" } }, 'hledger.fees is "fees ; x"', "single spaces"],
    ["two spaces", { hledger: { fees: "fees  5" } }, 'hledger.fees is "fees  5"', "single spaces"],
    ["a line break", { hledger: { fees: "fees\n" } }, 'hledger.fees is "fees\\n"', "single spaces"],
    ["no boolean", { hledger: { standalone: null } }, "hledger.standalone is null", "write true or false"],
    ["fees within cash", { hledger: { cash: "a", fees: "a:b" } }, 'hledger.fees is "a:b", within', "another account"],
    [
      "transfers within cash",
      { hledger: { cash: "a", transfers: "a" } },
      'hledger.transfers is "a", within',
      "another",
    ],
    ["Xero without a book currency", { xero: XERO }, "bookCurrency is missing", "three capital letters"],
    ["QuickBooks without one", { quickbooks: QUICKBOOKS }, "bookCurrency is missing", "three capital letters"],
    ["a consultant as a number", { datev: { ...DATEV, consultant: 29_098 } }, "datev.consultant is 29098", "in quotes"],
    ["an account too short", { datev: { ...DATEV, fees: "685" } }, 'datev.fees is "685"', "4 digits, as accountLength"],
    ["fees that are the cash", { datev: { ...DATEV, fees: "70000" } }, 'datev.fees is "70000", as', "another account"],
    ["a day inside a month", { datev: { ...DATEV, yearBegins: "04-06" } }, 'yearBegins is "04-06"', "first of a month"],
    ["a book currency", { bookCurrency: "gbp" }, 'bookCurrency is "gbp"', "three capital letters"],
    ["a par of itself", { par: { USDT: "USDT" } }, 'par.USDT is "USDT"', '{"USDT": "USD"}'],
    ["a par of no currency", { par: { "": "USD" } }, "par. is not a currency", '{"USDT": "USD"}'],
    ["a chain", { par: { A1: "USDC", USDC: "USD" } }, 'par.A1 is "USDC", which has a par', "the last currency of the"],
  ])("refuses %s, and tells what to write", (_, value, message, hint) => {
    const error = refused(JSON.stringify(value));
    expect(error.kind).toBe("usage");
    expect(error.message.startsWith("accounts.json: ")).toBe(true);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  plainTest("is refused if it is not JSON, or has a key twice", () => {
    expect(refused("{par: 1}").message).toContain("accounts.json is not JSON");
    expect(refused('{"par": {}, "p\\u0061r": {}}').message).toBe('accounts.json: "par" is there twice');
    expect(refused('{"xero": {"cash": "1", "cash" : "2"}}').message).toBe('accounts.json: "cash" is there twice');
    expect(parse({ bookCurrency: "USD", xero: XERO, quickbooks: QUICKBOOKS }).xero?.cash).toBe("610"); // two objects may have the same key
  });

  plainTest.each([
    ["lists in lists", "[".repeat(100_000) + "]".repeat(100_000), "deeper than 16 levels"],
    ["lists in lists of a key", `{"par": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "deeper than 16 levels"],
    ["objects in objects", `${'{"par":'.repeat(100_000)}1${"}".repeat(100_000)}`, "deeper than 16 levels"],
    ["lists that are not closed", "[".repeat(100_000), "accounts.json is not JSON"],
    ["a text that is too long", `{"par": {"USDT": "${"x".repeat(20_000_000)}"}}`, "more than 1,000,000 characters"],
    ["a text of escapes", `{"par": {"USDT": "${'\\"'.repeat(10_000_000)}"}}`, "more than 1,000,000 characters"],
    ["a text of escapes just below the limit", `{"par": {"USDT": "${'\\"'.repeat(499_000)}"}}`, "par.USDT is"],
  ])("%s: a wrong setting, not a fault", (_, text, message) => {
    const error = refused(text);
    expect([error.kind, error.message.includes(message), error.message.length < 400]).toEqual(["usage", true, true]);
  });

  plainTest("does not count brackets in a text as levels", () => {
    const client = "[{".repeat(40);
    expect(parse({ statement: { client } }).statement.client).toBe(client);
  });

  test.prop([fc.jsonValue(), fc.constantFrom("par", "beancount", "xero", "quickbooks", "datev", "bookCurrency")])(
    "is accepted, or refused with a short message",
    (value, key) => {
      const text = JSON.stringify({ [key]: value });
      try {
        parseAccountSettings(text, "accounts.json");
      } catch (error) {
        expect(error).toBeInstanceOf(FillbookError);
        expect((error as FillbookError).message.length).toBeLessThan(400);
      }
    },
  );

  test.prop([fc.oneof(hostileText, fc.constant("x".repeat(1_000_000)))])(
    "refuses an account that would end its line",
    (text) => {
      for (const [key, name] of [
        ["beancount", "cash"],
        ["hledger", "fees"],
        ["xero", "taxRate"],
      ] as const) {
        const value = key === "xero" ? { ...XERO, [name]: text } : { [name]: text };
        try {
          parse({ [key]: value });
          expect(text).toMatch(/^[\p{L}\p{N}]/u);
          expect(text).not.toMatch(/[\p{C},;"\n]/u);
        } catch (error) {
          expect(error).toBeInstanceOf(FillbookError);
        }
      }
    },
  );
});

plainTest("placeholders are replaced literally", () => {
  expect(fillIn("Assets:{account}:{currency}:{account}", "$&", "USDT")).toBe("Assets:$&:USDT:$&");
});
