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
import { samplesOf } from "./samples.ts";

const TODAY = Date.UTC(2026, 10, 21);
const NOW = TODAY + 14 * HOUR_MS;

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

function stateText(archive: ArchiveView): string {
  return archiveState(archive, NOW, null)
    .markup.replaceAll(/<\/strong>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .trim();
}

describe("an archive's headline", () => {
  const from = Date.UTC(2026, 0, 1);
  const upTo = (to: number, since = from) => [{ from: since, to }];

  test("tells how far it is complete, and how many fills are kept", () => {
    expect(stateText(archiveWith(upTo(NOW - HOUR_MS), { firstTrade: Date.UTC(2026, 2, 4, 9) }))).toBe(
      "✓ Records complete from 1 Jan 2026 up to 21 Nov 2026. 1,700 fills kept, from 4 Mar 2026. No run yet.▲ Nothing before 1 Jan 2026 was read.",
    );
    const whole = archiveWith(upTo(NOW - HOUR_MS, BEGINNING_MS));
    expect(stateText(whole)).toBe("✓ Records complete up to 21 Nov 2026. 1,700 fills kept. No run yet.");
  });

  test("is no alarm if later fills are just not read yet; it says since when", () => {
    const archive = archiveWith(upTo(Date.UTC(2026, 0, 2, 5), Date.UTC(2025, 0, 1)));
    expect(stateText(archive)).toBe(
      "✓ Records complete from 1 Jan 2025 up to 2 Jan 2026. 1,700 fills kept. No fills read since 2 Jan 2026 (323 days). No run yet.▲ Nothing before 1 Jan 2025 was read.",
    );
    expect(gapsOf(archive)).toEqual([]);
  });

  test("counts gaps", () => {
    const coverage = [
      { from, to: from + DAY_MS },
      { from: from + 2 * DAY_MS, to: from + 3 * DAY_MS },
    ];
    expect(stateText(archiveWith(coverage))).toMatch(/^▲ 1 gap between 1 Jan 2026 and 4 Jan 2026\. 1,700 fills kept/);
    expect(gapsOf(archiveWith(coverage))).toEqual([{ from: from + DAY_MS, to: from + 2 * DAY_MS }]);
    expect(gapList(archiveWith(coverage)).markup).toContain("UTC</time> (24 h 0 min)");
    expect(gapsOf({ coverage: [] })).toEqual([]);
  });

  test("is no alarm when the last run did not complete, where nothing is missing; it says so", () => {
    const lastRun = { endedAt: NOW, complete: false, problem: "the token was refused" };
    const text = stateText(archiveWith(upTo(NOW, BEGINNING_MS), { lastRun }));
    expect(text).toMatch(/^✓ Records complete up to 21 Nov 2026.* not complete\. The token was refused\.$/);
  });

  test("is the same in the list of accounts", () => {
    const lineOf = (archive: ArchiveView) => archiveLine(archive).markup.replaceAll(/<[^>]*>/g, "");
    expect(lineOf(archiveWith(upTo(NOW, BEGINNING_MS)))).toBe("Records complete up to 21 Nov 2026.");
    expect(lineOf(archiveWith(upTo(NOW)))).toBe("Records complete from 1 Jan 2026 up to 21 Nov 2026.");
    expect(lineOf(archiveWith([], { fills: 0 }))).toBe("Nothing was read yet.");
    expect(lineOf(archiveWith([]))).toBe("No time is complete yet.");
    const lastRun = { endedAt: NOW, complete: false, problem: null };
    expect(lineOf(archiveWith(upTo(NOW, BEGINNING_MS), { lastRun }))).toBe(
      "Records complete up to 21 Nov 2026. ▲ Last run: not complete.",
    );
  });
});

test("the last checks show their time, range and result", () => {
  const textOf = (checks: Parameters<typeof checksText>[0]) => checksText(checks).markup.replaceAll(/<[^>]*>/g, "");
  const check = { kind: "files", period: null, checkedAt: NOW, seq: 1, ok: true, checked: 9, findings: 0 } as const;
  expect(textOf({ files: null, rewalk: check })).toContain("no fill missing or changed in the times that were read.");
  expect(textOf({ files: null, rewalk: null })).toBe("Files checked: never. Compared with the venue: never.");
  expect(
    textOf({ files: check, rewalk: { ...check, kind: "rewalk", period: "us-2025", ok: false, findings: 2 } }),
  ).toBe(
    "Files checked on 21 Nov 2026 14:00 UTC: all unchanged. ▲ Compared with the venue for US tax year 2025 on 21 Nov 2026 14:00 UTC: 2 findings. Ask whoever runs fillbook which.",
  );
});

const text = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").trim();
const SILENCE =
  "Times without a known fill at both ends, such as those before the first fill, were requested in ranges of up to 7 days. If the venue silently shortens such answers, fills could be missing there.";

describe("what is called complete", () => {
  test("says on what it rests, and nothing where it rests on answers alone", () => {
    expect(assumptionLine({ silenceDays: null, vanished: 0 }).markup).toBe("");
    expect(text(assumptionLine({ silenceDays: 7, vanished: 0 }).markup)).toBe(SILENCE);
    expect(text(assumptionLine({ silenceDays: 7, vanished: 3 }).markup)).toBe(
      `▲ 3 fills of the account are no longer reported by the venue among the fills around them. They stay in the records.${SILENCE}`,
    );
  });

  test.each(["pack", "pack-incomplete", "overview"])("stands on the page: %s", (name) => {
    const page = samplesOf().find((sample) => sample.name === name)?.page ?? "";
    expect(text(page)).toContain(SILENCE);
  });
});
