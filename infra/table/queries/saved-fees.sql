-- Fees and rebates by month, all markets of a currency together.
SELECT
  trade_month,
  fee_currency,
  sum(fills) AS fills,
  sum(fees_paid) AS fees_paid,
  sum(rebates) AS rebates,
  sum(net_fees) AS net_fees,
  sum(fills_without_fee) AS fills_without_fee
FROM fees_by_month
WHERE account = 'main'
GROUP BY trade_month, fee_currency
ORDER BY trade_month, fee_currency
