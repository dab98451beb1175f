import { describe, expect, test } from "vitest";
import { fileFills, readDataFile } from "../../lambda/archive/data-files.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { PageAnswer, PageRequest } from "../../lambda/service/service.ts";
import { countCutOff, firstLacking, probeUndated } from "../../lambda/walk/probe.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { calendarOf, prepareArchive } from "../pack/archive.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { filingPorts } from "../support/filing.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";

const FROM = Date.UTC(2025, 0, 1);

function answering(answer: readonly number[] | Extract<PageAnswer, { kind: "cursor-refused" }>) {
  const asked: PageRequest[] = [];
  const pages: number[] = [];
  const rows =
    "kind" in answer ? [] : answer.map((txCreated) => ({ fill: makeFill({ txCreated, matchId: `m-${txCreated}` }) }));
  const reader = stubReader({
    completedOrders: (request) => {
      asked.push(request);
      return Promise.resolve("kind" in answer ? answer : { kind: "page", body: "", rows, last: "more" });
    },
  });
  const ports = {
    reader,
    clock: fakeClock(),
    signal: new AbortController().signal,
    onPage: (count: number) => void pages.push(count),
  };
  return { ports, asked, pages };
}

describe("a look without dates", () => {
  test("goes past empty pages, with the cursor of each; a page of rows, or one without a cursor, ends it", async () => {
    const asked: PageRequest[] = [];
    const pages = [
      { rows: [], last: "" },
      { rows: [], last: "1" },
      { rows: [{ fill: makeFill() }, { unfilable: "no matchId" }], last: "2" },
    ];
    const reader = stubReader({
      completedOrders: (request) => {
        asked.push(request);
        return Promise.resolve({ kind: "page", body: "", ...(pages[asked.length - 1] ?? { rows: [] }) });
      },
    });
    const ports = { reader, clock: fakeClock(), signal: new AbortController().signal, onPage: () => undefined };
    expect((await probeUndated(ports)).fills).toEqual([makeFill()]);
    expect(asked).toEqual([{}, { start: "" }, { start: "1" }]);
    expect((await probeUndated(ports)).fills).toEqual([]);
    expect(asked).toHaveLength(4);
  });

  test("ends, however many empty pages come", async () => {
    const { ports, asked } = answering([]);
    expect((await probeUndated(ports)).fills).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(100);
  });
});

describe("fills that an answer without dates was cut before", () => {
  const window = { from: FROM, to: FROM + 400 * DAY_MS };
  const none = { has: () => false };

  /** A service that takes ranges of at most so many days, and has one fill. */
  function taking(mostDays: number, fill: Fill) {
    const asked: number[] = [];
    const reader = stubReader({
      completedOrders: ({ startDate = 0, endDate = 0 }) => {
        asked.push((endDate - startDate) / DAY_MS);
        const problem = new FillbookError("usage", "too wide");
        const isIn = startDate <= fill.txCreated && fill.txCreated <= endDate;
        return Promise.resolve(
          endDate - startDate > mostDays * DAY_MS + 2
            ? { kind: "range-refused", problem }
            : { kind: "page", body: "", rows: isIn ? [{ fill }] : [] },
        );
      },
    });
    return {
      asked,
      ports: { reader, clock: fakeClock(), signal: new AbortController().signal, onPage: () => undefined },
    };
  }

  const answer = { lowest: FROM + 300 * DAY_MS, highest: FROM + 400 * DAY_MS - 1, seen: none };

  test("are counted by looks that are as wide as the service takes them, from the answer's end on", async () => {
    const { ports, asked } = taking(30, fillAt(FROM + 250 * DAY_MS));
    expect(await countCutOff(ports, window, answer, Number.POSITIVE_INFINITY)).toBe(0);
    expect(asked.filter((days) => days < 30.1).length).toBeGreaterThan(5);
    const near = taking(30, fillAt(FROM + 290 * DAY_MS));
    expect(await countCutOff(near.ports, window, answer, Number.POSITIVE_INFINITY)).toBe(1);
  });

  test("cannot be told where not even a day is taken", async () => {
    const { ports } = taking(0.5, fillAt(FROM + 290 * DAY_MS));
    expect(await countCutOff(ports, window, answer, Number.POSITIVE_INFINITY)).toBeNull();
  });
});

describe("fills that the archive lacks", () => {
  const coverage = { from: FROM, to: FROM + 10 * DAY_MS };
  const known = [1, 2].map((day): PlainFill => fillAt(FROM + day * DAY_MS));

  async function lacks(fills: readonly Fill[]): Promise<Fill | null> {
    const { manifest, entries } = prepareArchive([], DAY_MS, coverage);
    const manifestIndex = await calendarOf(entries);
    const store = memoryStore();
    const { parts } = await fileFills(filingPorts({ store }), manifestIndex, known);
    const fillsOf = (part: DataFile) => readDataFile(store, part);
    return await firstLacking(
      { manifest, manifestIndex: await manifestIndex.change({ added: { parts } }), fillsOf },
      fills,
    );
  }

  test("none: all that came is there, or was never covered", async () => {
    expect(await lacks(known)).toBeNull();
    expect(await lacks([fillAt(FROM - 1), fillAt(coverage.to)])).toBeNull();
    expect(await lacks([])).toBeNull();
  });

  test("one of covered times, with a part for it or without", async () => {
    expect(await lacks([...known, fillAt(FROM + DAY_MS + 1)])).toEqual(fillAt(FROM + DAY_MS + 1));
    expect(await lacks([makeFill({ ...known[0], orderId: "another order" })])).toMatchObject({
      orderId: "another order",
    });
  });
});

function fillAt(txCreated: number): PlainFill {
  return makeFill({ txCreated, matchId: `m-${txCreated}` });
}
