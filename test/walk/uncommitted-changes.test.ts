import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { OpenWindow } from "../../lambda/archive/manifest.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { Store } from "../../lambda/storage/store.ts";
import type { Segment } from "../../lambda/walk/chain-ports.ts";
import { UncommittedChanges } from "../../lambda/walk/uncommitted-changes.ts";
import { freshWindow } from "../../lambda/walk/window.ts";
import { rawResponseBodies } from "../support/auditor.ts";
import { type FaultyStore, faultyStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";
import { encodePages } from "../support/raw-responses.ts";

const FROM = Date.UTC(2025, 2, 1);
const RANGE = { from: FROM, to: FROM + 10 * DAY_MS };
const WINDOW = freshWindow({ from: FROM + 5 * DAY_MS, to: RANGE.to });

async function begun(store: FaultyStore = faultyStore(memoryStore(), () => "ok"), ranges = [RANGE]) {
  const { job, clock } = makeBench({ history: [], job: { store } });
  const session = await ArchiveSession.open(job, () => undefined);
  return {
    store,
    session,
    clock,
    uncommitted: new UncommittedChanges(session, ranges),
  };
}

function fillAt(day: number): PlainFill {
  return makeFill({ matchId: `m-${day}`, txCreated: FROM + day * DAY_MS, filledAt: null });
}

/** One page of a window, which ends with the cursor `cursor`. */
function segmentOf(before: OpenWindow, fills: readonly Fill[], cursor: string | null = null): Segment {
  const after = { ...before, pages: before.pages + 1, cursor };
  const body = JSON.stringify(fills.map(({ matchId }) => matchId));
  return { before, after, fills, rawResponses: () => encodePages([{ request: {}, body }]) };
}

/** The hash chain over stored raw responses, as manifest.ts describes it. */
async function chainOf(store: Store, keys: readonly string[]): Promise<string> {
  const sha = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  let chain = "0".repeat(64);
  for (const key of keys) {
    chain = sha(chain + sha((await store.get(key))?.body ?? ""));
  }
  return chain;
}

/** Ends the window's chain, with `covered` as the range that counts. */
function end(uncommitted: UncommittedChanges, window: OpenWindow, covered: TimeRange): void {
  const state = uncommitted.stateOf(window);
  uncommitted.drop(window);
  uncommitted.credit(state, { covered, ended: "no-last" });
}

describe("uncommitted changes", () => {
  test("commits rows, raw responses and the state of each window together", async () => {
    const { store, uncommitted, session } = await begun();
    uncommitted.begin(WINDOW);
    uncommitted.take(segmentOf(WINDOW, [fillAt(6), fillAt(7)], "c1"));
    await uncommitted.commit();
    const archive = await readCurrent(store, "main");
    const [open] = archive.checkpoint.open;
    expect(open).toMatchObject({ from: WINDOW.from, to: WINDOW.to, cursor: "c1", pages: 1 });
    expect(open?.pagesHash).toBe(await chainOf(store, open?.rawResponses ?? []));
    expect(await rawResponseBodies(store, open?.rawResponses[0] ?? "")).toEqual(['["m-6","m-7"]']);
    expect(archive).toMatchObject({ fills: 2, coverage: [], windows: [], dataFiles: [{ rows: 2 }] });
    expect(session.committed.counts.added).toBe(2);
  });

  test("covers the range that counts of an ended window, with all its raw responses in order", async () => {
    const { store, uncommitted } = await begun();
    uncommitted.begin(WINDOW);
    const first = segmentOf(WINDOW, [fillAt(9)], "c1");
    uncommitted.take(first);
    await uncommitted.commit();
    uncommitted.take(segmentOf(uncommitted.stateOf(WINDOW) ?? first.after, [fillAt(6)]));
    const covered = { from: WINDOW.from + DAY_MS, to: WINDOW.to };
    end(uncommitted, WINDOW, covered);
    expect(uncommitted.finishedRanges).toMatchObject([covered]);
    await uncommitted.commit();
    const archive = await readCurrent(store, "main");
    expect(archive).toMatchObject({ coverage: [covered], checkpoint: { open: [] } });
    const [record] = archive.windows;
    expect(record).toMatchObject({ ...covered, pages: 2, rows: 2, ended: "no-last" });
    expect(record?.rawResponses).toHaveLength(2);
    expect(record?.pagesHash).toBe(await chainOf(store, record?.rawResponses ?? []));
    const bodies = await Promise.all((record?.rawResponses ?? []).map((key) => rawResponseBodies(store, key)));
    expect(bodies.flat()).toEqual(['["m-9"]', '["m-6"]']);
  });

  test("commits one at a time; a row taken meanwhile is in the next commit, once; without news there is no commit", async () => {
    const { store, uncommitted } = await begun();
    uncommitted.begin(WINDOW);
    uncommitted.take(segmentOf(WINDOW, [fillAt(6)], "c1"));
    const first = uncommitted.commit();
    uncommitted.take(segmentOf(uncommitted.stateOf(WINDOW) ?? WINDOW, [fillAt(7)]));
    await Promise.all([first, uncommitted.commit(), uncommitted.commit()]);
    const { manifest } = await readArchive(store, "main");
    expect(manifest).toMatchObject({ fills: 2, seq: 2 });
    expect(manifest.checkpoint.open[0]?.rawResponses).toHaveLength(2);
  });

  test("commits at the earliest two seconds after the last commit", async () => {
    const { store, uncommitted, clock } = await begun();
    uncommitted.begin(WINDOW);
    uncommitted.take(segmentOf(WINDOW, [fillAt(6)]));
    await uncommitted.commitWhenDue();
    expect((await readArchive(store, "main")).ref).toBeNull();
    await clock.sleep(2000);
    await uncommitted.commitWhenDue();
    expect((await readArchive(store, "main")).manifest.fills).toBe(1);
  });
});
