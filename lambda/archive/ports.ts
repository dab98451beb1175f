import type { Clock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import type { ServiceReader } from "../service/service.ts";
import type { Store } from "../storage/store.ts";

/** What the archive of one account needs of a run. */
export interface SessionPorts {
  readonly account: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** It begins where earlier runs have learned the service's rate. */
  readonly reader: Pick<ServiceReader, "begin" | "learned">;
  readonly signal: AbortSignal;
  readonly timeLeftMs?: () => number;
}
