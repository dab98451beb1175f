import { WaitError } from "../core/errors.ts";
import type { RunContext } from "../job/context.ts";
import { type HeldHead, nextHead, readHead, swapHead } from "./head.ts";
import { olderHead } from "./newest-head.ts";

/**
 * The holder writes the head every 10 to 20 seconds while it walks. A rival run waits for the whole time by
 * its own clock.
 */
export const LEASE_TTL_MS = 30_000;
const POLL_MS = 500;
const MAX_WAIT_MS = 3_600_000;
/** When it is worth trying again while another run is active. */
const ASK_AGAIN_MS = 300_000;

type LeasePorts = Pick<RunContext, "account" | "store" | "clock" | "holder" | "isDead" | "leaseWaitMs" | "signal"> & {
  readonly waiting: (holder: string) => void;
};

/**
 * Waits until no run holds the archive, then returns its head; null: there is no archive yet. Rejects with a
 * WaitError after `leaseWaitMs`, with StoppedError when the signal aborts, and with `untrusted` if the head
 * is missing or older than the archive.
 */
export async function readFreeHead(ports: LeasePorts): Promise<HeldHead | null> {
  const held = await untilFree(ports, ports.clock.monotonic() + (ports.leaseWaitMs ?? MAX_WAIT_MS));
  // A commit on top of an older head would hide the newer manifests, and their fills would be collected.
  const problem = await olderHead(ports, held);
  if (problem !== null) {
    throw problem;
  }
  return held;
}

/**
 * Acquires the lease. Every later swap by an older run is refused because the tag has changed. Null: another
 * run was quicker.
 */
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
  return new WaitError(message, { waitMs: ASK_AGAIN_MS, hint: "wait for that run to end, or stop it, then run again" });
}

/**
 * Returns the head when no run holds it: it has no lease, its holder is dead, or it was not written for the
 * lease's whole time by our own clock.
 */
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
      throw busy(`the archive ${store.location}/${account} is held by another run (${lease.holder})`);
    }
    ports.waiting(lease.holder);
    await clock.sleep(POLL_MS, signal);
  }
}
