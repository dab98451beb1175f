import { type ArchiveView, viewArchive } from "../data/archives.ts";
import { findPack, packClaims } from "../data/catalogue.ts";
import { comparePacks } from "../data/comparison.ts";
import { recentDownloads } from "../data/downloads.ts";
import { inputNames, listAllInputs } from "../data/input-files.ts";
import { inputsSince } from "../data/inputs-since.ts";
import { readKeyFigures } from "../data/key-figures.ts";
import { accountPacks, type LeadingPack, leadingPeriod, newestOf } from "../data/newest-pack.ts";
import { checksWithPacks, sinceMade } from "../data/pack-checks.ts";
import { newestFirst, withWords } from "../data/periods.ts";
import { restatedSince } from "../data/restated.ts";
import { packPeriods, packVersions, versionsByPeriod } from "../data/versions.ts";
import type { AccountStores } from "../packs.ts";
import type { PagePorts, User } from "../ports.ts";
import type { PageAnswer } from "../request.ts";
import { type AccountLine, accountsPage, type KnownAccount } from "../views/accounts.ts";
import { comparePage, comparisonChoicePage } from "../views/compare.ts";
import { LONGEST_FIND } from "../views/components.ts";
import { historyPage } from "../views/history.ts";
import { overviewPage } from "../views/overview.ts";
import { packPage } from "../views/pack.ts";
import type { PackList } from "../views/packs.ts";
import { pagingOf } from "../views/paging.ts";
import { damageOf, notThere, page } from "./answers.ts";
import type { AccountRoute, PackRoute, PathNames, RouteContext } from "./route-context.ts";

/** With more accounts than this only their names are shown, because each would need a read. */
const MOST_LOOKED_INTO = 20;
const ACCOUNTS_SHOWN = 100;
const PERIODS_SHOWN = 25;
const VERSIONS_SHOWN = 25;
const DOWNLOADS_SHOWN = 100;

export async function accounts({ ports, visitor, request }: RouteContext, _: PathNames): Promise<PageAnswer> {
  const names = (await ports.accounts()).filter((account) => visitor.user.roleIn(account) !== null);
  const find = findIn(request.query);
  const found = names.filter((name) => name.includes(find.toLowerCase()));
  const paging = pagingOf(found.length, ACCOUNTS_SHOWN, request.query.get("page"));
  const isFew = found.length <= MOST_LOOKED_INTO;
  const lines = await Promise.all(
    found
      .slice(paging.from, paging.to)
      .map((account) => (isFew ? lineOf(ports, visitor.user, account, found.length === 1) : { account, known: null })),
  );
  const obstacles = names.map((account) => ports.cannotAsk(account));
  const cannotAsk = obstacles.includes(null) ? null : (obstacles[0] ?? null);
  return page(accountsPage(visitor, { accounts: lines, find, paging, cannotAsk, now: ports.now() }));
}

/** What is looked for in a list; empty: nothing. */
function findIn(query: URLSearchParams): string {
  return (query.get("find") ?? "").trim().slice(0, LONGEST_FIND);
}

/** A damaged account does not hide the others. */
async function lineOf(ports: PagePorts, user: User, account: string, isOnly: boolean): Promise<AccountLine> {
  try {
    return { account, known: await lookInto(ports, user, account, isOnly) };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) {
      throw error;
    }
    return { account, known: null, damage };
  }
}

async function lookInto(ports: PagePorts, user: User, account: string, isOnly: boolean): Promise<KnownAccount> {
  const stores = ports.storesOf(account);
  const [archive, packs] = await Promise.all([viewArchive(stores), accountPacks(stores, ports.now())]);
  // On AWS each account's jobs are requests of their own.
  const jobs = isOnly ? await ports.jobs.recent(account) : [];
  const running = jobs.filter(({ state }) => state === "running");
  const role = user.roleIn(account) ?? "accountant";
  return { archive, packs, role, cannotAsk: ports.cannotAsk(account), running };
}

export async function overview(
  { ports, visitor, request }: RouteContext,
  { account, stores, role }: AccountRoute,
): Promise<PageAnswer> {
  const archive = viewArchive(stores);
  const [view, { list: packs, leading, periods }, jobs, checks, files] = await Promise.all([
    archive,
    packsOf(stores, request.query, { archive, now: ports.now() }),
    ports.jobs.recent(account),
    archive.then(({ seq }) => checksWithPacks(stores, { seq }, "packs")),
    listAllInputs(stores),
  ]);
  const since = leading && (await inputsSince(stores, leading, files.inputs, ports.inputLimits.mostTotalBytes));
  const cannotAsk = ports.cannotAsk(account);
  const names = inputNames(files);
  const known = { archive: view, role, packs, ...names, leading, since, periods, jobs, checks, cannotAsk };
  return page(overviewPage(visitor, { ...known, now: ports.now() }));
}

interface PacksShown {
  readonly list: PackList;
  /** Null on other pages than the first one, and where something is looked for. */
  readonly leading: LeadingPack | null;
  /** Names of all periods that have packs, newest first. */
  readonly periods: readonly string[];
}

/** The periods of the requested page, with the fills that came after each newest version. */
async function packsOf(
  stores: AccountStores,
  query: URLSearchParams,
  { archive, now }: { readonly archive: Promise<ArchiveView>; readonly now: number },
): Promise<PacksShown> {
  const find = findIn(query);
  const all = newestFirst(await packPeriods(stores));
  const found = withWords(all, find);
  const paging = pagingOf(found.length, PERIODS_SHOWN, query.get("page"));
  const first = find === "" && paging.number === 1 ? leadingPeriod(all, now) : null;
  const shown = found.slice(paging.from, paging.to);
  const others = shown.filter((period) => period !== first);
  const known = await versionsByPeriod(stores, first === null ? others : [first, ...others]);
  const packs = known.flatMap(({ versions }) => versions);
  const gone = known.filter(({ versions, latestGone }) => versions.length === 0 && latestGone !== null);
  const own = newestOf(known.find(({ period }) => period === first?.name)?.versions ?? []);
  const newest = packs.filter((pack) => pack.latest || pack === own);
  const claims = await packClaims(stores, newest);
  const leading = own && { pack: own, claim: claims[newest.indexOf(own)] ?? null };
  const since = await restatedSince(stores, await archive, claims);
  const lines = packs.map((pack) => {
    const at = newest.indexOf(pack);
    const claim = claims[at] ?? null;
    return { ...pack, settings: claim, nets: claim?.nets ?? null, restatementsSince: since[at] ?? null };
  });
  return { list: { packs: lines, gone, find, paging }, leading, periods: all.map(({ name }) => name) };
}

export async function packVersion(
  { visitor, request }: RouteContext,
  { account, stores, pack }: PackRoute,
): Promise<PageAnswer> {
  const archive = await viewArchive(stores);
  const newer = pack.versions.find(({ latest, version }) => latest && version !== pack.version);
  const [[restatementsSince = null], [newerClaim = null], figures, { files, rewalk }] = await Promise.all([
    restatedSince(stores, archive, [pack.claim]),
    packClaims(stores, newer === undefined ? [] : [newer]),
    readKeyFigures(stores, pack),
    checksWithPacks(stores, { seq: archive.seq, period: pack.period }, pack.store),
  ]);
  const checks = { files: sinceMade(files, pack), rewalk };
  const newest = newer === undefined ? null : { ...newer, settings: newerClaim };
  const all = pack.versions.filter(({ version }) => version !== pack.version);
  const paging = pagingOf(all.length, VERSIONS_SHOWN, request.query.get("page"));
  const note = newerClaim && { settings: newerClaim, nets: newerClaim.nets };
  const others = all
    .slice(paging.from, paging.to)
    .map((one) => (one.version === newer?.version ? { ...one, note: one.note ?? note } : one));
  return page(packPage(visitor, { account, pack, figures, checks, restatementsSince, newest, others, paging }));
}

/** Compares the two versions that the query names; if it names none, asks which. */
export async function compare(
  { visitor, request }: RouteContext,
  { account, stores, names }: AccountRoute,
): Promise<PageAnswer> {
  const period = names["period"] ?? "";
  if (!(request.query.has("before") || request.query.has("after"))) {
    const own = (await packPeriods(stores)).filter(({ name }) => name === period);
    const versions = await packVersions(stores, own);
    return versions.length === 0
      ? notThere("no such period", visitor)
      : page(comparisonChoicePage(visitor, account, versions));
  }
  const [before, after] = await Promise.all(
    ["before", "after"].map((side) => findPack(stores, period, request.query.get(side) ?? "")),
  );
  if (!(before && after)) {
    return notThere("no two such packs", visitor);
  }
  return page(comparePage(visitor, { account, before, after, changes: await comparePacks(stores, before, after) }));
}

export async function history(
  { visitor, request }: RouteContext,
  { account, stores }: AccountRoute,
): Promise<PageAnswer> {
  const before = request.query.get("before");
  const shown = await recentDownloads(stores, DOWNLOADS_SHOWN, before);
  return page(historyPage(visitor, { ...shown, account, isOlder: before !== null }));
}
