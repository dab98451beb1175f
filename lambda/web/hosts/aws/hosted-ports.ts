import type { Clock } from "../../../core/clock.ts";
import type { Random } from "../../../core/random.ts";
import { viewArchive } from "../../data/archives.ts";
import type { PagePorts } from "../../ports.ts";
import { accountList, accountStores } from "./accounts.ts";
import { MOST_FILE_BYTES } from "./events.ts";
import { executions } from "./executions.ts";
import { signedLinks } from "./links.ts";
import { openMachine } from "./machine.ts";
import type { HostedSettings } from "./page-settings.ts";

/**
 * Of all files of an account, which are read together: 4.4 MB of rates take 1.4 s of a whole processor and
 * 390 MB in all, and a function of 512 MB has a third of a processor for 29 s.
 */
const MOST_TOTAL_BYTES = 6_000_000;

/**
 * What the page has on AWS. Nothing is opened before a request needs it; what was opened serves the next ones
 * too.
 */
export function hostedPorts(
  settings: HostedSettings,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
) {
  const now = () => clock.now();
  const storesOf = accountStores(settings);
  const archiveOf = (account: string) => viewArchive(storesOf(account), now);
  return {
    accounts: accountList(settings),
    storesOf,
    cannotAsk: () => null, // the job's function has each account's token
    jobs: executions({ machine: openMachine(settings.machine), archiveOf, now }),
    links: signedLinks(settings, storesOf, now),
    inputLimits: { mostFileBytes: MOST_FILE_BYTES, mostTotalBytes: MOST_TOTAL_BYTES },
    newId: () => random.id(),
    now,
  } satisfies PagePorts;
}
