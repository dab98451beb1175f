import { describe, expect, test } from "vitest";
import type { PageAnswer } from "../../lambda/service/service.ts";
import { readChain } from "../../lambda/walk/chain.ts";
import type { ChainOptions } from "../../lambda/walk/pages.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";

const BEGIN = NOW - 10_000_000;
const WINDOW = { from: BEGIN, to: BEGIN + 1_000_000 };
const OPTIONS: ChainOptions = { asked: WINDOW, full: 3, isOrdered: true, keepsTies: false, now: NOW };

let made = 0;
const fillAt = (time: number) => {
  made += 1;
  return { fill: makeFill({ matchId: `m${made}`, txCreated: BEGIN + time }) };
};

function page(times: readonly number[], last?: string): PageAnswer {
  return { kind: "page", body: "", rows: times.map(fillAt), ...(last === undefined ? {} : { last }) };
}

/** Reads the window from these answers. */
function chain(answers: readonly PageAnswer[], more: Partial<ChainOptions> = {}) {
  const left = [...answers];
  const ask = () => Promise.resolve(left.shift() ?? page([]));
  return readChain(ask, WINDOW, { ...OPTIONS, ...more });
}

describe("a chain", () => {
  test.each([
    [[1, 2], "up"],
    [[2, 1], "down"],
    [[2, 1, 3], "mixed"],
    [[1, 1], null],
    [[], null],
  ])("%j came %s", async (times, order) => {
    expect((await chain([page(times)])).order).toBe(order);
  });

  test("leaves the rest of its window to others, with the millisecond in which it stopped", async () => {
    const down = [page([90, 80, 70], "a"), page([60, 50, 40], "b")];
    const up = [page([10, 20, 30], "a"), page([30, 40, 50], "b")];
    const endOf = async (pages: readonly PageAnswer[], more = {}) =>
      (await chain(pages, { mostPages: () => pages.length, ...more })).end;
    expect(await endOf(down)).toEqual({ kind: "rest", rest: { from: BEGIN, to: BEGIN + 41 } });
    expect(await endOf(up)).toEqual({ kind: "rest", rest: { from: BEGIN + 50, to: WINDOW.to } });
    expect(await endOf([page([5, 9, 1], "a")])).toEqual({ kind: "whole" });
    expect(await endOf(down, { isOrdered: false })).toEqual({ kind: "whole" });
  });
});

describe("a chain is refused", () => {
  const why = async (...of: Parameters<typeof chain>) => {
    const { end } = await chain(...of);
    return end.kind === "refused" ? end.refusal.why : end.kind;
  };

  test("where cursors go in a circle", async () => {
    expect(await why([page([3, 2, 1], "a"), page([0], "b"), page([3], "a")])).toBe("cursor");
  });

  test("after 64 pages in any order, and not if it is too narrow", async () => {
    const many = Array.from({ length: 80 }, (_, place) => page([place % 2, 5 + place, place], `c${place}`));
    expect(await why(many)).toBe("long");
    expect(await why(many, { readsOn: true })).toBe("whole");
    const inOrder = Array.from({ length: 80 }, (_, place) =>
      page([3 * place, 3 * place + 1, 3 * place + 2], `c${place}`),
    );
    expect(await why(inOrder)).toBe("whole");
  });

  test("after 500 pages in a row that bring nothing but cursors; fewer are progress", async () => {
    const empty = (count: number) => Array.from({ length: count }, (_, place) => page([], `c${place}`));
    expect(await why(empty(600))).toBe("endless");
    expect(await why([...empty(400), page([1])])).toBe("whole");
  });

  test("for a row that cannot be filed, with its page; the rows beside it are kept, and a narrow chain reads on", async () => {
    const bad: PageAnswer = { kind: "page", body: "the body", rows: [fillAt(1), { unfilable: "why" }], last: "a" };
    const stopped = await chain([bad, page([0])]);
    const refusal = { why: "row", body: "the body", detail: "page 1, row 2: why" };
    expect(stopped).toMatchObject({ pages: 1, end: { kind: "refused", refusal } });
    expect(stopped.fills.size).toBe(1);
    expect(await chain([bad, page([0])], { readsOn: true })).toMatchObject({ pages: 2, end: { refusal } });
    const limited = { readsOn: true, mostPages: () => 1 };
    expect(await chain([bad, page([0], ""), page([], "")], limited)).toMatchObject({ pages: 3, end: { refusal } });
  });
});
