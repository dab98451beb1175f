import type { Clock } from "../../../lambda/core/clock.ts";
import { accountsIn } from "../../../lambda/web/data/archives.ts";
import { type LargeAccount, NOW } from "../../support/large-account.ts";
import { slowStore } from "../../support/slow-store.ts";
import { fakePorts, type TestedSite, testedSite } from "../site/fake-site.ts";

export const REQUEST_MS = 30;

export interface Asked {
  readonly status: number;
  readonly page: string;
  readonly requests: number;
  /** Time on the clock. */
  readonly ms: number;
}

/** The page over a slow store, to measure what a page costs there. */
export function slowSite(
  account: LargeAccount,
  clock: Clock,
): { ask: (target: string) => Promise<Asked>; mostAtOnce: () => number } {
  const { store, requests, mostAtOnce } = slowStore(account.objects, {
    clock,
    requestMs: REQUEST_MS,
    modifiedMs: account.modifiedMs,
  });
  const site: TestedSite = testedSite({
    ...fakePorts(),
    storesOf: (name) => ({ account: name, store, packStore: null }),
    accounts: () => accountsIn(store),
    now: () => NOW,
  });
  return {
    mostAtOnce,
    async ask(target) {
      const [before, start] = [requests(), clock.monotonic()];
      const { status, body } = await site.ask(target);
      return { status, page: body, requests: requests() - before, ms: clock.monotonic() - start };
    },
  };
}
