import { describe, expect, test } from "vitest";
import { BEGINNING_MS, DAY_MS, HOUR_MS, type TimeRange } from "../../../lambda/core/time.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import {
  archiveLine,
  archiveState,
  assumptionLine,
  checksText,
  gapList,
  gapsOf,
} from "../../../lambda/web/views/status.ts";
import { readable } from "../site/uploads.ts";

const NOW = Date.UTC(2026, 10, 21, 14);
const FROM = Date.UTC(2026, 0, 1);
const upTo = (to: number, since = FROM) => [{ from: since, to }];
const WHOLE = upTo(NOW - HOUR_MS, BEGINNING_MS);
const GAP = [
  { from: FROM, to: FROM + DAY_MS },
  { from: FROM + 2 * DAY_MS, to: FROM + 3 * DAY_MS },
];
const FAILED = { lastRun: { endedAt: NOW, complete: false, problem: "the token was refused" } };

function archiveWith(coverage: readonly TimeRange[], changes: Partial<ArchiveView> = {}): ArchiveView {
  return {
    account: "main",
    coverage,
    fills: 1700,
    seq: 12,
    firstTrade: null,
    lastRun: null,
    assumed: { silenceDays: null, vanished: 0 },
    skewMs: 0,
    restatements: [],
    ...changes,
  };
}

// In a line of a list, and at the top of the account's page.
test.each<[readonly TimeRange[], Partial<ArchiveView>, string, string]>([
  [WHOLE, {}, "Records complete up to 21 Nov 2026.", " 1,700 fills kept. No run yet."],
  [
    upTo(NOW - HOUR_MS),
    { firstTrade: Date.UTC(2026, 2, 4, 9) },
    "Records complete from 1 Jan 2026 up to 21 Nov 2026.",
    " 1,700 fills kept, from 4 Mar 2026. No run yet. ▲ Nothing before 1 Jan 2026 was read.",
  ],
  // No alarm: later fills are just not read yet.
  [
    upTo(Date.UTC(2026, 0, 2, 5), BEGINNING_MS),
    {},
    "Records complete up to 2 Jan 2026.",
    " 1,700 fills kept. No fills read since 2 Jan 2026 (323 days). No run yet.",
  ],
  [GAP, {}, "▲ 1 gap between 1 Jan 2026 and 4 Jan 2026.", " 1,700 fills kept."],
  [[], { fills: 0 }, "Nothing was read yet.", " 0 fills kept. No run yet."],
  [[], {}, "No time is complete yet.", " 1,700 fills kept."],
  [
    WHOLE,
    FAILED,
    "Records complete up to 21 Nov 2026. ▲ Last run: not complete.",
    " 1,700 fills kept. Last run 21 Nov 2026 14:00 UTC : not complete. The token was refused.",
  ],
])("an archive's headline says how far it is complete: %j, %j", (coverage, changes, line, more) => {
  const archive = archiveWith(coverage, changes);
  expect(readable(archiveLine(archive).markup).trim()).toBe(line);
  const [head = ""] = line.split(" ▲ Last");
  expect(readable(archiveState(archive, NOW, null).markup)).toContain(head + more);
});

test("gaps are listed with their lengths", () => {
  expect(gapsOf(archiveWith(GAP))).toEqual([{ from: FROM + DAY_MS, to: FROM + 2 * DAY_MS }]);
  expect(gapList(archiveWith(GAP)).markup).toContain("UTC</time> (24 h 0 min)");
  expect(gapsOf({ coverage: [] })).toEqual([]);
});

test("the last checks show their time, range and result", () => {
  const textOf = (checks: Parameters<typeof checksText>[0]) => readable(checksText(checks).markup);
  const check = { kind: "files", period: null, checkedAt: NOW, seq: 1, ok: true, checked: 9, findings: 0 } as const;
  const found = { ...check, kind: "rewalk", period: "us-2025", ok: false, findings: 2 } as const;
  expect(textOf({ files: null, rewalk: check })).toContain("no fill missing or changed in the times that were read.");
  expect(textOf({ files: null, rewalk: null })).toBe("Files checked: never. Compared with the venue: never.");
  expect(textOf({ files: check, rewalk: found })).toMatch(
    /^Files checked on 21 Nov 2026 14:00 UTC : all unchanged\. ▲ Compared with the venue for US tax year 2025 on 21 Nov 2026 14:00 UTC : 2 findings\. +Ask whoever runs fillbook which\.$/,
  );
});

describe("what is called complete", () => {
  test("says on what it rests, and nothing where it rests on answers alone", () => {
    const silence =
      "Times without a known fill at both ends, such as those before the first fill, were requested in ranges of up to 7 days. If the venue silently shortens such answers, fills could be missing there.";
    const said = (silenceDays: number | null, vanished: number) =>
      readable(assumptionLine({ silenceDays, vanished }).markup).trim();
    expect([said(null, 0), said(7, 0)]).toEqual(["", silence]);
    expect(said(7, 3)).toBe(
      `▲ 3 fills of the account are no longer reported by the venue among the fills around them. They stay in the records. ${silence}`,
    );
  });
});
