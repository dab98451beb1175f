/** What a pack takes for granted, in sentences for whoever reads its figures. */
export const ASSUMPTIONS: readonly string[] = [
  "fee_currency is assumed to be the quote currency of the market: the service does not say it.",
  "A positive fee is read as paid and a negative one as a rebate: the service does not say it.",
  "Funding payments are not in the service's fills: every figure is excluding funding, but those that say that the funding.csv of the user is in them.",
  "A fill belongs to the period by filled_at, or by tx_created where the service gave no filled_at, unless the basis is transaction: then by tx_created. Coverage is counted by tx_created.",
  "notional is price × quantity, exact; where it needs more than 18 digits after the point, fills.parquet leaves the cell empty and gives the exact text in extra.",
  "Fills that share a time have no known order; they are sorted by tx_created, match_id and order_id.",
];

/** How complete a covered period is, how to check it, and what may still change it. */
export const COMPLETENESS_NOTES: readonly string[] = [
  "Time is covered when the service's answers for it were read to the end, where it says that there is no further page.",
  "The newest minutes are left out of a walk until the service has settled them; a fill that comes later than that, or changes, is a restatement: restatements.csv lists those of the period.",
  "months: the calendar months of the zone, as far as the period reaches. A fill counts in the month of its trade time (filled_at, or else tx_created); covered says that all fills created in that time were read.",
  "set_hash: the sum, modulo 2^256, of the SHA-256 of each row of fills.parquet, as 64 hexadecimal digits; the months add up to the total. A row is hashed as the UTF-8 text of a JSON array after RFC 8785 of its cells, in the order of the columns: a time as a number, in milliseconds since 1970-01-01 UTC; an amount as a string with 18 digits after the point; text as a string; an empty cell as null.",
];
