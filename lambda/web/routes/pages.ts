import { viewArchive } from "../data/archives.ts";
import { packClaims } from "../data/catalogue.ts";
import { recentDownloads } from "../data/downloads.ts";
import { hashesOf, inputNames, listAllInputs } from "../data/input-files.ts";
import { checksOf, type Now, type PackLine, packLines, standingsOf } from "../data/standing.ts";
import { leadingPeriod, newestFirst, packPeriods, versionsByPeriod } from "../data/versions.ts";
import type { AccountStores } from "../packs.ts";
import type { PageContext } from "../page-context.ts";
import type { PagePorts } from "../ports.ts";
import { type AccountLine, accountsPage, type KnownAccount } from "../views/accounts.ts";
import { historyPage } from "../views/history.ts";
import { overviewPage } from "../views/overview.ts";
import { packPage } from "../views/pack.ts";
import type { PackList } from "../views/packs.ts";
import { damageOf, page } from "./answers.ts";

/** With more accounts than this only their names are shown, because each would need a read. */
const MOST_LOOKED_INTO = 20;
/** Of periods, and of a period's versions, unless all are asked for. */
const PACKS_SHOWN = 25;
const DOWNLOADS_SHOWN = 100;

export async function accounts(c: PageContext): Promise<Response> {
  const { ports, visitor } = c.var;
  const names = (await ports.accounts()).filter((account) => visitor.user.roleIn(account) !== null);
  const isFew = names.length <= MOST_LOOKED_INTO;
  const lines = await Promise.all(
    names.map((account) => (isFew ? lineOf(ports, account, names.length === 1) : { account, known: null })),
  );
  const obstacles = names.map((account) => ports.cannotAsk(account));
  const cannotAsk = obstacles.includes(null) ? null : (obstacles[0] ?? null);
  return page(c, accountsPage({ accounts: lines, cannotAsk, now: ports.now() }));
}

/** A damaged account does not hide the others. */
async function lineOf(ports: PagePorts, account: string, isOnly: boolean): Promise<AccountLine> {
  try {
    return { account, known: await lookInto(ports, account, isOnly) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) {
      throw error;
    }
    return { account, known: null, damage };
  }
}

async function lookInto(ports: PagePorts, account: string, isOnly: boolean): Promise<KnownAccount> {
  const stores = ports.storesOf(account);
  const [{ archive, now }, all] = await Promise.all([lookAround(stores), packPeriods(stores)]);
  const periods = newestFirst(all);
  const first = leadingPeriod(periods, ports.now());
  const [leading = null] = await packLines(stores, await versionsByPeriod(stores, first === null ? [] : [first]), now);
  // On AWS each account's jobs are requests of their own.
  const recent = isOnly ? await ports.jobs.recent(account) : [];
  const jobs = recent.filter(({ state }) => state === "running");
  return { archive, leading, periods, cannotAsk: ports.cannotAsk(account), jobs };
}

/** What the packs of an account are compared with. */
async function lookAround(stores: AccountStores) {
  const [archive, files] = await Promise.all([viewArchive(stores), listAllInputs(stores)]);
  return { archive, files, now: { archive, inputs: files, hashOf: hashesOf(stores) } satisfies Now };
}

export async function overview(c: PageContext): Promise<Response> {
  const { ports, account, stores, role } = c.var;
  const around = lookAround(stores);
  const [{ archive, files }, { list: packs, leading, periods }, jobs, checks] = await Promise.all([
    around,
    packsOf(c, { around, now: ports.now() }),
    ports.jobs.recent(account),
    around.then(({ archive: { seq } }) => checksOf(stores, seq, null)),
  ]);
  const cannotAsk = ports.cannotAsk(account);
  const known = { archive, role, packs, ...inputNames(files), leading, periods, jobs, checks, cannotAsk };
  return page(c, overviewPage({ ...known, now: ports.now() }));
}

interface PacksShown {
  readonly list: PackList;
  readonly leading: PackLine | null;
  /** Names of all periods that have packs, newest first. */
  readonly periods: readonly string[];
}

async function packsOf(
  c: PageContext,
  { around, now }: { readonly around: ReturnType<typeof lookAround>; readonly now: number },
): Promise<PacksShown> {
  const { stores } = c.var;
  const all = newestFirst(await packPeriods(stores));
  const first = leadingPeriod(all, now);
  const shown = asked(c, all);
  const others = shown.filter((period) => period !== first);
  const known = await versionsByPeriod(stores, first === null ? others : [first, ...others]);
  const gone = known.filter(({ versions, latestGone }) => versions.length === 0 && latestGone !== null);
  const lines = await packLines(stores, known, (await around).now);
  const leading = lines.find(({ pack }) => pack.period === first) ?? null;
  return { list: { lines, gone, left: all.length - shown.length }, leading, periods: all };
}

/** The first of these, or all. */
function asked<Entry>(c: PageContext, all: readonly Entry[]): readonly Entry[] {
  return c.req.query("all") === undefined ? all.slice(0, PACKS_SHOWN) : all;
}

export async function packVersion(c: PageContext): Promise<Response> {
  const { account, stores, pack } = c.var;
  const { archive, now } = await lookAround(stores);
  const [[standing], checks] = await Promise.all([
    standingsOf(stores, [pack], pack.versions, now),
    checksOf(stores, archive.seq, pack),
  ]);
  const { verdict } = standing ?? pack.claim;
  const others = asked(
    c,
    pack.versions.filter(({ version }) => version !== pack.version),
  );
  const claims = await packClaims(stores, others);
  return page(
    c,
    packPage({
      account,
      pack,
      verdict,
      checks,
      others: others.map((other, at) => ({ pack: other, claim: claims[at] ?? null })),
    }),
  );
}

export async function history(c: PageContext): Promise<Response> {
  const { account, stores } = c.var;
  const before = c.req.query("before") ?? null;
  const shown = await recentDownloads(stores, DOWNLOADS_SHOWN, before);
  return page(c, historyPage({ ...shown, account, isOlder: before !== null }));
}
