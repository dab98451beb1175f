import { describe, expect, test } from "vitest";
import { exportOutcome } from "../../../lambda/cli/commands/export.ts";
import { statusOutcome } from "../../../lambda/cli/commands/status.ts";
import { syncOutcome } from "../../../lambda/cli/commands/sync.ts";
import { verifyOutcome } from "../../../lambda/cli/commands/verify.ts";
import { jsonText } from "../../../lambda/cli/terminal-text.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { FillbookError } from "../../../lambda/core/errors.ts";
import type { ExportResult, StatusResult, SyncResult } from "../../../lambda/job/context.ts";
import { exactly } from "../../support/amounts.ts";

// The JSON fields that the contract fixes (design.md, "Commands"), built from the job's own results.

/** As a program reads it. */
const printed = (json: object) => JSON.parse(jsonText(json));

const NOW = Date.UTC(2026, 1, 1);
const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const DAY_MS = 86_400_000;
const LATER = { from: YEAR.to + 1000, to: NOW };
const JSON_YEAR = { from: "2025-01-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" };
const JSON_LATER = { from: "2026-01-01T00:00:01.000Z", to: "2026-02-01T00:00:00.000Z" };

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
  coverage: [{ ...YEAR, readings: 2, silentIn: null }],
  manifest: { seq: 12, sha256: "ab".repeat(32) },
  orphans: { deleted: 0, problem: null },
  problem: null,
};

test("sync's JSON has the contract's fields, in its order and no others", () => {
  const json = printed(syncOutcome(synced).json);
  const fields = "account, from, to, complete, fills, added, restated, requests, pages, exceptions, coverage, manifest";
  expect(Object.keys(json).join(", ")).toBe(fields);
  const { refused: _, orphans: __, problem: ___, ...told } = synced;
  expect(json).toEqual({ ...told, ...JSON_YEAR, coverage: [{ ...JSON_YEAR, readings: 2 }] });
});

test("sync's summary counts the collected orphans; a failed collection is a warning and does not fail the run", () => {
  expect(syncOutcome({ ...synced, orphans: { deleted: 1200, problem: null } }).lines).toContain(
    "1,200 objects deleted that were unused for a week",
  );
  const refused = new FillbookError("usage", "cannot delete s3://b/k: not allowed", { hint: "grant it" });
  const { warnings, problem } = syncOutcome({ ...synced, orphans: { deleted: 0, problem: refused } });
  expect(problem).toBeNull();
  expect(warnings).toEqual([
    "not all unused objects could be deleted: cannot delete s3://b/k: not allowed (grant it). The archive is complete; the next sync tries again",
  ]);
  expect(syncOutcome(synced).warnings).toEqual([]);
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
  zip: null,
  declared: [],
  accounts: [],
  verdict: null,
  notes: [],
  problem: null,
};

test("export's JSON has the contract's fields, in its order and no others", () => {
  const json = printed(exportOutcome(exported).json);
  expect(Object.keys(json).join(", ")).toBe("account, period, from, to, zone, method, dir, complete, files");
  expect(json).toMatchObject({ ...JSON_YEAR, files: exported.files });
  expect(printed(exportOutcome({ ...exported, zip: "./out.zip" }).json)).toEqual({ ...json, zip: "./out.zip" });
});

test("export prints how it understood the declared positions, the first few of them", () => {
  const asOf = Date.UTC(2025, 0, 1, 5);
  const used = { isUsed: true, unused: null, isPriceUsed: true };
  const line = { ...used, market: "BTC-USD", quantity: exactly("0.5"), price: exactly("42000"), asOf };
  const others = { ...used, market: null, quantity: ZERO, price: null, asOf, isPriceUsed: null };
  const zone = "America/New_York";
  const { lines } = exportOutcome({ ...exported, zone, declared: [line, others] });
  expect(lines.slice(1, 3)).toEqual([
    "Declared 0.5 BTC-USD (average price 42000) at 2025-01-01 00:00 (America/New_York)",
    "Declared no position in any other market at 2025-01-01 00:00 (America/New_York)",
  ]);
  const each = exportOutcome({ ...exported, accounts: [{ ...exported, account: "hedge", declared: [others] }] });
  expect(each.lines).toContain("hedge: Declared no position in any other market at 2025-01-01 05:00 (UTC)");
  const many = exportOutcome({ ...exported, declared: Array.from({ length: 5000 }, () => line) });
  expect(many.lines.filter((text) => text.startsWith("Declared"))).toHaveLength(5);
  expect(many.lines).toContain("4,995 more lines of opening-positions.csv are not shown");
});

const stood: StatusResult = {
  account: "main",
  store: "s3://bucket/prefix",
  fills: 5,
  coverage: [
    { ...YEAR, readings: 2, silentIn: 28 * DAY_MS },
    { ...LATER, readings: 1, silentIn: null },
  ],
  gaps: [{ from: YEAR.to, to: LATER.from }],
  readOnce: [LATER],
  dataFiles: 1,
  restated: 0,
  exceptions: 0,
  vanished: 2,
  manifest: null,
  silentInMs: 28 * DAY_MS,
  lastAsked: { newest: YEAR.to - 1000, older: null },
  lastRun: { endedAt: YEAR.to, complete: false, problem: "the run was asked to stop" },
  checks: {
    files: { kind: "files", period: null, checkedAt: NOW - 3 * DAY_MS, seq: 4, ok: true, checked: 9, findings: 0 },
    rewalk: null,
  },
};

test("status shows every time as ISO 8601 UTC with milliseconds", () => {
  expect(printed(statusOutcome(stood, NOW).json)).toEqual({
    account: "main",
    store: "s3://bucket/prefix",
    ...{ fills: 5, dataFiles: 1, restated: 0, exceptions: 0, vanished: 2, manifest: null },
    coverage: [
      { ...JSON_YEAR, readings: 2 },
      { ...JSON_LATER, readings: 1 },
    ],
    gaps: [{ from: JSON_YEAR.to, to: JSON_LATER.from }],
    readOnce: [JSON_LATER],
    silentInMs: 28 * DAY_MS,
    lastAsked: { newest: "2025-12-31T23:59:59.000Z", older: null },
    lastRun: { endedAt: JSON_YEAR.to, complete: false, problem: "the run was asked to stop" },
    lastChecks: {
      files: {
        kind: "files",
        checkedAt: "2026-01-29T00:00:00.000Z",
        period: null,
        seq: 4,
        ok: true,
        checked: 9,
        findings: 0,
      },
      rewalk: null,
    },
  });
  expect(statusOutcome(stood, NOW).lines).toEqual([
    "main in s3://bucket/prefix",
    "Complete from 2025-01-01 until 2026-01-01; later times have 1 gap. 5 fills in the archive.",
    "Missing: all before 2025-01-01. To read it: fillbook sync --to 2025-01-01",
    "Missing: 2026-01-01 to 2026-01-01T00:00:01Z. To read it: fillbook sync --from 2026-01-01 --to 2026-01-01T00:00:01Z",
    "Read once: 2026-01-01T00:00:01Z to 2026-02-01. To read it again: fillbook sync",
    "The newest days were last read again 2025-12-31 23:59 UTC (31 days ago); of older days, the weekly piece was not read again yet.",
    "Files checked against their hashes: 2026-01-29 (3 days ago): all as recorded.",
    "Archive compared with the service: never. To compare: fillbook verify --rewalk",
    "The last run ended 2026-01-01 (31 days ago): not complete, the run was asked to stop.",
    "Assumed: the service answers ranges of up to 28 days whole. So wide it was asked where it has no fills; if it silently shortens such answers, fills could be missing there.",
    "The service no longer shows 2 fills of the archive: kept.",
    "1 data file; 0 restated, 0 with exceptions",
  ]);
});

test("status prints one sentence for a complete archive, for one that was read once, and how to begin for an empty one", () => {
  const all = { from: Date.UTC(2015, 0, 1), to: YEAR.to };
  const coverage = [{ ...all, readings: 2 as const, silentIn: null }];
  const whole = { ...stood, coverage, gaps: [], readOnce: [], silentInMs: null };
  const { lines, next } = statusOutcome(whole, NOW);
  expect(lines[1]).toBe("Complete from the account's beginning until 2026-01-01: 5 fills in the archive.");
  expect(lines.join("\n")).not.toMatch(/Missing|Read once|Assumed/);
  expect(next?.[0]).toContain("fillbook export");
  const checks = { ...whole.checks, files: whole.checks.files && { ...whole.checks.files, ok: false, findings: 1 } };
  expect(statusOutcome({ ...whole, checks }, NOW).next?.[0]).toBe("fillbook verify");
  const once = { ...whole, coverage: [{ ...all, readings: 1 as const, silentIn: null }], readOnce: [all] };
  expect(statusOutcome(once, NOW).lines.slice(1, 3)).toEqual([
    "Nothing is complete yet: what was read waits for its second reading. 5 fills in the archive.",
    "Read once: all before 2026-01-01. To read it again: fillbook sync",
  ]);
  expect(statusOutcome(once, NOW).next?.[0]).toBe("fillbook sync");
  const empty = { ...whole, coverage: [], lastRun: null };
  expect(statusOutcome(empty, NOW).lines[1]).toBe("Nothing is complete yet. To read the account: fillbook sync");
});

test("a verification with findings fails as untrusted", () => {
  const finding = "main/fills/x.ndjson.zst has another hash";
  const damaged = { account: "main", ok: false, checked: 9, findings: [finding], rewalked: 2 };
  const lines = ["main: 1 problem found; 9 files checked, 2 windows read again", `  ${finding}`];
  const problem = expect.objectContaining({ kind: "untrusted" });
  expect(verifyOutcome(damaged, NOW)).toMatchObject({ json: damaged, lines, problem, warnings: [] });
  const sound = { account: "main", ok: true, checked: 9, findings: [] };
  const all = ["main: all 9 files match their hashes"];
  expect(verifyOutcome(sound, NOW)).toMatchObject({ json: sound, lines: all, problem: null, warnings: [] });
});

describe("the findings of a re-walk say what to do", () => {
  const DAY = { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 2, 2) };
  const finding =
    "window [2025-03-01T00:00:00.000Z, 2025-03-02T00:00:00.000Z) differs: the service returns 12 fills, the archive holds 9 (3 not in the archive)";
  const found = (now: number, findings: readonly string[], lacking = [{ ...DAY, missing: 3, changed: 0 }]) =>
    verifyOutcome({ account: "main", ok: false, checked: 9, findings, rewalked: 1, lacking }, now);
  const restore = "restore the named files from a copy, or sync into a new store and compare";

  test("missing fills: their number and their days", () => {
    const { json, lines } = found(NOW, [finding]);
    expect(lines.at(-1)).toBe(
      "The service has 3 fills that the archive lacks, created from 2025-03-01T00:00:00.000Z to 2025-03-02T00:00:00.000Z.",
    );
    expect(printed(json)).toMatchObject({
      lacking: [{ from: "2025-03-01T00:00:00.000Z", to: "2025-03-02T00:00:00.000Z", missing: 3, changed: 0 }],
    });
  });

  const unread = "2025-03-01T00:00:00.000Z to 2025-03-01T01:00:00.000Z could not be read: the dates were refused";
  const reads = "run fillbook sync --again --from 2025-03-01 --to 2025-03-02: it reads what the archive lacks";
  const other = "main/fills/x has another hash";
  const ofPack = "/books/main/packs/us-2025/1/fills.csv is missing; SHA256SUMS says 0";
  const anew = "move the folder of the damaged pack away, and export again with the same settings and files";
  test.each([
    // Nothing is in doubt.
    [[unread], "incomplete", "what could not be read was not compared: run again"],
    [[unread, other], "untrusted", `what could not be read was not compared: run again; ${restore}`],
    [[finding], "untrusted", reads],
    [[finding, other], "untrusted", `${reads}; ${restore}`],
    [[other], "untrusted", restore],
    [["x/y.csv is not listed in its SHA256SUMS"], "untrusted", "move away the files that are not listed"],
    [[ofPack], "untrusted", anew],
    [[ofPack, other], "untrusted", `${anew}; ${restore}`],
  ])("%j: %s, %s", (findings, kind, hint) => {
    const lacking = findings.includes(finding) ? undefined : [];
    expect(found(NOW, findings, lacking).problem).toMatchObject({ kind, hint });
  });
});
