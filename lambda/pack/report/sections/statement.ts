import { comparedOf, type FigureKey, figureOf, ownOf } from "../../../accounting/cube/figures.ts";
import { type Scope, scopesOf } from "../../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import { objectionsOf, pointText } from "../../../core/verdict.ts";
import { proofFacts, statementFacts } from "../../catalogue/facts.ts";
import { isConverted } from "../../catalogue/net.ts";
import { verdictOf } from "../../catalogue/verdict.ts";
import { figureLabel, mainFigure, shownFigures } from "../../tables/figure-column.ts";
import { figureCell, inReport } from "../columns.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../html.ts";
import {
  accountWords,
  byCurrency,
  facts,
  LONGEST,
  lines,
  methodName,
  NOT_KNOWN,
  partialNote,
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
<p class="state ${complete ? "complete" : "incomplete"}"${complete ? null : html` role="note"`}><strong><span aria-hidden="true">${isSound ? "✓" : "▲"}</span> ${claim}.</strong> ${text}</p>${isConverted(closing.sums) ? figuresTable(view, scopesOf(closing.sums, [])[0]) : null}<div class="pair">${byCurrency(view, ({ number, scope }) => figuresTable(view, scope, number))}</div>${
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
  "unrealised_pnl_at_end",
];

/**
 * Gross, fees, funding, net and open positions of a currency; without a number, of all in the reporting currency, as
 * far as they are converted.
 */
function figuresTable({ context, closing: { sums } }: View, scope: Scope | undefined, number?: number): HtmlValue {
  if (scope === undefined) {
    return null;
  }
  const isReporting = number === undefined;
  const unit = (isReporting ? sums.currency : scope.cell.currency) ?? "";
  const method = methodName(context);
  const lineOf = (key: FigureKey): Line => {
    const { isCompared } = figureOf(key);
    const label = figureLabel(key, (isReporting ? scope.cell.converted : null) ?? scope.cell);
    // Funding is the same under every method.
    const of = key === "funding" ? ownOf : comparedOf;
    return {
      key,
      label: key === mainFigure(context) ? html`<strong>${label}</strong>` : label,
      cell: figureCell(key, scope, unit, isReporting ? inReport : ownOf) ?? NOT_KNOWN,
      compared: isCompared === true || key === "funding" ? figureCell(key, scope, unit, of) : null,
    };
  };
  const keys = LINES.filter((key) => !isReporting || figureOf(key).converted !== undefined);
  const items = shownFigures(context, keys).map(lineOf);
  return listTable<Line>({
    id: `statement-${number ?? "converted"}`,
    caption: html`${isReporting ? "All in" : "Settled in"} ${symbol(unit)}: realised PnL${isReporting ? "" : " and open positions"}`,
    columns: [
      column("Figure", ({ label }) => label),
      numberColumn(`${method} ${context.isMethodChosen ? "(chosen)" : "(default)"}`, ({ cell }) => cell),
      ...(isReporting
        ? []
        : [numberColumn<Line>(METHOD_NAMES[context.methods.reference], ({ compared }) => compared ?? null)]),
    ],
    items,
    keyOf: ({ key }) => key,
    note: [
      context.isMethodChosen ? `${method} was chosen.` : `No method was chosen, so ${method} was used.`,
      isReporting ? null : " Short positions at cost are negative.",
      partialNote(items.map(({ cell }) => cell)),
    ],
  });
}
