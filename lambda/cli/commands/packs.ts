import { PARTIAL_TOTAL } from "../../accounting/aggregate.ts";
import { count, counted, grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { afterPacks } from "../next-step.ts";
import { type ListedPack, listPacks, namesIn } from "../pack-list.ts";
import { table } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";
import { packOwner } from "./pack-owner.ts";

export const packs: Command = {
  summary: "list the packs that were made: period, result, where they are",
  usage: "[--account NAME …] [--all]",
  about: [
    "Lists the newest pack of each period, of all accounts of the store or of those that are named: when it was made, its fills, its net realised PnL by currency (with funding where there is some), and whether it is complete.",
    "Reads the store alone: no address, no token, nothing is changed.",
  ],
  repeats: "account",
  readsAccount: true,
  options: {
    all: { value: null, help: "also older versions, and incomplete ones beside a complete one" },
  },
  example: "fillbook packs --store ./fillbook-data",
  plan(given) {
    const named = given.texts("account").map(packOwner);
    return async (live) => {
      const stores = { store: await live.store(), packStore: await live.packStore() };
      const accounts = named.length > 0 ? [...new Set(named)] : await namesIn(stores);
      const listed: ListedPack[] = [];
      for (const account of accounts) {
        listed.push(...(await listPacks({ account, ...stores }, given.has("all"))));
      }
      return {
        ...packsOutcome(listed, stores.store.location),
        next: afterPacks(listed[0], named[0] ?? live.settings.account),
      };
    };
  },
};

function packsOutcome(listed: readonly ListedPack[], location: string): Outcome {
  return {
    json: {
      packs: listed.map(({ account, pack, dir, claim, net, checks }) => ({
        account,
        period: pack.period,
        version: pack.version,
        from: claim?.from ?? null,
        to: claim?.to ?? null,
        zone: claim?.zone ?? null,
        method: claim?.method ?? null,
        complete: claim === null ? null : pack.complete,
        latest: pack.latest,
        madeAt: isoTime(pack.madeAt),
        fills: claim?.fills ?? null,
        net,
        checkedAt: checks.files === null ? null : isoTime(checks.files.checkedAt),
        dir,
      })),
    },
    lines:
      listed.length === 0
        ? [`There is no pack in ${location}.`]
        : [...table(HEADER, listed.map(rowOf)), ...listed.map(placeLine)],
    problem: null,
  };
}

const HEADER = ["account", "period", "made", "fills", "net realised", "state", "checked"];

function rowOf({ account, pack, claim, net, checks }: ListedPack): readonly string[] {
  const state =
    claim === null
      ? ["cannot be read: run fillbook verify"]
      : [pack.complete ? "complete" : "INCOMPLETE", ...(pack.complete && !pack.latest ? ["older"] : [])];
  return [
    account,
    pack.period,
    day(pack.madeAt),
    claim === null ? "" : count(claim.fills),
    net
      .map(({ currency, amount, partial }) => `${moneyText(amount)} ${currency}${partial ? ` (${PARTIAL_TOTAL})` : ""}`)
      .join(", "),
    state.join(", "),
    checks.files === null
      ? "never"
      : `${day(checks.files.checkedAt)}${checks.files.ok ? "" : `: ${counted(checks.files.findings, "finding")}`}`,
  ];
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
