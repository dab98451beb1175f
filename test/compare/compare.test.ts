import { expect, test } from "vitest";
import { historyItems, makeHistory } from "../emulator/history.ts";
import { countRows, type HeldRow } from "./count.ts";
import { verdict } from "./report.ts";
import type { Service } from "./services.ts";
import { FILLBOOK_FROM, PLAIN_LOOP } from "./tools.ts";
import { tryTool } from "./trial.ts";

const DAY = Date.UTC(2025, 4, 1);
const HISTORY = makeHistory({ seed: 21, fills: 450, from: DAY, to: Date.UTC(2025, 4, 8), ties: 150 });
const TRUTH = [...historyItems(HISTORY)];
const ROWS: readonly HeldRow[] = TRUTH.map(({ matchId, orderId, txCreated, price, quantity, fees }) => ({
  matchId,
  orderId,
  txCreated: String(txCreated),
  price,
  quantity,
  fees,
}));

const NOTHING = { fills: 450, lost: 0, doubled: 0, invented: 0, changed: 0 };

function withRow(at: number, change: Partial<HeldRow>): readonly HeldRow[] {
  return ROWS.map((row, index) => (index === at ? { ...row, ...change } : row));
}

test("an exact copy in any order is right, and zeros at the end of an amount do not matter", () => {
  const rows = withRow(7, { price: `${TRUTH[7]?.price}${TRUTH[7]?.price.includes(".") ? "" : "."}000` });
  expect(countRows(rows.toReversed(), TRUTH)).toEqual(NOTHING);
});

test.each<[string, readonly HeldRow[], object]>([
  ["lost", ROWS.toSpliced(200, 3), { lost: 3 }],
  ["doubled", [...ROWS, ...ROWS.slice(10, 12), ...ROWS.slice(10, 11)], { doubled: 3 }],
  ["invented", [...ROWS, { ...(ROWS[0] as HeldRow), orderId: "01" }], { invented: 1 }],
  ["lost, and another invented", withRow(3, { matchId: "x" }), { lost: 1, invented: 1 }],
  ["another price", withRow(3, { price: `${TRUTH[3]?.price}1` }), { changed: 1 }],
  ["another quantity, in the last of many digits", withRow(3, { quantity: `${TRUTH[3]?.quantity}1` }), { changed: 1 }],
  ["no fee", withRow(3, { fees: "null" }), { changed: 1 }],
  ["another time", withRow(3, { txCreated: String(DAY - 1) }), { changed: 1 }],
  ["nothing kept", [], { lost: 450 }],
])("the counters see what is planted: %s", (_, rows, seen) => {
  expect(countRows(rows, TRUTH)).toEqual({ ...NOTHING, ...seen });
});

test("an amount that went through a float is another one", () => {
  const [fill] = TRUTH;
  const quantity = "0.707047658793171057";
  const truth = [{ ...(fill as (typeof TRUTH)[number]), quantity }];
  const row = { ...(ROWS[0] as HeldRow), quantity: String(Number(quantity)) };
  expect(countRows([row], truth)).toMatchObject({ lost: 0, changed: 1 });
});

function service(switches: Service["switches"], more: Partial<Service> = {}): Service {
  return { name: "x", title: "small", history: HISTORY, switches, ...more };
}

test("a plain loop and fillbook keep all of a service without traps", async () => {
  for (const tool of [PLAIN_LOOP, FILLBOOK_FROM]) {
    const trial = await tryTool(tool, service({}));
    expect(trial, tool.name).toMatchObject({ counts: NOTHING, runs: [{ code: 0 }] });
    expect(verdict(trial)).toBe("right");
    expect(trial.runs[0]?.requests, tool.name).toBeGreaterThanOrEqual(5);
    expect(trial.runs[0]?.cpuSeconds, tool.name).toBeGreaterThan(0);
  }
});

test("a loss in silence is seen, and so is one that is said", async () => {
  const traps = service({ cursorValues: ["cursor", ""] });
  const silent = await tryTool(PLAIN_LOOP, traps);
  expect(silent).toMatchObject({ counts: { lost: 250 }, runs: [{ code: 0 }] });
  expect(verdict(silent)).toBe("**250 lost**");
  expect(verdict(await tryTool(FILLBOOK_FROM, traps))).toBe("right");

  const capped = await tryTool(PLAIN_LOOP, service({ rowCap: { rows: 200 } }));
  expect(verdict(capped)).toBe("**250 lost**");
  const always = await tryTool(PLAIN_LOOP, service({ falseEmpty: 1 }));
  expect(verdict(always)).toBe("**450 lost**");
  const undated = await tryTool(PLAIN_LOOP, service({ rangeLimits: { maxWidthMs: 1 } }));
  expect(verdict(undated)).toBe("right");

  const loud = await tryTool(PLAIN_LOOP, service({ cursorRefused: true }));
  expect(loud.runs.map(({ code }) => code)).toEqual([1, 1, 1]);
  expect(verdict(loud)).toBe("fails: 450 lost");
});

test("a killed run is followed by another, and what comes between two runs is there for the second", async () => {
  const killed = await tryTool(PLAIN_LOOP, service({}, { killedAt: 3 }));
  expect(killed).toMatchObject({
    counts: NOTHING,
    runs: [
      { code: null, requests: 3 },
      { code: 0, requests: 5 },
    ],
  });

  const late = { share: 0.5, afterRequests: Number.MAX_SAFE_INTEGER };
  const twice = await tryTool(PLAIN_LOOP, service({ lateRows: late }, { later: { lateRows: null } }));
  expect(twice).toMatchObject({ counts: NOTHING, runs: [{ code: 0 }, { code: 0, requests: 5 }] });
  expect(twice.runs[0]?.requests).toBeLessThan(5);
});

test("an amount with more digits than its cell is read from where the archive keeps it", async () => {
  const longer = { share: 1, what: "content", afterMs: 0 } as const;
  const digits = TRUTH.map(({ fees }) => fees.split(".")[1]?.length ?? 0);
  expect(Math.max(...digits)).toBe(18);
  expect(verdict(await tryTool(FILLBOOK_FROM, service({ changingRows: longer })))).toBe("right");
});
