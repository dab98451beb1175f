import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { FillbookError } from "../../../lambda/core/errors.ts";
import { type AccountSettings, fillIn, parseAccountSettings } from "../../../lambda/pack/make/account-settings.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { refusal } from "../../support/refusal.ts";

function parse(value: unknown): AccountSettings {
  return parseAccountSettings(JSON.stringify(value), "accounts.json");
}

const refused = (text: string) => refusal(() => parseAccountSettings(text, "accounts.json"));

describe("accounts.json", () => {
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
    };
    expect(parse(all)).toEqual(all);
    expect(parseAccountSettings(`\uFEFF${JSON.stringify(all, null, 2)}\r\n`, "accounts.json")).toEqual(all);
  });

  const ledger = "each part begins with a capital letter or a digit";
  plainTest.each<[string, unknown, string, string]>([
    [
      "an unknown key",
      { beancout: {} },
      '"beancout" is not known',
      "did you mean beancount? the file takes accounts, par, statement",
    ],
    [
      "an unknown key within",
      { hledger: { cahs: "1" } },
      '"hledger.cahs" is not known',
      "did you mean cash? hledger takes cash",
    ],
    ["no object", [], "the file is an array of 0", "write a JSON object: {…}"],
    ["null", { hledger: null }, "hledger is null", "write a JSON object: {…}"],
    ["an account as a number", { hledger: { cash: 610 } }, "hledger.cash is 610", "an account such as"],
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
    ["a par of itself", { par: { USDT: "USDT" } }, 'par.USDT is "USDT"', '{"USDT": "USD"}'],
    ["a par of no currency", { par: { "": "USD" } }, "par. is not a currency", '{"USDT": "USD"}'],
    [
      "a chain",
      { par: { A1: "USDC", USDC: "USD" } },
      'par.A1 is "USDC", which has its own par',
      "the last currency of the",
    ],
  ])("refuses %s, and tells what to write", (_, value, message, hint) => {
    const error = refused(JSON.stringify(value));
    expect(error.kind).toBe("usage");
    expect(error.message.startsWith("accounts.json: ")).toBe(true);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  plainTest("is refused if it is not JSON, or has a key twice", () => {
    expect(refused("{par: 1}").message).toContain("accounts.json is not JSON");
    expect(refused('{"par": {}, "p\\u0061r": {}}').message).toBe("accounts.json: the file has a key twice");
    expect(refused('{"hledger": {"cash": "a", "cash" : "b"}}').message).toBe("accounts.json: the file has a key twice");
    expect(parse({ beancount: { fees: "Expenses:A" }, hledger: { fees: "a" } }).hledger.fees).toBe("a"); // two objects may have the same key
  });

  plainTest.each([
    ["lists in lists", "[".repeat(100_000) + "]".repeat(100_000), "accounts.json is not JSON"],
    ["lists in lists of a key", `{"par": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "accounts.json is not JSON"],
    ["objects in objects", `${'{"par":'.repeat(100_000)}1${"}".repeat(100_000)}`, "accounts.json is not JSON"],
    [
      "lists that are a list of accounts",
      `{"accounts": ${"[".repeat(3000)}${"]".repeat(3000)}}`,
      "accounts is [an array of 1]",
    ],
    ["lists that are not closed", "[".repeat(100_000), "accounts.json is not JSON"],
    ["a text that is too long", `{"par": {"USDT": "${"x".repeat(20_000_000)}"}}`, "more than 1,000,000 characters"],
    ["a text of escapes", `{"par": {"USDT": "${'\\"'.repeat(10_000_000)}"}}`, "more than 1,000,000 characters"],
    ["a text of escapes just below the limit", `{"par": {"USDT": "${'\\"'.repeat(499_000)}"}}`, "par.USDT is"],
  ])("%s: a wrong setting, not a fault", (_, text, message) => {
    const error = refused(text);
    expect([error.kind, error.message.includes(message), error.message.length < 400]).toEqual(["usage", true, true]);
  });

  test.prop([fc.jsonValue(), fc.constantFrom("par", "beancount", "hledger", "statement")])(
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
      ] as const) {
        try {
          parse({ [key]: { [name]: text } });
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
