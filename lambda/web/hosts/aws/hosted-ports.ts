import type { Clock } from "../../../core/clock.ts";
import type { Random } from "../../../core/random.ts";
import { viewArchive } from "../../data/archives.ts";
import type { PagePorts } from "../../ports.ts";
import { accountList, accountStores } from "./accounts.ts";
import { executions } from "./executions.ts";
import { signedLinks } from "./links.ts";
import type { HostedSettings } from "./page-settings.ts";

/**
 * Of a file that is put up. A function is called with at most 6 MB (6,291,456 bytes), in which four bytes of
 * base64 stand for three; the form around the file and the event around the form take the rest.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MOST_FILE_BYTES = 4_500_000;

/**
 * What AWS provides for the page. Each part is opened when a request first needs it, and serves later
 * requests too.
 */
export function hostedPorts(
  settings: HostedSettings,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
) {
  const now = () => clock.now();
  const storesOf = accountStores(settings);
  const archiveOf = (account: string) => viewArchive(storesOf(account));
  return {
    accounts: accountList(settings),
    groups: () => Promise.resolve([]), // a session reaches the folder of one account, and none lists all folders
    storesOf,
    cannotAsk: () => null, // the job's function has each account's token
    jobs: executions({ machine: settings.machine, archiveOf, now }),
    links: signedLinks(storesOf, now),
    mostFileBytes: MOST_FILE_BYTES,
    newId: () => random.id(),
    now,
  } satisfies PagePorts;
}
