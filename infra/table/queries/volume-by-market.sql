-- What was traded by month (UTC) of the trade and market, exact. Volume is price × quantity. A fill without a volume that fits its column is
-- counted in fills_without_volume, and is in no sum.
SELECT
  account,
  CAST(date_trunc('month', traded_at) AS date) AS trade_month,
  market,
  count(*) AS fills,
  sum(CASE WHEN side = 'buy' THEN quantity ELSE CAST(0 AS decimal(38, 18)) END) AS bought,
  sum(CASE WHEN side = 'sell' THEN quantity ELSE CAST(0 AS decimal(38, 18)) END) AS sold,
  coalesce(sum(notional), CAST(0 AS decimal(38, 18))) AS volume,
  sum(CASE WHEN liquidity = 'maker' THEN notional ELSE CAST(0 AS decimal(38, 18)) END) AS maker_volume,
  sum(CASE WHEN liquidity = 'taker' THEN notional ELSE CAST(0 AS decimal(38, 18)) END) AS taker_volume,
  count(*) - count(notional) AS fills_without_volume
FROM fills_current
GROUP BY 1, 2, 3
