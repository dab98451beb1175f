import { expect, test } from "vitest";
import { readArguments } from "../../lambda/cli/arguments.ts";
import { readPeriod } from "../../lambda/cli/commands/export.ts";
import { customPeriod, parsePeriod } from "../../lambda/core/period.ts";
import { notOver } from "../../lambda/job/not-over.ts";

const MINUTES_5 = 300_000;

function said(period: ReturnType<typeof parsePeriod>, iso: string, allowIncomplete = false) {
  const now = Date.parse(iso);
  const { kind, message, hint } = notOver(period, { now, latest: now - MINUTES_5 }, { allowIncomplete });
  return { kind, message, hint };
}

test("a tax year that is not over: its last day on the clocks of its zone, and the days so far", () => {
  expect(said(parsePeriod("us-2026"), "2026-11-26T12:00:00Z")).toEqual({
    kind: "incomplete",
    message: "us-2026 is not over: it ends on 31 December 2026 (America/New_York)",
    hint: "for the time so far: --from 2026-01-01 --to 2026-11-26 --zone America/New_York; or add --allow-incomplete",
  });
});

test("the days so far end where fills can be read: it is still the day before in New York, and five minutes ago in London", () => {
  const [newYork, london] = [parsePeriod("us-2026"), parsePeriod("uk-2026-27")];
  expect(said(newYork, "2026-11-26T04:59:00Z", true).hint).toMatch(/ --to 2026-11-25 --zone America\/New_York$/);
  expect(said(london, "2026-11-26T00:04:00Z", true).hint).toBe(
    "for the time so far: --from 2026-04-06 --to 2026-11-25 --zone Europe/London",
  );
});

test("a range is named by no name, and may begin at any time", () => {
  const period = customPeriod("2026-01-01T09:30:00Z", "2027-01-01");
  expect(said(period, "2026-11-26T12:00:00Z", true)).toMatchObject({
    message: "the period is not over: it ends on 31 December 2026 (UTC)",
    hint: "for the time so far: --from 2026-01-01T09:30:00.000Z --to 2026-11-26 --zone UTC",
  });
});

test("an offset west of Greenwich is written with =, as the program takes it", async () => {
  const { hint = "" } = said(parsePeriod("calendar-2026", "-03:00"), "2026-11-26T12:00:00Z", true);
  expect(hint).toBe("for the time so far: --from 2026-01-01 --to 2026-11-26 --zone=-03:00");
  const read = await readArguments(["export", ...hint.slice(hint.indexOf("--")).split(" ")]);
  expect(read.kind === "run" && readPeriod(read.given)).toMatchObject({ zone: "-03:00", lastDay: "2026-11-25" });
});

test("nothing can be exported yet of a period that has just begun", () => {
  expect(said(parsePeriod("us-2026"), "2026-01-01T12:00:00Z").hint).toBe("run again after that day");
});

test("a period that has just ended is not said to go on", () => {
  expect(said(parsePeriod("us-2026"), "2027-01-01T05:01:00Z").message).toContain("is covered yet");
});
