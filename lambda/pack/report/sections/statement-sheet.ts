import { METHOD_NAMES, METHOD_STATEMENTS } from "../../../accounting/method.ts";
import { localTime, type Period } from "../../../core/period.ts";
import { count, counted } from "../../../core/text.ts";
import { isoTime, MINUTE_MS } from "../../../core/time.ts";
import { isGiven, lacking, paymentsOf } from "../../make/given.ts";
import type { PackContext } from "../../make/maker.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../html.ts";
import { exceptionCounts, file, methodHead, names } from "../parts.ts";
import { accountWord, see } from "../titles.ts";
import type { View } from "../view.ts";
import { cashLine } from "./cash.ts";
import { pointsOf } from "./points.ts";
import { headline, type StatementTable, statementTable, type Tile } from "./statement-figures.ts";

/**
 * The sheet that a client signs: whose it is, its period, its totals, also by the method for comparison, and
 * their basis.
 */
export interface StatementSheet {
  readonly title: Html;
  readonly lead: string;
  readonly state: State;
  readonly tiles: readonly Tile[];
  /** One for each currency. */
  readonly tables: readonly StatementTable[];
  /** The chosen method, and the one for comparison. */
  readonly heads: readonly [own: string, beside: string];
  readonly points: readonly Html[];
  readonly facts: readonly Fact[];
  /** In four lines. */
  readonly proof: readonly Html[];
  /** Who signs, and when. Only on a complete pack. */
  readonly signatures: readonly string[];
}

interface State {
  readonly claim: string;
  readonly text: HtmlValue;
}

interface Fact {
  readonly name: string;
  readonly value: HtmlValue;
}

export function statementSheet(view: View): StatementSheet {
  const { context, currencies } = view;
  const { period, complete } = context;
  return {
    title: html`Trading statement: ${accountWord(context)} ${accountNames(context)}`,
    lead: `Realised PnL of perpetual futures, ${period.firstDay} to ${period.lastDay}, ${period.zone}`,
    state: complete ? completeState(view) : incompleteState(view),
    tiles: headline(view),
    tables: currencies.map((currency) => statementTable(context, currency)),
    heads: [methodHead(context), METHOD_NAMES[context.methods.reference]],
    points: pointsOf(view),
    facts: factsOf(view),
    proof: proofOf(view),
    signatures: complete ? ["Prepared by", "Client", "Date"] : [],
  };
}

function incompleteState({ closing }: View): State {
  const { gaps } = closing.proof;
  const what =
    gaps.length === 0
      ? "It was made although the records may not be complete."
      : html`${counted(gaps.length, "range")} of time could not be read: see ${see("proof")}.`;
  return {
    claim: "INCOMPLETE.",
    text: html`Do not file from this statement. ${what} Fills may be missing, and every figure may change.`,
  };
}

function completeState(view: View): State {
  const { unknownFills } = view.standing;
  const unknown = `PnL could not be calculated for ${counted(unknownFills, "fill")}; totals exclude ${unknownFills === 1 ? "it" : "them"}.`;
  return {
    claim: `Records complete; ${claimOf(view)}.`,
    text: `Every fill the venue reports for this period was retrieved, with no gaps.${unknownFills === 0 ? "" : ` ${unknown}`}`,
  };
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
    fact(accounts.length === 1 ? "Account" : "Accounts", accountNames(context)),
    fact(
      "Period",
      html`from ${localText(period.from, period)} up to ${localText(period.to, period)}, ${period.zone} (${utcText(period.from)} up to ${utcText(period.to)})`,
    ),
    fact(
      "Currency",
      sums.currency === null
        ? html`settled in ${currencies.length === 0 ? "none" : settled}; nothing is converted, and amounts in different currencies are never added`
        : html`${outside(sums.currency)}, converted from ${settled}: see ${see("rates")}`,
    ),
    fact(
      "Method",
      html`${METHOD_STATEMENTS[methods.primary]} ${METHOD_NAMES[methods.reference]} is shown for comparison.`,
    ),
    fact(
      "Period cut-off based on",
      basis === "fill"
        ? "the time of the fill (filled_at), or of its transaction (tx_created) if the venue gave no filled_at"
        : "the time of the transaction (tx_created)",
    ),
    fact(
      "Fills",
      html`<data value="${proof.fills}">${count(proof.fills)}</data> in ${counted(standing.markets, "market")}; exceptions: ${exceptionCounts(exceptions)}`,
    ),
    fact(
      "Funding",
      isGiven(context, "funding")
        ? html`${counted(paymentsOf(context).length, "payment")} from the user's funding.csv, in the totals above${withoutFunding.length === 0 ? null : html`; no funding.csv for ${names(withoutFunding)}`}`
        : "not included: the venue's fill data has no funding payments",
    ),
  ];
}

function accountNames({ accounts }: PackContext): Html {
  return names(accounts.map(({ account }) => account));
}

function named(what: string, name: string | null): readonly Fact[] {
  return name === null ? [] : [fact(what, outside(name))];
}

function fact(name: string, value: HtmlValue): Fact {
  return { name, value };
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
