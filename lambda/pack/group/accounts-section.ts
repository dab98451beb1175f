import { type Sum, sumOf } from "../../accounting/aggregate.ts";
import { type ConvertedSums, sumConverted } from "../../accounting/rates/converted.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { count, counted } from "../../core/text.ts";
import type { PackFigures } from "../build/figures.ts";
import type { Closing } from "../build/maker.ts";
import { fundingWords } from "../files/report/figures.ts";
import { type Html, html, outside, symbol } from "../files/report/html.ts";
import { result, signedMoney } from "../files/report/numbers.ts";
import { byCurrency, file, knownFees, knownResult, methodName, names, type Section } from "../files/report/parts.ts";
import { figureColumns } from "../files/report/sections/results.ts";
import { column, type ListColumn, listTable, numberColumn } from "../files/report/table.ts";
import type { CurrencyView, View } from "../files/report/view.ts";
import { type Cash, differenceOf, movementOf } from "./cash.ts";
import type { MatchedTransfer } from "./match-transfers.ts";

export interface AccountsMaterial {
  readonly members: readonly PackFigures[];
  readonly cash: readonly Cash[];
  readonly transfers: readonly MatchedTransfer[];
}

/** The section of a group's report that shows the part of each account. */
export function accountsSection(view: View, material: AccountsMaterial): Section {
  const { context } = view;
  return {
    id: "accounts",
    body: html`
<p>${counted(context.accounts.length, "account")}, each with its own records; no fill is in two of them. The positions and cost of each account are calculated separately, and a market that several accounts trade counts once for each. ${file(context, "summary-accounts.csv")} has the totals of each account. Each account also has its own pack, with every file.</p>${missing(material)}${convertedTable(view, material)}${byCurrency(
      view,
      (currency) => [accountTable(view, currency, material), cashTable(view, currency, material)],
    )}${transferText(view, material)}`,
  };
}

/** Says what only some accounts have. The totals include it for those accounts. */
function missing({ members }: AccountsMaterial): Html | null {
  const kinds = [
    ["funding.csv", "Funding", (one: PackFigures) => one.context.funding],
    ["transfers.csv", "Deposits and withdrawals", (one: PackFigures) => one.context.transfers],
    ["marks.csv", "Market prices", (one: PackFigures) => one.context.marks],
  ] as const;
  const lines = kinds.flatMap(([name, what, of]) => {
    const without = members.filter((one) => of(one) === null).map(({ context }) => context.account);
    return without.length === 0 || without.length === members.length
      ? []
      : [
          html`
<li><strong>${what}</strong>: ${name} was not given for ${names(without)}.</li>`,
        ];
  });
  return lines.length === 0
    ? null
    : html`
<ul class="reasons">${lines}</ul>`;
}

interface AccountRow {
  readonly name: string;
  readonly sum: Sum;
}

function accountTable(view: View, currency: CurrencyView, { members }: AccountsMaterial): Html {
  const rows = members.map(({ context, closing }): AccountRow => {
    const own = closing.statement.marketMonths.filter((one) => one.currency === currency.name);
    return { name: context.account, sum: sumOf(own) };
  });
  return listTable<AccountRow>({
    id: `accounts-${currency.number}`,
    caption: html`By account, ${symbol(currency.name)}, net ${fundingWords(view.context)}`,
    columns: [
      column("Account", ({ name }) => outside(name)),
      ...figureColumns(view, currency.name).map((one) => ({ ...one, cell: ({ sum }: AccountRow) => one.cell(sum) })),
    ],
    items: rows,
    keyOf: ({ name }) => name,
    total: { name: "Total", sum: currency.sum },
  });
}

interface ConvertedRow extends AccountRow {
  readonly converted: ConvertedSums;
}

/** The amounts of each account in the reporting currency. */
function convertedTable({ context, closing }: View, { members }: AccountsMaterial): Html | null {
  const { converted } = closing;
  if (converted === null) {
    return null;
  }
  const { currency } = converted;
  const rowOf = (name: string, own: Pick<Closing, "statement" | "converted">): ConvertedRow => ({
    name,
    sum: sumOf(own.statement.marketMonths),
    converted: sumConverted(own.converted?.months ?? []),
  });
  return listTable<ConvertedRow>({
    id: "accounts-converted",
    caption: html`By account, all in ${outside(currency)}, ${methodName(context)}, net ${fundingWords(context)}`,
    columns: [
      column("Account", ({ name }) => outside(name)),
      numberColumn("Gross PnL", (row) => knownResult(row.converted.gross, row.sum, currency)),
      numberColumn("Fees on closed", (row) => knownFees(row.converted.fees, row.sum, currency)),
      ...(context.funding === null
        ? []
        : [
            numberColumn<ConvertedRow>("Funding", (row) =>
              row.converted.funding === null ? null : result(row.converted.funding, currency),
            ),
          ]),
      numberColumn("Net PnL", ({ converted: own, sum }) =>
        knownResult(own.net.plus(own.funding ?? ZERO), sum, currency),
      ),
    ],
    items: members.map((member) => rowOf(member.context.account, member.closing)),
    keyOf: ({ name }) => name,
    total: rowOf("Total", closing),
  });
}

function cashTable({ context }: View, { name, number }: CurrencyView, { cash }: AccountsMaterial): Html {
  const own = cash.filter(({ currency }) => currency === name);
  const amount = (head: string, of: (row: Cash) => Amount | null): readonly ListColumn<Cash>[] =>
    own.every((row) => of(row) === null)
      ? []
      : [
          numberColumn(head, (row) => {
            const value = of(row);
            return value === null ? null : signedMoney(value, name);
          }),
        ];
  const all = own.find(({ account }) => account === null);
  return listTable<Cash>({
    id: `cash-${number}`,
    caption: html`Proof of cash, ${outside(name)}`,
    columns: [
      column("Account", ({ account }) => (account === null ? "Total" : outside(account))),
      ...amount("Opening", ({ opening }) => opening),
      ...amount("Gross PnL", ({ gross }) => gross),
      ...amount("Fees", ({ fees }) => fees.neg()),
      ...amount("Funding", ({ funding }) => funding),
      ...amount("Between accounts", ({ between }) => between),
      ...amount("Outside", ({ outside: moved }) => moved),
      ...amount("Movement", movementOf),
      ...amount("Closing", ({ closing }) => closing),
      ...amount("Difference", differenceOf),
    ],
    items: own.filter(({ account }) => account !== null),
    keyOf: ({ account }) => account ?? "total",
    ...(all === undefined ? {} : { total: all }),
    note: html`Opening and closing cash are from balances.csv. ${file(context, "balance.csv")} has the exact amounts.`,
  });
}

function transferText({ context }: View, { transfers }: AccountsMaterial): Html | null {
  if (context.transfers === null) {
    return null;
  }
  const between = transfers.filter(({ other }) => other !== null);
  const doubtful = between.filter(({ candidates }) => candidates > 1).length;
  return html`
<h3>Transfers</h3>
<p>${counted(transfers.length, "deposit or withdrawal", "deposits and withdrawals")}: ${count(between.length)} between the accounts, ${count(transfers.length - between.length)} from or to elsewhere. A withdrawal of one account and a deposit of another count as one transfer if currency and amount are equal and at most two days lie between them.${
    doubtful === 0
      ? null
      : html` For ${count(doubtful)} of them, more than one line would match: see ${file(context, "transfers.csv")}.`
  }</p>`;
}
