import { expect, test } from "vitest";
import { readArguments } from "../../lambda/cli/arguments.ts";
import { readPeriod } from "../../lambda/cli/commands/export.ts";
import { customPeriod, parsePeriod } from "../../lambda/core/period.ts";
import { notOver } from "../../lambda/job/export-pack.ts";

const MINUTES_5 = 300_000;

function said(period: ReturnType<typeof parsePeriod>, iso: string, allowIncomplete = false) {
  const now = Date.parse(iso);
  const { kind, message, hint } = notOver(period, { now, latest: now - MINUTES_5 }, { allowIncomplete });
  return { kind, message, hint };
}

const RANGE = customPeriod("2026-01-01T09:30:00Z", "2027-01-01");

// The days so far end where fills can be read: it is still the day before in New York, and five minutes ago in London.
test.each([
  [parsePeriod("us-2026"), "2026-11-26T12:00:00Z", "us-2026", "America/New_York", "2026-01-01", "2026-11-26"],
  [parsePeriod("us-2026"), "2026-11-26T04:59:00Z", "us-2026", "America/New_York", "2026-01-01", "2026-11-25"],
  [RANGE, "2026-11-26T12:00:00Z", "the period", "UTC", "2026-01-01T09:30:00.000Z", "2026-11-26"],
])(
  "$name is not over at %s: its last day on the clocks of its zone, and the days so far",
  (period, now, name, zone, from, to) => {
    const hint = `for the time so far: --from ${from} --to ${to} --zone ${zone}`;
    const message = `${name} is not over: it ends on 31 December 2026 (${zone})`;
    expect(said(period, now, true)).toEqual({ kind: "incomplete", message, hint });
    expect(said(period, now).hint).toBe(`${hint}; or add --allow-incomplete`);
  },
);

test("an offset west of Greenwich is written with =, as the program takes it", async () => {
  const { hint = "" } = said(parsePeriod("calendar-2026", "-03:00"), "2026-11-26T12:00:00Z", true);
  expect(hint).toBe("for the time so far: --from 2026-01-01 --to 2026-11-26 --zone=-03:00");
  const read = await readArguments(["export", ...hint.slice(hint.indexOf("--")).split(" ")]);
  expect(read.kind === "run" && readPeriod(read.given)).toMatchObject({ zone: "-03:00", lastDay: "2026-11-25" });
});

test("nothing can be exported of a period that has just begun; one that has just ended is not said to go on", () => {
  expect(said(parsePeriod("us-2026"), "2026-01-01T12:00:00Z").hint).toBe("run again after that day");
  expect(said(parsePeriod("us-2026"), "2027-01-01T05:01:00Z").message).toContain("is covered yet");
});
