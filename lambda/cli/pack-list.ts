import { isPackOwner } from "../core/account-name.ts";
import { formatMinor } from "../core/currency.ts";
import { compareText } from "../core/text.ts";
import type { Check } from "../job/context.ts";
import { checksOf } from "../job/inspect.ts";
import type { Store } from "../storage/store.ts";
import { findPack } from "../web/data/catalogue.ts";
import { collected } from "../web/data/map-concurrent.ts";
import { packsRead, sinceMade } from "../web/data/pack-checks.ts";
import { packPeriods, storeOf, versionsByPeriod } from "../web/data/versions.ts";
import type { AccountStores, PackEntry, PackStatement } from "../web/packs.ts";

/** A pack in the list. What its files would say is null if they cannot be read. */
export interface ListedPack {
  readonly account: string;
  readonly pack: PackEntry;
  /** A folder, or `s3://…`. */
  readonly dir: string;
  readonly claim: PackStatement | null;
  /**
   * Net realised PnL by currency, rounded to its minor unit; empty if not known. `partial`: more belongs to
   * it that is not known.
   */
  readonly net: readonly {
    readonly currency: string;
    readonly amount: string;
    readonly funding: "included" | "excluded";
    readonly partial: boolean;
  }[];
  /** The last one that read it: since it was made, and where it is. */
  readonly check: Check | null;
}

/** Accounts and groups that have a folder in the store, sorted. */
export async function namesIn(store: Store): Promise<string[]> {
  return (await collected(store.folders(""))).filter(isPackOwner).sort(compareText);
}

/** The packs of one account. */
export interface PackList {
  /** By period, then newest first. */
  readonly packs: readonly ListedPack[];
  /** The line of each period whose current version is missing. */
  readonly gone: readonly string[];
}

/** Of each period only the newest complete version, or with `all` every version. */
export async function listPacks(stores: AccountStores, all: boolean): Promise<PackList> {
  const periods = await versionsByPeriod(stores, await packPeriods(stores));
  const versions = periods.flatMap((period) => period.versions);
  const newest = new Map<string, PackEntry>();
  for (const version of versions) {
    const before = newest.get(version.period);
    newest.set(version.period, before === undefined || version.latest ? version : before);
  }
  const packs: ListedPack[] = [];
  for (const pack of all ? versions : newest.values()) {
    packs.push(await describe(stores, pack));
  }
  return { packs, gone: periods.flatMap((period) => goneLine(stores.account, period) ?? []) };
}

/** That the version that counts is missing, and what to do; null: it is there. */
export function goneLine(
  account: string,
  { period, latestGone }: Pick<PackEntry, "period" | "latestGone">,
): string | null {
  return latestGone === null
    ? null
    : `${account} ${period}: latest.json names version ${latestGone}, which is not in the store. Restore it from a copy, or export the period again.`;
}

async function describe(stores: AccountStores, pack: PackEntry): Promise<ListedPack> {
  const { account } = stores;
  // A damaged pack is listed too; verify says what is wrong with it.
  const details = await findPack(stores, pack.period, pack.version).catch(() => null);
  return {
    account,
    pack,
    dir: `${storeOf(stores, pack.store).location}/${account}/packs/${pack.period}/${pack.version}`,
    claim: details?.claim ?? null,
    net: (details?.claim.nets ?? []).flatMap(({ currency, net, isFundingIncluded, isPartial }) =>
      net === null
        ? []
        : [
            {
              currency,
              amount: formatMinor(net, currency),
              funding: isFundingIncluded ? "included" : "excluded",
              partial: isPartial,
            } as const,
          ],
    ),
    check: await checkOf(stores, pack),
  };
}

async function checkOf(stores: AccountStores, pack: PackEntry): Promise<Check | null> {
  const { account, store } = stores;
  const { files } = await checksOf({ account, store }, { period: pack.period, ...packsRead(stores, pack.store) });
  return sinceMade(files, pack);
}
