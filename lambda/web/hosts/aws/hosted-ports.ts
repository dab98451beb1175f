import type { Clock } from "../../../core/clock.ts";
import type { Random } from "../../../core/random.ts";
import { viewArchive } from "../../data/archives.ts";
import type { PagePorts } from "../../ports.ts";
import { accountList, accountStores } from "./accounts.ts";
import { executions } from "./executions.ts";
import { signedLinks } from "./links.ts";
import { openMachine } from "./machine.ts";
import type { HostedSettings } from "./page-settings.ts";

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
    newId: () => random.id(),
    now,
  } satisfies PagePorts;
}
