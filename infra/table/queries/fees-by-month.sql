-- Fees by month (UTC) of the trade, market and currency, exact. Above zero they are read as paid, below zero as rebates: the service does not
-- say it. A fill whose fee does not fit its column is counted in fills_without_fee, and is in no sum.
SELECT
  account,
  CAST(date_trunc('month', traded_at) AS date) AS trade_month,
  market,
  fee_currency,
  count(*) AS fills,
  sum(CASE WHEN fee > 0 THEN fee ELSE CAST(0 AS decimal(38, 18)) END) AS fees_paid,
  sum(CASE WHEN fee < 0 THEN fee ELSE CAST(0 AS decimal(38, 18)) END) AS rebates,
  coalesce(sum(fee), CAST(0 AS decimal(38, 18))) AS net_fees,
  count(*) - count(fee) AS fills_without_fee
FROM fills_current
GROUP BY 1, 2, 3, 4
