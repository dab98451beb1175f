import { calendarOf } from "../data/calendar.ts";
import type { PackEntry, PagePorts } from "../ports.ts";
import { accountsPage } from "../views/accounts.ts";
import { comparePage } from "../views/compare.ts";
import { historyPage } from "../views/history.ts";
import { overviewPage } from "../views/overview.ts";
import { packPage } from "../views/pack.ts";
import type { PackLine } from "../views/packs.ts";
import { notThere, page } from "./answers.ts";
import type { AccountPlace, PackPlace } from "./places.ts";
import type { PathNames, Reply, Visit } from "./visit.ts";

/** Of more accounts than this only the names are shown: to look into each takes a read. */
const MOST_LOOKED_INTO = 20;
const MOST_DOWNLOADS = 500;
const MOST_TOLD = 12;

export async function accounts(visit: Visit, _: PathNames): Promise<Reply> {
  const names = (await visit.ports.accounts()).filter((account) => visit.visitor.user.roleIn(account) !== null);
  const archives =
    names.length > MOST_LOOKED_INTO ? [] : await Promise.all(names.map((account) => visit.ports.archiveOf(account)));
  const lines = names.map((account, at) => ({ account, archive: archives[at] ?? null }));
  return page(accountsPage(visit.frame, lines));
}

export async function overview({ ports, frame, methods }: Visit, { account, role }: AccountPlace): Promise<Reply> {
  const [archive, packs, jobs] = await Promise.all([
    ports.archiveOf(account),
    ports.packs.list(account),
    ports.jobs.recent(account),
  ]);
  const now = ports.now();
  const lines = await withRestatements(ports, account, packs);
  return page(
    overviewPage(frame, { archive, role, years: calendarOf(archive.coverage, now), packs: lines, jobs, methods, now }),
  );
}

/** To tell what came since takes some reads a pack: of the newest that are in use it is told. */
async function withRestatements(ports: PagePorts, account: string, packs: readonly PackEntry[]): Promise<PackLine[]> {
  const told = packs
    .filter(({ latest }) => latest)
    .toSorted((a, b) => b.madeAt - a.madeAt)
    .slice(0, MOST_TOLD);
  const details = await Promise.all(told.map(({ period, version }) => ports.packs.find(account, period, version)));
  const since = new Map(told.map((pack, at) => [pack, details[at]?.restatementsSince ?? null]));
  return packs.map((pack) => ({ ...pack, restatementsSince: since.get(pack) ?? null }));
}

export async function packVersion({ ports, frame }: Visit, { account, pack }: PackPlace): Promise<Reply> {
  const versions = await ports.packs.list(account, pack.period);
  return page(packPage(frame, { account, pack, versions }));
}

/** Of the versions that the query names. */
export async function compare({ ports, frame, request }: Visit, { account, names }: AccountPlace): Promise<Reply> {
  const period = names["period"] ?? "";
  const [before, after] = await Promise.all(
    ["before", "after"].map((side) => ports.packs.find(account, period, request.query.get(side) ?? "")),
  );
  if (!(before && after)) {
    return notThere("no two such packs");
  }
  const [changes, versions] = await Promise.all([
    ports.packs.compare(account, before, after),
    ports.packs.list(account, period),
  ]);
  return page(comparePage(frame, { account, before, after, changes, versions }));
}

export async function history({ ports, frame }: Visit, { account }: AccountPlace): Promise<Reply> {
  return page(historyPage(frame, account, await ports.downloads.recent(account, MOST_DOWNLOADS)));
}
