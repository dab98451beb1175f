import { type Amount, roundToMinor } from "../../../../accounting/amount.ts";
import { METHOD_NAMES } from "../../../../accounting/method.ts";
import { type TieEffect, tieEffects } from "../../../../accounting/ties.ts";
import { count, counted } from "../../../../core/text.ts";
import { type Html, html, symbol } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

/** Figures that depend on an unknown order of fills. */
export function tieTable({ context, closing: { ties, statement } }: View): Html {
  const currencies = new Map(statement.markets.map(({ market, currency }) => [market, currency]));
  const currencyOf = ({ market }: TieEffect) => currencies.get(market) ?? "";
  const effects = tieEffects(ties, statement).filter((effect) => {
    const [inOrder, reversed] = [effect.inOrder, effect.reversed].map((one) => roundToMinor(one, currencyOf(effect)));
    return inOrder !== reversed;
  });
  const broken = ties.filter(({ reversible }) => !reversible).length;
  const lead = html`
<h3>Fills with identical timestamps</h3>
<p>Fills with the same timestamp as another fill of their market: ${count(statement.ties)}. ${
    statement.ties === 0
      ? null
      : `Their order is uncertain, so they were also booked in reverse order: ${effects.length === 0 ? "no figure on this page changes." : "the figures below change."}`
  }${broken === 0 ? null : ` The reverse order could not be checked in full for ${counted(broken, "market")}, because matches.csv names lots that are not open in that order.`}</p>`;
  const amountOf = (effect: TieEffect, amount: Amount) =>
    (effect.figure === "gross" ? result : money)(amount, currencyOf(effect));
  return effects.length === 0
    ? lead
    : html`${lead}${listTable<TieEffect>({
        id: "ties-table",
        caption: "Figures that depend on the order of fills with identical timestamps, excl. funding",
        columns: [
          column("Market", ({ market }) => symbol(market)),
          column("Method", ({ method }) => METHOD_NAMES[method]),
          column("Figure", ({ figure }) => (figure === "gross" ? "Gross realised PnL" : "Fees on closed positions")),
          numberColumn("In this pack", (effect) => amountOf(effect, effect.inOrder)),
          numberColumn("In reverse order", (effect) => amountOf(effect, effect.reversed)),
        ],
        items: effects,
        most: MOST_EFFECTS,
        more: (left) => html`${counted(left, "more figure")}: all figures are in ${file(context, "exceptions.csv")}.`,
      })}`;
}

const MOST_EFFECTS = 10;
