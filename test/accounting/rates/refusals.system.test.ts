import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { FillbookError } from "../../../lambda/core/errors.ts";
import { refusal } from "../../support/refusal.ts";
import { bytesOf, own } from "./make.ts";

function refused(text: string | Uint8Array, name = "rates/x.csv") {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return refusal(() => recogniseRates(name, bytes));
}

const ECB = Buffer.from(bytesOf("eurofxref-hist.csv")).toString();
const HMRC = Buffer.from(bytesOf("monthly_csv_2026-8.csv")).toString();
const VALET = Buffer.from(bytesOf("valet.csv")).toString();
const RBA = Buffer.from(bytesOf("f11.1-data.csv")).toString();
const H10 = Buffer.from(bytesOf("h10.csv")).toString();
const FRED = Buffer.from(bytesOf("DEXUSUK.csv")).toString();
const BOE = Buffer.from(bytesOf("results.csv")).toString();
const OWN = Buffer.from(bytesOf("own.csv")).toString();

describe("a file that is not a rate file", () => {
  test.each([
    ["nothing", "", "is not a rate file in a known format"],
    ["a table with semicolons", "date;base;quote;rate;source\n2025-03-01;USDT;USD;0,9996;x\n", "is not a rate file"],
    ["a web page", "<!DOCTYPE html>\n<title>Access denied</title>\n", "is not a rate file in a known format"],
    ["a zip", new Uint8Array([0x50, 0x4b, 3, 4, 0]), "is not text"],
    ["UTF-16", Buffer.from(`\uFEFF${FRED}`, "utf16le"), "is not text in UTF-8 or ISO-8859-1"],
    ["noise", new Uint8Array(2000).map((_, at) => (at * 7919) % 256), "is not text"],
  ])("%s is refused", (_, bytes, message) => {
    const error = refused(bytes);
    expect(error.kind).toBe("usage");
    expect(error.message).toContain("rates/x.csv");
    expect(error.message).toContain(message);
    expect(error.hint).toBeTruthy();
  });

  test("only headings", () => {
    for (const text of [ECB, HMRC, FRED, BOE, "date,base,quote,rate,source\n"]) {
      expect(refused(`${text.split("\n")[0]}\n`).message).toContain("has no rates");
    }
    expect(refused("Date,USD,\n2025-01-02,N/A,\n").message).toContain("has no rates");
    expect(refused('"OBSERVATIONS"\n"date","FXUSDCAD"\n').message).toContain("has no rates");
  });

  test.each([
    ["without exchange rates", VALET.replaceAll("FXUSDCAD", "V39079").replaceAll("FXEURCAD", "V39063")],
    ["of averages: the Bank of Canada", VALET.replaceAll("FXUSDCAD", "FXMUSDCAD").replaceAll("FXEURCAD", "FXMEURCAD")],
    ["of averages: the Reserve Bank of Australia", RBA.replaceAll("Daily", "Monthly")],
    ["of averages: the Federal Reserve", Buffer.from(bytesOf("h10-monthly.csv")).toString()],
    ["of averages: FRED", FRED.replace("DEXUSUK", "EXUSUK")],
  ])("a publisher's file %s is none, and can be written down", (_, text) => {
    expect(refused(text)).toMatchObject({
      message: "rates/x.csv is not a rate file in a known format",
      hint: expect.stringContaining(
        "a CSV file with the headings date,base,quote,rate,source, which may have the averages of months and years",
      ),
    });
  });
});

describe("files that are cut off", () => {
  test.each([
    ["the ECB's", ECB],
    ["HMRC's", HMRC],
    ["the Bank of Canada's", VALET.trimEnd()],
    ["FRED's", FRED],
    ["the Bank of England's", BOE.replaceAll("\r", "")],
    ["the Reserve Bank of Australia's", RBA.slice(0, RBA.lastIndexOf("0.6528") + 7)],
  ])("%s, at any place inside a line", (_, text) => {
    const last = text.trimEnd().lastIndexOf("\n") + 1;
    for (let end = last + 1; end < text.length; end += 1) {
      // A complete line without its line break is refused too, because its last number may lack digits.
      expect(refused(text.slice(0, end)).message).toMatch(/is cut off: it ends within a line|cut off|not CSV/);
    }
  });

  test("with a line break added at the end: its cells are counted", () => {
    const cut = `${ECB.slice(0, ECB.lastIndexOf("1.4749"))}\n`;
    expect(refused(cut).message).toBe(
      "rates/x.csv, line 4: the line has 40 cells, but there are 43 headings: it may have been cut off",
    );
    const short = `${BOE.trimEnd().slice(0, -"1.3302,,0.7518,9.1865".length)}\n`;
    expect(refused(short).message).toContain("line 4: the line has 2 cells, but there are 5 headings");
  });
});

describe("cells that are not rates", () => {
  test.each([
    ..."0 -1.2 1,2 1e-70 NaN 0x10 .5 １.２ 1.2\u200B =1+1 n/a 1.1234567890123456789 123456789012345678901".split(" "),
    "1.2 ",
  ])("%j", (rate) => {
    const error = refused(FRED.replace("2.4158", JSON.stringify(rate).includes(",") ? `"${rate}"` : rate));
    expect(error.message).toMatch(
      /^rates\/x\.csv, line 3: the rate of DEXUSUK is ".*", not a decimal number greater than zero$/,
    );
  });

  test.each<[file: string, cell: string, by: string, message: string]>([
    [ECB, "1.0981", '"1,0981"', "line 3: the rate of EUR/USD"],
    [VALET, "1.3102", "-64", "line 18: the rate of FXUSDCAD"],
    [RBA, "0.7107", "n.a.", "line 13: the rate of FXRUSD"],
    [H10, "7.7553", "NC", "line 8: the rate of RXI_N.B.HK"],
    [BOE, "1.1572", "n/a", "line 3: the rate of XUDLERS"],
    [OWN, "0.9996", "1.0.0", "line 2: the rate of USDT/USD"],
    [ECB, "2023-04-28", "28/04/2023", 'line 3: "28/04/2023" is not a day'],
    [HMRC, "31/08/2026", "08/31/2026", 'line 2: "01/08/2026" to "08/31/2026" is not a period from one day'],
    [HMRC, "31/08/2026", "31/07/2026", "is not a period from one day"],
    [HMRC, "31/08/2026", "31/08/2028", "is not a period from one day"],
    [RBA, "27-Jan-2023", "31-Feb-2023", "line 13"],
    [BOE, "18 Mar 2026", "18 Mar 26", "line 3"],
    [H10, "2005-11-10", "2005-11", 'line 8: "2005-11" is not a day'],
    [OWN, "2025-03-01", "03/01/2025", 'line 2: "03/01/2025" is not a date'],
  ])("in every form, nor dates, with the line: %#", (file, cell, by, message) => {
    expect(refused(file.replace(cell, by)).message).toContain(message);
  });
});

describe("cells that are not dates", () => {
  test.each(["2025-02-29", "2025-13-01", "2025-3-1", "01/03/2025", "", "1899-12-31", "2201-01-01"])("%j", (date) => {
    expect(refused(FRED.replace("1971-02-11", date)).message).toBe(
      `rates/x.csv, line 3: ${JSON.stringify(date)} is not a day in the format of this file`,
    );
  });

  test.each([
    ["of months", "DEXUSEU\n2025-01-01,1.0354\n2025-02-01,1.0413\n"],
    ["of weeks, which end on Fridays", "DEXUSEU\n2025-01-03,1.03\n2025-01-10,1.04\n2025-01-17,1.05\n"],
    [
      "of weeks, newest first, beside a series of days",
      "SP500,DEXUSEU\n2025-01-17,1,1.05\n2025-01-16,1,\n2025-01-10,1,1.03\n",
    ],
  ])("averages with the name of a daily series: %s", (_, text) => {
    const error = refused(`observation_date,${text}`);
    expect(error.message).toBe(
      "rates/x.csv, line 1: DEXUSEU should have rates of days, but they are a week or more apart: they are averages",
    );
    expect(error.hint).toBe("download it again with the rates of each day");
  });

  test("an average or spot rate of HMRC whose file name does not tell its time", () => {
    for (const name of ["x", "average", "average_csv_2025-7", "monthly_csv_2025-3", "spot_csv_25-3"]) {
      const error = refused(bytesOf("spot_csv_2025-12.csv"), `${name}.csv`);
      expect(error.message).toBe(
        `the name of ${name}.csv, a file of HM Revenue & Customs, does not say which period it is for`,
      );
      expect(error.hint).toContain("average_csv_YYYY-M.csv");
    }
  });
});

test("the user's own file cannot be downloaded again: the hint shows how to write it", () => {
  const written = 'write it like this: 2025-03-01,USDT,USD,0.9996,"source of the rate"';
  for (const lines of ["2025,USDT,EUR,-1,x\n", "2025,USDT,EUR,much,x\n", ""]) {
    expect(refused(`date,base,quote,rate,source\n${lines}`).hint).toBe(written);
  }
  expect(refused(HMRC.replace("4.9091", "-1")).hint).toMatch(/^download it again/);
});

describe("the user's own file", () => {
  test.each([
    ["2025-03-01,USDT,USD,1", "4 cells, but there are 5 headings"],
    ["2025-03-01,usdt,USD,1,a", '"usdt" and "USD" are not two currencies'],
    ["2025-03-01,,USD,1,a", "are not two currencies"],
    ["2025-03-01,US\u202ED,USD,1,a", "are not two currencies"],
    ["2025-03-01,USDT,USD,1,", "does not name the source of the rate"],
    ['2025-03-01,USDT,USD,1,"a\nb"', "does not name the source of the rate"],
    [`2025-03-01,USDT,USD,1,${"x".repeat(201)}`, "does not name the source of the rate"],
    ['2025-03-01,USDT,USD,1,"a', "not CSV"],
  ])("%j: %s", (line, message) => {
    const error = refusal(() => own("own.csv", "2025-02-01,USDT,USD,1,a", line));
    expect(error.message).toMatch(/^own\.csv, line 3: /);
    expect(error.message).toContain(message);
  });

  test.each([
    ["date,base,quote,rate,source,rate\n2025,USD,EUR,0.9,x,0.5\n", "rate"],
    ["date,base,quote,rate,source,fee\n2025,USD,EUR,0.9,x,0.5\n", "fee"],
    ["date,base,quote,rate %,source\n2025,USD,EUR,90,x\n", "rate %"],
    ["Date,base,quote,rate,source\n2025,USD,EUR,0.9,x\n", "Date"],
  ])("has its columns once, and no others: %j", (text, column) => {
    expect(refused(text).message).toBe(
      `rates/x.csv, line 1: the column ${JSON.stringify(column)} is not one of date, base, quote, rate, source, or is there twice`,
    );
  });

  test("counts lines correctly after cells with line breaks", () => {
    const text = 'date,base,quote,rate,source\n2025-03-01,USDT,USD,1,x\n"2025\n\n-03",A,B,1,x\n';
    expect(refused(text).message).toContain('line 3: "2025\\n\\n-03" is not a date');
    const titled = RBA.replace("AUD/USD Exchange Rate; see notes for further detail.", '"AUD/USD\nExchange\nRate"');
    expect(refused(titled.replace("0.7107", "x")).message).toContain("line 15");
  });
});

describe("hostile files", () => {
  test("many bytes are refused", () => {
    expect(refused(new Uint8Array(17 * 1024 * 1024)).message).toContain("but a rate file can have at most");
  });

  test("names of properties that every object has are not series", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(refused(`DATE,${name}\n17 Mar 2026,1.3\n`).message).toContain("is not a rate file in a known format");
      const { message } = refused(`DATE,XUDLUSS,${name}\n17 Mar 2026,x,1.3\n`);
      expect(message).toContain("the rate of XUDLUSS");
    }
  });

  test("a cell in a message is short and quoted", () => {
    const { message } = refused(FRED.replace("1971-02-11", `\u001b[31m\u202E${"x".repeat(5000)}`));
    expect(message.length).toBeLessThan(200);
    expect(message).toContain('"\\u001b[31m');
  });

  const whole = fc.constantFrom(ECB, HMRC, VALET, RBA, H10, FRED, BOE).map((text) => new TextEncoder().encode(text));

  test.prop([whole, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }), fc.nat()])(
    "a file damaged anywhere is read or refused, and nothing else happens",
    (bytes, changes, end) => {
      const damaged = bytes.slice(0, end % 3 === 0 ? end % bytes.length : bytes.length);
      for (const [at, byte] of changes) {
        damaged[at % Math.max(damaged.length, 1)] = byte;
      }
      try {
        const { rates } = recogniseRates("x.csv", damaged);
        expect(rates.every(({ value }) => value.gt(ZERO))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(FillbookError);
      }
    },
  );
});
