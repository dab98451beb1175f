import { describe, expect, test } from "vitest";
import { decodePages, type RawResponse } from "../../lambda/archive/raw-responses.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import type { PageAnswer, PageRequest, PageRow } from "../../lambda/service/service.ts";
import { SEGMENT_PAGES, walkChain } from "../../lambda/walk/chain.ts";
import type { ChainEnd, ChainPorts, Segment } from "../../lambda/walk/chain-ports.ts";
import { freshWindow, MARGIN_MS } from "../../lambda/walk/window.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { makeFill } from "../support/make-fill.ts";

const FROM = Date.UTC(2025, 0, 1);
const WINDOW = freshWindow({ from: FROM, to: FROM + 1000 });

/** A scripted page: its rows, and `last` if it has one. */
interface Scripted {
  readonly rows: readonly PageRow[];
  readonly last?: string;
}

function fillOf(name: string, txCreated = FROM + 5): PlainFill {
  return makeFill({ matchId: name, txCreated });
}

function pageOf(names: readonly string[], last?: string): Scripted {
  const rows = names.map((name) => ({ fill: fillOf(name) }));
  return last === undefined ? { rows } : { rows, last };
}

/**
 * Walks a window; `answer` gives the nth answer, counted from 0. Records the requests, the segments, and the
 * order of events.
 */
async function walk(
  answer: (request: PageRequest, nth: number) => Scripted | Extract<PageAnswer, { kind: "cursor-refused" }>,
) {
  const asked: PageRequest[] = [];
  const segments: (Segment & { readonly pages: readonly RawResponse[] })[] = [];
  const events: string[] = [];
  const ports: ChainPorts = {
    reader: stubReader({
      completedOrders: (request) => {
        asked.push(request);
        const page = answer(request, asked.length - 1);
        return Promise.resolve(
          "kind" in page ? page : { kind: "page", body: JSON.stringify([asked.length, page.last]), ...page },
        );
      },
    }),
    clock: fakeClock({ now: FROM + 5000 }),
    signal: new AbortController().signal,
    emit: (segment) => {
      const pages = decodePages(segment.rawResponses());
      segments.push({ ...segment, pages });
      events.push(`emit ${pages.length}`);
    },
    afterSegment: async () => void events.push("afterSegment"),
    onPage: (rows) => void events.push(`page of ${rows}`),
  };
  const end = await walkChain(ports, WINDOW).catch((error: unknown) => error as Error);
  return { end, asked, segments, events };
}

function script(pages: readonly Scripted[]) {
  return (_: PageRequest, nth: number): Scripted => pages[nth] ?? { rows: [] };
}

/** Pages whose cursors lead through `lead` pages and then into a circle of `length` pages. */
function circle(lead: number, length: number) {
  return ({ start }: PageRequest): Scripted => {
    const at = start === undefined ? 0 : Number(start);
    const next = at + 1 < lead + length ? at + 1 : lead;
    return pageOf([`m-${at}`], String(next));
  };
}

/** Those of the named fills that the chain has seen. */
function seenBy(end: ChainEnd | Error, names: readonly string[]): string[] {
  const { seen } = end as Extract<ChainEnd, { kind: "ended" }>;
  return names.filter((name) => seen.has(fillOf(name)));
}

describe("the end of a chain", () => {
  test("is neither a short page nor an empty one", async () => {
    const { end, asked } = await walk(script([pageOf(["a"], "1"), pageOf([], "2"), pageOf([], "3"), pageOf(["b"])]));
    expect(end).toMatchObject({ kind: "ended" });
    expect(seenBy(end, ["a", "b", "c"])).toEqual(["a", "b"]);
    // The last page is as long as one that was followed by another, so it may have lost its `last`.
    expect(asked.map(({ start }) => start)).toEqual([undefined, "1", "2", "3", "3", "3", "3"]);
  });

  test("is requested again if it may have been cut, and the chain goes on with the new answer", async () => {
    const { end, asked } = await walk(
      script([pageOf(["a"], "1"), pageOf([]), pageOf(["b"], "2"), pageOf(["c"], "3"), pageOf([])]),
    );
    expect(end).toMatchObject({ kind: "ended" });
    expect(seenBy(end, ["a", "b", "c"])).toEqual(["a", "b", "c"]);
    // The chain has seen a false end, so it requests the next end eight times.
    expect(asked.map(({ start }) => start)).toEqual([undefined, "1", "1", "2", ...new Array(8).fill("3")]);
  });
});

describe("the requests of a chain", () => {
  test("have the same dates for every page, a margin wider than the window, and the unchanged cursor", async () => {
    const { asked } = await walk(script([pageOf(["a", "b"], "%&="), pageOf(["c", "d"], "2"), pageOf(["e"])]));
    const dates = { startDate: FROM - MARGIN_MS, endDate: FROM + 1000 + MARGIN_MS };
    expect(asked).toEqual([dates, { ...dates, start: "%&=" }, { ...dates, start: "2" }]);
  });
});

describe("a chain that does not end", () => {
  test.each(Array.from({ length: 50 }, (_, index) => index + 1))("a circle of %d pages is found", async (length) => {
    const lead = length % 4;
    const { end, asked } = await walk(circle(lead, length));
    expect(end).toMatchObject({ kind: "failed", problem: { kind: "incomplete" } });
    expect((end as { problem: FillbookError }).problem.message).toContain("the service's cursors repeat: page ");
    expect(asked.length).toBeLessThanOrEqual(lead + length + 1);
  });

  test("a circle with ever new cursors ends after a hundred pages in a row without a new row", async () => {
    const { end, asked } = await walk((_, nth) => pageOf([`m-${nth % 3}`], `fresh-${nth}`));
    const problem = (end as { problem: FillbookError }).problem;
    expect(problem.message).toContain("100 pages in a row, up to page 103, held no new row");
    expect(asked).toHaveLength(103);
  });
});

describe("a row that cannot be filed", () => {
  test("ends the chain; the message names the page and the row, and the page is kept", async () => {
    const bad: Scripted = { rows: [{ fill: fillOf("b") }, { unfilable: "matchId is missing" }], last: "c2" };
    const { end, segments, asked } = await walk(script([pageOf(["a"], "c1"), bad]));
    expect(end).toMatchObject({ kind: "failed", problem: { kind: "untrusted" } });
    expect((end as { problem: FillbookError }).problem.message).toBe(
      "window [2025-01-01T00:00:00.000Z, 2025-01-01T00:00:01.000Z): page 2, row 2 cannot be filed: matchId is missing",
    );
    expect(asked).toHaveLength(2);
    expect(segments[0]?.pages).toHaveLength(2);
    expect(segments[0]?.fills).toEqual([fillOf("a"), fillOf("b")]);
  });
});

describe("a cursor that is refused", () => {
  test("is reported with its status, after the earlier pages were emitted", async () => {
    const { end, segments } = await walk((_, nth) =>
      nth === 0 ? pageOf(["a"], "c1") : { kind: "cursor-refused", status: 410 },
    );
    expect(end).toEqual({ kind: "cursor-refused", status: 410 });
    expect(segments[0]).toMatchObject({ fills: [fillOf("a")], after: { cursor: "c1", pages: 1 } });
  });
});

describe("segments", () => {
  test("follow each other: each begins where the last one ended, and a full one is settled at once", async () => {
    const pages = 2 * SEGMENT_PAGES + 3;
    const { segments, events } = await walk(({ start = "0" }) => {
      const next = Number(start) + 1;
      return pageOf([`m-${start}`], next === pages ? undefined : String(next));
    });
    expect(segments.map((one) => one.pages.length)).toEqual([SEGMENT_PAGES, SEGMENT_PAGES, 3]);
    expect(segments[0]?.before).toEqual(WINDOW);
    expect(segments[1]?.before).toEqual(segments[0]?.after);
    expect(segments[2]?.after).toMatchObject({ pages, cursor: null, cursorAt: null });
    expect(events.filter((event) => !event.startsWith("page"))).toEqual([
      `emit ${SEGMENT_PAGES}`,
      "afterSegment",
      `emit ${SEGMENT_PAGES}`,
      "afterSegment",
      "emit 3",
    ]);
  });

  test("an error of the reader comes after the segment that was read before it", async () => {
    const { end, segments } = await walk((_, nth) => {
      if (nth === 2) {
        throw new FillbookError("incomplete", "gone");
      }
      return pageOf([`m-${nth}`], `c${nth}`);
    });
    expect(end).toMatchObject({ message: "gone" });
    expect(segments).toMatchObject([{ after: { cursor: "c1", cursorAt: FROM + 5000, pages: 2 } }]);
  });
});
