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
    isMethodChosen: false,
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
  expect(readRequest(given(flags, ["allow-incomplete", "information"]))).toEqual({
    period: parsePeriod("year-2025-07-01", "Europe/London"),
    method: "specific",
    isMethodChosen: true,
    basis: "transaction",
    currency: "GBP",
    information: true,
    inputsDir: "./mine",
    allowIncomplete: true,
    out: "./pack",
  });
});

test.each([
  [["au-2025"], "au-2025 is au-2024-25: 1 July 2024 to 30 June 2025 (Australia/Sydney)"],
  [["uk-2024-25", "--zone", "Europe/Berlin"], "uk-2024-25: 6 April 2024 to 5 April 2025 (Europe/Berlin)"],
])("it begins by saying which days the name of a period was taken for: %j; --quiet does not", async (typed, says) => {
  const line = ["export", "--period", ...typed];
  const environment = { FILLBOOK_STORE: "/dev/null/none" };
  const { stderr } = await run(line, { environment });
  expect(stderr.split("\n")[0]).toBe(says);
  expect((await run([...line, "--quiet"], { environment })).stderr).not.toContain(says);
});
