import type { Store } from "../../storage/store.ts";
import type { PagePorts } from "../ports.ts";
import { viewArchive } from "./archives.ts";
import { openCatalogue } from "./catalogue.ts";
import { openDownloads } from "./downloads.ts";

/** Where one account's objects are. */
export interface AccountStores {
  readonly store: Store;
  /** The packs', where it is another. */
  readonly packStore: Store | null;
}

export interface PageSources {
  readonly storesOf: (account: string) => AccountStores;
  /** Wall time, ms UTC. */
  readonly now: () => number;
  /** A name that no other record has. */
  readonly newId: () => string;
}

/** What the page shows of stores, whatever its home. */
export function pageData({ storesOf, now, newId }: PageSources): Pick<PagePorts, "archiveOf" | "packs" | "downloads"> {
  const catalogueOf = (account: string) => openCatalogue(storesOf(account));
  const downloadsOf = (account: string) => openDownloads(storesOf(account).store, newId);
  return {
    archiveOf: (account) => viewArchive(storesOf(account).store, account, now),
    packs: {
      periods: (account) => catalogueOf(account).periods(account),
      list: (account, periods) => catalogueOf(account).list(account, periods),
      find: (account, period, version) => catalogueOf(account).find(account, period, version),
      claims: (account, packs) => catalogueOf(account).claims(account, packs),
      restatedSince: (archive, claims) => catalogueOf(archive.account).restatedSince(archive, claims),
      compare: (account, before, after) => catalogueOf(account).compare(account, before, after),
      open: (account, pack, path) => catalogueOf(account).open(account, pack, path),
    },
    downloads: {
      record: (record) => downloadsOf(record.account).record(record),
      recent: (account, limit, before) => downloadsOf(account).recent(account, limit, before),
    },
  };
}
