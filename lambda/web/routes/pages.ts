import { calendarOf } from "../data/coverage-calendar.ts";
import { newestFirst, withWords } from "../data/periods.ts";
import { pagingOf } from "../paging.ts";
import type { ArchiveView } from "../ports.ts";
import { accountsPage } from "../views/accounts.ts";
import { comparePage } from "../views/compare.ts";
import { historyPage } from "../views/history.ts";
import { overviewPage } from "../views/overview.ts";
import { packPage } from "../views/pack.ts";
import { LONGEST_FIND, type PackList } from "../views/packs.ts";
import { notThere, page } from "./answers.ts";
import type { PathNames, Reply, RouteContext } from "./route-context.ts";
import type { AccountRoute, PackRoute } from "./with-account.ts";

/** Of more accounts than this only the names are shown: to look into each takes a read. */
const MOST_LOOKED_INTO = 20;
const PERIODS_SHOWN = 25;
const VERSIONS_SHOWN = 25;
const DOWNLOADS_SHOWN = 100;

export async function accounts(visit: RouteContext, _: PathNames): Promise<Reply> {
  const names = (await visit.ports.accounts()).filter((account) => visit.visitor.user.roleIn(account) !== null);
  const archives =
    names.length > MOST_LOOKED_INTO ? [] : await Promise.all(names.map((account) => visit.ports.archiveOf(account)));
  const lines = names.map((account, at) => ({ account, archive: archives[at] ?? null }));
  return page(accountsPage(visit.frame, lines));
}

export async function overview(visit: RouteContext, { account, role }: AccountRoute): Promise<Reply> {
  const { ports, frame, methods, request } = visit;
  const archive = ports.archiveOf(account);
  const [view, packs, jobs] = await Promise.all([
    archive,
    packsOf(visit, account, archive),
    ports.jobs.recent(account),
  ]);
  const now = ports.now();
  const years = calendarOf(view.coverage, now);
  const year = request.query.get("year");
  return page(overviewPage(frame, { archive: view, role, years, year, packs, jobs, methods, now }));
}

/** The periods of the page that the query asks for, and of each newest version what came since. */
async function packsOf(
  { ports, request: { query } }: RouteContext,
  account: string,
  archive: Promise<ArchiveView>,
): Promise<PackList> {
  const find = (query.get("find") ?? "").trim().slice(0, LONGEST_FIND);
  const found = withWords(newestFirst(await ports.packs.periods(account)), find);
  const paging = pagingOf(found.length, PERIODS_SHOWN, query.get("page"));
  const packs = await ports.packs.list(account, found.slice(paging.from, paging.to));
  const newest = packs.filter(({ latest }) => latest);
  const claims = await ports.packs.claims(account, newest);
  const since = await ports.packs.restatedSince(await archive, claims);
  const lines = packs.map((pack) => {
    const at = newest.indexOf(pack);
    return { ...pack, settings: claims[at] ?? null, restatementsSince: since[at] ?? null };
  });
  return { packs: lines, find, paging };
}

export async function packVersion(
  { ports, frame, request }: RouteContext,
  { account, pack }: PackRoute,
): Promise<Reply> {
  const archive = await ports.archiveOf(account);
  const newer = pack.versions.find(({ latest, version }) => latest && version !== pack.version);
  const [[restatementsSince = null], [newerClaim = null]] = await Promise.all([
    ports.packs.restatedSince(archive, [pack.claim]),
    ports.packs.claims(account, newer === undefined ? [] : [newer]),
  ]);
  const newest = newer === undefined ? null : { ...newer, settings: newerClaim };
  const all = pack.versions.filter(({ version }) => version !== pack.version);
  const paging = pagingOf(all.length, VERSIONS_SHOWN, request.query.get("page"));
  const others = all.slice(paging.from, paging.to);
  return page(packPage(frame, { account, pack, restatementsSince, newest, others, paging }));
}

/** Of the versions that the query names. */
export async function compare(
  { ports, frame, request }: RouteContext,
  { account, names }: AccountRoute,
): Promise<Reply> {
  const period = names["period"] ?? "";
  const [before, after] = await Promise.all(
    ["before", "after"].map((side) => ports.packs.find(account, period, request.query.get(side) ?? "")),
  );
  if (!(before && after)) {
    return notThere("no two such packs");
  }
  const changes = await ports.packs.compare(account, before, after);
  return page(comparePage(frame, { account, before, after, changes }));
}

export async function history({ ports, frame, request }: RouteContext, { account }: AccountRoute): Promise<Reply> {
  const before = request.query.get("before");
  const shown = await ports.downloads.recent(account, DOWNLOADS_SHOWN, before);
  return page(historyPage(frame, { ...shown, account, isOlder: before !== null }));
}
