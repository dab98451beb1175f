import { expect, test } from "vitest";
import type { Args } from "../../../lambda/cli/commands/command.ts";
import { readRequest } from "../../../lambda/cli/commands/export.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { run } from "./run.ts";

function given(flags: Readonly<Record<string, string>>, switches: readonly string[] = []): Args {
  return { positionals: [], text: (flag) => flags[flag], has: (flag) => switches.includes(flag) || flag in flags };
}

test("what is left out is average entry, by the time of the fill, in the currencies as settled, with the store's files", () => {
  expect(readRequest(given({ period: "us-2025" }))).toEqual({
    period: parsePeriod("us-2025"),
    method: "average",
    basis: "fill",
    allowIncomplete: false,
  });
});

test("all that can be said reaches the request", () => {
  const flags = {
    period: "year-2025-07-01",
    zone: "Europe/London",
    method: "specific",
    basis: "transaction",
    currency: "GBP",
    inputs: "./mine",
    out: "./pack",
  };
  expect(readRequest(given(flags, ["allow-incomplete"]))).toEqual({
    period: parsePeriod("year-2025-07-01", "Europe/London"),
    method: "specific",
    basis: "transaction",
    currency: "GBP",
    inputsDir: "./mine",
    allowIncomplete: true,
    out: "./pack",
  });
});

test("the help names the methods, the files and their columns", async () => {
  const { stdout } = await run(["help", "export"]);
  for (const words of [
    "average, fifo, lifo, hifo, specific",
    "opening-positions.csv  market,quantity,average_price,as_of,evidence",
    "funding.csv            time,market,amount,currency,source",
    "matches.csv            close_match_id,close_order_id,open_match_id,open_order_id,quantity",
    "rates/NAME.csv",
    "accounts.json",
  ]) {
    expect(stdout).toContain(words);
  }
});
