import { comparedOf, type FigureKey, figureOf, isComplete, ownOf } from "../../../accounting/cube/figures.ts";
import { type Scope, scopesOf } from "../../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import { totalOf } from "../../../core/amount.ts";
import { counted } from "../../../core/text.ts";
import { objectionsOf, pointText } from "../../../core/verdict.ts";
import { proofFacts, statementFacts } from "../../catalogue/facts.ts";
import { verdictOf } from "../../catalogue/verdict.ts";
import { isGiven } from "../../make/given.ts";
import type { PackContext } from "../../make/maker.ts";
import { mainFigure, shownFigures } from "../../tables/figure-column.ts";
import { openIn, unrealisedPnl } from "../../tables/positions.ts";
import { figureCell, inReport } from "../columns.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../html.ts";
import { result } from "../numbers.ts";
import {
  accountWords,
  byCurrency,
  facts,
  LONGEST,
  lines,
  methodName,
  NOT_KNOWN,
  PARTIAL_MEANS,
  partial,
  see,
  type View,
} from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";

/**
 * The sheet that a client signs: whose it is, its period, its totals, also by the method for comparison, and
 * their basis, with room for signatures.
 */
export function statementSection(view: View): Html {
  const { context, closing } = view;
  const { period, complete } = context;
  const { claim, text, points } = verdictOf(context, closing);
  const isSound = objectionsOf({ points }).length === 0;
  const noted = points.map(({ see: more, ...point }) => {
    const said = outside(pointText(point), LONGEST);
    return more === undefined ? said : html`${said} See ${see(more)}.`;
  });
  return html`
<header class="cover" id="statement">
<p class="brand">fillbook</p>
<h1>Trading statement: ${accountWords(context)}</h1>
<p class="lead">Realised PnL of perpetual futures, ${period.firstDay} to ${period.lastDay}, ${period.zone}</p>
<p class="state ${complete ? "complete" : "incomplete"}"${complete ? null : html` role="note"`}><strong><span aria-hidden="true">${isSound ? "✓" : "▲"}</span> ${claim}.</strong> ${text}</p>${convertedTable(view)}<div class="pair">${byCurrency(view, ({ name, number, scope }) => figuresTable(context, name, number, scope))}</div>${
    noted.length === 0
      ? html`<p class="note">There are no points to note.</p>`
      : html`
<div class="points">
<h2>Points to note</h2>${lines(noted)}
</div>`
  }${facts(statementFacts(context, closing))}
<h2>Proof</h2>${lines(proofFacts(context, closing).map(([label, fact]) => html`${label}: ${outside(fact, LONGEST)}`))}${
    complete
      ? html`
<div class="signatures">${["Prepared by", "Client", "Date"].map((name) => html`<p>${name}</p>`)}</div>`
      : null
  }
</header>`;
}

/** A line of the statement. */
interface Line {
  readonly key: string;
  readonly label: HtmlValue;
  readonly cell: HtmlValue;
  /** Under the method for comparison. */
  readonly compared?: HtmlValue;
}

/** The totals of all currencies. Null: nothing is converted. */
function convertedTable({ context, closing: { sums } }: View): HtmlValue {
  const { currency: to } = sums;
  const main = mainFigure(context);
  return scopesOf(sums, []).map((scope) =>
    to === null
      ? null
      : listTable<Line>({
          id: "statement-converted",
          caption: html`All in ${outside(to)}: realised PnL`,
          columns: [column("Figure", ({ label }) => label), numberColumn(methodName(context), ({ cell }) => cell)],
          items: shownFigures(context, [main, "gross_pnl", "fees_recognised", "funding"]).map((key) => ({
            key,
            label: labelOf(context, key),
            cell: figureCell(key, scope, to, inReport) ?? NOT_KNOWN,
          })),
          keyOf: ({ key }) => key,
          note: isComplete(scope) ? null : PARTIAL_MEANS,
        }),
  );
}

function labelOf(context: PackContext, key: FigureKey, more = ""): HtmlValue {
  const label = figureOf(key).name + more;
  return key === mainFigure(context) ? html`<strong>${label}</strong>` : label;
}

const LINES: readonly FigureKey[] = [
  "gross_pnl",
  "fees_recognised",
  "realised_pnl_net_of_fees_excl_funding",
  "gains",
  "losses",
  "funding",
  "realised_pnl_net_incl_funding",
  "open_value_at_start",
  "open_value_at_end",
  "deferred_fees_at_start",
  "deferred_fees_at_end",
  "net_fees",
];

/** Gross, fees, funding, net and open positions of one currency. */
function figuresTable(context: PackContext, name: string, number: number, scope: Scope): Html {
  const rows: Readonly<Partial<Record<FigureKey, number>>> = {
    gains: scope.cell.gainRows,
    losses: scope.cell.lossRows,
  };
  const method = methodName(context);
  const own = shownFigures(context, LINES).map((key): Line => {
    const count = rows[key];
    // Funding is the same under every method.
    const of = key === "funding" ? ownOf : comparedOf;
    return {
      key,
      label: labelOf(context, key, count === undefined ? "" : `: ${counted(count, "row")} of realised-pnl.csv`),
      cell: figureCell(key, scope, name) ?? NOT_KNOWN,
      compared: figureOf(key).isCompared === true || key === "funding" ? figureCell(key, scope, name, of) : null,
    };
  });
  return listTable<Line>({
    id: `statement-${number}`,
    caption: html`Settled in ${symbol(name)}: realised PnL and open positions`,
    columns: [
      column("Figure", ({ label }) => label),
      numberColumn(`${method} ${context.isMethodChosen ? "(chosen)" : "(default)"}`, ({ cell }) => cell),
      numberColumn(METHOD_NAMES[context.methods.reference], ({ compared }) => compared ?? null),
    ],
    items: [...own, ...markLines(context, name, scope)],
    keyOf: ({ key }) => key,
    note: [
      context.isMethodChosen ? `${method} was chosen.` : `No method was chosen, so ${method} was used.`,
      " Short positions at cost are negative.",
      isComplete(scope) ? null : html` ${PARTIAL_MEANS}`,
    ],
  });
}

/** At the user's prices. */
function markLines(context: PackContext, name: string, { holdings }: Scope): Line[] {
  if (!isGiven(context, "marks")) {
    return [];
  }
  const amounts = openIn(holdings).map((row) => unrealisedPnl(context, row));
  const known = amounts.filter((amount) => amount !== null);
  const total = result(
    totalOf(known, (amount) => amount),
    name,
  );
  const part = known.length === 0 ? NOT_KNOWN : partial(total);
  const cell = known.length === amounts.length ? total : part;
  return [{ key: "unrealised", label: "Unrealised PnL, end, at the prices of marks.csv", cell }];
}
