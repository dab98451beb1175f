import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { AccountFile, PAGE_ROWS, pageBodies, writeAccount, YEAR } from "../bench/account-file.ts";
import { Meter } from "../bench/meter.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";

// The benchmark reads its pages from a file: they must be the emulator's.

const FILLS = 12_345; // more than a batch, and no whole number of pages
const dir = mkdtempSync(join(tmpdir(), "fillbook-floor-"));
afterAll(() => rmSync(dir, { recursive: true }));
writeAccount(dir, FILLS);
const account = new AccountFile(dir);
const truth = [...createEmulator({ history: makeHistory({ seed: 1, fills: FILLS, ...YEAR }) }).truthItems()].reverse();

function rowsOf(body: string): CompletedOrder[] {
  return JSON.parse(body).completedOrders;
}

test("its pages are the account's rows, newest first, a hundred each", () => {
  const pages = [...pageBodies(account, new Meter())].map(rowsOf);
  expect(pages.flat()).toEqual(truth);
  expect(pages.slice(0, -1).every(({ length }) => length === PAGE_ROWS)).toBe(true);
});

test("its lines are the same rows", () => {
  const lines = account.lines(0, FILLS).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(truth);
});

describe("dates are inclusive, and a cursor goes on", () => {
  const [startDate, endDate] = [truth[9000]?.txCreated ?? 0, truth[8500]?.txCreated ?? 0];
  test("to a page without one", () => {
    const rows: CompletedOrder[] = [];
    let start: { start?: string } = {};
    for (;;) {
      const body = account.body({ startDate, endDate, ...start });
      rows.push(...rowsOf(body));
      const { last } = JSON.parse(body);
      if (last === undefined) {
        break;
      }
      start = { start: last };
    }
    expect(rows).toEqual(truth.filter(({ txCreated }) => startDate <= txCreated && txCreated <= endDate));
  });
});
