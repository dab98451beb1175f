import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { customPeriod, type Period, parsePeriod } from "../../../../lambda/core/period.ts";
import { booksOf } from "../../../accounting/make.ts";
import { pageOf } from "./make.ts";
import { NO_READER, readPage } from "./read.ts";

const run = promisify(execFile);

async function commandsOf(period: Period, complete = true): Promise<readonly string[]> {
  const { commands } = await readPage(pageOf(booksOf([], { period }), { context: { complete } }));
  return commands;
}

describe.skipIf(NO_READER !== "")(`what the page tells people to type${NO_READER}`, () => {
  test("checks the files, and finds one that was changed", async () => {
    const [linux = ""] = await commandsOf(parsePeriod("us-2025"));
    const folder = await mkdtemp(join(tmpdir(), "fillbook-report-"));
    try {
      await writeFile(join(folder, "a.csv"), "1\n");
      // sha256 of "1\n"
      const sum = "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865";
      await writeFile(join(folder, "SHA256SUMS"), `${sum}  a.csv\n`);
      const [program = "", ...words] = linux.split(" ");
      await expect(run(program, words, { cwd: folder })).resolves.toMatchObject({ stdout: "a.csv: OK\n" });
      await writeFile(join(folder, "a.csv"), "2\n");
      await expect(run(program, words, { cwd: folder })).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    parsePeriod("us-2025"),
    parsePeriod("uk-2025", "Europe/Berlin"),
    parsePeriod("month-2025-03", "Asia/Tokyo"),
    parsePeriod("year-2025-07-01"),
    customPeriod("2025-01-01", "2025-02-01", "Africa/Cairo"),
    customPeriod("2025-01-01T10:00:00Z", "2025-02-01T11:30:00+02:00", "America/New_York"),
  ])("makes the same period again: $name", async (period) => {
    const command = (await commandsOf(period)).at(-1) ?? "";
    const option = (name: string) => new RegExp(`--${name} (?<value>\\S+)`).exec(command)?.groups?.["value"];
    const [name, zone] = [option("period"), option("zone")];
    const again =
      name === undefined ? customPeriod(option("from") ?? "", option("to") ?? "", zone) : parsePeriod(name, zone);
    expect(again).toEqual(period);
    expect(option("method")).toBe("fifo");
  });

  test("names the files of an incomplete pack as they are", async () => {
    const commands = await commandsOf(parsePeriod("us-2025"), false);
    expect(commands.slice(0, 3).every((command) => command.includes(" INCOMPLETE-SHA256SUMS"))).toBe(true);
    expect(commands.at(-1)).toMatch(/ --allow-incomplete$/);
  });
});
