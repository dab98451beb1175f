import { expect, test } from "vitest";
import { type Args, argsOf } from "../../../lambda/cli/commands/command.ts";
import { readRequest } from "../../../lambda/cli/commands/export.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { readSettings, secretOf, settingsOfAccount } from "../../../lambda/job/settings.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { over, run } from "./run.ts";

function given(flags: Readonly<Record<string, string>>, switches: readonly string[] = []): Args {
  const values = Object.entries(flags).map(([flag, value]) => [flag, [value]]);
  return argsOf([], Object.fromEntries([...values, ...switches.map((flag) => [flag, ["true"]])]));
}

test("the defaults are average cost (in the United States FIFO), the time of the fill, the settlement currencies and the store's input files", () => {
  const request = {
    period: parsePeriod("calendar-2025"),
    method: "average",
    isMethodChosen: false,
    basis: "fill",
    allowIncomplete: false,
  };
  expect(readRequest(given({ period: "calendar-2025" }))).toEqual(request);
  const period = parsePeriod("us-2025");
  expect(readRequest(given({ period: "us-2025" }))).toEqual({ ...request, period, method: "fifo" });
});

test("every option reaches the request", () => {
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
    isMethodChosen: true,
    basis: "transaction",
    currency: "GBP",
    inputsDir: "./mine",
    allowIncomplete: true,
    out: "./pack",
  });
});

test.each([
  [["au-2025"], "au-2025 is au-2024-25: 1 July 2024 to 30 June 2025 (Australia/Sydney)"],
  [["uk-2024-25", "--zone", "Europe/Berlin"], "uk-2024-25: 6 April 2024 to 5 April 2025 (Europe/Berlin)"],
])("it first prints the days that a period's name stands for: %j; --quiet prints nothing", async (typed, says) => {
  const line = ["export", "--period", ...typed];
  const environment = { FILLBOOK_STORE: "/dev/null/none" };
  const { stderr } = await run(line, { environment });
  expect(stderr.split("\n")[0]).toBe(says);
  expect((await run([...line, "--quiet"], { environment })).stderr).not.toContain(says);
});

test("each account of a group is read with its own token, by the secret's name, and never with another account's token", () => {
  const environment = { FILLBOOK_TOKEN: "one-token" };
  expect(settingsOfAccount(readSettings(environment), "hedge")).toMatchObject({ account: "hedge", token: null });
  const fixed = readSettings({ FILLBOOK_TOKEN_SECRET: "perps/main" });
  expect(settingsOfAccount(fixed, "hedge").tokenSecret).toBeNull();
  const named = settingsOfAccount(readSettings({ FILLBOOK_TOKEN_SECRET: "perps/{account}/token" }), "hedge");
  expect(secretOf(named, named.tokenSecret ?? "")).toBe("perps/hedge/token");
});

test("for two accounts without tokens and archives, export creates no archive and names the account that lacks one", async () => {
  const store = memoryStore();
  const line = ["export", "--account", "main", "--account", "hedge", "--period", "us-2024", "--json"];
  const { code, stdout, stderr } = await run(line, { components: over(store) });
  expect(code).toBe(2);
  expect(stderr).toContain("several accounts, but one token: the service is not asked");
  expect(JSON.parse(stdout)).toEqual({
    error: expect.objectContaining({ message: expect.stringMatching(/^hedge: /) }),
  });
  expect(await Array.fromAsync(store.list(""))).toEqual([]);
});
