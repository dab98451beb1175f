-- Fills with an amount that did not fit its column, as the service wrote it: they are in no sum.
SELECT
  traded_at,
  market,
  side,
  coalesce(CAST(quantity AS varchar), quantity_text) AS quantity,
  coalesce(CAST(price AS varchar), price_text) AS price,
  coalesce(CAST(fee AS varchar), fee_text) AS fee,
  order_id,
  match_id,
  extra
FROM fills_current
WHERE account = 'main' AND (quantity IS NULL OR price IS NULL OR volume IS NULL OR fee IS NULL)
ORDER BY traded_at, match_id, order_id
