import { METHOD_NAMES, METHOD_STATEMENTS } from "../../../accounting/method.ts";
import { localTime, type Period } from "../../../core/period.ts";
import { count, counted } from "../../../core/text.ts";
import { isoTime, MINUTE_MS } from "../../../core/time.ts";
import { isGiven, lacking, paymentsOf } from "../../make/given.ts";
import type { PackContext } from "../../make/maker.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../html.ts";
import { exceptionCounts, file, framedParts, names } from "../parts.ts";
import { accountWord, see } from "../titles.ts";
import type { View } from "../view.ts";
import { cashLine } from "./cash.ts";
import { pointsOf } from "./points.ts";
import { statementTable, tiles } from "./statement-figures.ts";

/**
 * The sheet that a client signs: whose it is, its period, its totals, also by the method for comparison, and
 * their basis, with room for signatures.
 */
export function statementSection(view: View): Html {
  const { context, currencies } = view;
  const { period, complete } = context;
  const tables = currencies.map((currency) => ({ name: currency.name, part: statementTable(context, currency) }));
  const signatures = html`
<div class="signatures">${["Prepared by", "Client", "Date"].map((name) => html`<p>${name}</p>`)}</div>`;
  return html`
<header class="cover" id="statement">
<p class="brand">fillbook</p>
<h1>Trading statement: ${accountWord(context)} ${accountNames(context)}</h1>
<p class="lead">Realised PnL of perpetual futures, ${period.firstDay} to ${period.lastDay}, ${period.zone}</p>
${complete ? completeState(view) : incompleteState(view)}${tiles(view)}<div class="pair">${framedParts(view, tables)}</div>${pointsList(view)}
<dl class="facts">
${factsOf(view).map(
  ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
)}</dl>
<div class="proof">
<h2>Proof</h2>
<ol>${proofOf(view).map(item)}
</ol>
</div>${complete ? signatures : null}
</header>`;
}

function item(text: Html): Html {
  return html`
<li>${text}</li>`;
}

function pointsList(view: View): Html {
  const points = pointsOf(view);
  return points.length === 0
    ? html`<p class="note">There are no points to note.</p>`
    : html`
<div class="points">
<h2>Points to note</h2>
<ul>${points.map(item)}
</ul>
</div>`;
}

function incompleteState({ closing }: View): Html {
  const { gaps } = closing.proof;
  const what =
    gaps.length === 0
      ? "It was made although the records may not be complete."
      : html`${counted(gaps.length, "range")} of time could not be read: see ${see("proof")}.`;
  return html`<p class="state incomplete" role="note"><strong><span aria-hidden="true">▲</span> INCOMPLETE.</strong> Do not file from this statement. ${what} Fills may be missing, and every figure may change.</p>`;
}

function completeState(view: View): Html {
  const { unknownFills } = view.standing;
  const unknown = `PnL could not be calculated for ${counted(unknownFills, "fill")}; totals exclude ${unknownFills === 1 ? "it" : "them"}.`;
  return html`<p class="state complete"><strong><span aria-hidden="true">✓</span> Records complete; ${claimOf(view)}.</strong> Every fill the venue reports for this period was retrieved, with no gaps.${unknownFills === 0 ? "" : ` ${unknown}`}</p>`;
}

/** Claims no more than what is known of PnL. */
function claimOf({ standing, closing }: View): string {
  const { markets, missing, partial, unknownFills } = standing;
  const of = `of ${counted(markets, "market")}`;
  if (missing > 0 && partial > 0) {
    return `PnL missing for ${missing} and partly missing for ${partial} ${of}`;
  }
  if (missing > 0 || partial > 0) {
    return missing > 0 ? `PnL missing for ${missing} ${of}` : `PnL partly missing for ${partial} ${of}`;
  }
  if (unknownFills > 0) {
    return "PnL missing for fills without a market";
  }
  return closing.proof.fills === 0 ? "no fills in this period" : `PnL calculated for ${counted(markets, "market")}`;
}

type Fact = readonly [name: string, value: HtmlValue];

function factsOf({ context, closing, currencies, currenciesLeft, standing }: View): readonly Fact[] {
  const { accounts, period, methods, basis } = context;
  const { proof, exceptions, sums } = closing;
  const withoutFunding = lacking(context, "funding");
  const more = currenciesLeft === 0 ? null : html` and ${counted(currenciesLeft, "more currency", "more currencies")}`;
  const settled = html`${names(
    currencies.map(({ name }) => name),
    symbol,
  )}${more}`;
  const { venue, client, preparer, reference } = context.named;
  return [
    ...named("Client", client),
    ...named("Prepared by", preparer),
    ...named("Reference", reference),
    ...named("Venue", venue),
    [accounts.length === 1 ? "Account" : "Accounts", accountNames(context)],
    [
      "Period",
      html`from ${localText(period.from, period)} up to ${localText(period.to, period)}, ${period.zone} (${utcText(period.from)} up to ${utcText(period.to)})`,
    ],
    [
      "Currency",
      sums.currency === null
        ? html`settled in ${currencies.length === 0 ? "none" : settled}; nothing is converted, and amounts in different currencies are never added`
        : html`${outside(sums.currency)}, converted from ${settled}: see ${see("rates")}`,
    ],
    ["Method", html`${METHOD_STATEMENTS[methods.primary]} ${METHOD_NAMES[methods.reference]} is shown for comparison.`],
    [
      "Period cut-off based on",
      basis === "fill"
        ? "the time of the fill (filled_at), or of its transaction (tx_created) if the venue gave no filled_at"
        : "the time of the transaction (tx_created)",
    ],
    [
      "Fills",
      html`<data value="${proof.fills}">${count(proof.fills)}</data> in ${counted(standing.markets, "market")}; exceptions: ${exceptionCounts(exceptions)}`,
    ],
    [
      "Funding",
      isGiven(context, "funding")
        ? html`${counted(paymentsOf(context).length, "payment")} from the user's funding.csv, in the totals above${withoutFunding.length === 0 ? null : html`; no funding.csv for ${names(withoutFunding)}`}`
        : "not included: the venue's fill data has no funding payments",
    ],
  ];
}

function accountNames({ accounts }: PackContext): Html {
  return names(accounts.map(({ account }) => account));
}

function named(what: string, name: string | null): readonly Fact[] {
  return name === null ? [] : [[what, outside(name)]];
}

/** `2025-01-01 00:00 -05:00`. Seconds are shown unless they are zero. */
function localText(ms: number, { zone }: Period): string {
  const text = localTime(ms, zone);
  const offset = text.slice(23);
  return `${clock(text, ms)} ${offset === "+00:00" ? "UTC" : offset.replace("-", "−")}`;
}

function utcText(ms: number): string {
  return `${clock(isoTime(ms), ms)} UTC`;
}

function clock(iso: string, ms: number): string {
  const end = ms % MINUTE_MS === 0 ? 16 : 23;
  return iso.slice(0, end).replace("T", " ");
}

function proofOf(view: View): readonly Html[] {
  const {
    context,
    closing: { proof },
  } = view;
  const fills = html`${counted(proof.fills, "fill")}`;
  const records = context.complete
    ? html`Records: the venue's answers for the whole period were read twice, in two different ways, and agree; ${fills}, each kept once.`
    : html`Records: <strong>not complete</strong>; ${fills} so far, each kept once.`;
  return [
    records,
    html`Controls: the pack's own sums of positions, cash and fees were compared with each other, market by market, wherever both sides are known (${file(context, "control-totals.csv")}). If a control fails, no pack is made.`,
    cashLine(view),
    html`Files: ${file(context, "SHA256SUMS")} has the hash of every file. SHA-256 of ${file(context, "fills.csv")}: <code class="hash">${proof.sha256}</code>`,
  ];
}
