import type { Clock } from "../../../core/clock.ts";
import type { Random } from "../../../core/random.ts";
import { pageData } from "../../data/data.ts";
import type { PagePorts } from "../../ports.ts";
import { accountList } from "./account-list.ts";
import { accountStores } from "./account-stores.ts";
import { executions } from "./executions.ts";
import { signedLinks } from "./links.ts";
import { openMachine } from "./machine.ts";
import type { HostedSettings } from "./page-settings.ts";

/** What the page has on AWS. Nothing is opened before a request needs it; what was opened serves the next ones too. */
export function hostedPorts(
  settings: HostedSettings,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): PagePorts {
  const now = () => clock.now();
  const storesOf = accountStores(settings, clock);
  const data = pageData({ storesOf, now, newId: () => random.id() });
  return {
    ...data,
    accounts: accountList(settings),
    jobs: executions({ machine: openMachine(settings.machine), archiveOf: data.archiveOf, now }),
    links: signedLinks(settings, { storesOf, now }),
    now,
  };
}
