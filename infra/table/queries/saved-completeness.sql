-- To compare with a pack whose zone is UTC, row by row with its fees.csv; rows that are untyped there are split here by what the service said.
-- fills and distinct_fills must be the same: a fill is known by its match and its order.
SELECT
  CAST(date_trunc('month', traded_at) AS date) AS trade_month,
  market,
  fee_currency,
  liquidity,
  count(*) AS fills,
  count(DISTINCT match_id || ' ' || order_id) AS distinct_fills,
  sum(notional) AS volume,
  sum(CASE WHEN fee > 0 THEN fee ELSE CAST(0 AS decimal(38, 18)) END) AS fees_paid,
  sum(CASE WHEN fee < 0 THEN fee ELSE CAST(0 AS decimal(38, 18)) END) AS rebates
FROM fills_current
WHERE account = 'main'
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4
