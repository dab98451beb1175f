import { counted } from "../../core/text.ts";
import type { Proof } from "../make/maker.ts";

/** The assumptions of a pack, in sentences for the reader of its figures. */
export function assumptionsOf({
  assumed,
  declared,
  noted,
}: Pick<Proof, "assumed" | "declared" | "noted">): readonly string[] {
  const { silenceDays, vanished } = assumed;
  return [
    ...ASSUMPTIONS,
    ...[...new Set([...declared, ...noted])].map((text) => `${text}.`),
    ...(silenceDays === null ? [] : [silenceSentence(silenceDays)]),
    ...(vanished === 0 ? [] : [vanishedSentence(vanished)]),
  ];
}

/** Fills that stand alone, or none at all, leave times without a known fill at both ends. */
export function silenceSentence(days: number): string {
  const ranges = days === 1 ? "one day" : `${days} days`;
  return `Times without a known fill at both ends, such as those before the first fill, were requested in ranges of up to ${ranges}. If the venue silently shortens such answers, fills could be missing there.`;
}

export function vanishedSentence(fills: number): string {
  const [are, they] = fills === 1 ? ["is", "It stays"] : ["are", "They stay"];
  return `${counted(fills, "fill")} of the account ${are} no longer reported by the venue among the fills around ${fills === 1 ? "it" : "them"}. ${they} in the records.`;
}

const ASSUMPTIONS: readonly string[] = [
  "The venue does not state the currency of a fee: fee_currency is assumed to be the quote currency of the market.",
  "The venue does not state the sign of a fee: a positive fee is treated as paid, a negative fee as a rebate.",
  "The venue's fill data has no funding payments: figures exclude funding unless they say that the user's funding.csv is included.",
  "A fill belongs to the period in which its filled_at lies, or its tx_created if the venue gave no filled_at. If the cut-off is based on the transaction, it belongs to the period in which its tx_created lies. Coverage is measured by tx_created.",
  "A fill whose transaction was created outside the period may have been made within it. Fills created up to seven days before or after the period were therefore read too; if the two times of a fill of the account are more than seven days apart, the margin is as large as that difference.",
  "notional is the exact product price × quantity. If it has more than 18 digits after the point, its cell in fills.parquet is empty and extra has the exact text.",
  "A fill that the venue reported and later withdrew stays in the records. The command fillbook verify --rewalk compares the records with the venue and reports such fills.",
  "The order of fills with identical timestamps is uncertain. They are sorted by tx_created, match_id and order_id.",
];

/** How complete a covered period is, how to check it, and what may still change it. */
export const COMPLETENESS_NOTES: readonly string[] = [
  "coverage: times for which the venue's answers were read to the last page. readings: how often. 2: twice, in two different ways, and what both readings show agrees. 1: once.",
  "assumed: what this rests on. silence_days: times without a known fill at both ends were requested in ranges of up to so many days; null: there were none. If the venue silently shortens such answers, fills could be missing there. vanished_fills: fills of the account that the venue no longer reports. They stay in the records.",
  "The most recent minutes are read later, because the venue can still add fills to them. A fill that the venue reports after its time was read, or changes, is a restatement. restatements.csv lists the restatements of the period.",
  "months: the calendar months of the period in its time zone. A fill counts in the month of the time that decides whether it belongs to the period (see basis). covered: all times of that month were read twice.",
  "accounts.markets: opening: where the position at the start of the period comes from. assumed_flat: from the fills, with no position before the account's first; declared: from the user's opening-positions.csv; unknown. pnl_unknown: why PnL of the period is not known, or not wholly, as codes that exceptions.csv explains.",
];
