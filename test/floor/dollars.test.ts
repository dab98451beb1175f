import { describe, expect, test } from "vitest";
import { ASSUMED, firstSyncLines, type Line, packLines, totalOf, yearLines } from "../bench/dollars.ts";

// Every amount is worked out by hand from the list prices in the comment beside it. The function has 1769 / 1024 = 1.7275390625 GB.

const ASSUME = { ...ASSUMED, pageMs: 100, inFlight: 4, storeMs: 50, startSeconds: 1, slower: 2, nightsAYear: 100 };

function amounts(lines: readonly Line[]): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map(({ what, usd }) => [what, usd.toFixed()]));
}

describe("a first sync", () => {
  const sync = { cpuSeconds: 20, requests: 39_960, storeWrites: 600, keptBytes: 250e6 };

  test("is bound by the network, and cut into slices of 840 s", () => {
    // 39,960 × 0.1 s / 4 = 999 s in 2 slices: 1,001 s
    expect(amounts(firstSyncLines(sync, ASSUME))).toEqual({
      function: "0.0230574033052734375", // 1,001 s × 1.7275390625 GB × $0.0000133334 + 2 × $0.0000002
      "state machine": "0.000275", // (2 × 4 + 3) × $0.000025
      "requests to the store": "0.003", // 600 × $0.000005
      logs: "0.000003", // 2 × 3,000 bytes × $0.50 a GB
      "kept, a month": "0.00575", // 0.25 GB × $0.023
    });
  });

  test("or by its processor, where that is slower", () => {
    const [line] = firstSyncLines({ ...sync, requests: 1000 }, ASSUME); // 25 s of network, 40 s of CPU
    expect(line?.arithmetic).toContain("20.0 s of CPU × 2 + 1 × 1 s = 41 s");
    expect(line?.usd.toFixed()).toBe("0.0009445927427734375"); // 41 × 1.7275390625 × $0.0000133334 + $0.0000002
  });
});

test("a pack: large files are uploaded in pieces", () => {
  const fileBytes = [12 * 1024 * 1024, 1000];
  expect(amounts(packLines({ cpuSeconds: 100, storeReads: 50, fileBytes }, ASSUME))).toMatchObject({
    "requests to the store": "0.00005", // begun, three pieces, completed, and a small file: 6 × $0.000005 + 50 × $0.0000004
    "kept, a month": "0.000289429976", // 12,583,912 bytes × $0.023 a GB
  });
});

test("a year of a hundred nights with ten fills each", () => {
  const night = {
    ...{ fillsAdded: 10, requests: 10, storeReads: 6, storeWrites: 14 },
    ...{ bytesOut: 250_000, evidenceBytes: 100_000 },
  };
  const lines = yearLines(night, 150, ASSUME);
  expect(amounts(lines)).toEqual({
    function: "0.00693019080078125", // 100 × (1 + 1 + 1) s × 1.7275390625 GB × $0.0000133334 + 100 × $0.0000002
    "state machine": "0.0175", // 100 × 7 × $0.000025
    "requests to the store": "0.00724", // 1,400 × $0.000005 + 600 × $0.0000004
    "kept, half of a year's on average": "0.0014007", // 100 × (100,000 + 10 × 150) bytes = 0.01015 GB × 6 × $0.023
    "replaced, until it expires": "0.0004255", // 100 × 150,000 bytes = 0.015 GB × 37 / 30 × $0.023
    token: "4.8005", // 12 × $0.40 + 100 × $0.000005
    logs: "0.00015", // 100 × 3,000 bytes × $0.50 a GB
  });
  expect(totalOf(lines).toFixed()).toBe("4.83414639080078125");
});
