import { describe, expect, test } from "vitest";
import { readArchive } from "../../lambda/archive/read.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";
import { type Answer, bookOf, paged, plain, syncs, within } from "../support/odd-service.ts";
import { BEHAVIOURS, CONTRADICTING } from "./behaviours.ts";
import { AROUND, type Outcome, readTwice, syncAndCompare, YEAR } from "./reading.ts";

const SOUND = { lost: 0, doubled: 0, invented: 0, wrong: 0 };
const WHOLE = { complete: true, problem: null, isCovered: true, ...SOUND };

test.each(Object.entries(BEHAVIOURS))("%s", async (_, { most, says, ...behaviour }) => {
  const found = await readTwice(behaviour);
  expect(found).toMatchObject(
    says === undefined ? WHOLE : { complete: false, problem: { kind: says }, isCovered: false, ...SOUND },
  );
  expect(found.requests).toBeLessThanOrEqual(most);
});

/** Runs against a service that contradicts itself, each of another account. */
async function contradicted(switches: Partial<Switches>): Promise<readonly Outcome[]> {
  const said: Outcome[] = [];
  for (let seed = 1; seed <= 5; seed += 1) {
    const history = makeHistory({ seed, fills: 600, from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 11, 31), ties: 0 });
    const found = await readTwice({ history, switches });
    said.push(...(found.problem?.message.includes("contradicts itself") === true ? [found] : []));
  }
  return said;
}

test("a run says that the service contradicts itself, and what it covered is read again when that is over", async () => {
  let times = 0;
  for (const switches of Object.values(CONTRADICTING)) {
    const said = await contradicted(switches);
    times += said.length;
    for (const { job, emulator } of said) {
      emulator.setSwitches({ falseEmpty: 0, replicas: null });
      expect(await syncAndCompare(job, emulator, AROUND)).toMatchObject(WHOLE);
    }
  }
  expect(times).toBeGreaterThan(3);
});

/** Two nights of one account: the second with other switches, and everything read again. */
async function nights(first: Partial<Switches>, second: Partial<Switches>, lookBackMs = 30 * DAY_MS) {
  const store = memoryStore();
  const run = async (switches: Partial<Switches>) => {
    const emulator = createEmulator({ history: YEAR, switches });
    const { job } = makeBench({ emulator, job: { store, lookBackMs, alwaysLooksBack: true, concurrency: 16 } });
    return await syncAndCompare(job, emulator, AROUND);
  };
  return [await run(first), await run(second), (await readArchive(store, "main")).manifest] as const;
}

test("from one night to the next, rows that a service no longer shows are kept, and noted as vanished", async () => {
  const lateRows = { share: 0.02, afterRequests: 10_000 };
  const [, second, { known }] = await nights({}, { lateRows }, 400 * DAY_MS);
  expect(second).toMatchObject({ complete: true, rows: YEAR.count });
  expect(known.vanished.length).toBeGreaterThan(5);
});

test("dates that are refused however narrow the range: the hint says where to begin", async () => {
  const rangeLimits = { oldestAgeMs: 200 * DAY_MS, status: 422 as const };
  const { problem, requests } = await readTwice({ switches: { rangeLimits } });
  expect([problem?.kind, problem?.hint]).toEqual(["incomplete", expect.stringContaining("--from 20")]);
  expect(requests).toBeLessThan(300);
});

test("an outage in the middle of a run ends it with the service's own problem, soon", async () => {
  const faults = { schedule: [{ nth: 15, times: 100_000, kind: "503" as const }] };
  const { complete, problem, requests } = await readTwice({ switches: { faults } });
  expect({ complete, kind: problem?.kind }).toEqual({ complete: false, kind: "incomplete" });
  expect(problem?.message).toContain("503");
  expect(requests).toBeLessThan(200);
});

test("a page with a row that cannot be filed is kept, its hour is not covered, and all others are read", async () => {
  const switches = { badRows: { share: 0.002, kinds: ["no-match-id"] as const } };
  const { problem, emulator, job, rows } = await readTwice({ switches });
  expect(problem).toMatchObject({ kind: "untrusted", message: expect.stringContaining("a row cannot be filed") });
  const { manifest } = await readArchive(job.store, "main");
  const gaps = manifest.coverage.filter(({ from }, at) => at > 0 && from > (manifest.coverage[at - 1]?.to ?? 0));
  expect(gaps.length).toBeGreaterThan(0);
  expect(gaps.length).toBeLessThanOrEqual(emulator.unfilable());
  expect(rows).toBe(emulator.truth().size);
  const kept: string[] = [];
  for await (const { key } of job.store.list("main/unfiled/")) {
    kept.push(Buffer.from((await job.store.get(key))?.body ?? []).toString());
  }
  expect(kept.length).toBeGreaterThanOrEqual(gaps.length);
  expect(kept.every((body) => JSON.parse(body).completedOrders.some((row: object) => !("matchId" in row)))).toBe(true);
});

const FROM = NOW - 400 * DAY_MS;
const ALL_HELD = { complete: true, lost: 0, problem: null };

const BOOK = bookOf(500, 300);
/** Another trader's fills, at other times. */
const FOREIGN = bookOf(500, 290).map((fill) => ({ ...fill, matchId: `other-${fill.matchId}` }));

describe("services that the emulator does not know", () => {
  test.each([1000, 60_000, DAY_MS])("dates rounded to %d ms", async (unit) => {
    const round = (ms = 0) => Math.floor(ms / unit) * unit;
    const answer: Answer = (request) =>
      paged(
        BOOK.filter(({ txCreated }) => {
          const at = round(txCreated);
          return round(request.startDate) <= at && at <= round(request.endDate);
        }),
        request,
      );
    expect(await syncs(BOOK, [{ answer, from: FROM }])).toMatchObject(ALL_HELD);
  });

  test("pages that were filtered after they were cut: 100 in a row without rows, but with new cursors", async () => {
    const answer: Answer = (request) => {
      const [, at = "0", empty = "0"] = /^(\d+)-(\d+)$/.exec(request.start ?? "") ?? [];
      const rows = within(BOOK, request);
      if (Number(empty) < 100 && rows.length > 100) {
        return { rows: [], last: `${at}-${Number(empty) + 1}` };
      }
      const { rows: page = [], last } = paged(rows, { ...request, start: at });
      return { rows: page, ...(last === undefined ? {} : { last: `${last}-0` }) };
    };
    expect(await syncs(BOOK, [{ answer, from: FROM }])).toMatchObject(ALL_HELD);
  });

  // Finding W9.
  test("pages without end that bring nothing but cursors", async () => {
    const answer: Answer = (_, asked) => ({ rows: [], last: `c${asked}` });
    const { complete, problem, requests } = await syncs([], [{ answer, from: FROM }]);
    expect({ complete, kind: problem?.kind }).toEqual({ complete: false, kind: "incomplete" });
    expect(requests).toBeLessThan(10_000);
  });

  test("dates that are ignored: its one chain is read twice", async () => {
    const found = await syncs(BOOK, [{ answer: (request) => paged(BOOK, request), from: FROM }]);
    expect(found).toMatchObject(ALL_HELD);
    expect(found.requests).toBeLessThanOrEqual(30);
  });

  const [newest] = BOOK as [Fill];
  const other = [{ ...newest, fee: "50" }];
  test.each<[string, (shown: number) => boolean, readonly Fill[], boolean, boolean]>([
    ["has another fee between the readings", (shown) => shown > 1, other, true, true],
    ["has another fee each time", (shown) => shown % 2 === 0, other, true, false],
    ["has another fee between the readings, and dates are ignored", (shown) => shown > 9, other, false, false],
    ["is lacking in the second one, and dates are ignored", (shown) => shown > 9, [], false, false],
  ])("a fill %s", async (_, isOther, instead, isDated, isComplete) => {
    let shown = 0;
    const answer: Answer = (request) => {
      const { rows = [], ...page } = paged(isDated ? within(BOOK, request) : BOOK, request);
      shown += rows.includes(newest) ? 1 : 0;
      return { ...page, rows: rows.flatMap((fill) => (fill === newest && isOther(shown) ? instead : fill)) };
    };
    const found = await syncs(BOOK, [{ answer, from: FROM }]);
    expect(found).toMatchObject(isComplete ? ALL_HELD : { complete: false, problem: { kind: "incomplete" } });
  });

  test("a row from the future cannot be filed, and its page is kept", async () => {
    const ahead = { ...newest, matchId: "ahead", txCreated: NOW + 40 * DAY_MS };
    const answer: Answer = (request) => paged([ahead, ...within(BOOK, request)], request);
    const store = memoryStore();
    const { complete, problem } = await syncs(BOOK, [{ answer, from: FROM, job: { store } }]);
    expect({ complete, kind: problem?.kind }).toEqual({ complete: false, kind: "untrusted" });
    expect(problem?.message).toContain("in the future");
    expect([...store.snapshot().keys()]).toContainEqual(expect.stringMatching(/^main\/unfiled\//));
  });

  // Finding W18.
  test.each<[string, Answer]>([
    ["is refused", () => ({ refused: "cursor" })],
    ["begins again", (request) => ({ last: "", ...paged(within(BOOK, request), { ...request, start: "0" }) })],
  ])("an empty `last` on the last page that %s", async (_, onEmpty) => {
    const answer: Answer = (request, asked) =>
      request.start === "" ? onEmpty(request, asked) : { last: "", ...paged(within(BOOK, request), request) };
    expect(await syncs(BOOK, [{ answer, from: FROM }])).toMatchObject(ALL_HELD);
  });

  // Finding W19.
  test("dates filter by filledAt, which is a day after txCreated: nothing is lost at the range's ends", async () => {
    const book = BOOK.map((fill) => ({ ...fill, filledAt: fill.txCreated + DAY_MS }));
    const answer: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      return paged(
        book.filter(({ filledAt }) => startDate <= (filledAt ?? 0) && (filledAt ?? 0) <= endDate),
        request,
      );
    };
    const range = { from: NOW - 50 * DAY_MS, to: NOW - 10 * DAY_MS };
    expect(await syncs(book, [{ answer, ...range }])).toMatchObject(ALL_HELD);
  });

  // Finding W2.
  test("another trader's token, and dates that are ignored: nothing of it is filed", async () => {
    const old = bookOf(300, 60).map((fill) => ({ ...fill, txCreated: fill.txCreated - 200 * DAY_MS }));
    const answers: readonly Answer[] = [plain(old), (request) => paged(FOREIGN, request)];
    const other = await syncs(
      old,
      answers.map((answer) => ({ answer, from: FROM })),
    );
    expect(other).toMatchObject({ complete: false, fills: 300, lost: 0, problem: { kind: "untrusted" } });
  });

  // Finding W5.
  const tooWide = ({ startDate = 0, endDate = NOW, start }: PageRequest, days: number) =>
    start === undefined && endDate - startDate > days * DAY_MS;

  test.each([30, 100])("ranges over %d days time out: narrower ones are read", async (days) => {
    const answer: Answer = (request) => {
      if (tooWide(request, days)) {
        return { refused: "slow" };
      }
      return paged(within(BOOK, request), request);
    };
    expect(await syncs(BOOK, [{ answer, from: FROM }])).toMatchObject(ALL_HELD);
  });
});
