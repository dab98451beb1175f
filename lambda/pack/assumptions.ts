/** What a pack takes for granted, in sentences for whoever reads its figures. */
export const ASSUMPTIONS: readonly string[] = [
  "fee_currency is assumed to be the quote currency of the market: the service does not say it.",
  "A positive fee is read as paid and a negative one as a rebate: the service does not say it.",
  "Funding payments are not in the service's fills: every figure is excluding funding.",
  "A fill belongs to the period by filled_at, or by tx_created where the service gave no filled_at; coverage is counted by tx_created.",
  "notional is price × quantity, exact; where it needs more than 18 digits after the point, fills.parquet leaves the cell empty and gives the exact text in extra.",
  "Fills that share a time have no known order; they are sorted by tx_created, match_id and order_id.",
];

/** How complete a covered period is, and what may still change it. */
export const COMPLETENESS_NOTES: readonly string[] = [
  "A window is covered when its pages were read to the end, where the service says that there is no further page.",
  "The newest minutes are left out of a walk until the service has settled them; a fill that comes later than that, or changes, is a restatement.",
];
