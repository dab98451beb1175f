import { describe, expect, it } from "vitest";
import { NOW_MS, readChain } from "./asking.ts";
import { createEmulator, type Emulator } from "./core.ts";
import { historyItems, makeHistory } from "./history.ts";
import { type BadRowKind, type Switches, UNFILABLE_KINDS, UNTYPED_KINDS } from "./switches.ts";
import { type CompletedOrder, type EmulatorAnswer, itemIdentity } from "./wire.ts";

const DAY_MS = 86_400_000;
const TO = Date.UTC(2026, 0, 1);
const HISTORY = makeHistory({ seed: 9, fills: 600, from: Date.UTC(2025, 0, 1), to: TO });
const ALL = [...historyItems(HISTORY)];

const emulate = (switches: Partial<Switches>): Emulator => createEmulator({ seed: 9, history: HISTORY, switches });
const byIdentity = (rows: readonly CompletedOrder[]) => new Map(rows.map((row) => [itemIdentity(row), row]));

describe("late rows", () => {
  it("appear with time, never before their txCreated plus the delay drawn, and then stay", () => {
    const emulator = emulate({ lateRows: { share: 0.3, maxDelayMs: 30 * DAY_MS } });
    const sizes = [TO, TO + 15 * DAY_MS, TO + 30 * DAY_MS].map((nowMs) => {
      const { rows } = readChain(emulator, { nowMs });
      expect(byIdentity(rows)).toEqual(emulator.truth(nowMs));
      return rows.length;
    });
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes[0]).toBeLessThan(ALL.length);
    expect(sizes[2]).toBe(ALL.length);
  });

  it("appear with the number of requests, for readers on real time", () => {
    const emulator = emulate({ lateRows: { share: 0.3, afterRequests: 50 } });
    const early = readChain(emulator).rows.length;
    expect(early).toBeLessThan(ALL.length * 0.8);
    while (emulator.log.completedOrders.length < 50) {
      readChain(emulator);
    }
    expect(readChain(emulator).rows).toHaveLength(ALL.length);
  });
});

describe("changing rows", () => {
  it("gain filledAt, and nothing else changes", () => {
    const emulator = emulate({ changingRows: { share: 0.5, what: "filledAt-appears", afterRequests: 20 } });
    const before = readChain(emulator).rows;
    while (emulator.log.completedOrders.length < 20) {
      readChain(emulator, { maxPages: 1 });
    }
    const after = readChain(emulator).rows;
    const without = (rows: readonly CompletedOrder[]) => rows.map(({ filledAt: _, ...rest }) => rest);
    const shown = (rows: readonly CompletedOrder[]) => rows.filter((row) => row.filledAt !== undefined).length;
    expect(without(after)).toEqual(without(before));
    expect(shown(after) - shown(before)).toBeGreaterThan(200);
    expect(byIdentity(after)).toEqual(emulator.truth());
  });

  it("change their content at a time after their creation", () => {
    const emulator = emulate({ changingRows: { share: 0.5, what: "content", afterMs: 60 * DAY_MS } });
    const differing = (nowMs: number) => {
      const seen = byIdentity(readChain(emulator, { nowMs }).rows);
      return ALL.filter((row) => seen.get(itemIdentity(row))?.fees !== row.fees);
    };
    const atEnd = differing(TO);
    expect(atEnd.every((row) => row.txCreated <= TO - 60 * DAY_MS)).toBe(true);
    expect(differing(TO + 60 * DAY_MS).length).toBeGreaterThan(atEnd.length);
  });
});

describe("clamp", () => {
  const clamp = { widthMs: 30 * DAY_MS, alsoSingleBound: false } as const;
  const range = (rows: readonly CompletedOrder[]) => [rows.at(-1)?.txCreated ?? 0, rows[0]?.txCreated ?? 0] as const;
  const wide = { startDate: Date.UTC(2025, 2, 1), endDate: Date.UTC(2025, 8, 1) };

  it("keeps one end of a range that is too wide, and leaves the others as they are", () => {
    const atEnd = range(readChain(emulate({ clamp: { ...clamp, anchor: "end" } }), wide).rows);
    expect(atEnd[0]).toBeGreaterThanOrEqual(wide.endDate - clamp.widthMs);
    const atStart = range(readChain(emulate({ clamp: { ...clamp, anchor: "start" } }), wide).rows);
    expect(atStart[1]).toBeLessThanOrEqual(wide.startDate + clamp.widthMs);
    const narrow = { startDate: wide.startDate, endDate: wide.startDate + clamp.widthMs };
    expect(readChain(emulate({ clamp: { ...clamp, anchor: "end" } }), narrow).rows).toEqual(
      readChain(emulate({}), narrow).rows,
    );
    expect(readChain(emulate({ clamp: { ...clamp, anchor: "end" } })).rows).toHaveLength(ALL.length);
  });

  it("reaches ranges with one bound, and none, when told to", () => {
    const emulator = emulate({ clamp: { ...clamp, alsoSingleBound: true, anchor: "end", noDatesMs: 60 * DAY_MS } });
    expect(range(readChain(emulator, { endDate: wide.endDate }).rows)[0]).toBeGreaterThanOrEqual(
      wide.endDate - clamp.widthMs,
    );
    expect(range(readChain(emulator).rows)[0]).toBeGreaterThanOrEqual(NOW_MS - 60 * DAY_MS);
  });
});

describe("retention", () => {
  it("keeps the newest part of the account, in pages and in the truth", () => {
    const emulator = emulate({ retentionMs: 100 * DAY_MS });
    const { rows } = readChain(emulator);
    expect(byIdentity(rows)).toEqual(emulator.truth());
    expect(rows).toEqual(ALL.filter((row) => row.txCreated >= NOW_MS - 100 * DAY_MS).toReversed());
  });
});

const KINDS: readonly BadRowKind[] = [...UNFILABLE_KINDS, ...UNTYPED_KINDS, "deep-nesting"];

/** What shows in the text only, or cannot be written again. */
const MARKS: Readonly<Partial<Record<BadRowKind, RegExp>>> = {
  "price-number": /"price":\d/g,
  "proto-key": /"__proto__":\{"polluted":true\}/g,
  "number-1e400": /"weight":1e400/g,
  "deep-nesting": /"deep":\[\[\[/g,
};

function kept(pages: string[], answer: EmulatorAnswer): EmulatorAnswer {
  pages.push("fault" in answer ? "" : answer.body);
  return answer;
}

describe("bad rows", () => {
  it.each(KINDS)("%s: is in the page, which stays JSON, and counted apart if it cannot be filed", (kind) => {
    const emulator = emulate({ badRows: { share: 0.1, kinds: [kind] } });
    const pages: string[] = [];
    const { rows } = readChain({
      ...emulator,
      handle: (request, nowMs) => kept(pages, emulator.handle(request, nowMs)),
    });
    const good = new Set(ALL.map((row) => JSON.stringify(row)));
    const mark = MARKS[kind];
    const bad =
      mark === undefined
        ? rows.filter((row) => !good.has(JSON.stringify(row))).length
        : [...pages.join("").matchAll(mark)].length;
    expect(rows).toHaveLength(ALL.length);
    expect(emulator.truth().size + emulator.unfilable()).toBe(ALL.length);
    expect(bad).toBeGreaterThan(10);
    expect(emulator.unfilable()).toBe(UNFILABLE_KINDS.includes(kind) ? bad : 0);
  });
});
