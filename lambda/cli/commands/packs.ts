import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { formatMinor } from "../../core/currency.ts";
import { count, counted, grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { objectionsOf, pointText } from "../../core/verdict.ts";
import type { NetFigure } from "../../web/packs.ts";
import { EXPORT_NEXT, openNext } from "../next-step.ts";
import { type ListedPack, listPacks, namesIn, type PackList, packOwner } from "../pack-list.ts";
import { table } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";

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
      const accounts = named.length > 0 ? [...new Set(named)] : await namesIn(store);
      const all = given.has("all");
      const lists: PackList[] = [];
      for (const account of accounts) {
        lists.push(await listPacks({ account, store, packStore: null }, all));
      }
      const whole = { packs: lists.flatMap((one) => one.packs), gone: lists.flatMap((one) => one.gone) };
      const [first] = whole.packs;
      const outcome = packsOutcome(whole, store.location, all ? [...COLUMNS, ...HOW_MADE] : COLUMNS);
      return first === undefined ? outcome : { ...outcome, next: openNext(first.account, first.pack.period) };
    };
  },
};

function packsOutcome({ packs: listed, gone }: PackList, location: string, columns: readonly Column[]): Outcome {
  return {
    json: {
      packs: listed.map(({ account, pack, dir, claim, verdict, check }) => ({
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
        madeAt: pack.madeAt,
        fills: claim?.fills ?? null,
        net: (claim?.nets ?? []).flatMap(jsonNet),
        verdict,
        checkedAt: check?.checkedAt ?? null,
        dir,
      })),
    },
    lines: [
      ...(listed.length === 0
        ? [`There is no pack in ${location}. To make one: ${EXPORT_NEXT[0]}`]
        : table(
            columns.map(({ title }) => title),
            listed.map((pack) => columns.map(({ cell }) => cell(pack))),
          )),
      ...listed.flatMap(standingLines),
      ...gone,
    ],
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
  { title: "net realised PnL", cell: ({ claim }) => netText(claim?.nets ?? []) },
  { title: "checked", cell: checkText },
];

/** What tells the versions of a period apart. */
const HOW_MADE: readonly Column[] = [
  { title: "method", cell: ({ claim }) => claim?.method ?? "" },
  { title: "converted to", cell: ({ claim }) => claim?.currency ?? "" },
];

/** Rounded to the minor unit of the currency; empty if it is not known. */
function jsonNet({ currency, net, isFundingIncluded, isPartial }: NetFigure) {
  const funding = isFundingIncluded ? "included" : "excluded";
  return net === null ? [] : [{ currency, amount: formatMinor(net, currency), funding, partial: isPartial }];
}

function netText(nets: readonly NetFigure[]): string {
  const figures = nets.flatMap(jsonNet);
  const texts = figures.map(
    ({ currency, amount, partial }) => `${moneyText(amount)} ${currency}${partial ? ` (${PARTIAL_TOTAL})` : ""}`,
  );
  const funding = figures.some((one) => one.funding === "included") ? "incl. funding" : "excl. funding";
  return [...texts, ...(texts.length === 0 ? [] : [funding])].join(", ");
}

function checkText({ check }: ListedPack): string {
  return check === null
    ? "never"
    : `${day(check.checkedAt)}${check.ok ? "" : `: ${counted(check.findings, "finding")}`}`;
}

/** What is known of a pack, what to do, and where it is. */
function standingLines({ pack, account, dir, verdict }: ListedPack): readonly string[] {
  return [
    `${account} ${pack.period}: ${verdict.claim}`,
    ...objectionsOf(verdict).map((point) => `  ${pointText(point)}`),
    `  ${dir}`,
  ];
}

function day(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

/** `-1,234.50` */
function moneyText(amount: string): string {
  const [whole = "", ...cents] = amount.split(".");
  return [grouped(whole), ...cents].join(".");
}
