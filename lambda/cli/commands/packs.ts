import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { accountsIn, isAccountName, isPackOwner } from "../../core/account-name.ts";
import { readAmount } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { usageError } from "../../core/errors.ts";
import { compareText, count, grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { objectionsOf, pointText } from "../../core/verdict.ts";
import { SCHEMA } from "../../job/settings.ts";
import { viewArchive } from "../../web/data/archives.ts";
import { hashesOf, listInputs } from "../../web/data/inputs.ts";
import { type Standing, standingsOf } from "../../web/data/standing.ts";
import { packPeriods, versionsByPeriod } from "../../web/data/versions.ts";
import type { AccountStores } from "../../web/packs.ts";
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
      for (const account of [...new Set(folders)].sort(compareText)) {
        listed.push(...(await listPacks({ account, store, packs: store }, all)));
      }
      const columns = all ? [...COLUMNS, ...HOW_MADE] : COLUMNS;
      const rows = listed.map((one) => columns.map(([, cell]) => cell(one)));
      const titles = columns.map(([title]) => title);
      const [first] = listed;
      const none = `There is no pack in ${store.location}. To make one: ${EXPORT_NEXT[0]}`;
      return {
        json: { packs: listed.map(shown) },
        lines: [...(first === undefined ? [none] : table(titles, rows)), ...listed.flatMap(standingLines)],
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
  /** A folder, or `s3://…`. */
  readonly dir: string;
}

/** By period, then newest first: of each period only the newest complete version, or with `all` every one. */
async function listPacks(stores: AccountStores, all: boolean): Promise<Listed[]> {
  const { account, packs: place } = stores;
  const periods = await versionsByPeriod(stores, (await packPeriods(stores)).sort(compareText));
  const packed = periods.flatMap((versions) => (all ? versions : versions.slice(0, 1)));
  const [archive, inputs] = await Promise.all([
    viewArchive(stores).catch(() => ({ restatements: null, skewMs: 0 })), // status and verify say what is wrong with it
    listInputs(stores),
  ]);
  const standings = await standingsOf(stores, packed, { archive, inputs, hashOf: hashesOf(stores) });
  return standings.map((standing): Listed => {
    const { period, version } = standing.pack;
    return { ...standing, account, dir: `${place.location}/${account}/packs/${period}/${version}` };
  });
}

function shown({ account, pack, dir, claim, verdict }: Listed) {
  const { period, version, latest, madeAt } = pack;
  const { from = null, to = null, zone = null, method = null } = claim ?? ({} as Partial<NonNullable<typeof claim>>);
  const currency = claim?.accounts.report_currency ?? null;
  const known = { account, period, version, from, to, zone, method, currency };
  const complete = claim === null ? null : pack.complete;
  const fills = claim?.totals.fills ?? null;
  return { ...known, complete, latest, madeAt, fills, net: netsOf(claim), verdict, dir };
}

type Column = readonly [title: string, cell: (pack: Listed) => string];

const COLUMNS: readonly Column[] = [
  ["account", ({ account }) => account],
  ["period", ({ pack }) => pack.period],
  ["made", ({ pack }) => isoTime(pack.madeAt).slice(0, 10)],
  ["fills", ({ claim }) => (claim === null ? "" : count(claim.totals.fills))],
  ["net realised PnL", ({ claim }) => netText(claim)],
];

/** What tells the versions of a period apart. */
const HOW_MADE: readonly Column[] = [
  ["method", ({ claim }) => claim?.method ?? ""],
  ["converted to", ({ claim }) => claim?.accounts.report_currency ?? ""],
];

/** Rounded to the minor unit of the currency. Null: not known. */
function netsOf(claim: Standing["claim"]) {
  return (claim?.accounts.net_realised_pnl ?? []).map(({ currency, amount, ...net }) => {
    const exact = amount === null ? null : readAmount(amount);
    return { currency, amount: exact && formatMinor(exact, currency), ...net };
  });
}

/** `-1,234.50 USD, excl. funding` */
function netText(claim: Standing["claim"]): string {
  const figures = netsOf(claim);
  const texts = figures.map(({ currency, amount, partial }) => {
    if (amount === null) {
      return `${currency} not known`;
    }
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
