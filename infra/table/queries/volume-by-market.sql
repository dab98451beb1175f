-- What was traded by month (UTC) of the trade and market. Volume is price × quantity; its sums are exact, and rounded once, to 18 places. A fill
-- whose volume does not fit is counted in fills_without_volume, and is in no sum of it.
WITH sums AS (
  SELECT
    account,
    CAST(date_trunc('month', traded_at) AS date) AS trade_month,
    market,
    count(*) AS fills,
    sum(CASE WHEN side = 'buy' THEN quantity ELSE CAST(0 AS decimal(38, 18)) END) AS bought,
    sum(CASE WHEN side = 'sell' THEN quantity ELSE CAST(0 AS decimal(38, 18)) END) AS sold,
    coalesce(sum(volume), CAST(0 AS decimal(38, 18))) AS volume,
    sum(volume_rest) AS volume_rest,
    sum(CASE WHEN liquidity = 'maker' THEN volume ELSE CAST(0 AS decimal(38, 18)) END) AS maker,
    sum(CASE WHEN liquidity = 'maker' THEN volume_rest ELSE CAST(0 AS decimal(38, 36)) END) AS maker_rest,
    sum(CASE WHEN liquidity = 'taker' THEN volume ELSE CAST(0 AS decimal(38, 18)) END) AS taker,
    sum(CASE WHEN liquidity = 'taker' THEN volume_rest ELSE CAST(0 AS decimal(38, 36)) END) AS taker_rest,
    count(*) - count(volume) AS fills_without_volume
  FROM fills_current
  GROUP BY 1, 2, 3
)
SELECT
  account,
  trade_month,
  market,
  fills,
  bought,
  sold,
  volume + CAST(volume_rest AS decimal(38, 18)) AS volume,
  maker + CAST(maker_rest AS decimal(38, 18)) AS maker_volume,
  taker + CAST(taker_rest AS decimal(38, 18)) AS taker_volume,
  fills_without_volume
FROM sums
