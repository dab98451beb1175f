import { counted } from "../../core/text.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import type { Proof } from "../build/maker.ts";

/** The most assumed ranges that are written out. completeness.json lists all. */
const MOST_SENTENCES = 20;
/** The rotation rechecks silence in windows of a week. */
const DAYS_AGAIN = 7;

/** The assumptions of a pack, in sentences for the reader of its figures. */
export function assumptionsOf({
  assumed,
  datesTrusted,
  declared,
}: Pick<Proof, "assumed" | "datesTrusted" | "declared">): readonly string[] {
  const left = assumed.length - MOST_SENTENCES;
  return [
    ...ASSUMPTIONS,
    ...(datesTrusted ? [] : [UNDATED]),
    ...declared.map((text) => `${text}.`),
    ...assumed.slice(0, MOST_SENTENCES).map(assumedSentence),
    ...(left > 0
      ? [`The same is assumed for ${counted(left, "more range")} of time: completeness.json lists all of them.`]
      : []),
  ];
}

function assumedSentence({ account, from, to, widthMs }: Proof["assumed"][number]): string {
  const days = Math.ceil(widthMs / DAY_MS);
  const ranges = days === 1 ? "one day" : `${days} days`;
  const again = days > DAYS_AGAIN ? `, in ranges of ${DAYS_AGAIN} days` : "";
  return `${account === undefined ? "" : `${account}: `}Assumed to have no fills: ${timeText(from)} to ${timeText(to)}. The venue reported none, but this time was requested in ranges of up to ${ranges}. If the venue silently shortens such answers, fills could be missing there. Part of this time is checked again each week${again}.`;
}

/** A date if the time is the beginning of a day in UTC. */
function timeText(ms: number): string {
  const [date, time = ""] = isoTime(ms).split("T");
  return ms % DAY_MS === 0 ? `${date}` : `${date} ${time.replace("Z", " UTC")}`;
}

/** Said of a pack whose fills were not requested by dates. */
export const UNDATED =
  "The venue does not select fills by tx_created, so all fills were requested without dates. If the venue shortens that answer without saying so, fills could be missing.";

const ASSUMPTIONS: readonly string[] = [
  "The venue does not state the currency of a fee: fee_currency is assumed to be the quote currency of the market.",
  "The venue does not state the sign of a fee: a positive fee is treated as paid, a negative fee as a rebate.",
  "The venue's fill data has no funding payments: figures exclude funding unless they say that the user's funding.csv is included.",
  "A fill belongs to the period in which its filled_at lies, or its tx_created if the venue gave no filled_at. If the cut-off is based on the transaction, it belongs to the period in which its tx_created lies. Coverage is measured by tx_created.",
  "A fill whose transaction was created outside the period may have been made within it. Fills created up to one day before or after the period were therefore checked. For a period of less than four weeks, the margin is 60 times the largest difference between the two times of any fill, but at least half an hour and at most one day. If the two times of a fill are more than one day apart, the margin is as large as that difference.",
  "notional is the exact product price × quantity. If it has more than 18 digits after the point, its cell in fills.parquet is empty and extra has the exact text.",
  "A fill that the venue reported and later withdrew stays in the records. The command fillbook verify --rewalk compares the records with the venue and reports such fills.",
  "The order of fills with identical timestamps is uncertain. They are sorted by tx_created, match_id and order_id.",
];

/** How complete a covered period is, how to check it, and what may still change it. */
export const COMPLETENESS_NOTES: readonly string[] = [
  "coverage: times for which the venue's answers were read to the last page. assumed: times without fills that were requested in ranges of up to width_days. If the venue silently shortens such answers, fills could be missing there.",
  "The most recent minutes are read later, because the venue can still add fills to them. A fill that the venue reports after its time was read, or changes, is a restatement. restatements.csv lists the restatements of the period.",
  "months: the calendar months of the period in its time zone. A fill counts in the month of its filled_at, or of its tx_created if the venue gave no filled_at. covered: all fills created in that month were read.",
  "set_hash (the fingerprint): the sum, modulo 2^256, of the SHA-256 of each row of fills.parquet, as 64 hexadecimal digits. The hashes of the months add up to the total. A row is hashed as the UTF-8 text of the JSON array (RFC 8785) of its cells in the order of the columns: a time as a number of milliseconds since 1970-01-01 UTC, an amount as a string with 18 digits after the point, text as a string, an empty cell as null.",
];
