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
    ...(left > 0 ? [`The same is assumed of ${left} more ranges: completeness.json lists all of them.`] : []),
  ];
}

function assumedSentence({ account, from, to, widthMs }: Proof["assumed"][number]): string {
  const days = Math.ceil(widthMs / DAY_MS);
  const ranges = days === 1 ? "a day" : `${days} days`;
  const again = days > DAYS_AGAIN ? `, in ranges of ${DAYS_AGAIN} days` : "";
  return `${account === undefined ? "" : `${account}: `}No fills were reported between ${timeText(from)} and ${timeText(to)}. This part was asked for in ranges of up to ${ranges}; a venue that silently cuts its answers to less could have hidden fills there. A part of it is checked again each week${again}.`;
}

/** A date if the time is the beginning of a day in UTC. */
function timeText(ms: number): string {
  const [date, time = ""] = isoTime(ms).split("T");
  return ms % DAY_MS === 0 ? `${date}` : `${date} ${time.replace("Z", " UTC")}`;
}

/** Said of a pack whose fills were not requested by dates. */
export const UNDATED =
  "The venue's dates do not go by tx_created, so that all fills come from one answer without dates; a venue that silently cuts that answer could have hidden fills.";

const ASSUMPTIONS: readonly string[] = [
  "fee_currency is assumed to be the quote currency of the market: the venue does not state it.",
  "A positive fee is read as paid and a negative one as a rebate: the venue does not state it.",
  "The venue's fill data has no funding payments: every figure excludes funding, except where it says that the user's funding.csv is included.",
  "A fill belongs to the period by filled_at, or by tx_created if the venue gave no filled_at. With the basis transaction it belongs by tx_created. Coverage is counted by tx_created.",
  "Fills that were created outside the period may have been filled within it. Those created up to a day before or after it were looked for; for a period of less than four weeks, up to 60 times the widest distance between the two times of any fill, at least half an hour and at most a day. Where two times lie further apart than a day, as far as that.",
  "notional is price × quantity, exact. If it needs more than 18 digits after the point, its cell in fills.parquet is empty, and extra has the exact text.",
  "A fill that the venue reported and later withdrew stays among the fills. fillbook verify --rewalk asks for all fills again and reports it.",
  "The order of fills with identical timestamps is not known. They are sorted by tx_created, match_id and order_id.",
];

/** How complete a covered period is, how to check it, and what may still change it. */
export const COMPLETENESS_NOTES: readonly string[] = [
  "A time is covered when the venue's answers for it were read to the last page. assumed: times without fills that were requested in ranges of up to width_days. A venue that silently cuts its answers to shorter ranges could have hidden fills there.",
  "The newest minutes are not read until the venue has settled them. A fill that appears later, or changes, is a restatement; restatements.csv lists those of the period.",
  "months: the calendar months of the zone, as far as the period reaches. A fill counts in the month of its trade time (filled_at, or else tx_created); covered means that all fills created in that month were read.",
  "set_hash: the sum, modulo 2^256, of the SHA-256 of each row of fills.parquet, as 64 hexadecimal digits; the months add up to the total. A row is hashed as the UTF-8 text of a JSON array after RFC 8785 of its cells, in the order of the columns: a time as a number, in milliseconds since 1970-01-01 UTC; an amount as a string with 18 digits after the point; text as a string; an empty cell as null.",
];
