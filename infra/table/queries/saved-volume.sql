-- Volume by market, all months together, the largest first.
SELECT
  market,
  sum(fills) AS fills,
  sum(bought) AS bought,
  sum(sold) AS sold,
  sum(volume) AS volume,
  sum(maker_volume) AS maker_volume,
  sum(taker_volume) AS taker_volume,
  sum(fills_without_volume) AS fills_without_volume
FROM volume_by_market
WHERE account = 'main'
GROUP BY market
ORDER BY volume DESC, market
