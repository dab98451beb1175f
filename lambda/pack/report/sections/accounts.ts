import { type Scope, scopesOf } from "../../../accounting/cube/scopes.ts";
import { count, counted } from "../../../core/text.ts";
import { isGiven } from "../../make/given.ts";
import { mainFigure, shownFigures } from "../../tables/figure-column.ts";
import { breakdownKeys, figureColumns, inReport } from "../columns.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { byCurrency, file, fundingWords, methodName, type View } from "../parts.ts";
import { column, type ListColumn, listTable } from "../table.ts";

/** The part of each account, in a pack of several. Null: it is of one. */
export function accountsSection(view: View): Html | null {
  const { context, closing, transfers } = view;
  const { sums } = closing;
  if (context.accounts.length === 1) {
    return null;
  }
  const to = sums.currency;
  const table = (
    id: string,
    unit: Html,
    columns: readonly ListColumn<Scope>[],
    items: readonly Scope[],
    total?: Scope,
  ) =>
    listTable<Scope>({
      id,
      caption: html`By account, ${unit}, ${methodName(context)}, net ${fundingWords(context)}`,
      columns: [column("Account", ({ cell }) => outside(cell.account ?? "Total")), ...columns],
      items,
      keyOf: ({ cell }) => cell.account ?? "total",
      total,
    });
  const keys = shownFigures(context, ["gross_pnl", "fees_recognised", "funding", mainFigure(context)]);
  const between = transfers.filter(({ other }) => other !== null);
  const doubtful = between.filter(({ candidates }) => candidates > 1).length;
  return html`
<p>${counted(context.accounts.length, "account")}, each with its own records; no fill is in two of them. The positions and cost of each account are calculated separately. ${file(context, "summary.csv")} has the totals of each account, and every table names the account of each row.</p>${
    to === null
      ? null
      : table(
          "accounts-converted",
          html`all in ${outside(to)}`,
          figureColumns(keys, to, inReport),
          scopesOf(sums, ["account"]),
          scopesOf(sums, [])[0],
        )
  }${byCurrency(view, ({ name, number, by, scope }) =>
    table(`accounts-${number}`, symbol(name), figureColumns(breakdownKeys(context), name), by("account"), scope),
  )}${
    isGiven(context, "transfers")
      ? html`
<h3>Transfers</h3>
<p>${counted(transfers.length, "deposit or withdrawal", "deposits and withdrawals")}: ${count(between.length)} between the accounts, ${count(transfers.length - between.length)} from or to elsewhere. A withdrawal of one account and a deposit of another count as one transfer if currency and amount are equal and at most two days lie between them.${
          doubtful === 0
            ? null
            : html` For ${count(doubtful)} of them, more than one line would match: see ${file(context, "transfers.csv")}.`
        }</p>`
      : null
  }`;
}
