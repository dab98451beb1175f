import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { bytesOf, completenessOf, type PackOptions, WIDE } from "../pack.ts";
import { packDeclaring } from "./declaring.ts";

// A pack over a break that the user declares.

const packWith = (lines: string, request: PackOptions = {}) =>
  packDeclaring(lines, { beginning: WIDE.from, ...request });

/** 13:30 to 14:30, which includes the sale at 14:00. */
const AROUND_A_FILL = 'ETH-USDT,3,120,2025-03-01T14:30:00Z,"<b>letter</b>, page 1",2025-03-01T13:30:00Z\n';

describe("a pack whose user declares a break", () => {
  test("lists the break first: in exceptions.csv, completeness.json, the report and the workbook", async () => {
    const { store, pack, rows } = await packWith(`${AROUND_A_FILL}BTC-USDT,0,,2025-03-20,lost,2025-03-20\n`);
    const listed = rows("exceptions.csv").slice(0, 2);
    expect(listed.map(({ market, reason, value }) => [market, reason, value])).toEqual([
      [
        "ETH-USDT",
        "break_declared: fills from 2025-03-01T13:30:00.000Z up to 2025-03-01T14:30:00.000Z are missing, so PnL is blank there; value: the position after the break; evidence: <b>letter</b>, page 1",
        "3 at 120",
      ],
      [
        "BTC-USDT",
        "break_declared: fills just before 2025-03-20T00:00:00.000Z are missing, so PnL is blank there; value: the position after the break; evidence: lost",
        "0",
      ],
    ]);
    const completeness = completenessOf(store, pack);
    const [from, to, at] = ["2025-03-01T13:30:00.000Z", "2025-03-01T14:30:00.000Z", "2025-03-20T00:00:00.000Z"];
    expect(completeness.breaks).toEqual([
      {
        account: "main",
        market: "ETH-USDT",
        from,
        to,
        position: "3",
        average_price: "120",
        evidence: "<b>letter</b>, page 1",
      },
      { account: "main", market: "BTC-USDT", from: at, to: at, position: "0", average_price: null, evidence: "lost" },
    ]);
    const keys = Object.keys(completeness);
    expect(keys.indexOf("breaks")).toBeLessThan(keys.indexOf("totals"));
    const page = bytesOf(store, pack, "report.html").toString();
    const points = page.slice(page.indexOf('<div class="points">'));
    const [point] = /<li>.*?<\/li>/s.exec(points) ?? [];
    expect(point?.replaceAll(/<[^>]*>/g, "")).toBe(
      "A break in ETH-USDT: fills from 2025-03-01T13:30:00.000Z up to 2025-03-01T14:30:00.000Z are missing, as declared in the user&#39;s opening-positions.csv. PnL is blank there. After the break, the records continue from a position of 3 at 120. Evidence: &lt;b&gt;letter&lt;/b&gt;, page 1",
    );
    const sheets = unzipSync(bytesOf(store, pack, "workbook.xlsx"));
    const cover = new TextDecoder().decode(sheets["xl/worksheets/sheet1.xml"]);
    const places = [">Completeness<", "A break in ETH-USDT", "A break in BTC-USDT", ">Records<"].map((text) =>
      cover.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  test("lists a break before the period too, and the market begins as declared", async () => {
    const period = parsePeriod("month-2025-04");
    const { store, pack, rows } = await packWith(AROUND_A_FILL, { period });
    expect(completenessOf(store, pack).breaks).toHaveLength(1);
    expect(rows("exceptions.csv")[0]?.["reason"]).toMatch(/^break_declared: /);
    expect(rows("exceptions.csv").map(({ reason }) => reason?.split(":")[0])).toContain("opening_declared");
    expect(rows("summary.csv").every(({ is_complete }) => is_complete === "yes")).toBe(true);
    expect(rows("control-totals.csv").every(({ holds }) => holds === "yes")).toBe(true);
  });

  test("does not list a break after the period, and no figure changes", async () => {
    const later = "ETH-USDT,3,120,2025-04-20,letter,2025-04-10\n";
    const { store, pack, rows } = await packWith(later);
    expect(completenessOf(store, pack).breaks).toEqual([]);
    const plain = await packWith("");
    for (const path of ["realised-pnl.csv", "summary-days.csv", "exceptions.csv", "control-totals.csv"]) {
      expect(rows(path)).toEqual(plain.rows(path));
    }
  });

  test("does not list a break in a market whose PnL is unknown anyway", async () => {
    const { store, pack } = await packWith(AROUND_A_FILL, { contractTypes: new Map([["ETH-USDT", "Inverse"]]) });
    expect(completenessOf(store, pack).breaks).toEqual([]);
  });
});
