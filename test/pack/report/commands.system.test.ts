import { describe, expect, test } from "vitest";
import { readArguments } from "../../../lambda/cli/arguments.ts";
import { readPeriod } from "../../../lambda/cli/commands/export.ts";
import { customPeriod, type Period, parsePeriod } from "../../../lambda/core/period.ts";
import { booksOf } from "../../accounting/make.ts";
import { pageOf } from "../books.ts";
import { NO_READER, readPages } from "./read.ts";

async function commandsOf(period: Period, complete = true): Promise<readonly string[]> {
  const [read] = await readPages([pageOf(booksOf([], { period }), { context: { complete } })]);
  return read?.commands ?? [];
}

describe.skipIf(NO_READER !== "")(`the commands on the page${NO_READER}`, () => {
  test.each([
    parsePeriod("us-2025"),
    parsePeriod("uk-2025-26", "Europe/Berlin"),
    parsePeriod("month-2025-03", "Asia/Tokyo"),
    parsePeriod("year-2025-07-01"),
    customPeriod("2025-01-01", "2025-02-01", "Africa/Cairo"),
    parsePeriod("month-2025-03", "-03:00"),
    customPeriod("2025-01-01T10:00:00Z", "2025-02-01T11:30:00+02:00", "America/New_York"),
  ])("makes the same period again: $name", async (period) => {
    const command = (await commandsOf(period)).at(-1) ?? "";
    const read = await readArguments(command.split(" ").slice(1));
    const given = read.kind === "run" ? read.given : null;
    expect(given && readPeriod(given)).toEqual(period);
    expect(given?.text("method")).toBe("fifo");
  });

  test("use the file names of an incomplete pack", async () => {
    const commands = await commandsOf(parsePeriod("us-2025"), false);
    expect(commands[0]).toBe("sha256sum -c INCOMPLETE-SHA256SUMS");
    expect(commands.at(-1)).toMatch(/ --allow-incomplete$/);
  });
});
