import { describe, expect, test } from "vitest";
import { BEGINNING_MS, DAY_MS, HOUR_MS, type TimeRange } from "../../../lambda/core/time.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import { jobList } from "../../../lambda/web/views/jobs.ts";
import { fileList } from "../../../lambda/web/views/pack-files.ts";
import { periodDays, periodTitle, periodTitleText } from "../../../lambda/web/views/period-title.ts";
import { archiveLine, archiveState, assumptionLine, checksText, gapsOf } from "../../../lambda/web/views/status.ts";
import { sentenceOf } from "../../../lambda/web/words.ts";
import { CONTRACT } from "../../pack/pack.ts";
import { readable } from "../site/uploads.ts";
import { archiveOf, jobOf, packOf } from "./sample-data.ts";

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

describe("a period has the name that people use", () => {
  test.each([
    ["us-2025", "US tax year 2025", "1 Jan 2025 – 31 Dec 2025"],
    ["uk-2025-26", "UK tax year 2025/26", "6 Apr 2025 – 5 Apr 2026"],
    ["de-2024", "Germany tax year 2024", "1 Jan 2024 – 31 Dec 2024"],
    ["au-2024-25", "Australia tax year 2024/25", "1 Jul 2024 – 30 Jun 2025"],
    ["us-2025-Europe_London", "US tax year 2025, Europe/London", "1 Jan 2025 – 31 Dec 2025"],
    ["calendar-2025", "Calendar year 2025", "1 Jan 2025 – 31 Dec 2025"],
    ["month-2024-02", "February 2024", "1 Feb 2024 – 29 Feb 2024"],
    ["year-2025-07-01", "Twelve months 1 Jul 2025 – 30 Jun 2026", "1 Jul 2025 – 30 Jun 2026"],
    ["custom-2025-01-15-2025-02-01", "15 Jan 2025 – 31 Jan 2025", "15 Jan 2025 – 31 Jan 2025"],
  ])("%s", (name, title, days) => {
    expect([periodTitleText(name), periodTitle(name).markup, periodDays(name)]).toEqual([title, title, days]);
  });

  test.each(["", "x", "us-2025x", "<b>", "custom-20250101T120000.000Z-2025-02-01", "month-2025-13"])(
    "%j, which names no days, is unchanged",
    (name) => {
      expect([periodTitleText(name), periodDays(name)]).toEqual([name, null]);
      expect(periodTitle(name).markup).toMatch(/^<bdi>/);
    },
  );
});

test("every file of the contract has a purpose", () => {
  const files = CONTRACT.map((path) => ({ path, bytes: 1, sha256: null }));
  const list = fileList("main", packOf({ files })).markup;
  expect(list).toContain("For the accountant");
  expect(list).not.toContain("Other files");
});

test.each([
  ["s3://books/x is damaged", "s3://books/x is damaged."],
  ["funding.csv is empty", "funding.csv is empty."],
  ["the pack is ready", "The pack is ready."],
  ["Is it?", "Is it?"],
])("%s", (message, sentence) => {
  expect(sentenceOf(message)).toBe(sentence);
});

test("a job that failed says why in the list, in one sentence", () => {
  const note = "The token of main.csv was refused. Ask for a new one.";
  const list = readable(jobList("main", [jobOf({ state: "failed", note }, (usual) => usual)]).markup);
  expect(list).toContain("The token of main.csv was refused.");
  expect(list).not.toContain("Ask for");
});
