import { recentDownloads } from "../data/downloads.ts";
import { findVersions } from "../data/pack-files.ts";
import { checksOf, lookAround, type Now, standingsOf, verdictSince } from "../data/standing.ts";
import { packPeriods, versionsByPeriod } from "../data/versions.ts";
import type { AccountStores } from "../packs.ts";
import type { PageContext } from "../page-context.ts";
import { type AccountLine, accountsPage } from "../views/accounts.ts";
import { historyPage } from "../views/history.ts";
import { groupPage, overviewPage } from "../views/overview.ts";
import { packPage } from "../views/pack.ts";
import type { PackLine } from "../views/packs.ts";
import { damageOf, page, roleOf } from "./answers.ts";

/** With more accounts than this only their names are shown, because each would need a read. */
const MOST_LOOKED_INTO = 20;
/** Of periods, and of a period's versions, unless all are asked for. */
const PACKS_SHOWN = 25;
const DOWNLOADS_SHOWN = 200;

export async function accounts(c: PageContext): Promise<Response> {
  const { ports, visitor } = c.var;
  const isTheirs = (account: string) => roleOf(visitor, account) !== null;
  const names = (await ports.accounts()).filter(isTheirs);
  const all = [...new Set([...names, ...(await ports.groups()).filter(isTheirs)])];
  const isFew = all.length <= MOST_LOOKED_INTO;
  const lines = await Promise.all(
    all.map(async (account) => ({
      account,
      known: isFew ? await lookInto(ports.storesOf(account), !names.includes(account)) : null,
    })),
  );
  const obstacles = names.map((account) => ports.cannotAsk(account));
  return page(c, accountsPage(lines, obstacles.includes(null) ? null : (obstacles[0] ?? null)));
}

/** A damaged account does not hide the others. */
async function lookInto(stores: AccountStores, isGroup: boolean): Promise<AccountLine["known"]> {
  try {
    const [now, periods] = await Promise.all([lookAround(stores), packPeriods(stores)]);
    let newest: PackLine | undefined;
    for (const period of periods) {
      newest ??= (await linesOf(stores, [period], now))[0]; // a period whose only pack was cut off has none
    }
    return { archive: isGroup ? null : now.archive, newest: newest ?? null };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) {
      throw error;
    }
    return { damage };
  }
}

/** Each period's newest pack. */
async function linesOf(stores: AccountStores, periods: readonly string[], now: Now): Promise<PackLine[]> {
  const known = await versionsByPeriod(stores, periods);
  const standings = await standingsOf(
    stores,
    known.flatMap(([newest]) => newest ?? []),
    now,
  );
  const others = known.flatMap(({ length }) => (length === 0 ? [] : [length - 1]));
  return standings.map((standing, at) => ({ ...standing, others: others[at] ?? 0 }));
}

export async function overview(c: PageContext): Promise<Response> {
  const { ports, account, isGroup, stores, role } = c.var;
  const [now, periods, jobs] = await Promise.all([lookAround(stores), packPeriods(stores), ports.jobs.recent(account)]);
  const shown = asked(c, periods);
  const [packs, checks] = await Promise.all([linesOf(stores, shown, now), checksOf(stores, now.archive.seq, null)]);
  const left = periods.length - shown.length;
  if (isGroup) {
    return page(c, groupPage(account, packs, left));
  }
  const cannotAsk = ports.cannotAsk(account);
  return page(c, overviewPage({ ...now, packs, left, jobs, checks, cannotAsk, role, now: ports.now() }));
}

/** The first of these, or all. */
function asked<Entry>(c: PageContext, all: readonly Entry[]): readonly Entry[] {
  return c.req.query("all") === undefined ? all.slice(0, PACKS_SHOWN) : all;
}

export async function packVersion(c: PageContext): Promise<Response> {
  const { account, stores, pack } = c.var;
  const [now, versions] = await Promise.all([lookAround(stores), findVersions(stores, pack.period)]);
  const all = versions.filter(({ version }) => version !== pack.version);
  const shown = asked(c, all);
  const [verdict, checks, others] = await Promise.all([
    verdictSince(stores, pack, now),
    checksOf(stores, now.archive.seq, pack),
    standingsOf(stores, shown, now),
  ]);
  return page(c, packPage({ account, pack, verdict, checks, others, left: all.length - shown.length }));
}

export async function history(c: PageContext): Promise<Response> {
  const { account, stores } = c.var;
  return page(c, historyPage(account, await recentDownloads(stores, DOWNLOADS_SHOWN), DOWNLOADS_SHOWN));
}
