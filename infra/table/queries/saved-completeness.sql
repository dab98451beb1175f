-- To compare with a pack whose zone is UTC, row by row with its fees.csv. What is untyped there stands here where the service's words put it. Here
-- volume is rounded to 18 places, which the pack does not do.
-- fills and distinct_fills must be the same: a fill is known by its match and its order.
SELECT
  CAST(date_trunc('month', traded_at) AS date) AS trade_month,
  market,
  fee_currency,
  liquidity,
  count(*) AS fills,
  count(DISTINCT match_id || ' ' || order_id) AS distinct_fills,
  sum(volume) + CAST(sum(volume_rest) AS decimal(38, 18)) AS volume,
  sum(CASE WHEN fee > 0 THEN fee ELSE CAST(0 AS decimal(38, 18)) END) AS fees_paid,
  sum(CASE WHEN fee < 0 THEN fee ELSE CAST(0 AS decimal(38, 18)) END) AS rebates
FROM fills_current
WHERE account = 'main'
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4
