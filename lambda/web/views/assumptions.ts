import { silenceSentence, vanishedSentence } from "../../pack/catalogue/assumptions.ts";
import type { Assumed } from "../../pack/make/maker.ts";
import { type Html, html } from "../../pack/report/html.ts";

/** What "complete" rests on beside the venue's answers, in the report's words; null if on nothing else. */
export function assumptionLine({ silenceDays, vanished }: Assumed): Html | null {
  const silence =
    silenceDays === null
      ? null
      : html`
<p class="note">${silenceSentence(silenceDays)}</p>`;
  const gone =
    vanished === 0
      ? null
      : html`
<p><span aria-hidden="true">▲</span> ${vanishedSentence(vanished)}</p>`;
  return silence === null && gone === null ? null : html`${gone}${silence}`;
}
