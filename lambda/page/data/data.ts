import type { Store } from "../../store/store.ts";
import type { PagePorts } from "../ports.ts";
import { accountsIn, viewArchive } from "./archives.ts";
import { openCatalogue } from "./catalogue.ts";
import { openDownloads } from "./downloads.ts";

export interface PageSources {
  /** The archives'. */
  readonly store: Store;
  /** The packs', where it is another. */
  readonly packStore: Store | null;
  /** Wall time, ms UTC. */
  readonly now: () => number;
  /** A name that no other record has. */
  readonly newId: () => string;
}

/** What the page shows of stores, whatever its home. */
export function pageData(sources: PageSources): Pick<PagePorts, "accounts" | "archiveOf" | "packs" | "downloads"> {
  const { store, packStore, now, newId } = sources;
  return {
    accounts: () => accountsIn(store),
    archiveOf: (account) => viewArchive(store, account, now),
    packs: openCatalogue({ store, packStore: packStore ?? store }),
    downloads: openDownloads(store, newId),
  };
}
