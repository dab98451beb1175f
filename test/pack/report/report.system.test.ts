import { beforeAll, describe, expect, test } from "vitest";
import { unitsText } from "../../support/amounts.ts";
import { pageOf } from "../books.ts";
import { Exact, plain, total } from "../sums.ts";
import { exact, type Row, rowsIn, total as sumOf, type Tables, tablesOf } from "../tables/make.ts";
import { CASES, type Case } from "./cases.ts";
import { NO_READER, type ReadPage, readPages, rowsOf } from "./read.ts";

// Amounts are those of the pack's CSV files, which have tests of their own.

const pages = new Map<string, ReadPage>();

/** The number that ends the ids of a currency's tables. */
function currenciesOf(page: ReadPage): [currency: string, number: string][] {
  return page.tables
    .filter(({ id }) => /^statement-\d/.test(id))
    .map(({ id, currency }) => [currency ?? "", id.slice("statement-".length)]);
}

const NET = "realised_pnl_net_of_fees_excl_funding";
const WITH_FUNDING = "realised_pnl_net_incl_funding";
const PNL = ["gross_pnl", "fees_recognised", NET, WITH_FUNDING];
const CARRIED = ["open_value_at_start", "open_value_at_end", "deferred_fees_at_start", "deferred_fees_at_end"];

/** An unknown amount is not zero. */
const shown = (text = "") => text || "not known";

/** × 10^36, without a fraction for a number of fills */
const textOf = (units: bigint) => unitsText(units, 36);

/** How many rows the lines of gains and losses of a statement say that they add up. */
function numbersOf({ tables }: ReadPage, number: string): (string | undefined)[] {
  const { rows = [] } = tables.find(({ id }) => id === `statement-${number}`) ?? {};
  const heads = ["gains", "losses"].map((one) =>
    rows.find(({ key }) => key === one)?.cells[0]?.text.replaceAll(",", ""),
  );
  return heads.map((head) => /: (\d+) rows? of realised-pnl\.csv$/.exec(head ?? "")?.[1]);
}

/** The figures of the first page, by the chosen method and by the one for comparison. */
function statementOf(row: Row, isFunded: boolean): Record<string, string[]> {
  const prefix = row["method"] === "Average cost" ? "fifo_" : "average_cost_";
  const compared = (key: string) => row[prefix + key] ?? "";
  const withFunding = compared(NET) === "" ? "" : textOf(exact(compared(NET)) + exact(row["funding"]));
  return {
    ...Object.fromEntries(PNL.slice(0, 3).map((key) => [key, [shown(row[key]), shown(compared(key))]])),
    ...(isFunded
      ? {
          funding: [shown(row["funding"]), shown(row["funding"])],
          [WITH_FUNDING]: [shown(row[WITH_FUNDING]), shown(withFunding)],
        }
      : {}),
    ...Object.fromEntries(["gains", "losses", ...CARRIED, "net_fees"].map((key) => [key, [shown(row[key]), ""]])),
  };
}

/** Whether the PnL of all fills in some rows of summary-days.csv is known. */
const isWhole = (rows: readonly Row[]) => rows.every((row) => row["is_complete"] === "yes");

/** Sums of rows of summary-days.csv or of one row of another summary: fills, volume and fees, funding, then PnL. */
function breakdownCells(rows: readonly Row[], isFunded: boolean): string[] {
  const isBlank = !isWhole(rows) && sumOf(rows, "closes") === 0n;
  const net = isFunded ? WITH_FUNDING : NET;
  const cells = ["volume", "net_fees", ...(isFunded ? ["funding"] : []), "gross_pnl", "fees_recognised", net].map(
    (key) => (isBlank && PNL.includes(key) ? "not known" : textOf(sumOf(rows, key))),
  );
  return [grouped(Number(textOf(sumOf(rows, "fills")))), ...cells];
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

describe.skipIf(NO_READER !== "")(`the page, read by html5lib${NO_READER}`, () => {
  beforeAll(async () => {
    const read = await readPages(CASES.map((one) => pageOf(one.books, one)));
    for (const [at, { name }] of CASES.entries()) {
      pages.set(name, read[at] as ReadPage);
    }
  });

  function pageNamed(name: string): ReadPage {
    return pages.get(name) as ReadPage;
  }

  describe.each(CASES)("$name", ({ name }) => {
    test("runs no script, and sends no requests", () => {
      const { elements, attributes } = pageNamed(name);
      const active = ["script", "link", "img", "iframe", "object", "embed", "form", "base", "svg:script", "svg:image"];
      expect(active.filter((element) => element in elements)).toEqual([]);
      expect(attributes.filter(([, key]) => /^on|^src|^style$|^ping$|href$/.test(key) && key !== "href")).toEqual([]);
      expect(attributes.filter(([, , value]) => /[a-z]+:\/\/|url\((?!#)|javascript:|@import/i.test(value))).toEqual([]);
    });

    test("links only to existing targets, and has unique ids", () => {
      const { ids, attributes } = pageNamed(name);
      expect(new Set(ids).size).toBe(ids.length);
      const links = attributes.filter(([, key]) => key === "href").map(([, , value]) => value);
      const labels = attributes
        .filter(([, key]) => key === "aria-labelledby")
        .flatMap(([, , value]) => value.split(" "));
      const fills = attributes
        .filter(([, key]) => key === "fill")
        .map(([, , value]) => value.slice("url(#".length, -1));
      expect(links.every((link) => link.startsWith("#"))).toBe(true);
      const known = new Set(ids);
      const missing = [...links.map((link) => link.slice(1)), ...labels, ...fills].filter((id) => !known.has(id));
      expect(missing).toEqual([]);
    });

    test("gives every table a caption and marked head cells", () => {
      for (const { id, captions, rows } of pageNamed(name).tables) {
        expect([id, captions.length]).toEqual([id, 1]);
        const scopes = rows.flatMap(({ part, cells }) =>
          cells.flatMap((cell, at) => (cell.name === "th" || at === 0 ? [[part, cell.name, cell.scope]] : [])),
        );
        const heads = scopes.filter(([part]) => part === "thead");
        expect(heads.every(([, element, scope]) => element === "th" && /^col(group)?$/.test(scope ?? ""))).toBe(true);
        const others = scopes.filter(([part]) => part !== "thead");
        expect(others.every(([, element, scope]) => element === "th" && scope === "row")).toBe(true);
        const widths = new Set(rows.filter(({ part }) => part !== "thead").map(({ cells }) => cells.length));
        expect(widths.size).toBeLessThanOrEqual(1);
      }
    });
  });

  test("an incomplete statement is marked everywhere", () => {
    const page = pageNamed("an incomplete year");
    expect(page.title).toMatch(/^INCOMPLETE/);
    expect(page.text).toContain("INCOMPLETE. Do not file from this statement.");
    expect(page.text).toContain("1 range of time could not be read");
    expect(page.text).toContain("requested in ranges of up to 7 days.");
    expect(page.text).toContain("Fills of the account that the venue no longer reports: 3.");
    expect(page.text).toContain("INCOMPLETE-summary.csv".replace("summary", "exceptions"));
    const [traded] = CASES;
    expect(pageNamed(traded?.name ?? "").text).not.toContain("INCOMPLETE");
  });

  test("an empty year has all sections, and no drawing", () => {
    const page = pageNamed("a year with nothing in it");
    expect(page.elements["svg:svg"]).toBeUndefined();
    expect(page.text).toContain("This period has no fills and no open position.");
    expect(rowsOf(page, "controls").get("fills_counted")?.slice(2)).toEqual(["0", "0", "yes"]);
  });

  describe.each(CASES)("amounts of $name", (one) => {
    let files: Tables;
    beforeAll(() => {
      files = tablesOf(one.books, { converter: one.converter ?? null });
    });
    const inFile = (path: string, currency: string) =>
      rowsIn(files, path).filter((row) => row["currency"] === currency);
    const isFunded = one.books.own.funding !== null;

    test("every number is exact or the nearest cent, and tells which", () => {
      const data = pageNamed(one.name).tables.flatMap(({ rows }) =>
        rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.data)),
      );
      for (const { value, text, title } of data) {
        const shown = text.replaceAll(",", "").replace("−", "-").replace("+", "");
        const rounded = [new Exact(value).toFixed(2), plain(new Exact(value).toDecimalPlaces(8))];
        if (title === null) {
          expect(bare(shown)).toBe(value);
        } else {
          expect(title).toBe(value);
          expect(rounded.map((one) => one.replace(/^-(?=[0.]*$)/, ""))).toContain(shown);
        }
      }
    });

    test("the statement of each currency is its row of summary.csv", () => {
      const page = pageNamed(one.name);
      const currencies = currenciesOf(page);
      expect(new Set(currencies.map(([name]) => name))).toEqual(
        new Set(rowsIn(files, "summary.csv").flatMap(({ currency }) => currency || [])),
      );
      for (const [currency, number] of currencies) {
        const [row = {}] = inFile("summary.csv", currency);
        expect(Object.fromEntries(rowsOf(page, `statement-${number}`))).toEqual(statementOf(row, isFunded));
        expect(numbersOf(page, number)).toEqual(["gain_rows", "loss_rows"].map((key) => row[key]));
      }
      if ((one.converter ?? null) !== null) {
        const sums = ["gain_rows", "loss_rows"].map((key) => sumOf(rowsIn(files, "summary.csv"), `${key}_converted`));
        expect(numbersOf(page, "converted")).toEqual(sums.map(textOf));
      }
    });

    test.each(["month", "market"] as const)("volume, fees and PnL by %s are those of its file", (group) => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const path = group === "month" ? "summary-months.csv" : "summary-days.csv";
        const groups = Map.groupBy(inFile(path, currency), (row) => row[group] ?? "");
        const names = new Set([
          ...(group === "month" ? one.books.months.map(({ name }) => name) : []),
          ...groups.keys(),
        ]);
        const expected = [
          ...[...names].map((name) => [name, breakdownCells(groups.get(name) ?? [], isFunded)] as const),
          ["total", breakdownCells(inFile("summary-days.csv", currency), isFunded)] as const,
        ];
        const rows = rowsOf(page, `${group}s-${number}`);
        expect(expected.map(([name]) => [name, rows.get(name)])).toEqual(expected);
      }
    });

    test("controls are rows of control-totals.csv, with both sides", () => {
      const inFiles = new Map(
        rowsIn(files, "control-totals.csv").map((row) => [
          ["control", "account", "market", "currency"].flatMap((name) => row[name] || []).join(" "),
          ["left", "right", "holds"].map((name) => row[name]),
        ]),
      );
      const rows = rowsOf(pageNamed(one.name), "controls");
      expect(rows.size).toBe(Math.min(inFiles.size, 40));
      for (const [key, cells] of rows) {
        expect([key, cells.slice(2, 5).map((cell) => cell.replaceAll(",", ""))]).toEqual([key, inFiles.get(key)]);
      }
    });

    test("closed trades are counted as in closed-trades.csv", () => {
      const { text } = pageNamed(one.name);
      for (const [currency] of currenciesOf(pageNamed(one.name))) {
        const gross = inFile("closed-trades.csv", currency).map((row) => new Exact(row["gross_pnl"] ?? ""));
        const [won, lost] = [gross.filter((one) => one.gt(0)), gross.filter((one) => one.lt(0))];
        expect(text).toContain(
          `${grouped(gross.length)} closed trade${gross.length === 1 ? "" : "s"}: ${grouped(won.length)} with a gain and ${grouped(lost.length)} with a loss, before fees.`,
        );
      }
    });
  });

  test("what is not known has its reason", () => {
    const page = pageNamed((CASES[2] as Case).name);
    expect(page.text).toMatch(/DOGE-USD: PnL of \d+ fills could not be calculated, because /);
    expect(page.text).toContain("one of its fills cannot be read as a trade");
    expect(page.text).toContain("its opening position is not known");
    expect(page.text).toContain("its position was declared without a price");
  });

  test("converted amounts have one total", () => {
    const page = pageNamed((CASES[2] as Case).name);
    const rows = [...rowsOf(page, "converted-table")].filter(([name]) => name !== "total");
    const known = (text = "") => (/^-?[\d.]+$/.test(text) ? new Exact(text) : new Exact(0));
    const sums = [1, 2, 3, 4, 5, 6].map((at) => plain(total(rows.map(([, cells]) => known(cells[at])))));
    expect(rowsOf(page, "converted-table").get("total")).toEqual(["", ...sums]);
    const uses = [...rowsOf(page, "rates-table").values()];
    expect(uses.map((cells) => cells.filter((_, at) => at !== 2))).toEqual([
      ["2025-04", "2", "HMRC monthly"],
      ["2025-04", "2", "HMRC monthly"],
    ]);
  });
});

function bare(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
