import { describe, expect, test } from "vitest";
import { type HeldHead, nextHead, readHead, swapHead } from "../../lambda/archive/head.ts";
import { acquireLease, LEASE_TTL_MS, readFreeHead } from "../../lambda/archive/lease.ts";
import { StoppedError } from "../../lambda/core/errors.ts";
import type { Random } from "../../lambda/core/random.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";
import { bytes } from "../support/store-text.ts";

type Ports = Parameters<typeof readFreeHead>[0] & { readonly random: Random };

function portsOf(run: Partial<Ports> & { holder: string }): Ports & { waitedFor: string[] } {
  const waitedFor: string[] = [];
  return {
    account: "main",
    store: memoryStore(),
    clock: fakeClock({ auto: true }),
    random: namedRandom(run.holder),
    isDead: () => false,
    signal: new AbortController().signal,
    waiting: (holder) => waitedFor.push(holder),
    ...run,
    waitedFor,
  };
}

/**
 * Takes the archive as a run does: reads the head when it is free, and writes its own lease. If another run
 * was faster, it begins again.
 */
async function acquireHead(ports: Ports): Promise<HeldHead> {
  return (await acquireLease(ports, await readFreeHead(ports))) ?? (await acquireHead(ports));
}

async function heartbeat(ports: Ports, held: HeldHead, change: Parameters<typeof nextHead>[1] = {}): Promise<HeldHead> {
  const outcome = await swapHead(ports, "main", nextHead(held.head, change, ports.random), held.tag);
  if (outcome.kind !== "landed") {
    throw new Error(outcome.kind);
  }
  return outcome.held;
}

describe("taking the archive", () => {
  test("after it was released: at once, with a higher epoch", async () => {
    const first = portsOf({ holder: "a:1:x" });
    await heartbeat(first, await acquireHead(first), { lease: null });
    const second = portsOf({ holder: "b:2:y", store: first.store });
    expect((await acquireHead(second)).head).toMatchObject({ epoch: 2, lease: { holder: "b:2:y" } });
    expect(second.waitedFor).toEqual([]);
  });

  test("from a dead holder: at once", async () => {
    const first = portsOf({ holder: "a:1:x" });
    await acquireHead(first);
    const second = portsOf({ holder: "a:2:y", store: first.store, isDead: (holder) => holder === "a:1:x" });
    expect((await acquireHead(second)).head.epoch).toBe(2);
    expect(second.waitedFor).toEqual([]);
  });

  test("from a silent holder: after the lease's full time by our own clock, whatever the holder's clock says", async () => {
    const first = portsOf({ holder: "a:1:x", clock: fakeClock({ now: Date.UTC(2099, 0, 1) }) });
    await acquireHead(first);
    const clock = fakeClock({ auto: true });
    const second = portsOf({ holder: "b:2:y", store: first.store, clock });
    await acquireHead(second);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(LEASE_TTL_MS);
    expect(clock.monotonic()).toBeLessThan(LEASE_TTL_MS + 2000);
    expect(new Set(second.waitedFor)).toEqual(new Set(["a:1:x"]));
  });

  test("not from a holder that keeps writing, but at once when the holder releases it", async () => {
    const clock = fakeClock();
    const first = portsOf({ holder: "a:1:x", clock });
    let held = await acquireHead(first);
    const second = portsOf({ holder: "b:2:y", store: first.store, clock });
    let taken: HeldHead | null = null;
    const taking = acquireHead(second).then((head) => {
      taken = head;
    });
    for (let beat = 0; beat < 40; beat += 1) {
      await clock.untilSleeping();
      await clock.advance(LEASE_TTL_MS / 3);
      held = await heartbeat(first, held);
      expect(taken).toBeNull();
    }
    await heartbeat(first, held, { lease: null });
    await advanceUntil(clock, taking);
    expect(taken).toMatchObject({ head: { epoch: 2, lease: { holder: "b:2:y" } } });
  });
});

async function advanceUntil(clock: FakeClock, done: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = done.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await clock.advance(500);
  }
  await end;
}

describe("not taking it", () => {
  test.each([
    ["an hour", {}, 3_600_000],
    ["the run's own limit", { leaseWaitMs: 45_000 }, 45_000],
  ])(
    "a holder that does not end within %s: the message names it, what to do, and when to try again",
    async (_, ports, waitedMs) => {
      const clock = fakeClock({ auto: true });
      const first = portsOf({ holder: "a:1:x", clock });
      const held = await acquireHead(first);
      const busy = { ...first.store, get: first.store.get };
      const beating = { beat: 0, held };
      const second = portsOf({
        holder: "b:2:y",
        clock,
        ...ports,
        store: {
          ...busy,
          async get(key) {
            beating.beat += 1;
            if (beating.beat % 20 === 0) {
              beating.held = await heartbeat(first, beating.held);
            }
            return await first.store.get(key);
          },
        },
      });
      await expect(acquireHead(second)).rejects.toMatchObject({
        kind: "incomplete",
        message: "the archive memory/main is held by another run (a:1:x)",
        hint: "wait for that run to end, or stop it, then run again",
        waitMs: 300_000,
      });
      expect(clock.monotonic()).toBeGreaterThanOrEqual(waitedMs);
      expect(clock.monotonic()).toBeLessThan(waitedMs + 1000);
    },
  );

  test("a run that is stopped while it waits leaves the head unchanged", async () => {
    const first = portsOf({ holder: "a:1:x" });
    const held = await acquireHead(first);
    const stop = new AbortController();
    const waiting = acquireHead(
      portsOf({ holder: "b:2:y", store: first.store, signal: stop.signal, waiting: () => stop.abort() }),
    );
    await expect(waiting).rejects.toBeInstanceOf(StoppedError);
    expect(await readHead(first.store, "main")).toEqual(held);
  });

  test("manifests without a head: the head was lost, and a new one would hide them", async () => {
    const store = memoryStore();
    const key = `main/manifests/3-${"ab".repeat(32)}.json`;
    store.put(key, bytes("{}"));
    await expect(acquireHead(portsOf({ holder: "a:1:x", store }))).rejects.toMatchObject({
      kind: "untrusted",
      message: `memory/main/head.json is missing, but ${key} exists`,
      hint: expect.stringContaining("restore head.json"),
    });
    expect([...store.snapshot().keys()]).toEqual([key]);
  });
});
