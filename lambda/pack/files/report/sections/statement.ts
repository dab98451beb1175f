import { METHOD_STATEMENTS } from "../../../../accounting/method.ts";
import { localTime, type Period } from "../../../../core/period.ts";
import { count, counted } from "../../../../core/text.ts";
import { isoTime, MINUTE_MS } from "../../../../core/time.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { exceptionCounts, file, methodName } from "../parts.ts";
import { see } from "../titles.ts";
import type { View } from "../view.ts";
import { pointsOf } from "./points.ts";
import { headline, statementTables } from "./statement-figures.ts";

/** The first page: whose, of which time, the totals by both methods, what they rest on, and room to sign. */
export function statementSection(view: View): Html {
  const { account, period } = view.context;
  return html`
<header class="cover" id="statement">
<p class="brand">fillbook</p>
<h1>Trading statement: account ${outside(account)}</h1>
<p class="lead">Realised PnL of perpetual futures, ${period.firstDay} to ${period.lastDay}, ${period.zone}</p>
${stateOf(view)}${headline(view)}${statementTables(view)}${pointsOf(view)}${factsOf(view)}${proofOf(view)}${signatures(view)}
</header>`;
}

function stateOf(view: View): Html {
  const { context, closing } = view;
  const { gaps } = closing.proof;
  if (!context.complete) {
    const what =
      gaps.length === 0
        ? "It was made although its records may not be complete."
        : html`${counted(gaps.length, "range")} of time could not be read: see ${see("proof")}.`;
    return html`<p class="state incomplete" role="note"><strong><span aria-hidden="true">▲</span> INCOMPLETE.</strong> Do not file from this statement. ${what} Fills may be missing, and every figure may change.</p>`;
  }
  const { unknownFills } = view.standing;
  const unknown = `PnL could not be calculated for ${counted(unknownFills, "fill")}; totals exclude ${unknownFills === 1 ? "it" : "them"}.`;
  return html`<p class="state complete"><strong><span aria-hidden="true">✓</span> Records complete; ${claimOf(view)}.</strong> Every fill the venue reports for this period was retrieved, with no gaps.${unknownFills === 0 ? null : ` ${unknown}`}</p>`;
}

/** No more than what is known of PnL. */
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

function factsOf({ context, closing, currencies, standing }: View): Html {
  const { account, period, methods, basis, funding } = context;
  const { proof, exceptions, converted } = closing;
  const settled = currencies.map(({ name }, at) => html`${at === 0 ? null : ", "}${outside(name)}`);
  return html`
<dl class="facts">
${fact("Account", outside(account))}
${fact("Period", html`from ${localText(period.from, period)} up to ${localText(period.to, period)}, ${period.zone} (${utcText(period.from)} up to ${utcText(period.to)})`)}
${fact("Currency", converted === null ? html`settled in ${settled.length === 0 ? "none" : settled}; nothing is converted, and amounts of different currencies are never added` : html`${outside(converted.currency)}, converted from ${settled}: see ${see("rates")}`)}
${fact("Method", html`${METHOD_STATEMENTS[methods.primary]} ${methodName(context, "reference")} is shown for comparison.`)}
${fact("Period cut-off based on", basis === "fill" ? "the time of the fill (filled_at), or of its transaction (tx_created) where the venue gave no other" : "the time of the transaction (tx_created)")}
${fact("Fills", html`<data value="${proof.fills}">${count(proof.fills)}</data> in ${counted(standing.markets, "market")}; exceptions: ${exceptionCounts(exceptions)}`)}
${fact("Funding", funding === null ? "not included: the venue's fill data has no funding payments" : html`${counted(funding.length, "payment")} from the user's funding.csv, in the totals above`)}
</dl>`;
}

/** `2025-01-01 00:00 -05:00`: seconds where there are any. */
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

function fact(name: string, value: HtmlValue): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** In three lines. */
function proofOf({ context, closing: { proof } }: View): Html {
  const records = context.complete
    ? html`Records: the venue's answers for the whole period were read to their end; ${counted(proof.fills, "fill")}, each kept once.`
    : html`Records: <strong>not complete</strong>; ${counted(proof.fills, "fill")} so far, each kept once.`;
  return html`
<div class="proof">
<h2>Proof</h2>
<ol>
<li>${records}</li>
<li>Controls: positions, cash, fees and both methods were checked market by market, wherever both sides are known, in ${file(context, "control-totals.csv")}; the pack is not made when one of them does not hold.</li>
<li>Files: ${file(context, "SHA256SUMS")} has the hash of every file. Fingerprint of the fills: <code class="hash">${proof.setHash}</code></li>
</ol>
</div>`;
}

function signatures({ context }: View): Html | null {
  return context.complete
    ? html`
<div class="signatures"><p>Prepared by</p><p>Client</p><p>Date</p></div>`
    : null;
}
