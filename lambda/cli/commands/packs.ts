import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { count, counted, grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { EXPORT_NEXT, openNext } from "../next-step.ts";
import { type ListedPack, listPacks, namesIn, type PackList } from "../pack-list.ts";
import { table } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";
import { packOwner } from "./pack-owner.ts";

export const packs: Command = {
  usage: "[--account NAME …] [--all]",
  about: [
    "Lists the newest pack of each period, for all accounts of the store or the given ones: when it was made, its fills, its net realised PnL by currency (with funding where it says so), and whether it is complete.",
    "Reads only the store. It needs no address and no token, and changes nothing.",
  ],
  repeats: "account",
  readsAccount: true,
  options: {
    all: {
      value: null,
      help: "also list older versions, and incomplete packs of periods that have a complete one; with the method and currency of each",
    },
  },
  example: "fillbook packs --store ./fillbook-data",
  plan(given) {
    const named = given.texts("account").map(packOwner);
    return async (live) => {
      const store = await live.store();
      const accounts = named.length > 0 ? [...new Set(named)] : await namesIn(store);
      const all = given.has("all");
      const lists: PackList[] = [];
      for (const account of accounts) {
        lists.push(await listPacks({ account, store, packStore: null }, all));
      }
      const whole = { packs: lists.flatMap((one) => one.packs), gone: lists.flatMap((one) => one.gone) };
      const [first] = whole.packs;
      return {
        ...packsOutcome(whole, store.location, all ? [...COLUMNS, ...HOW_MADE] : COLUMNS),
        next: first === undefined ? EXPORT_NEXT : openNext({ account: first.account, period: first.pack.period }),
      };
    };
  },
};

function packsOutcome({ packs: listed, gone }: PackList, location: string, columns: readonly Column[]): Outcome {
  return {
    json: {
      packs: listed.map(({ account, pack, dir, claim, net, check }) => ({
        account,
        period: pack.period,
        version: pack.version,
        from: claim?.from ?? null,
        to: claim?.to ?? null,
        zone: claim?.zone ?? null,
        method: claim?.method ?? null,
        currency: claim?.currency ?? null,
        complete: claim === null ? null : pack.complete,
        latest: pack.latest,
        madeAt: isoTime(pack.madeAt),
        fills: claim?.fills ?? null,
        net,
        checkedAt: check === null ? null : isoTime(check.checkedAt),
        dir,
      })),
    },
    lines: [
      ...(listed.length === 0
        ? [`There is no pack in ${location}.`]
        : table(
            columns.map(({ title }) => title),
            listed.map((pack) => columns.map(({ cell }) => cell(pack))),
          )),
      ...listed.map(placeLine),
      ...gone,
    ],
    problem: null,
  };
}

interface Column {
  readonly title: string;
  readonly cell: (pack: ListedPack) => string;
}

const COLUMNS: readonly Column[] = [
  { title: "account", cell: ({ account }) => account },
  { title: "period", cell: ({ pack }) => pack.period },
  { title: "made", cell: ({ pack }) => day(pack.madeAt) },
  { title: "fills", cell: ({ claim }) => (claim === null ? "" : count(claim.fills)) },
  { title: "net realised", cell: netText },
  { title: "state", cell: stateText },
  { title: "checked", cell: checkText },
];

/** What tells the versions of a period apart. */
const HOW_MADE: readonly Column[] = [
  { title: "method", cell: ({ claim }) => claim?.method ?? "" },
  { title: "converted to", cell: ({ claim }) => claim?.currency ?? "" },
];

function netText({ net }: ListedPack): string {
  const figures = net.map(
    ({ currency, amount, partial }) => `${moneyText(amount)} ${currency}${partial ? ` (${PARTIAL_TOTAL})` : ""}`,
  );
  return [...figures, ...(net.some(({ funding }) => funding === "included") ? ["incl. funding"] : [])].join(", ");
}

function stateText({ pack, claim }: ListedPack): string {
  if (claim === null) {
    return "cannot be read: run fillbook verify";
  }
  return [
    pack.complete ? "complete" : "INCOMPLETE",
    ...(pack.complete && !pack.latest ? ["older"] : []),
    ...(pack.latestGone === null ? [] : ["the current version is missing"]),
  ].join(", ");
}

function checkText({ check }: ListedPack): string {
  return check === null
    ? "never"
    : `${day(check.checkedAt)}${check.ok ? "" : `: ${counted(check.findings, "finding")}`}`;
}

function placeLine({ pack, account, dir }: ListedPack): string {
  return `${account} ${pack.period}: ${dir}`;
}

function day(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

/** `-1,234.50` */
function moneyText(amount: string): string {
  const [whole = "", ...cents] = amount.split(".");
  return [grouped(whole), ...cents].join(".");
}
