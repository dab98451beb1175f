import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { accountsIn, isAccountName, isPackOwner } from "../../core/account-name.ts";
import { formatMinor } from "../../core/currency.ts";
import { usageError } from "../../core/errors.ts";
import { compareText, count, grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { objectionsOf, pointText } from "../../core/verdict.ts";
import { SCHEMA } from "../../job/settings.ts";
import { viewArchive } from "../../web/data/archives.ts";
import { hashesOf, listInputs } from "../../web/data/input-files.ts";
import { missingVerdict, type Standing, standingsOf } from "../../web/data/standing.ts";
import { newestOf, packPeriods, storeOf, versionsByPeriod } from "../../web/data/versions.ts";
import type { AccountStores, NetFigure, PackEntry } from "../../web/packs.ts";
import { EXPORT_NEXT, openNext } from "../next-step.ts";
import { table } from "../terminal-text.ts";
import type { Command } from "./command.ts";

export const packs: Command = {
  about: [
    "Lists the newest pack of each period, for all accounts of the store or the given ones: when it was made, its fills, its net realised PnL by currency, and what is known against it, with what to do.",
    "Reads only the store. It needs no address and no token, and changes nothing.",
  ],
  accounts: "owners",
  options: {
    all: "also list older versions, and incomplete packs of periods that have a complete one; with the method and currency of each",
  },
  example: "fillbook packs --store ./fillbook-data",
  plan(given) {
    const named = given.texts("account").map(packOwner);
    return async (live) => {
      const store = await live.store();
      const all = given.has("all");
      const folders = named.length > 0 ? named : (await Array.fromAsync(store.folders(""))).filter(isPackOwner);
      const listed: Listed[] = [];
      const gone: string[] = [];
      for (const account of [...new Set(folders)].sort(compareText)) {
        const found = await listPacks({ account, store, packStore: null }, all);
        listed.push(...found.packs);
        gone.push(...found.gone);
      }
      const columns = all ? [...COLUMNS, ...HOW_MADE] : COLUMNS;
      const rows = listed.map((one) => columns.map(([, cell]) => cell(one)));
      const titles = columns.map(([title]) => title);
      const [first] = listed;
      const none = `There is no pack in ${store.location}. To make one: ${EXPORT_NEXT[0]}`;
      return {
        json: { packs: listed.map(shown) },
        lines: [...(first === undefined ? [none] : table(titles, rows)), ...listed.flatMap(standingLines), ...gone],
        ...(first === undefined ? {} : { next: openNext(first.account, first.pack.period) }),
      };
    };
  },
};

/** What was typed as `--account` where packs are looked for: an account, or a group as `fillbook packs` lists it. */
export function packOwner(typed: string): string {
  if (isPackOwner(typed)) {
    return typed;
  }
  const wrong = accountsIn(typed).find((name) => !isAccountName(name));
  if (wrong !== undefined) {
    SCHEMA.account.parse(wrong === "" ? typed : wrong, "--account");
  }
  throw usageError("--account names a group that is too long", "list the packs with their accounts: fillbook packs");
}

/** A pack, with what the page says of it too. */
interface Listed extends Standing {
  readonly account: string;
  readonly pack: PackEntry;
  /** A folder, or `s3://…`. */
  readonly dir: string;
}

/**
 * By period, then newest first: of each period only the newest complete version, or with `all` every one. `gone`: the
 * line of each period whose only version is missing.
 */
async function listPacks(stores: AccountStores, all: boolean) {
  const periods = await versionsByPeriod(stores, await packPeriods(stores));
  const versions = periods.flatMap((period) => period.versions);
  const listed = all ? versions : periods.flatMap((period) => newestOf(period) ?? []);
  const [archive, inputs] = await Promise.all([
    viewArchive(stores).catch(() => ({ seq: 0, restatements: null, skewMs: 0 })), // status and verify say what is wrong with it
    listInputs(stores),
  ]);
  const now = { archive, inputs, hashOf: hashesOf(stores) };
  const standings = await standingsOf(stores, listed, versions, now);
  const { account } = stores;
  const gone = periods.filter(({ versions: own, latestGone }) => own.length === 0 && latestGone !== null);
  return {
    packs: listed.map((pack, at): Listed => {
      const dir = `${storeOf(stores, pack.store).location}/${account}/packs/${pack.period}/${pack.version}`;
      return { ...(standings[at] as Standing), account, pack, dir }; // one each
    }),
    gone: gone.map((period) => goneLine(account, period)),
  };
}

/** That the version that counts is missing, and what to do. */
export function goneLine(account: string, { period, latestGone }: Pick<PackEntry, "period" | "latestGone">): string {
  return `${account} ${period}: ${missingVerdict(latestGone ?? "")
    .points.map(pointText)
    .join(" ")}`;
}

function shown({ account, pack, dir, claim, verdict }: Listed) {
  const { period, version, latest, madeAt } = pack;
  const { from = null, to = null, zone = null, method = null, currency = null, fills = null } = claim ?? {};
  const known = { account, period, version, from, to, zone, method, currency };
  const complete = claim === null ? null : pack.complete;
  return { ...known, complete, latest, madeAt, fills, net: (claim?.nets ?? []).flatMap(netShown), verdict, dir };
}

type Column = readonly [title: string, cell: (pack: Listed) => string];

const COLUMNS: readonly Column[] = [
  ["account", ({ account }) => account],
  ["period", ({ pack }) => pack.period],
  ["made", ({ pack }) => isoTime(pack.madeAt).slice(0, 10)],
  ["fills", ({ claim }) => (claim === null ? "" : count(claim.fills))],
  ["net realised PnL", ({ claim }) => netText(claim?.nets ?? [])],
];

/** What tells the versions of a period apart. */
const HOW_MADE: readonly Column[] = [
  ["method", ({ claim }) => claim?.method ?? ""],
  ["converted to", ({ claim }) => claim?.currency ?? ""],
];

/** Rounded to the minor unit of the currency; empty if it is not known. */
function netShown({ currency, net, isFundingIncluded, isPartial }: NetFigure) {
  const funding = isFundingIncluded ? "included" : "excluded";
  return net === null ? [] : [{ currency, amount: formatMinor(net, currency), funding, partial: isPartial }];
}

/** `-1,234.50 USD, excl. funding` */
function netText(nets: readonly NetFigure[]): string {
  const figures = nets.flatMap(netShown);
  const texts = figures.map(({ currency, amount, partial }) => {
    const [whole = "", ...cents] = amount.split(".");
    return `${[grouped(whole), ...cents].join(".")} ${currency}${partial ? ` (${PARTIAL_TOTAL})` : ""}`;
  });
  const funding = figures.some((one) => one.funding === "included") ? "incl. funding" : "excl. funding";
  return [...texts, ...(texts.length === 0 ? [] : [funding])].join(", ");
}

/** What is known of a pack, what to do, and where it is. */
function standingLines({ pack, account, dir, verdict }: Listed): readonly string[] {
  const objections = objectionsOf(verdict).map((point) => `  ${pointText(point)}`);
  return [`${account} ${pack.period}: ${verdict.claim}`, ...objections, `  ${dir}`];
}
