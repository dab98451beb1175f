import { describe, expect, test } from "vitest";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import { DateProof } from "../../lambda/walk/date-proof.ts";
import type { ProbePorts } from "../../lambda/walk/probe.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { makeFill } from "../support/make-fill.ts";

const T = Date.UTC(2025, 0, 1);

/** A service whose dates filter by the time that `filter` gives for a fill. */
function service(fills: readonly Fill[], filter: (fill: Fill) => number): { ports: ProbePorts; asked: PageRequest[] } {
  const asked: PageRequest[] = [];
  const reader = stubReader({
    completedOrders: (request) => {
      asked.push(request);
      const { startDate = 0, endDate = 0 } = request;
      const rows = fills
        .filter((fill) => startDate <= filter(fill) && filter(fill) <= endDate)
        .map((fill) => ({ fill }));
      return Promise.resolve({ kind: "page", body: "", rows });
    },
  });
  const ports = {
    reader,
    signal: new AbortController().signal,
    clock: fakeClock(),
    onPage: () => undefined,
  };
  return { ports, asked };
}

function fillAt(offset: number, filledAt: number | null): PlainFill {
  return makeFill({ matchId: `m-${offset}`, txCreated: T + offset, filledAt });
}

const telling = fillAt(0, T + 500);
const mute = [10, 20, 30, 40, 50].map((offset) => fillAt(offset, null));
const byTxCreated = ({ txCreated }: Fill) => txCreated;
const byFilledAt = ({ txCreated, filledAt }: Fill) => filledAt ?? txCreated;

async function findings(fills: readonly Fill[], filter: (fill: Fill) => number, isProven = false) {
  const proof = new DateProof(isProven);
  proof.offer(fills);
  const { ports, asked } = service(fills, filter);
  const noted: object[] = [];
  await proof.check(ports, (finding) => noted.push(finding));
  return { noted, asked, proof, ports };
}

describe("what the dates filter by", () => {
  test("txCreated: proven with one request for the millisecond of a fill whose other time lies elsewhere", async () => {
    const { noted, asked } = await findings([telling, ...mute], byTxCreated);
    expect(noted).toEqual([{ kind: "dates-by-txCreated" }]);
    expect(asked).toEqual([{ startDate: T - 1, endDate: T + 2 }]);
  });

  test("filledAt: detected, and the dates are not trusted", async () => {
    expect((await findings([telling], byFilledAt)).noted).toEqual([{ kind: "dates-by-another-time" }]);
    const before = fillAt(0, T - 500);
    expect((await findings([before], byFilledAt)).noted).toEqual([{ kind: "dates-by-another-time" }]);
  });

  test.each(["page", "cursor-refused"] as const)("the fill does not come after an empty cursor: %s", async (kind) => {
    const reader = stubReader({
      completedOrders: ({ start }) =>
        Promise.resolve(
          start === undefined || kind === "page"
            ? { kind: "page", body: "", rows: [], last: "" }
            : { kind, status: 400 },
        ),
    });
    const proof = new DateProof(false);
    proof.offer([telling]);
    const noted: object[] = [];
    await proof.check({ ...service([], byTxCreated).ports, reader }, (finding) => noted.push(finding));
    expect(noted).toEqual([{ kind: "dates-by-another-time" }]);
  });

  test("a fill that comes on a later page proves nothing and is not probed again; a better one is", async () => {
    const proof = new DateProof(false);
    const asked: PageRequest[] = [];
    const reader = stubReader({
      completedOrders: (request) => {
        asked.push(request);
        const rows = request.start === undefined ? [] : [telling, wider].map((fill) => ({ fill }));
        return Promise.resolve({ kind: "page", body: "", rows, ...(request.start === undefined ? { last: "c" } : {}) });
      },
    });
    const wider = fillAt(1, T + 90_000);
    const { ports } = service([], byTxCreated);
    const noted: object[] = [];
    for (const fill of [telling, telling, wider, telling]) {
      proof.offer([fill]);
      await proof.check({ ...ports, reader }, (finding) => noted.push(finding));
      expect(proof.canProve).toBe(false);
    }
    expect(noted).toEqual([]);
    expect(asked.map(({ startDate, start }) => [startDate, start])).toEqual([
      [T - 1, undefined],
      [T - 1, "c"],
      [T, undefined],
      [T, "c"],
    ]);
  });
});
