import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SAVED_QUERIES, sqlOf } from "../../infra/table/queries.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { readCsv } from "../support/rfc4180.ts";
import { type Book, jobFor, makeBook } from "./book.ts";
import { decimalText, grouped, rounded, unitsOf, volumeOf } from "./truth.ts";

let book: Book;
beforeAll(async () => {
  book = await makeBook();
});
afterAll(() => book.athena.close());

describe("the saved queries", () => {
  test.each(SAVED_QUERIES)("$name answers for one account", async ({ file }) => {
    const rows = await book.athena.query(sqlOf(file));
    expect(rows.length).toBeGreaterThan(0);
    for (const { fills = null } of rows) {
      expect(fills === null || Number(fills) > 0).toBe(true);
    }
  });

  test("for fees, volume, completeness and lag count each fill of the account", async () => {
    for (const file of ["saved-fees.sql", "saved-volume.sql", "saved-completeness.sql", "saved-lag.sql"]) {
      const rows = await book.athena.query(sqlOf(file));
      expect(rows.reduce((sum, { fills }) => sum + Number(fills), 0)).toBe(book.truth("main").length);
    }
  });

  test("for completeness agrees with fees.csv of the accountant's pack", async () => {
    const period = parsePeriod("calendar-2025");
    const { job } = jobFor(book.store, "main", book.truth("main"));
    const pack = await exportPack(job, {
      period,
      method: "average",
      isMethodChosen: true,
      basis: "fill",
      allowIncomplete: false,
    });
    const body = await book.store.get(`${pack.dir?.slice(book.store.location.length + 1)}/fees.csv`);
    const [header = [], ...lines] = readCsv(new TextDecoder().decode(body?.body));
    const table = lines.map((line) => Object.fromEntries(header.map((name, at) => [name, line[at] ?? ""])));
    const inPack = table
      .filter(({ liquidity }) => liquidity !== "untyped")
      .map((row) => ({
        month: row["month"],
        market: row["market"],
        liquidity: row["liquidity"],
        fills: row["fills"],
        volume: to18Places(row["volume"]),
        fees_paid: row["fees_paid"],
        rebates: row["rebates"],
      }));
    // The pack puts fills that cannot be calculated with on a line of their own. Only months and markets
    // without such a line are compared.
    const untyped = new Set(
      table.filter(({ liquidity }) => liquidity === "untyped").map((row) => `${row["month"]} ${row["market"]}`),
    );
    const isTyped = (row: Record<string, unknown>) => !untyped.has(`${row["month"]} ${row["market"]}`);
    const asked = (await book.athena.query(sqlOf("saved-completeness.sql"))).map((row) => ({
      month: String(row["trade_month"]).slice(0, 7),
      market: row["market"],
      liquidity: row["liquidity"],
      fills: row["fills"],
      volume: plain(row["volume"]),
      fees_paid: plain(row["fees_paid"]),
      rebates: plain(row["rebates"]),
    }));
    const of2025 = asked.filter(({ month }) => month.startsWith("2025"));
    const sorted = (rows: readonly Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(of2025.filter(isTyped))).toEqual(sorted(inPack.filter(isTyped)));
    expect(inPack.filter(isTyped).length).toBeGreaterThan(2);
  });

  test("for lag finds the least and the greatest distance of the two times", async () => {
    const rows = await book.athena.query(sqlOf("saved-lag.sql"));
    const truth = grouped(book.truth("main"), ({ txCreated }) => new Date(txCreated).toISOString().slice(0, 7)).map(
      ([month, items]) => {
        const lags = items.flatMap(({ filledAt, txCreated }) => (filledAt === undefined ? [] : [txCreated - filledAt]));
        return {
          month,
          fills: String(items.length),
          fills_without_filled_at: String(items.length - lags.length),
          least_lag_ms: lags.length === 0 ? null : String(Math.min(...lags)),
          most_lag_ms: lags.length === 0 ? null : String(Math.max(...lags)),
          fills_later_than_a_minute: String(lags.filter((lag) => lag > 60_000).length),
        };
      },
    );
    expect(rows).toEqual(truth);
  });

  test("for untyped fills shows the amounts as the service wrote them", async () => {
    const rows = await book.athena.query(sqlOf("saved-untyped.sql"));
    const untyped = book.truth("main").filter((item) => volumeOf(item) === null || unitsOf(item.fees) === null);
    expect(rows).toHaveLength(untyped.length);
    const texts = new Set(rows.flatMap(({ quantity, price, fee }) => [quantity, price, fee]));
    expect([...texts]).toEqual(expect.arrayContaining(["0.1234567890123456789", "123456789012345678901", "1e3"]));
  });
});

/** The volume as the table has it: rounded from at most 36 places to 18, half away from zero. */
function to18Places(text: string | undefined): string {
  const [whole = "", fraction = ""] = (text ?? "").split(".");
  const volume = BigInt(whole + fraction.padEnd(36, "0"));
  return plain(decimalText(rounded(volume)));
}

/** Without trailing zeros after the point, as the packs write amounts. */
function plain(decimal: unknown): string {
  return (
    String(decimal)
      .replace(/\.?0+$/, "")
      .replace(/^-?0$/, "0") || "0"
  );
}
