import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Check } from "../../../lambda/job/context.ts";
import { lastChecks, noteCheck } from "../../../lambda/pack/make/checks.ts";
import { memoryStore } from "../../support/memory-store.ts";

const CHECK: Check = { kind: "files", period: null, checkedAt: 1000, seq: 3, ok: true, checked: 12, findings: 0 };

/** Of the manifest's number and any later one. */
const NOW_AT = { seq: Number.MAX_SAFE_INTEGER };

const check: fc.Arbitrary<Check> = fc.record(
  {
    kind: fc.constantFrom("files", "rewalk"),
    period: fc.constantFrom(null, "us-2025", "month-2025-03"),
    checkedAt: fc.nat(1e12),
    seq: fc.nat(),
    ok: fc.boolean(),
    checked: fc.nat(),
    findings: fc.nat(),
    packStore: fc.constantFrom("s3://packs", "/packs"),
  },
  { requiredKeys: ["kind", "period", "checkedAt", "seq", "ok", "checked", "findings"] },
);

describe("the last checks of an archive", () => {
  test("are the newest of each kind, or a failed one that no later check has cleared", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(check), async (checks) => {
        const store = memoryStore();
        const rising = checks.map((one, at) => ({ ...one, checkedAt: one.checkedAt + at * 1e12 }));
        for (const one of rising) {
          await noteCheck(store, "main", one);
        }
        const all = [null, "us-2025", "month-2025-03"];
        expect(await lastChecks(store, "main", NOW_AT)).toEqual(shownAfter(rising, all));
        const ofYear = await lastChecks(store, "main", { ...NOW_AT, period: "us-2025" });
        expect(ofYear).toEqual(shownAfter(rising, [null, "us-2025"]));
        const ofPacks = await lastChecks(store, "main", { ...NOW_AT, packStore: "/packs" });
        expect(ofPacks).toEqual(shownAfter(rising, all, "/packs"));
      }),
      { numRuns: 60 },
    );
  });

  test("keep a finding when a check that began before it ends well after it", async () => {
    const store = memoryStore();
    const found: Check = { ...CHECK, checkedAt: 2000, ok: false, findings: 2 };
    await noteCheck(store, "main", found);
    await noteCheck(store, "main", CHECK);
    expect((await lastChecks(store, "main", NOW_AT)).files).toEqual(found);
    // Also if the clock was wrong when the good one was made: a finding is never dropped.
    await noteCheck(store, "main", { ...CHECK, kind: "rewalk", checkedAt: 9e12 });
    await noteCheck(store, "main", { ...found, kind: "rewalk" });
    expect((await lastChecks(store, "main", NOW_AT)).rewalk).toEqual({ ...found, kind: "rewalk" });
  });

  test("are not those of a later state of the archive, as when an older head was restored", async () => {
    const store = memoryStore();
    await noteCheck(store, "main", { ...CHECK, seq: 6, ok: false, findings: 1 });
    await noteCheck(store, "main", { ...CHECK, kind: "rewalk", seq: 5 });
    const { files, rewalk } = await lastChecks(store, "main", { seq: 5 });
    expect([files, rewalk?.seq]).toEqual([null, 5]);
  });

  const stored = (checks: unknown, more: Record<string, unknown> = {}) =>
    JSON.stringify({ format: "fillbook-checks/1", account: "main", checks, ...more });

  test.each([
    ["no JSON", "{"],
    ["of another account", stored([CHECK], { account: "other" })],
    ["of another format", stored([CHECK], { format: "fillbook-checks/9" })],
    ["no list", stored({})],
    ["a list of others", stored([{ ...CHECK, kind: "other" }, { ...CHECK, seq: -1 }, { ...CHECK, ok: 1 }, null, []])],
    ["a list", "[]"],
  ])("that are %s count as none", async (_, text) => {
    const store = memoryStore();
    await store.createNew("main/checks/newest.json", Buffer.from(text));
    expect(await lastChecks(store, "main", NOW_AT)).toEqual({ files: null, rewalk: null });
    await noteCheck(store, "main", CHECK);
    expect((await lastChecks(store, "main", NOW_AT)).files).toEqual(CHECK);
  });

  test("by two runs at once are both kept", async () => {
    const store = memoryStore();
    const rewalk = { ...CHECK, kind: "rewalk" } as const;
    await Promise.all([CHECK, rewalk].map((one) => noteCheck(store, "main", one)));
    expect(await lastChecks(store, "main", NOW_AT)).toEqual({ files: CHECK, rewalk });
  });
});

/**
 * The expected result, found by going through the checks in order: each check clears earlier failures in the
 * range that it covers.
 */
function shownAfter(checks: readonly Check[], periods: readonly (string | null)[], packs?: string) {
  const shown = (kind: Check["kind"]) => {
    let failed: readonly Check[] = [];
    const own = checks.filter((one) => one.kind === kind && periods.includes(one.period));
    for (const one of own) {
      const covers = ({ period, packStore }: Check) =>
        (one.period === null || one.period === period) && (packStore === undefined || packStore === one.packStore);
      failed = failed.filter((earlier) => !covers(earlier));
      failed = one.ok ? failed : [...failed, one];
    }
    const whole = own.filter((one) => kind === "rewalk" || packs === undefined || one.packStore === packs);
    return failed.at(-1) ?? whole.at(-1) ?? null;
  };
  return { files: shown("files"), rewalk: shown("rewalk") };
}
