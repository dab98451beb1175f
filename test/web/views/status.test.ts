import { expect, test } from "vitest";
import { BEGINNING_MS, DAY_MS, HOUR_MS, type TimeRange } from "../../../lambda/core/time.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import { jobList } from "../../../lambda/web/views/jobs.ts";
import { archiveLine, archiveState, assumptionLine, checksText, gapsOf } from "../../../lambda/web/views/status.ts";
import { readable } from "../site/uploads.ts";
import { archiveOf, jobOf } from "./sample-data.ts";

const NOW = Date.UTC(2026, 10, 21, 14);
const FROM = Date.UTC(2026, 0, 1);
const upTo = (to: number, since = FROM) => [{ from: since, to }];
const WHOLE = upTo(NOW - HOUR_MS, BEGINNING_MS);
const GAP = [...upTo(FROM + DAY_MS), { from: FROM + 2 * DAY_MS, to: FROM + 3 * DAY_MS }];
const FAILED = { lastRun: { endedAt: NOW, complete: false, problem: "the token was refused" } };

// In a line of a list, and at the top of the account's page.
test.each<[readonly TimeRange[], Partial<ArchiveView>, string, RegExp]>([
  [WHOLE, {}, "Records complete up to 21 Nov 2026.", /1,700 fills kept\. No run yet/],
  [
    upTo(NOW - HOUR_MS),
    { firstTrade: Date.UTC(2026, 2, 4, 9) },
    "Records complete from 1 Jan 2026 up to 21 Nov 2026.",
    /kept, from 4 Mar 2026\..* ▲ Nothing before 1 Jan 2026 was read/,
  ],
  // No alarm: later fills are just not read yet.
  [
    upTo(Date.UTC(2026, 0, 2, 5), BEGINNING_MS),
    {},
    "Records complete up to 2 Jan 2026.",
    /No fills read since 2 Jan 2026 \(323 days\)/,
  ],
  [GAP, {}, "▲ 1 gap between 1 Jan 2026 and 4 Jan 2026.", /1,700 fills kept/],
  [[], { fills: 0 }, "Nothing was read yet.", /0 fills kept/],
  [[], {}, "No time is complete yet.", /1,700 fills kept/],
  [WHOLE, FAILED, "Records complete up to 21 Nov 2026. ▲ Last run: not complete.", /: not complete\. The token was/],
])("an archive's headline says how far it is complete: %j, %j", (coverage, changes, line, more) => {
  const usual = { fills: 1700, firstTrade: null, lastRun: null };
  const archive = archiveOf((text) => text, { ...usual, coverage, ...changes });
  expect(readable(archiveLine(archive).markup).trim()).toBe(line);
  const state = readable(archiveState(archive, NOW, null).markup);
  expect(state).toContain(line.split(" ▲ Last")[0]);
  expect(state).toMatch(more);
});

test("a gap lies between two ranges that were read", () => {
  expect(gapsOf({ coverage: GAP })).toEqual([{ from: FROM + DAY_MS, to: FROM + 2 * DAY_MS }]);
  expect(gapsOf({ coverage: [] })).toEqual([]);
});

test("the last checks show their time, range and result", () => {
  const textOf = (checks: Parameters<typeof checksText>[0]) => readable(checksText(checks).markup);
  const check = { kind: "files", period: null, checkedAt: NOW, seq: 1, ok: true, checked: 9, findings: 0 } as const;
  const found = { ...check, kind: "rewalk", period: "us-2025", ok: false, findings: 2 } as const;
  expect(textOf({ files: null, rewalk: null })).toBe("Files checked: never. Compared with the venue: never.");
  expect(textOf({ files: check, rewalk: found })).toMatch(
    /^Files checked on 21 Nov 2026 14:00 UTC : all unchanged\. ▲ .* for US tax year 2025 on .* : 2 findings\./,
  );
});

test("what is called complete says on what it rests, and nothing where it rests on answers alone", () => {
  const said = (silenceDays: number | null, vanished: number) =>
    readable(assumptionLine({ silenceDays, vanished }).markup).trim();
  expect(said(null, 0)).toBe("");
  expect(said(7, 0)).toMatch(
    /^Times without a known fill at both ends, .* were requested in ranges of up to 7 days\. If /,
  );
  expect(said(7, 3)).toMatch(/^▲ 3 fills of the account are no longer reported .* They stay in the records\. Times /);
});

test("a job that failed says why in the list, in one sentence", () => {
  const note = "The token of main.csv was refused. Ask for a new one.";
  const list = readable(jobList("main", [jobOf({ state: "failed", note }, (usual) => usual)]).markup);
  expect(list).toContain("The token of main.csv was refused.");
  expect(list).not.toContain("Ask for");
});
