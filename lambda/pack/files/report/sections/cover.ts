import { METHOD_STATEMENTS } from "../../../../accounting/method.ts";
import { localTime, type Period } from "../../../../core/period.ts";
import { count, counted } from "../../../../core/text.ts";
import { isoTime, MINUTE_MS } from "../../../../core/time.ts";
import { type Html, html, outside } from "../html.ts";
import { file } from "../parts.ts";
import type { View } from "../view.ts";

/** The head of the page: whose, of which time, by which method, and whether it is complete. */
export function coverSection(view: View): Html {
  const { context, closing } = view;
  const { account, period, methods, basis, funding } = context;
  const { proof, exceptions } = closing;
  return html`
<header class="cover" id="cover">
<p class="brand">fillbook</p>
<h1>Statement of ${outside(account)}</h1>
<p class="lead">${period.firstDay} to ${period.lastDay}, ${period.zone}. Realised profit and loss of perpetual futures, excl. funding.</p>
${stateOf(view)}
<dl class="facts">
${fact("Account", outside(account))}
${fact("Period, local", html`from ${localText(period.from, period)} up to ${localText(period.to, period)}, in ${period.zone}`)}
${fact("Period, UTC", html`from ${utcText(period.from)} up to ${utcText(period.to)}`)}
${fact("Method", html`<strong>${methods.primary}</strong>. ${METHOD_STATEMENTS[methods.primary]} Beside it stands ${methods.reference}, so that the two can be compared.`)}
${fact("In the period by", basis === "fill" ? "the time of the fill (filled_at), or of its transaction (tx_created) where the service gave no other" : "the time of the transaction (tx_created)")}
${fact("Fills", html`<data value="${proof.fills}">${count(proof.fills)}</data>, with ${counted(exceptions.count, "exception")} (section 10)`)}
${fact("Funding", funding === null ? "not in any figure: the service's fills do not hold it" : html`in the user's file: ${counted(funding.length, "payment")}. Figures say whether they hold it.`)}
${fact("Fingerprint of the fills", html`<code class="hash">${proof.setHash}</code>`)}
${fact("Hashes of the files", html`in ${file(context, "SHA256SUMS")}; section 15 says how to check them`)}
</dl>
</header>`;
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

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function stateOf({ context, closing: { proof } }: View): Html {
  if (context.complete) {
    return html`<p class="state complete"><strong><span aria-hidden="true">✓</span> Complete.</strong> The service's answers for all of this period were read to their end, without a gap.</p>`;
  }
  const what =
    proof.gaps.length === 0
      ? "It was made although it may not be complete."
      : `${counted(proof.gaps.length, "stretch", "stretches")} of time not read: section 15 says which.`;
  return html`<p class="state incomplete" role="note"><strong><span aria-hidden="true">▲</span> INCOMPLETE.</strong> Do not file from this statement. ${what} Fills may be missing, and every figure may change.</p>`;
}
