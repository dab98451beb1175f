import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lastChecks, noteCheck } from "../../lambda/archive/checks.ts";
import type { Check } from "../../lambda/job/context.ts";
import { memoryStore } from "../support/memory-store.ts";

const CHECK: Check = { kind: "files", period: null, checkedAt: 1000, seq: 3, ok: true, checked: 12, findings: 0 };

const check: fc.Arbitrary<Check> = fc.record({
  kind: fc.constantFrom("files", "rewalk"),
  period: fc.constantFrom(null, "us-2025", "month-2025-03"),
  checkedAt: fc.nat(1e12),
  seq: fc.nat(),
  ok: fc.boolean(),
  checked: fc.nat(),
  findings: fc.nat(),
  packStore: fc.constantFrom("s3://packs", "/packs"),
});

describe("the last checks of an archive", () => {
  test("are none before the first", async () => {
    expect(await lastChecks(memoryStore(), "main")).toEqual({ files: null, rewalk: null });
  });

  test("are the newest of each kind, or a failed one that no later check has cleared", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(check), async (checks) => {
        const store = memoryStore();
        const rising = checks.map((one, at) => ({ ...one, checkedAt: one.checkedAt + at * 1e12 }));
        for (const one of rising) {
          await noteCheck(store, "main", one);
        }
        const all = [null, "us-2025", "month-2025-03"];
        expect(await lastChecks(store, "main")).toEqual(shownAfter(rising, all));
        expect(await lastChecks(store, "main", "us-2025")).toEqual(shownAfter(rising, [null, "us-2025"]));
      }),
      { numRuns: 60 },
    );
  });

  test("include a failed check of the whole archive, even if a later check of one period succeeded", async () => {
    const store = memoryStore();
    const failed: Check = { ...CHECK, ok: false, findings: 11 };
    await noteCheck(store, "main", failed);
    await noteCheck(store, "main", { ...CHECK, period: "month-2015-03", checkedAt: 2000 });
    expect((await lastChecks(store, "main")).files).toEqual(failed);
    const whole = { ...CHECK, checkedAt: 3000 };
    await noteCheck(store, "main", whole);
    expect((await lastChecks(store, "main")).files).toEqual(whole);
  });

  test("do not include a check stored under another check's name", async () => {
    const store = memoryStore();
    const text = JSON.stringify({ ...CHECK, format: "fillbook-check/1", account: "main", checkedAt: "2025-01-01" });
    await store.createNew("main/checks/files/us-2025.json", Buffer.from(text));
    await store.createNew("main/checks/rewalk/all.json", Buffer.from(text));
    expect(await lastChecks(store, "main")).toEqual({ files: null, rewalk: null });
  });

  test.each([
    ["no JSON", "{"],
    [
      "of another account",
      JSON.stringify({ ...CHECK, format: "fillbook-check/1", account: "other", checkedAt: "2025-01-01T00:00:00Z" }),
    ],
    ["without a format", JSON.stringify({ ...CHECK, account: "main" })],
    ["too long", `${" ".repeat(3000)}{}`],
    ["a list", "[]"],
  ])("a stored check that is %s counts as never checked", async (_, text) => {
    const store = memoryStore();
    await store.createNew("main/checks/files/all.json", Buffer.from(text));
    expect(await lastChecks(store, "main")).toEqual({ files: null, rewalk: null });
    await noteCheck(store, "main", CHECK);
    expect((await lastChecks(store, "main")).files).toEqual(CHECK);
  });
});

/**
 * The expected result, found by going through the checks in order: each check clears earlier failures in the
 * range that it covers.
 */
function shownAfter(checks: readonly Check[], periods: readonly (string | null)[]) {
  const shown = (kind: Check["kind"]) => {
    let failed: readonly Check[] = [];
    const own = checks.filter((one) => one.kind === kind && periods.includes(one.period));
    for (const one of own) {
      failed = one.period === null ? [] : failed.filter(({ period }) => period !== one.period);
      failed = one.ok ? failed : [...failed, one];
    }
    return failed.at(-1) ?? own.at(-1) ?? null;
  };
  return { files: shown("files"), rewalk: shown("rewalk") };
}
