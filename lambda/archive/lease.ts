import { WaitError } from "../core/errors.ts";
import type { RunContext } from "../job/context.ts";
import { type HeldHead, nextHead, readHead, swapHead } from "./head.ts";
import { olderHead } from "./newest-head.ts";

/** The holder writes the head every 10 to 20 seconds while it walks; a rival waits for all of it, by its own clock. */
export const LEASE_TTL_MS = 30_000;
const POLL_MS = 500;
const MAX_WAIT_MS = 3_600_000;
/** When it is worth asking again whether a run that goes on has ended. */
const ASK_AGAIN_MS = 300_000;

type LeasePorts = Pick<RunContext, "account" | "store" | "clock" | "holder" | "isDead" | "leaseWaitMs" | "signal"> & {
  readonly waiting: (holder: string) => void;
};

/**
 * The head once nobody holds the archive; null: there is no archive yet. Waits while another run holds it and keeps writing; rejects with a WaitError
 * when that takes longer than `leaseWaitMs`, with StoppedError when the signal aborts, `untrusted` where the head is gone or an older one.
 */
export async function readFreeHead(ports: LeasePorts): Promise<HeldHead | null> {
  const held = await untilFree(ports, ports.clock.monotonic() + (ports.leaseWaitMs ?? MAX_WAIT_MS));
  // What followed an older head would hide that there was a newer one, whose fills would be collected.
  const problem = await olderHead(ports, held);
  if (problem !== null) {
    throw problem;
  }
  return held;
}

/** Makes the archive this run's: every later swap of the head by an older run is refused, since its tag has changed. Null: another run was quicker. */
export async function takeLease(
  { account, store, clock, random, holder }: Pick<RunContext, "account" | "store" | "clock" | "random" | "holder">,
  free: HeldHead | null,
): Promise<HeldHead | null> {
  const epoch = (free?.head.epoch ?? 0) + 1;
  const next = nextHead(free?.head ?? null, { epoch, lease: { holder, ttlMs: LEASE_TTL_MS } }, random);
  const outcome = await swapHead({ store, clock }, account, next, free?.tag ?? null);
  return outcome.kind === "landed" ? outcome.held : null;
}

function busy(message: string): WaitError {
  return new WaitError(message, { waitMs: ASK_AGAIN_MS, hint: "wait for that run, or stop it, and run again" });
}

/** The head once nobody holds it: no lease, a dead holder, or no write for the lease's whole time by our own clock. */
async function untilFree(ports: LeasePorts, giveUpAt: number): Promise<HeldHead | null> {
  const { store, account, clock, holder, isDead, signal } = ports;
  let seenTag: string | null = null;
  let seenAt = clock.monotonic();
  while (true) {
    const held = await readHead(store, account);
    const lease = held?.head.lease ?? null;
    if (held === null || lease === null || lease.holder === holder || isDead(lease.holder)) {
      return held;
    }
    if (held.tag !== seenTag) {
      seenTag = held.tag;
      seenAt = clock.monotonic();
    } else if (clock.monotonic() - seenAt >= lease.ttlMs) {
      return held;
    }
    if (clock.monotonic() >= giveUpAt) {
      throw busy(`the archive ${store.location}/${account} is held by ${lease.holder}`);
    }
    ports.waiting(lease.holder);
    await clock.sleep(POLL_MS, signal);
  }
}
