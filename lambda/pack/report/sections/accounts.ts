import { figureOf } from "../../../accounting/cube/figures.ts";
import { type Scope, scopesOf } from "../../../accounting/cube/scopes.ts";
import { count, counted } from "../../../core/text.ts";
import { isGiven, lacking } from "../../make/given.ts";
import { mainFigure, shownFigures } from "../../tables/figure-column.ts";
import type { MatchedTransfer } from "../../tables/match-transfers.ts";
import { figureCell, figureColumns } from "../figures.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { byCurrency, file, methodHead, methodName, names, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import { fundingWords } from "../titles.ts";
import type { CurrencyView, View } from "../view.ts";
import { inReport } from "./statement-figures.ts";

/** The part of each account, in a pack of several. Null: it is of one. */
export function accountsSection(view: View, transfers: readonly MatchedTransfer[]): Section | null {
  const { context } = view;
  return context.accounts.length === 1
    ? null
    : {
        id: "accounts",
        body: html`
<p>${counted(context.accounts.length, "account")}, each with its own records; no fill is in two of them. The positions and cost of each account are calculated separately. ${file(context, "summary.csv")} has the totals of each account, and every table names the account of each row.</p>${missing(view)}${convertedTable(view)}${byCurrency(view, (currency) => accountTable(view, currency))}${transferText(view, transfers)}`,
      };
}

/** Says what only some accounts have. The totals include it for those accounts. */
function missing({ context }: View): Html | null {
  const kinds = [
    ["funding", "Funding"],
    ["transfers", "Deposits and withdrawals"],
    ["marks", "Market prices"],
  ] as const;
  const lines = kinds.flatMap(([name, what]) => {
    const without = lacking(context, name);
    return without.length === 0
      ? []
      : [
          html`
<li><strong>${what}</strong>: ${name}.csv was not given for ${names(without)}.</li>`,
        ];
  });
  return lines.length === 0
    ? null
    : html`
<ul class="reasons">${lines}</ul>`;
}

const ACCOUNT = column<Scope>("Account", ({ cell }) => outside(cell.account ?? "Total"));
const keyOf = ({ cell }: Scope) => cell.account ?? "total";

function accountTable({ context }: View, { name, number, accounts, scope }: CurrencyView): Html {
  return listTable<Scope>({
    id: `accounts-${number}`,
    caption: html`By account, ${symbol(name)}, net ${fundingWords(context)}`,
    columns: [ACCOUNT, ...figureColumns(context, name, methodHead(context))],
    items: accounts,
    keyOf,
    total: scope,
  });
}

/** The amounts of each account in the reporting currency. */
function convertedTable({ context, closing: { sums } }: View): Html | null {
  const [total] = scopesOf(sums, []);
  const to = sums.currency;
  if (to === null || total === undefined) {
    return null;
  }
  const keys = shownFigures(context, ["gross_pnl", "fees_recognised", "funding", mainFigure(context)]);
  return listTable<Scope>({
    id: "accounts-converted",
    caption: html`By account, all in ${outside(to)}, ${methodName(context)}, net ${fundingWords(context)}`,
    columns: [
      ACCOUNT,
      ...keys.map((key) => numberColumn<Scope>(figureOf(key).name, (row) => figureCell(key, row, to, inReport))),
    ],
    items: scopesOf(sums, ["account"]),
    keyOf,
    total,
  });
}

function transferText({ context }: View, transfers: readonly MatchedTransfer[]): Html | null {
  if (!isGiven(context, "transfers")) {
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
