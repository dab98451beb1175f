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
});

describe("the last checks of an archive", () => {
  test("are none before the first", async () => {
    expect(await lastChecks(memoryStore(), "main")).toEqual({ files: null, rewalk: null });
  });

  test("are the newest of each kind that was noted, of all periods or of one and the whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(check), async (checks) => {
        const store = memoryStore();
        const rising = checks.map((one, at) => ({ ...one, checkedAt: one.checkedAt + at * 1e12 }));
        for (const one of rising) {
          await noteCheck(store, "main", one);
        }
        const newest = (kind: Check["kind"], periods: readonly (string | null)[]) =>
          rising.findLast((one) => one.kind === kind && periods.includes(one.period)) ?? null;
        const all = [null, "us-2025", "month-2025-03"];
        expect(await lastChecks(store, "main")).toEqual({ files: newest("files", all), rewalk: newest("rewalk", all) });
        const own = [null, "us-2025"];
        expect(await lastChecks(store, "main", "us-2025")).toEqual({
          files: newest("files", own),
          rewalk: newest("rewalk", own),
        });
      }),
      { numRuns: 30 },
    );
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
  ])("what was put there and is %s counts as never checked", async (_, text) => {
    const store = memoryStore();
    await store.createNew("main/checks/files/all.json", Buffer.from(text));
    expect(await lastChecks(store, "main")).toEqual({ files: null, rewalk: null });
    await noteCheck(store, "main", CHECK);
    expect((await lastChecks(store, "main")).files).toEqual(CHECK);
  });
});
