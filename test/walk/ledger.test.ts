import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readDataFile } from "../../lambda/archive/data-files.ts";
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
import { evidenceBodies } from "../support/auditor.ts";
import { encodePages } from "../support/evidence.ts";
import { type FaultyStore, faultyStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";

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
    ledger: new UncommittedChanges(session, ranges),
  };
}

/** The first write of such a key fails, but for the one that takes the archive. */
function failingOnce(isSuch: (key: string) => boolean): FaultyStore {
  let failed = false;
  return faultyStore(memoryStore(), ({ method, nth, key }) => {
    const isWrite = method === "createNew" || (method === "replaceIf" && nth > 0);
    const fails = isWrite && !failed && isSuch(key);
    failed ||= fails;
    return fails ? "fail-before" : "ok";
  });
}

function fillAt(day: number): PlainFill {
  return makeFill({ matchId: `m-${day}`, txCreated: FROM + day * DAY_MS, filledAt: null });
}

/** One page of a window, which then stands at `cursor`. */
function segmentOf(before: OpenWindow, fills: readonly Fill[], cursor: string | null = null): Segment {
  const after = { ...before, pages: before.pages + 1, cursor };
  const body = JSON.stringify(fills.map(({ matchId }) => matchId));
  return { before, after, fills, evidence: () => encodePages([{ request: {}, body }]) };
}

/** The hash chain over evidence objects, as manifest.ts describes it, of what the store holds. */
async function chainOf(store: Store, keys: readonly string[]): Promise<string> {
  const sha = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  let chain = "0".repeat(64);
  for (const key of keys) {
    chain = sha(chain + sha((await store.get(key))?.body ?? ""));
  }
  return chain;
}

/** The window's chain has ended, and so much of it counts. */
function end(uncommitted: UncommittedChanges, window: OpenWindow, covered: TimeRange): void {
  const state = uncommitted.stateOf(window);
  uncommitted.drop(window);
  uncommitted.credit(state, { covered, ended: "no-last" });
}

describe("a ledger", () => {
  test("commits rows, evidence, and where each window stands, together", async () => {
    const { store, ledger: uncommitted, session } = await begun();
    uncommitted.begin(WINDOW);
    uncommitted.take(segmentOf(WINDOW, [fillAt(6), fillAt(7)], "c1"));
    await uncommitted.commit();
    const archive = await readCurrent(store, "main");
    const [open] = archive.checkpoint.open;
    expect(open).toMatchObject({ from: WINDOW.from, to: WINDOW.to, cursor: "c1", pages: 1 });
    expect(open?.pagesHash).toBe(await chainOf(store, open?.evidence ?? []));
    expect(await evidenceBodies(store, open?.evidence[0] ?? "")).toEqual(['["m-6","m-7"]']);
    expect(archive).toMatchObject({ fills: 2, coverage: [], windows: [], parts: [{ rows: 2 }] });
    expect(session.committed.counts.added).toBe(2);
  });

  test("an ended window is covered, by what counts of it, with all of its evidence in order", async () => {
    const { store, ledger } = await begun();
    ledger.begin(WINDOW);
    const first = segmentOf(WINDOW, [fillAt(9)], "c1");
    ledger.take(first);
    await ledger.commit();
    ledger.take(segmentOf(ledger.stateOf(WINDOW) ?? first.after, [fillAt(6)]));
    const covered = { from: WINDOW.from + DAY_MS, to: WINDOW.to };
    end(ledger, WINDOW, covered);
    expect(ledger.finishedRanges).toMatchObject([covered]);
    await ledger.commit();
    const archive = await readCurrent(store, "main");
    expect(archive).toMatchObject({ coverage: [covered], checkpoint: { open: [] } });
    const [record] = archive.windows;
    expect(record).toMatchObject({ ...covered, pages: 2, rows: 2, ended: "no-last" });
    expect(record?.evidence).toHaveLength(2);
    expect(record?.pagesHash).toBe(await chainOf(store, record?.evidence ?? []));
    const bodies = await Promise.all((record?.evidence ?? []).map((key) => evidenceBodies(store, key)));
    expect(bodies.flat()).toEqual(['["m-9"]', '["m-6"]']);
  });

  test("a window of which nothing counts leaves its rows and no coverage", async () => {
    const { store, ledger } = await begun();
    ledger.begin(WINDOW);
    ledger.take(segmentOf(WINDOW, [fillAt(6)]));
    ledger.drop(WINDOW);
    expect(ledger.openCount).toBe(0);
    await ledger.commit();
    expect(await readCurrent(store, "main")).toMatchObject({
      fills: 1,
      coverage: [],
      windows: [],
      checkpoint: { open: [] },
    });
  });

  test("a margin row beyond what was asked for is not filed; its page is kept", async () => {
    const { store, ledger } = await begun();
    const margin = makeFill({ matchId: "beyond", txCreated: RANGE.to });
    ledger.begin(WINDOW);
    ledger.take(segmentOf(WINDOW, [fillAt(6), margin]));
    end(ledger, WINDOW, WINDOW);
    await ledger.commit();
    const { parts, windows } = await readCurrent(store, "main");
    const [part] = parts;
    expect(part === undefined ? [] : await readDataFile(store, part)).toEqual([fillAt(6)]);
    expect(await evidenceBodies(store, windows[0]?.evidence[0] ?? "")).toEqual(['["m-6","beyond"]']);
  });

  test("once the dates are not trusted, no window that was asked with them counts, ended or not, now or before; the rows stay", async () => {
    const { store, ledger } = await begun();
    const windows = [8, 5, 2, 0].map((day) =>
      freshWindow({ from: FROM + day * DAY_MS, to: FROM + (day + 1) * DAY_MS }),
    );
    const [early, ended, late, open] = windows as [OpenWindow, OpenWindow, OpenWindow, OpenWindow];
    for (const window of windows) {
      ledger.begin(window);
      ledger.take(segmentOf(window, [makeFill({ matchId: `m-${window.from}`, txCreated: window.from })]));
    }
    end(ledger, early, early);
    await ledger.commit();
    end(ledger, ended, ended);
    ledger.apply({ kind: "dates-by-another-time" });
    end(ledger, late, late);
    expect(ledger.stateOf(open)).toBeDefined();
    await ledger.commit();
    expect(await readCurrent(store, "main")).toMatchObject({
      fills: 4,
      coverage: [],
      windows: [],
      checkpoint: { open: [], datesTrusted: false },
    });
  });

  test("a window without dates counts once they are not trusted", async () => {
    const { store, ledger } = await begun();
    ledger.apply({ kind: "dates-by-another-time" });
    await ledger.commit();
    const whole = { ...freshWindow(RANGE), dated: false };
    ledger.begin(whole);
    ledger.take(segmentOf(whole, [fillAt(6)]));
    end(ledger, whole, whole);
    await ledger.commit();
    expect((await readArchive(store, "main")).manifest).toMatchObject({ fills: 1, coverage: [RANGE] });
  });

  test("nothing is covered but what its rows are filed for: not what lies between the range and a piece that is walked again", async () => {
    const piece = { from: FROM - 40 * DAY_MS, to: FROM - 30 * DAY_MS };
    const { store, ledger } = await begun(
      faultyStore(memoryStore(), () => "ok"),
      [RANGE, piece],
    );
    ledger.apply({ kind: "dates-by-another-time" });
    await ledger.commit();
    const whole = { ...freshWindow({ from: piece.from, to: RANGE.to }), dated: false };
    ledger.begin(whole);
    ledger.take(segmentOf(whole, [fillAt(-35), fillAt(-10), fillAt(6)]));
    end(ledger, whole, whole);
    await ledger.commit();
    expect((await readArchive(store, "main")).manifest).toMatchObject({ fills: 2, coverage: [piece, RANGE] });
  });

  test("evidence is written before the head names it", async () => {
    const { store, ledger } = await begun();
    ledger.begin(WINDOW);
    ledger.take(segmentOf(WINDOW, [fillAt(6)]));
    await ledger.commit();
    const writes = store.operations.filter(({ method }) => method !== "get" && method !== "list");
    const kinds = writes.map(({ key }) => key.split("/")[1]);
    expect(kinds).toEqual(["head.json", "fills", "pages", "manifests", "head.json"]);
  });

  test("commits wait for each other; a row taken meanwhile is in the next, once, and what has nothing new is none", async () => {
    const { store, ledger } = await begun();
    ledger.begin(WINDOW);
    ledger.take(segmentOf(WINDOW, [fillAt(6)], "c1"));
    const first = ledger.commit();
    ledger.take(segmentOf(ledger.stateOf(WINDOW) ?? WINDOW, [fillAt(7)]));
    await Promise.all([first, ledger.commit(), ledger.commit()]);
    const { manifest } = await readArchive(store, "main");
    expect(manifest).toMatchObject({ fills: 2, seq: 2 });
    expect(manifest.checkpoint.open[0]?.evidence).toHaveLength(2);
  });

  test.each(["pages", "fills", "manifests", "head"])(
    "what a commit that fails at %s has taken is in the next one: no window stands beyond its rows",
    async (at) => {
      const { store, ledger, session } = await begun(failingOnce((key) => key.includes(`/${at}`)));
      ledger.begin(WINDOW);
      ledger.take(segmentOf(WINDOW, [fillAt(6)], "c1"));
      await expect(ledger.commit()).rejects.toThrow("injected");
      ledger.take(segmentOf(ledger.stateOf(WINDOW) ?? WINDOW, [fillAt(7)]));
      end(ledger, WINDOW, WINDOW);
      await ledger.commit();
      const archive = await readCurrent(store, "main");
      expect(archive).toMatchObject({ fills: 2, coverage: [{ from: WINDOW.from, to: WINDOW.to }] });
      const bodies = await Promise.all((archive.windows[0]?.evidence ?? []).map((key) => evidenceBodies(store, key)));
      expect(bodies.flat()).toEqual(['["m-6"]', '["m-7"]']);
      expect(session.committed.counts.added).toBe(2);
    },
  );

  test.each(["fills", "pages", "manifests", "head"])(
    "a commit that takes back what rested on dates, and fails at %s, takes it back in the next one",
    async (at) => {
      const { store, ledger } = await begun(failingOnce((key) => key.includes(`/${at}`)));
      ledger.begin(WINDOW);
      ledger.take(segmentOf(WINDOW, [fillAt(6)]));
      end(ledger, WINDOW, WINDOW);
      ledger.apply({ kind: "dates-by-another-time" });
      await Promise.allSettled([ledger.commit()]);
      await ledger.commit();
      expect((await readArchive(store, "main")).manifest).toMatchObject({ fills: 1, coverage: [] });
    },
  );

  test("a window that has ended and is not judged yet stays open in the next round, with its pages", async () => {
    const { session, ledger } = await begun();
    ledger.begin(WINDOW);
    ledger.take(segmentOf(WINDOW, [fillAt(6)]));
    const next = freshWindow({ from: WINDOW.from - DAY_MS, to: WINDOW.from });
    ledger.beginOnly([next], [WINDOW]);
    await ledger.commit();
    const { open } = session.manifest.checkpoint;
    expect(open.map(({ from, evidence }) => [from, evidence.length])).toEqual([
      [WINDOW.from, 1],
      [next.from, 0],
    ]);
    ledger.beginOnly([next], []);
    await ledger.commit();
    expect(session.manifest.checkpoint.open).toHaveLength(1);
  });

  test("it is due two seconds after the last, and not before", async () => {
    const { store, ledger, clock } = await begun();
    ledger.begin(WINDOW);
    ledger.take(segmentOf(WINDOW, [fillAt(6)]));
    await ledger.commitWhenDue();
    expect((await readArchive(store, "main")).ref).toBeNull();
    await clock.sleep(2000);
    await ledger.commitWhenDue();
    expect((await readArchive(store, "main")).manifest.fills).toBe(1);
  });

  test("what was found of the service is in the checkpoint, and a new run begins with it", async () => {
    const { ledger, session } = await begun();
    ledger.apply({ kind: "width-answered", proven: { keepingEnd: 7, keepingBeginning: 9 } });
    ledger.apply({ kind: "dates-by-another-time" });
    expect(ledger.checkpoint).toMatchObject({ proven: { keepingEnd: 7 }, datesTrusted: false, datesProven: false });
    await ledger.commit();
    expect(session.manifest.checkpoint).toMatchObject({ proven: { keepingBeginning: 9 }, datesTrusted: false });
  });
});
