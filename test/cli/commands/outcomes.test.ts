import { expect, test } from "vitest";
import { exportOutcome } from "../../../lambda/cli/commands/export.ts";
import { statusOutcome } from "../../../lambda/cli/commands/status.ts";
import { syncOutcome } from "../../../lambda/cli/commands/sync.ts";
import { verifyOutcome } from "../../../lambda/cli/commands/verify.ts";
import { FillbookError } from "../../../lambda/core/errors.ts";
import type { ExportResult, StatusResult, SyncResult } from "../../../lambda/job/context.ts";

// The shapes that the contract fixes (design.md, "Commands"), from the flow's own records.

const NOW = Date.UTC(2026, 1, 1);
const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const DAY_MS = 86_400_000;
const WEEK = 7 * DAY_MS;
const JSON_YEAR = { from: "2025-01-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" };

const synced: SyncResult = {
  account: "main",
  ...YEAR,
  complete: true,
  fills: 20_134,
  added: 134,
  restated: 2,
  requests: 210,
  refused: 3,
  pages: 205,
  exceptions: 1,
  lateness: null,
  coverage: [YEAR],
  manifest: { seq: 12, sha256: "ab".repeat(32) },
  orphans: { deleted: 0, problem: null },
  deltaLogProblem: null,
  problem: null,
};

test("sync's JSON has the contract's fields, in its order and no others", () => {
  const { json } = syncOutcome(synced, WEEK);
  const fields = "account, from, to, complete, fills, added, restated, requests, pages, exceptions, coverage, manifest";
  expect(Object.keys(json).join(", ")).toBe(fields);
  expect(json).toEqual({
    account: "main",
    ...JSON_YEAR,
    complete: true,
    fills: 20_134,
    added: 134,
    restated: 2,
    requests: 210,
    pages: 205,
    exceptions: 1,
    coverage: [JSON_YEAR],
    manifest: { seq: 12, sha256: "ab".repeat(32) },
  });
});

// A market's name can be odd, and its fills can be calculated with: they are counted too.
test("sync says that rows are odd, and not that they cannot be read", () => {
  expect(syncOutcome(synced, WEEK).lines).toContain(
    "something is odd about 1 fill: exceptions.csv of an export says what",
  );
  expect(syncOutcome({ ...synced, exceptions: 0 }, WEEK).lines.join()).not.toContain("odd");
});

test("sync says since when it left the look-back alone, to people and to programs", () => {
  const { json, lines } = syncOutcome({ ...synced, leftAloneSince: Date.UTC(2026, 1, 1, 4) }, WEEK);
  const note =
    "covered days were not walked again: they were at 2026-02-01T04:00:00.000Z, less than 12 hours ago. To walk the last 7 now: --look-back 7";
  expect(lines).toContain(note);
  expect(json).toMatchObject({ notes: [note] });
});

test("sync's summary says what was collected; what could not be is a warning, and no reason to fail", () => {
  expect(syncOutcome({ ...synced, orphans: { deleted: 1200, problem: null } }, WEEK).lines).toContain(
    "1,200 objects deleted that nothing had named for a week",
  );
  const refused = new FillbookError("usage", "cannot delete s3://b/k: not allowed (AccessDenied)", {
    hint: "grant it",
  });
  const { warnings, problem } = syncOutcome({ ...synced, orphans: { deleted: 0, problem: refused } }, WEEK);
  expect(problem).toBeNull();
  expect(warnings).toEqual([
    "not all objects that nothing names any more could be deleted: cannot delete s3://b/k: not allowed (AccessDenied) (grant it). The archive is complete; the next sync tries again",
  ]);
  expect(syncOutcome(synced, WEEK).warnings).toEqual([]);
});

const exported: ExportResult = {
  account: "main",
  period: "calendar-2025",
  ...YEAR,
  zone: "UTC",
  method: "average",
  dir: "./out",
  complete: true,
  files: [
    { path: "fills.csv", bytes: 1_234_567, sha256: "cd".repeat(32), rows: 20_134 },
    { path: "SHA256SUMS", bytes: 90, sha256: "ef".repeat(32) },
  ],
  declared: [],
  notes: [],
  problem: null,
};

test("export's JSON has the contract's fields, in its order and no others", () => {
  const { json } = exportOutcome(exported);
  expect(Object.keys(json).join(", ")).toBe("account, period, from, to, zone, method, dir, complete, files");
  expect(json).toMatchObject({ ...JSON_YEAR, files: exported.files });
});

test("export's summary lists the files, or says that there are none", () => {
  expect(exportOutcome(exported).lines).toEqual([
    "main calendar-2025: complete for 2025-01-01T00:00:00.000Z to 2026-01-01T00:00:00.000Z (UTC)",
    "file        rows    size",
    "fills.csv   20,134  1.2 MB",
    "SHA256SUMS          90 B",
    "written to ./out",
  ]);
  expect(exportOutcome({ ...exported, complete: false, dir: null, files: [] }).lines).toEqual([
    "main calendar-2025: NOT complete for 2025-01-01T00:00:00.000Z to 2026-01-01T00:00:00.000Z (UTC)",
    "nothing was written",
  ]);
});

test("export says what it understood of declared positions: to people the first few, to programs more of them", () => {
  const asOf = Date.UTC(2025, 0, 1, 5);
  const used = { isUsed: true, unused: null, isPriceUsed: true, fillsUntilPack: 0, fillsInPack: 3 };
  const line = { ...used, market: "BTC-USD", quantity: 5n * 10n ** 17n, price: 42_000n * 10n ** 18n, asOf };
  const others = { ...used, market: null, quantity: 0n, price: null, asOf, isPriceUsed: null, fillsInPack: 0 };
  const zone = "America/New_York";
  const { json, lines } = exportOutcome({ ...exported, zone, declared: [line, others] });
  const [, ...said] = lines;
  expect(said.slice(0, 2)).toEqual([
    "Declared 0.5 BTC-USD (average price 42000) at 2025-01-01 00:00 (America/New_York); 3 fills of that market come after it in this pack",
    "Declared no position in any other market at 2025-01-01 00:00 (America/New_York); no fills of other markets come after it in this pack",
  ]);
  const when = { asOf: "2025-01-01T05:00:00.000Z", asOfLocal: "2025-01-01T00:00:00.000-05:00" };
  expect(json).toMatchObject({
    declared: {
      lines: 2,
      first: [
        { ...used, ...when, market: "BTC-USD", position: "0.5", averagePrice: "42000" },
        { ...used, ...when, market: "*", position: "0", averagePrice: null, isPriceUsed: null, fillsInPack: 0 },
      ],
    },
  });
  const many = exportOutcome({ ...exported, declared: Array.from({ length: 5000 }, () => line) });
  expect(many.lines.filter((text) => text.startsWith("Declared"))).toHaveLength(5);
  expect(many.lines).toContain("4,995 more lines of opening-positions.csv are not shown");
  expect(JSON.stringify(many.json).length).toBeLessThan(30_000);
  expect(many.json).toMatchObject({ declared: { lines: 5000 } });
});

const stood: StatusResult = {
  account: "main",
  store: "s3://bucket/prefix",
  fills: 5,
  coverage: [YEAR],
  gaps: [{ from: YEAR.to, to: YEAR.to + 1000 }],
  parts: 1,
  restated: 0,
  exceptions: 0,
  lateness: null,
  manifest: null,
  checkpoint: { open: [{ ...YEAR, pages: 3 }] },
  assumed: [{ ...YEAR, widthMs: 86.9 * DAY_MS }],
  lastAsked: { newest: YEAR.to - 1000, older: null },
  lastRun: { endedAt: YEAR.to, complete: false, problem: "the run was asked to stop" },
};

test("status shows every time as ISO 8601 UTC with milliseconds", () => {
  expect(statusOutcome(stood, WEEK).json).toEqual({
    account: "main",
    store: "s3://bucket/prefix",
    fills: 5,
    coverage: [JSON_YEAR],
    gaps: [{ from: JSON_YEAR.to, to: "2026-01-01T00:00:01.000Z" }],
    parts: 1,
    restated: 0,
    exceptions: 0,
    lateness: null,
    manifest: null,
    checkpoint: { open: [{ ...JSON_YEAR, pages: 3 }] },
    assumed: [{ ...JSON_YEAR, widthMs: 86.9 * DAY_MS }],
    lastAsked: { newest: "2025-12-31T23:59:59.000Z", older: null },
    lastRun: { endedAt: JSON_YEAR.to, complete: false, problem: "the run was asked to stop" },
  });
  expect(statusOutcome(stood, WEEK).lines).toEqual([
    "main in s3://bucket/prefix",
    "5 fills in 1 part; 0 restated, 0 with something odd",
    "no manifest yet: nothing was synced",
    "         from                      to",
    "covered  2025-01-01T00:00:00.000Z  2026-01-01T00:00:00.000Z",
    "gap      2026-01-01T00:00:00.000Z  2026-01-01T00:00:01.000Z",
    "open     2025-01-01T00:00:00.000Z  2026-01-01T00:00:00.000Z  3 pages",
    "assumed  2025-01-01T00:00:00.000Z  2026-01-01T00:00:00.000Z  no fills; asked for in ranges of 87 days, so that a service that silently cuts its answers to less could hide some",
    "the service was last asked for the newest days: 2025-12-31T23:59:59.000Z; for older days once more: never",
    "last run ended 2026-01-01T00:00:00.000Z: not complete, the run was asked to stop",
  ]);
});

test("a verification that found something is not to be trusted", () => {
  const finding = "main/fills/x.parquet has another hash";
  const { json, lines, problem } = verifyOutcome(
    {
      account: "main",
      ok: false,
      checked: 9,
      findings: [finding],
      rewalked: 2,
    },
    NOW,
  );
  expect(json).toEqual({ account: "main", ok: false, checked: 9, findings: [finding], rewalked: 2 });
  expect(lines).toEqual(["main: NOT as the manifest says; 9 objects checked, 2 windows walked again", `  ${finding}`]);
  expect(problem?.kind).toBe("untrusted");
  expect(verifyOutcome({ account: "main", ok: true, checked: 9, findings: [] }, NOW)).toEqual({
    json: { account: "main", ok: true, checked: 9, findings: [] },
    lines: ["main: as the manifest says; 9 objects checked"],
    problem: null,
  });
});

test("what a re-walk found is told by what to do: late fills are synced, damaged files restored", () => {
  const window = "window [2025-03-01T00:00:00.000Z, 2025-03-02T00:00:00.000Z) differs:";
  const more = `${window} the service answers 12 fills, the archive holds 9`;
  const less = `${window} the service answers 9 fills, the archive holds 12`;
  const hint = (...findings: string[]) =>
    verifyOutcome({ account: "main", ok: false, checked: 9, findings }, Date.UTC(2025, 2, 31)).problem?.hint;
  const sync = "the service now answers more fills than the archive holds: run sync --look-back 30 to file them";
  const restore = "restore the files that are named from a copy, or sync into a new store and compare";
  expect(hint(more)).toBe(sync);
  expect(hint(less)).toBe(restore);
  expect(hint(more, less)).toBe(`${sync}; ${restore}`);
});
